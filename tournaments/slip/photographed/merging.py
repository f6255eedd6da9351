"""A table's pictures and what was reported of it meanwhile, put together line by line.

A line that one picture says for certain needs no other; where two say different things, or the paper says otherwise
than what was reported, it is asked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from django.utils.translation import get_language

from scoring import vocabulary
from scoring.seats import changes_in_force
from tournaments.ledger import Refused, judge
from tournaments.ledger.scoresheet import score_sheet
from tournaments.ledger.seating import seating_at
from tournaments.models import SheetPicture
from tournaments.slip.grid import TypedLine, written
from tournaments.slip.photographed.stored import reading_of
from tournaments.slip.photographed.words import DIFFERS, LATER, PHONE
from tournaments.slip.reading.geometry import UnknownLayout
from tournaments.slip.reading.lines import reported_lines, rules_have_changed
from tournaments.slip.reading.results import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine
    from tournaments.models import Report, Table
    from tournaments.slip.reading.geometry import Layout
    from tournaments.slip.reading.lines import ReportedLine
    from tournaments.slip.reading.results import Box, Line, Reading

# Why a line is asked though another picture has it for certain: what is on the paper, not how it was taken.
ON_PAPER = ("note", "several", "rules", "rare", "changed", "pattern")

# What is in doubt for these may well be a tick: it stands in the line, to be said yes to or typed otherwise.
GUESSED = ("faint", "unclear")


@dataclass(frozen=True)
class Read:
    """A picture with what was read of it; `row` of a line is its place on the page."""

    picture: SheetPicture
    reading: Reading
    lines: Sequence[ReportedLine]


@dataclass(frozen=True)
class Seen:
    """A deal's line on one picture."""

    read: Read
    row: int
    line: ReportedLine


@dataclass(frozen=True)
class MergedLine:
    """A deal as all pictures and the reports have it.

    `text` is what the pictures say, in the notation, whole or as far as it is clear; `stands` what counts already.
    `why` it is asked is a code of `words.WHY_ASKED`; "" where it need not be. `on` are its places on the pictures.
    """

    deal: int
    text: str
    why: str
    stands: str = ""
    reported: bool = False
    on: tuple[Seen, ...] = field(default=())

    @property
    def is_empty(self) -> bool:
        return not self.text and not self.why

    @property
    def differs(self) -> bool:
        return self.why == PHONE

    def typed(self, revision: int) -> TypedLine:
        """What stands in the line before anybody types."""
        return TypedLine(self.stands if self.reported and not self.differs else self.text, "", revision)


def to_be_taken(table: Table) -> QuerySet[SheetPicture]:
    """The table's pictures that were read and not taken in yet."""
    return table.sheet_pictures.filter(state=SheetPicture.State.READ, taken_at=None)


def picture_key(picture: SheetPicture) -> str:
    """The picture as it is read now: read otherwise it has another."""
    return f"{picture.pk}-{crc32(json.dumps(picture.reading, sort_keys=True).encode())}"


class Pictures:
    """What a table's pictures say, beside its sheet as it stands."""

    def __init__(
        self, table: Table, pictures: Sequence[SheetPicture], sheet: ScoreSheet | None = None
    ) -> None:
        self.table = table
        self.sheet = sheet or score_sheet(table)
        self.seatings = {
            line.number: seating_at(table, self.sheet.players, line.number) for line in self.sheet.lines
        }
        instead: dict[str, Any] = vocabulary.WRITTEN.get(get_language() or "", {})
        self.read: list[Read] = []
        for picture in pictures:
            try:
                reading = reading_of(picture)
            except UnknownLayout:  # by an older program, which this one does not understand
                continue
            guessed = replace(reading, lines=tuple(_guessed(line, reading.layout) for line in reading.lines))
            lines = [
                replace(line, text=guess.text) if line.result is None and guess.result is not None else line
                for line, guess in zip(
                    reported_lines(reading, self.sheet.rulebook, self.seatings, instead),
                    reported_lines(guessed, self.sheet.rulebook, self.seatings, instead),
                    strict=True,
                )
            ]
            self.read.append(Read(picture, reading, lines))

    @property
    def keys(self) -> list[str]:
        """What the page was made of: see `picture_key`."""
        return [picture_key(read.picture) for read in self.read]

    @property
    def take_again(self) -> bool:
        return any(read.reading.take_again for read in self.read)

    @property
    def press(self) -> bool:
        return any(read.reading.press for read in self.read)

    @property
    def fills(self) -> SheetPicture | None:
        """The picture of which it is to be asked whether its ticks are filled boxes."""
        asked = (one.picture for one in self.read if one.reading.fills and one.picture.fills is None)
        return next(asked, None)

    @property
    def rules_have_changed(self) -> bool:
        return any(rules_have_changed(read.reading, self.sheet.rulebook) for read in self.read)

    def lines(self) -> list[MergedLine]:
        """Every deal that is on a picture, in the order of the deals."""
        on: dict[int, list[Seen]] = {}
        for read in self.read:
            for row, line in enumerate(read.lines):
                on.setdefault(line.deal, []).append(Seen(read, row, line))
        found = [self._merged(line, tuple(on[line.number])) for line in self.sheet.lines if line.number in on]
        played = [line.deal for line in found if line.text or line.why]
        last = max([*played, *(line.number for line in self.sheet.lines if line.reported)], default=0)
        return [
            MergedLine(line.deal, "", LATER, on=line.on)
            if line.is_empty and not line.reported and line.deal < last
            else line
            for line in found
        ]

    def _merged(self, line: SheetLine, on: tuple[Seen, ...]) -> MergedLine:
        clearest, why = _together([seen.line for seen in on])
        text = clearest.text
        swapped = (change["deal"] for change in changes_in_force(self.table.turns) if "swap" in change)
        if text and line.number >= min(swapped, default=line.number + 1):
            why = why or "changed"
        if not line.reported:
            return MergedLine(line.number, text, why, on=on)
        stands = written(self.sheet.rulebook, line.report, self.seatings[line.number])
        # What is not whole on the paper says nothing against a report; a ruling stands whatever is on it.
        differs = clearest.result is not None and not says(self.sheet, clearest, line.report)
        why = PHONE if stands and differs else ""
        return MergedLine(line.number, text, why, stands, reported=True, on=on)


def _guessed(line: Line, layout: Layout) -> Line:
    """The line as it would be if each box in doubt that stands alone in its group were ticked: what is asked then is
    yes or no.
    """
    alone: dict[str, list[Box]] = {}
    for box in line.boxes:
        if box.state in (State.TICK, State.DOUBT):
            alone.setdefault(box.group, []).append(box)
    values = {group.key: group.values for group in layout.groups}
    guesses = {
        group: values[group][box.index]
        for group, (box, *others) in alone.items()
        if not others and box.state is State.DOUBT and box.why in GUESSED
    }
    return replace(line, chosen=line.chosen | guesses)


def says(sheet: ScoreSheet, line: ReportedLine, report: Report | None) -> bool:
    """Whether a line that was read says what counts: what a box does not tell, as the pool, is not compared."""
    stands = report.result if report else None
    if line.result is None or stands is None:
        return line.is_empty and stands is None
    told = line.result | ({"pool": stands["pool"]} if "pool" in stands else {})
    try:
        judged = judge(sheet.table, sheet.rulebook, sheet.names, line.deal, told, at_desk=True)
    except Refused:
        return False
    return bool(judged.result == stands)


def _together(lines: Sequence[ReportedLine]) -> tuple[ReportedLine, str]:
    """Of pictures of the same line the one that says it most clearly, and why it is asked."""
    certain = [line for line in lines if line.certain]
    texts = {line.text for line in certain}
    against = next((line.why for line in lines if line.why in ON_PAPER), "")
    clearest = max(lines, key=lambda line: (line.certain, line.result is not None, len(line.line.chosen)))
    if len(texts) > 1 or any(_contradict(one, other) for one in certain for other in lines):
        return clearest, DIFFERS
    if certain:
        return clearest, against
    return clearest, against or next(line.why for line in lines if line.why)


def _contradict(one: ReportedLine, other: ReportedLine) -> bool:
    """Whether a group is ticked clearly, and otherwise, on both; an empty line is another than any that is ticked."""
    if one.is_empty or other.is_empty:
        return one.is_empty != other.is_empty
    mine, theirs = one.line.chosen, other.line.chosen
    return any(mine[group] != theirs[group] for group in mine.keys() & theirs.keys())
