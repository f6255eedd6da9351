"""Fits the weights by which boxes are judged, on photographs that are made, and writes them beside the reader.

`python -m tests.bench.reading_weights`: half an hour of CPU, most of it to make the pictures. The seeds are for tuning
alone; `tests.bench.reading` takes others. Among them are sheets on which only a few deals were played: a hand is hard
to know by those.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.bench.stage import empty_folder, python

if TYPE_CHECKING:
    from tests.photographs.made import Truth


class Seeds(NamedTuple):
    """So many sheets from a seed on; of a `sparse` one up to six deals were played."""

    first: int
    count: int
    sparse: bool = False


TUNING = (Seeds(20_000, 420), Seeds(30_000, 420), Seeds(40_000, 42), Seeds(60_000, 84, sparse=True))
SPARSE = 7
# Which plain boxes are left out, and how weights begin.
CHOICE, BEGIN = 5, 1


def fit() -> None:
    """In a process of its own, with Django on an empty database."""
    import cv2
    import django
    import numpy as np

    django.setup()
    from django.core.management import call_command

    from tests.photographs.camera import LEVELS
    from tests.photographs.hands import HANDS
    from tests.photographs.made import made
    from tests.photographs.sheets import print_all, printed
    from tournaments.reporting.reader import learning
    from tournaments.reporting.reader.reader import look
    from tournaments.reporting.reader.weights import SHIPPED

    cv2.setNumThreads(1)
    folder = Path(sys.argv[2])
    call_command("migrate", verbosity=0)
    print_all(folder)
    sheets, hands, levels = printed(folder), list(HANDS), list(LEVELS)
    random, examples = np.random.default_rng(CHOICE), []
    for seeds in TUNING:
        for number in range(seeds.count):
            hand, level = hands[number % len(hands)], levels[number // len(hands) % len(levels)]
            page, layout, rulebook = sheets[(number + number // (len(hands) * len(levels))) % len(sheets)]
            played = number // 3 % SPARSE if seeds.sparse else None
            picture, truth = made(
                page, layout, rulebook, seeds.first + number, hand=hand, level=level, played=played
            )
            seen = look(picture, layout)
            if seen is not None:
                rows = {row for row, meant in enumerate(truth.lines) if meant is not None}
                examples.append(learning.examples_of(seen, what_is(truth, hand), rows, random))
            if number % len(hands) == 0:
                print(f"… {seeds.first + number}", file=sys.stderr, flush=True)
    weights = learning.fitted(learning.together(examples), seed=BEGIN)
    SHIPPED.write_bytes(weights.to_bytes())


def what_is(truth: Truth, hand: str) -> dict[tuple[int, int], int]:
    """What boxes are by how they look: who fills the boxes that are meant fills them."""
    from tournaments.reporting.reader.weights import FULL, MARK

    looks: dict[str, Any] = {"tick": FULL if hand == "filler" else MARK, "void": FULL}
    return {box: looks[mark] for box, mark in truth.marks.items() if mark in looks}


def main() -> None:
    with empty_folder() as folder:
        python(
            "-m", "tests.bench.reading_weights", "fit", folder,
            folder=folder, DJANGO_SETTINGS_MODULE="config.settings",
        )  # fmt: skip


if __name__ == "__main__":
    fit() if sys.argv[1:] else main()
