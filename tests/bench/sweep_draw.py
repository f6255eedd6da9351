"""The bars that the draw has to reach, each measured: repeats, evenness, seconds; `reached` or `MISSED`.

python -m tests.bench.sweep_draw              all bars, some minutes on one core
python -m tests.bench.sweep_draw swiss clubs  those whose name has one of these words
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.bench import draw_events, draw_plans


@dataclass(frozen=True)
class Bar:
    name: str
    wanted: str
    misses: Callable[[], Iterator[str]]  # measures, and yields what misses the bar, in words


BARS = [
    Bar(name, wanted, misses) for bars in (draw_plans.BARS, draw_events.BARS) for name, wanted, misses in bars
]
MISSES_SHOWN = 12


def main(words: tuple[str, ...] = ()) -> None:
    for bar in BARS:
        if not words or any(word in bar.name for word in words):
            missed = list(bar.misses())
            print(f"{'MISSED ' if missed else 'reached'}  {bar.name}: {bar.wanted}", flush=True)
            for line in missed[:MISSES_SHOWN]:
                print(f"             {line}", flush=True)
            if missed[MISSES_SHOWN:]:
                print(f"             and {len(missed) - MISSES_SHOWN} more", flush=True)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
