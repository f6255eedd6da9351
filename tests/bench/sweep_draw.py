"""Every plan for 16 to 200 players and 2 to 8 rounds, small clubs, and 1,000 players: repeats, evenness, seconds.

python -m tests.bench.sweep_draw              all, about two minutes on one core
python -m tests.bench.sweep_draw 24 27        these numbers of players only, over eight seeds
"""

import sys
import time
from collections.abc import Iterable

from tournaments.draw import Plan, plan

SMALL = range(8, 16)
USUAL = range(16, 201)
LARGE = (256, 501, 1000)
ROUNDS = range(2, 9)


def main(players: Iterable[int] = (), seeds: Iterable[int] = (1,)) -> None:
    worst = 0.0
    begun = time.process_time()
    cells = [(n, rounds) for n in players or (*SMALL, *USUAL, *LARGE) for rounds in ROUNDS]
    faultless = 0
    for n, rounds in cells:
        for seed in seeds:
            started = time.process_time()
            drawn = plan(n, rounds, seed=seed)
            seconds = time.process_time() - started
            worst = max(worst, seconds)
            faults = _faults(drawn)
            faultless += not faults
            if faults or seconds > 1:
                print(f"{n} players, {rounds} rounds, seed {seed}: {faults} {seconds:.2f} s", flush=True)
    print(f"{faultless} of {len(cells) * len(list(seeds))} plans without repeats and even in all respects")
    print(f"{time.process_time() - begun:.0f} s in all, the longest {worst:.2f} s")


def _faults(drawn: Plan) -> str:
    """Say what is not as even as can be wished."""
    figures = drawn.quality
    faults = []
    if figures.repeats:
        faults.append(f"E = {figures.repeats} (bound {figures.bound}), max {figures.most_meetings}")
    if figures.tables_of_three[1] - figures.tables_of_three[0] > 1:
        faults.append(f"tables of three {figures.tables_of_three}")
    if figures.first_deals[1] - figures.first_deals[0] > 1:
        faults.append(f"first deals {figures.first_deals}")
    if figures.seat_imbalance:
        faults.append(f"{figures.seat_imbalance} players with uneven seats")
    return "; ".join(faults)


if __name__ == "__main__":
    chosen = [int(text) for text in sys.argv[1:]]
    main(chosen, range(8) if chosen else (1,))
