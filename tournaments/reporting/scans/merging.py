"""Merge the lines read from a picture with reported deals: what is still to be checked, and texts about pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from scoring import vocabulary
from scoring.seats import changes_in_force
from tournaments.ledger import Refused, judge
from tournaments.ledger.scoresheet import score_sheet
from tournaments.ledger.seating import seating_at
from tournaments.models import Report, SheetPicture
from tournaments.reporting.reader import text
from tournaments.reporting.reader.boxes import reported_lines, rules_have_changed
from tournaments.reporting.reader.layout import SheetName, UnknownLayout
from tournaments.reporting.reader.results import Reason, State, Unreadable
from tournaments.reporting.scans.stored import reading_of
from tournaments.reporting.slip_grid import SlipForm, TypedLine, read_grid, report_notation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import QueryDict

    from clubs.models import Club
    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine
    from tournaments.models import Table
    from tournaments.reporting.reader.boxes import ReportedLine
    from tournaments.reporting.reader.layout import Layout
    from tournaments.reporting.reader.results import Box, Line, Reading
    from tournaments.reporting.slip_grid import GridLine


# What a tournament has against a sheet that could be read.
OTHER_TOURNAMENT, OTHER_TABLE = "other_tournament", "other_table"
NOT_STARTED, ROUND_OVER, MANY, GONE, LIST = "not_started", "round_over", "many", "gone", "list"
# Reasons in addition to the reader's: contradictions between two pictures, or between phone and paper.
DIFFERS, PHONE, LATER = "differs", "phone", "later"
WHY_ASKED = text.WHY_ASKED | {
    DIFFERS: gettext_noop("Two photographs were read differently."),
    PHONE: gettext_noop("It was reported differently."),
    LATER: gettext_noop("Nothing is ticked here, although later deals were played."),
}


def why_not_read(picture: SheetPicture) -> str:
    """Instructions for a picture from which nothing is imported."""
    told = {"round": 0, "table": 0}
    if picture.sheet:
        name = SheetName(*picture.sheet)
        told = {"round": name.round, "table": name.table}
    own = {
        OTHER_TABLE: _("This is the sheet of table %(table)d: it has been set aside."),
        NOT_STARTED: _(
            "This is the sheet of table %(table)d of round %(round)d, which has not been started."
        ),
        ROUND_OVER: _(
            "This is the sheet of table %(table)d of round %(round)d, which is over: reopen it to"
            " save the sheet."
        ),
        MANY: _(
            "Table %(table)d of round %(round)d has the maximum number of photographs: remove one first."
        ),
        LIST: _(
            "The list for the door, or seat cards: these are read on a page of their own, beside "
            "the check-in."
        ),
        GONE: _("The picture is not in this data folder."),
    }
    if picture.why == OTHER_TOURNAMENT:
        return _(
            "This is a sheet from another tournament (%(code)s), table %(table)d of round "
            "%(round)d: set it aside."
        ) % (told | {"code": picture.sheet[0]})
    if picture.why in own:
        return own[picture.why] % told
    unread = text.why_unreadable(Unreadable(Reason(picture.why), tuple(picture.missing)))
    why = _(unread)
    if not picture.sheet:
        return why
    if picture.why in (Reason.UNKNOWN_LAYOUT, Reason.UNKNOWN_VERSION):
        *_place, layout, version = picture.sheet
        why += " " + _("Layout %(layout)s.") % {"layout": f"{version}-{layout}".upper()}
    return _("Table %(table)d of round %(round)d: %(why)s") % (told | {"why": why})


# Merges a table's pictures and its reports line by line.
#
# A line that one picture has with certainty needs no other; a contradiction between pictures, or between paper and
# reports, needs an answer.

# Reasons that remain although another picture has the line with certainty: they concern the paper, not the picture.
ON_PAPER = ("note", "several", "rules", "rare", "changed", "pattern")

# Reasons for which a doubtful box is probably a tick: its value is prefilled, to be confirmed or corrected.
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
    """A deal's line, merged from all pictures and reports.

    `text` is read from the pictures, in the notation, as far as it is certain; `stands` is the result that counts
    already. `why` is a code of `words.WHY_ASKED`; "" if no answer is needed. `on` are its places on the pictures.
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

    def initial_line(self, revision: int) -> TypedLine:
        """The line's initial content."""
        return TypedLine(self.stands if self.reported and not self.differs else self.text, "", revision)


def to_be_taken(table: Table) -> QuerySet[SheetPicture]:
    """The table's pictures that were read and not taken in yet."""
    return table.sheet_pictures.filter(state=SheetPicture.State.READ, taken_at=None)


def picture_key(picture: SheetPicture) -> str:
    """The picture as it is read now: read otherwise it has another."""
    return f"{picture.pk}-{crc32(json.dumps(picture.reading, sort_keys=True).encode())}"


class Pictures:
    """A table's pictures with its score sheet."""

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
        """The state that the page was rendered from: see `picture_key`."""
        return [picture_key(read.picture) for read in self.read]

    @property
    def take_again(self) -> bool:
        return any(read.reading.take_again for read in self.read)

    @property
    def press(self) -> bool:
        return any(read.reading.press for read in self.read)

    @property
    def fills(self) -> SheetPicture | None:
        """The picture that raises the question whether its ticks are filled boxes."""
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
        stands = report_notation(self.sheet.rulebook, line.report, self.seatings[line.number])
        # An incomplete line on paper does not contradict a report; a ruling is never replaced by paper.
        differs = clearest.result is not None and not says(self.sheet, clearest, line.report)
        why = PHONE if stands and differs else ""
        return MergedLine(line.number, text, why, stands, reported=True, on=on)


def _guessed(line: Line, layout: Layout) -> Line:
    """The line with each doubtful box that is alone in its group taken as ticked: a yes or no question."""
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
    """Whether a line on paper agrees with the report; values without a box, such as the pool, are not compared."""
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
    """The most certain of several pictures' lines, and the reason for asking."""
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


# What was answered on the page of a read table: which lines are still to be looked at before it is taken in.

# Lines that need no answer are looked through so many at a time.
BLOCK = 10
STANDS, PAPER = "stands", "paper"


@dataclass(frozen=True)
class Answered:
    """A submitted page: the lines as typed and as shown before; lines confirmed, decisions between paper and report,
    and blocks that were looked through.
    """

    typed: Mapping[int, TypedLine]
    shown: Mapping[int, str]
    right: frozenset[int] = frozenset()
    which: Mapping[int, str] | None = None
    looked: frozenset[int] = frozenset()

    def retyped(self, deal: int) -> bool:
        """Whether the line's content was changed by the user."""
        return deal in self.typed and self.typed[deal].text.strip() != self.shown.get(deal, "").strip()


@dataclass(frozen=True)
class Checked:
    """A line with its grid's line. `problem` is the reason why it is not taken in yet.

    `before` is its initial content, `retyped` whether the user changed it, `is_other` whether the answer was given
    to another content that was read before.
    """

    merged: MergedLine
    line: GridLine
    asked: bool
    before: str = ""
    right: bool = False
    which: str = ""
    problem: str = ""
    retyped: bool = False
    is_other: bool = False


@dataclass(frozen=True)
class Block:
    """Lines that need no answer but a look; `problem` if that was not confirmed."""

    number: int
    lines: Sequence[Checked]
    looked: bool
    problem: str = ""


class Check:
    """The lines of a table's pictures, with what was answered, or as they are before."""

    def __init__(
        self, sheet: ScoreSheet, merged: Sequence[MergedLine], answered: Answered | None, *, trusted: bool
    ) -> None:
        self.sheet = sheet
        self.trusted = trusted
        self.answered = answered
        revisions = {line.number: line.revision for line in sheet.lines}
        before = {line.deal: line.initial_line(revisions[line.deal]) for line in merged}
        self.typed = before if answered is None else _with_answers(before, merged, answered)
        self.grid = read_grid(sheet, self.typed)
        lines = {line.deal: line for line in self.grid}
        grid_before = self.grid if answered is None else read_grid(sheet, before)
        asked_before = {line.deal for line in grid_before if line.problem}
        # A user who overwrites a reported result must see it and choose, as where the paper differs.
        merged = [
            replace(one, why=PHONE) if one.reported and lines[one.deal].result is not None else one
            for one in merged
        ]
        self._let_stand(
            [one for one in merged if one.differs and lines[one.deal].result is not None], revisions
        )
        lines = {line.deal: line for line in self.grid}
        self.checked = [
            self._checked(
                one, lines[one.deal], before[one.deal], asked=bool(one.why) or one.deal in asked_before
            )
            for one in merged
        ]
        self.asked = [one for one in self.checked if one.asked]
        plain = [one for one in self.checked if not one.asked]
        self.blocks = [self._block(number, plain) for number in range(-(-len(plain) // BLOCK))]

    @property
    def is_right(self) -> bool:
        """Whether all of it can be taken in."""
        return not (
            any(one.problem for one in self.asked)
            or any(block.problem or any(one.problem for one in block.lines) for block in self.blocks)
            or any(line.problem or line.paper_problem for line in self.grid)
        )

    @property
    def remaining(self) -> int:
        """The number of lines to be answered."""
        return len(self.asked)

    def _let_stand(self, lines: Sequence[MergedLine], revisions: Mapping[int, int]) -> None:
        """Discard text typed over a line whose reported result was chosen."""
        which = (self.answered.which if self.answered else None) or {}
        kept = {
            one.deal: replace(self.typed[one.deal], text=one.stands, seen=revisions[one.deal])
            for one in lines
            if which.get(one.deal) == STANDS
        }
        if kept:
            self.typed = {**self.typed, **kept}
            self.grid = read_grid(self.sheet, self.typed)

    def _checked(self, merged: MergedLine, line: GridLine, before: TypedLine, *, asked: bool) -> Checked:
        answered = self.answered
        if answered is None:
            return Checked(merged, line, asked, before.text)
        retyped = answered.retyped(merged.deal)
        shown = answered.shown.get(merged.deal, before.text)
        is_other = not retyped and shown.strip() != before.text.strip()
        which = (answered.which or {}).get(merged.deal, "")
        if is_other and which == PAPER:
            which = ""
        right = which == STANDS or (retyped and not merged.differs)
        right = right or (merged.deal in answered.right and not is_other)
        problem = line.problem
        if not problem and asked and merged.differs and which not in (STANDS, PAPER):
            problem = _("Choose which of the two counts.")
        elif not problem and asked and not merged.differs and not right:
            problem = _("Compare it with the paper, then confirm that it is right.")
        return Checked(merged, line, asked, before.text, right, which, problem, retyped, is_other)

    def _block(self, number: int, plain: Sequence[Checked]) -> Block:
        lines = plain[number * BLOCK : (number + 1) * BLOCK]
        # Identified by its first deal: another picture may have changed which lines are in doubt.
        first = lines[0].merged.deal
        looked = self.answered is not None and first in self.answered.looked
        looked = looked and not any(one.is_other and not one.merged.reported for one in lines)
        missing = self.answered is not None and not self.trusted and not looked
        problem = _("Compare these lines with their pieces of the paper first.") if missing else ""
        return Block(first, lines, looked, problem)


def _with_answers(
    before: Mapping[int, TypedLine], merged: Sequence[MergedLine], answered: Answered
) -> dict[int, TypedLine]:
    """The submitted lines; unchanged where the reported result was chosen.

    Lines that the user did not change follow the current pictures, which may be others, or read again.
    """
    typed = {
        deal: answered.typed[deal]
        if answered.retyped(deal)
        else replace(answered.typed.get(deal, untouched), text=untouched.text)
        for deal, untouched in before.items()
    }
    for line in merged:
        if line.differs and (answered.which or {}).get(line.deal) == STANDS:
            typed[line.deal] = replace(typed[line.deal], text=line.stands, seen=before[line.deal].seen)
    return typed


# What is sent: photographs of sheets; and a read table's page with what was answered on it.

# As many pictures as are taken out of one form; a script sends each by itself.
MOST_AT_ONCE = 30


class ReadForm(SlipForm):
    """`key` is the page's, `seen` the revisions of the deals, as of a slip; the reason is that of the paper."""

    def answered(self, sent: QueryDict, deals: int) -> Answered:
        return Answered(
            typed={
                deal: TypedLine(sent.get(f"line-{deal}", ""), sent.get(f"paper-{deal}", ""), seen)
                for deal, seen in enumerate(self.revisions(deals), start=1)
                if f"line-{deal}" in sent
            },
            shown={deal: sent.get(f"shown-{deal}", "") for deal in range(1, deals + 1)},
            right=frozenset(deal for deal in range(1, deals + 1) if f"right-{deal}" in sent),
            which={deal: sent.get(f"which-{deal}", "") for deal in range(1, deals + 1)},
            looked=frozenset(deal for deal in range(1, deals + 1) if f"looked-{deal}" in sent),
        )


def pictures_of(sent: QueryDict) -> list[str]:
    """The pictures that were on the page, as they were read then: see `picture_key`."""
    return [word for word in sent.get("pictures", "").split(",") if word]


# How many sheets of a club were read without a wrong line; until these are enough, every line is looked through.

# Number of consecutive sheets whose certain lines needed no correction, at once or later.
ENOUGH = 50


def sheets_right(club: Club) -> int:
    """The number of sheets since the last one with a wrong line, at most `ENOUGH`; each page counts once."""
    told = SheetPicture.objects.filter(tournament__host=club, taken_at__isnull=False, wrong__isnull=False)
    newest = list(told.order_by("-taken_at", "-pk")[: 2 * ENOUGH])
    corrected = _corrected_since(newest)
    right: set[tuple[str, ...]] = set()
    for picture in newest:
        if picture.wrong or picture.pk in corrected or len(right) == ENOUGH:
            break
        right.add(tuple(map(str, picture.sheet)))
    return len(right)


def _corrected_since(pictures: list[SheetPicture]) -> set[int]:
    """Pictures of whose certain lines one was corrected after it was taken in; a ruling corrects no reading."""
    if not pictures:
        return set()
    oldest = min(picture.taken_at for picture in pictures if picture.taken_at)
    of_tables = Report.objects.filter(
        table__in={picture.table_id for picture in pictures}, revision__gt=1, recorded_at__gt=oldest
    ).exclude(result=None)
    later = list(of_tables.values_list("table", "deal_number", "recorded_at", "result"))
    return {picture.pk for picture in pictures if any(_corrects(picture, *report) for report in later)}


def _corrects(
    picture: SheetPicture, table: int, deal: int, at: datetime, result: dict[str, Any] | None
) -> bool:
    taken = picture.answers.get("results", {})
    certain = {line["deal"] for line in (picture.reading or {}).get("lines", ()) if line["certain"]}
    return (
        table == picture.table_id
        and picture.taken_at is not None
        and at > picture.taken_at
        and deal in certain
        and "ruled" not in (result or {})
        and taken.get(str(deal)) not in (None, result)
    )
