"""How many lines of photographed sheets are certain, how many of those are wrong, and what reading costs.

Pictures are made from the real PDF (`tests.photographs`): fourteen hands, three levels, by seeds that no number was
fitted on. `READING_SHEETS` says how many (700 make some 20,000 lines), `READING_SEED` from which seed on,
`READING_FROM` which of them is the first (so that several processes share a run), `READING_DIRT` how much dirt there is
(0.1 little), `READING_HANDS` which hands. Where a reading asks whether somebody
fills the boxes that are meant, that is answered, and the sheet read once more. It takes about two seconds of CPU a
sheet, most of them to make the picture. What is wrong is printed with its seed.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.stage import empty_folder, python

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook
    from tests.photographs.made import Truth
    from tournaments.reporting.reader.results import Reading, Unreadable

SHEETS, HELD_BACK = 42, 500_000
# Those of whom nearly every line should be certain.
USUAL = ("ticks", "crosses", "strokes", "red", "pencil")


class Tally:
    """Lines that were played, certain ones, certain and wrong ones; and why the others were asked."""

    def __init__(self) -> None:
        self.lines = self.certain = self.wrong = 0
        self.why: Counter[str] = Counter()

    def said(self) -> str:
        share = 100 * self.certain / max(self.lines, 1)
        why = ", ".join(f"{why} {count}" for why, count in self.why.most_common(5))
        return f"{self.lines:6} lines, {share:5.1f} % certain, {self.wrong} certain and wrong; asked: {why}"


def count(
    tallies: list[Tally], read: Reading | Unreadable, rulebook: Rulebook, truth: Truth
) -> list[tuple[int, Any, Any]]:
    """Count a sheet's lines; those that were certain and wrong, with what was read and what is true.

    A line that was played and looks as if it was not counts as asked: nothing is taken in, and its deal is missing.
    """
    from scoring.seats import Seating
    from tournaments.reporting.reader.boxes import reported_lines
    from tournaments.reporting.reader.results import Unreadable

    if isinstance(read, Unreadable):
        for tally in tallies:
            played = sum(true != {} for true in truth.lines)
            tally.lines += played
            tally.why[f"({read.reason})"] += played
        return []
    players = read.layout.players
    seatings = {row.deal: Seating(players, row.dealer) for row in read.layout.rows}
    wrong = []
    for line, true in zip(reported_lines(read, rulebook, seatings), truth.lines, strict=True):
        is_wrong = line.certain and not line.is_empty and line.line.chosen != true
        for tally in tallies:
            tally.lines += true != {}
            tally.certain += line.certain and not line.is_empty
            tally.wrong += is_wrong
            if not line.certain or (line.is_empty and true != {}):
                tally.why[line.why or "looks empty"] += 1
        if is_wrong:
            wrong.append((line.deal, line.line.chosen, true))
    return wrong


def render() -> None:
    """In a process of its own: print the figures as JSON lines, one a sheet read."""
    import cv2
    import django

    django.setup()
    from django.core.management import call_command

    from tests.photographs.camera import LEVELS
    from tests.photographs.hands import HANDS
    from tests.photographs.made import made
    from tests.photographs.sheets import KINDS, name_of, print_all, printed
    from tournaments.reporting.reader.reader import read
    from tournaments.reporting.reader.results import Reading

    cv2.setNumThreads(1)
    folder = Path(sys.argv[2])
    if not list(folder.glob("*.npz")):
        call_command("migrate", verbosity=0)
        print_all(folder)
    sheets = printed(folder)
    hands = os.environ.get("READING_HANDS", "").split() or list(HANDS)
    levels, first = list(LEVELS), int(os.environ.get("READING_SEED", HELD_BACK))
    dirt = float(os.environ.get("READING_DIRT", "1"))
    tallies: dict[str, Tally] = {}
    took: list[float] = []
    questions: Counter[str] = Counter()
    begin = int(os.environ.get("READING_FROM", "0"))
    for number in range(begin, begin + int(os.environ.get("READING_SHEETS", SHEETS))):
        hand, level = hands[number % len(hands)], levels[number // len(hands) % len(levels)]
        # Each hand meets each kind at each level, one after the other.
        kind = (number + number // (len(hands) * len(levels))) % len(sheets)
        page, layout, rulebook = sheets[kind]
        picture, truth = made(page, layout, rulebook, first + number, hand=hand, level=level, dirt=dirt)
        begun = time.process_time()
        found = read(picture, lambda _name, layout=layout: layout)  # type: ignore[misc]
        took.append(time.process_time() - begun)
        if isinstance(found, Reading) and found.fills:
            # The one question a sheet: do you fill your ticks?
            questions[hand] += 1
            found = read(picture, lambda _name, layout=layout: layout, fills=hand == "filler")  # type: ignore[misc]
        about = ["all", f"level {level}", f"hand {hand}", f"sheet {name_of(*KINDS[kind][:3])}"]
        about += ["usual hands, easy and normal"] * (hand in USUAL and level != "hard")
        wrong = count([tallies.setdefault(one, Tally()) for one in about], found, rulebook, truth)
        for deal, read_as, true in wrong:
            print(
                f"WRONG seed {first + number} {hand} {level} deal {deal}: {read_as} for {true}",
                file=sys.stderr,
            )
        if number % 14 == 13:
            print(f"… {number + 1 - begin} sheets: {tallies['all'].said()}", file=sys.stderr, flush=True)
    for about, tally in sorted(tallies.items()):
        print(f"{about:30} {tally.said()}")
    print(f"asked whether ticks are filled: {dict(questions)}")
    (folder / "last.jpg").write_bytes(picture)
    (folder / "layout.json").write_text(json.dumps(layout.to_json()))
    took.sort()
    print(f"reading: {took[len(took) // 2]:.2f} s of CPU a sheet, {took[-1]:.2f} at most")


def peak() -> None:
    """In a process of its own, without what makes pictures: print the most memory that it ever had, in MB."""
    import django

    django.setup()
    from tournaments.reporting.reader.layout import read_layout
    from tournaments.reporting.reader.reader import read

    layout = read_layout(json.loads(Path(sys.argv[2], "layout.json").read_text()))
    read(Path(sys.argv[2], "last.jpg").read_bytes(), lambda _name: layout)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def main() -> None:
    with empty_folder() as folder:
        kept = os.environ.get("READING_FOLDER", folder)
        settings = {"folder": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        made = python("-m", "tests.bench.reading", "render", kept, **settings)
        print(made.stdout, end="")
        memory = python("-m", "tests.bench.reading", "peak", kept, **settings)
    print(f"memory of a process that reads one sheet: {memory.stdout.strip()} MB at most")


if __name__ == "__main__":
    {"render": render, "peak": peak}[sys.argv[1]]()
