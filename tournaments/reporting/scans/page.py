"""The page of a read table: shown lines, pieces of the picture, taking them into the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID, uuid4, uuid5

from django.contrib import messages
from django.db import transaction
from django.http import JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from PIL import Image

from core.errors import NotPossible
from core.files import write_atomically
from core.log_messages import author_name
from tournaments.changes.locks import held_tables, hold
from tournaments.changes.log import Undone, write_down_at
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.log_values import TOOK_IN_SHEET
from tournaments.domain.terms import ON_PAPER, UNDO
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.scoresheet import result_sentence, score_sheet
from tournaments.models import Report, SheetPicture, Table
from tournaments.models.ledger import pieces_of
from tournaments.reporting.printed_sheets import box_name
from tournaments.reporting.reader.boxes import DECLARER, ESTUCHES, PARTNER
from tournaments.reporting.reader.layout import BOX, EDGE, RIGHT, read_layout
from tournaments.reporting.reader.results import State
from tournaments.reporting.scans.merging import (
    BLOCK,
    ENOUGH,
    STANDS,
    WHY_ASKED,
    Check,
    Pictures,
    ReadForm,
    pictures_of,
    says,
    sheets_right,
    to_be_taken,
)
from tournaments.reporting.scans.stored import AROUND
from tournaments.reporting.slip_grid import legend_of
from tournaments.web.confirming import undo_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from datetime import datetime
    from pathlib import Path

    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account
    from scoring.rulebook import Rulebook
    from tournaments.ledger.scoresheet import ScoreSheet
    from tournaments.ledger.submissions import Answer
    from tournaments.models import Tournament
    from tournaments.reporting.reader.layout import Group, Layout
    from tournaments.reporting.reader.results import Box
    from tournaments.reporting.scans.merging import Answered, Checked, Read, Seen
    from tournaments.reporting.slip_grid import GridLine


# Taking a read table in: every line of its pictures through the ledger, all of them or none; and taking it back.


@dataclass(frozen=True)
class Taken:
    """Result of taking a sheet in: number of stored deals; or the lines that need an answer, with nothing stored."""

    check: Check
    count: int = 0
    done: bool = False


def take_in(
    table: Table,
    answered: Answered,
    *,
    pictures: Collection[str],
    key: UUID,
    account: Account | None,
    now: datetime,
    trusted: bool,
) -> Taken:
    """Take in what the `pictures` (see `picture_key`) say, as it was answered on a page.

    `key` is the page's: sent twice it is stored once. Without an account it is the table's captain. Raises
    `NotPossible` where the pictures are others by now, or read otherwise; where the round does not run; where a line
    cannot be stored: then none is. What is not answered yet is in what is returned.
    """
    with transaction.atomic():
        return _take_in(table, answered, frozenset(pictures), key, account, now, trusted=trusted)


def _take_in(
    table: Table,
    answered: Answered,
    pictures: frozenset[str],
    key: UUID,
    account: Account | None,
    now: datetime,
    *,
    trusted: bool,
) -> Taken:
    hold(table.round.tournament_id)
    held = held_tables().get(pk=table.pk)
    if not held.is_open:
        raise NotPossible(_("The round is not running: reopen it to save the sheet."))
    if account is None and held.ended_early_at is not None:
        raise NotPossible(_("The organiser has ended this table."))
    if account is None and held.secret != table.secret:
        raise NotPossible(_("This link has been replaced."))
    sheet = score_sheet(held)
    found = Pictures(held, list(to_be_taken(held)), sheet)
    if set(found.keys) != pictures:
        raise NotPossible(
            _("Another photograph of this table has been read or saved in the meantime. Check again.")
        )
    check = Check(sheet, found.lines(), answered, trusted=trusted)
    if not check.is_right:
        return Taken(check)
    typed = {one.merged.deal for one in check.checked if one.retyped}
    submissions = [
        _submission(line, key, asked=line.deal not in typed) for line in check.grid if line.result is not None
    ]
    author = Author("desk", account) if account else Author("captain")
    answers = record(held, submissions, author, now=now)
    if not all(_counts(answer) for answer in answers):
        said = dict.fromkeys(problem.message for answer in answers for problem in answer.problems)
        raise NotPossible(" ".join(said) or _("The sheet has changed in the meantime. Check it again."))
    count = sum(answer.status == "accepted" for answer in answers)
    _keep_answers(found, check, author_name(account), now)
    write_down_at(held, account, TOOK_IN_SHEET, now=now, count=count)
    return Taken(check, count, done=True)


def _counts(answer: Answer) -> bool:
    """Whether what was sent is what counts now; sent before, it may have been taken back or corrected since."""
    if answer.status == "duplicate":
        return (
            answer.current is not None
            and answer.current.result is not None
            and answer.current.revision == answer.revision
        )
    return answer.status == "accepted"


def _submission(line: GridLine, key: UUID, *, asked: bool) -> Submission:
    return Submission(
        key=uuid5(key, f"{line.deal} {line.typed.seen} {line.result}"),
        deal=line.deal,
        base=line.typed.seen,
        result=line.result,
        reason=ON_PAPER if line.corrects else "",
        # The user has seen every line with its result, except for those they typed themselves.
        asked=asked,
    )


def _keep_answers(found: Pictures, check: Check, who: str, now: datetime) -> None:
    """Keep with each picture what counts of its lines now, and which of them were read wrongly for certain."""
    after = score_sheet(Table.objects.select_related("round__tournament").get(pk=found.table.pk))
    stands = {one.merged.deal for one in check.asked if one.which == STANDS}
    typed = {line.deal for line in check.grid if line.result is not None}
    reports = {line.number: line.report for line in after.lines if line.reported}
    for read in found.read:
        wrong, unsure = _wrong(after, read, reports, stands, typed)
        picture = read.picture
        picture.answers = {
            "results": {
                str(line.deal): report.result if (report := reports.get(line.deal)) else None
                for line in read.lines
            },
            "wrong": wrong,
            "unsure": unsure,
        }
        # If a phone's report was preferred, either the paper or its reading may be wrong: unknown.
        picture.wrong = len(wrong) if wrong or not unsure else None
        picture.taken_at, picture.taken_by = now, who
        picture.save(update_fields=["answers", "wrong", "taken_at", "taken_by"])


def _wrong(
    sheet: ScoreSheet, read: Read, reports: Mapping[int, Report | None], stands: set[int], typed: set[int]
) -> tuple[list[int], list[int]]:
    """Deals of a picture that were read for certain and are otherwise; and those of which one cannot say."""
    certain = [line for line in read.lines if line.certain and not says(sheet, line, reports.get(line.deal))]
    unsure = [line.deal for line in certain if line.deal in stands]
    # An empty line does not contradict a report, but a line typed into it was missed by the reader.
    wrong = [
        line.deal for line in certain if line.deal not in stands and (not line.is_empty or line.deal in typed)
    ]
    return wrong, unsure


# Back


@transaction.atomic
def take_sheets_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Undo what was taken in `at` a moment: former reports count again, and the pictures wait again.

    Deals changed since, and tables that are no longer open, are left as they are.
    """
    hold(tournament.pk)
    undone = Undone()
    pictures = list(SheetPicture.objects.filter(tournament=tournament, taken_at=at))
    for table in held_tables().filter(pk__in={one.table_id for one in pictures}).order_by("pk"):
        where = _("table %(number)d of round %(round)d") % {
            "number": table.number,
            "round": table.round.number,
        }
        if not table.is_open or not _taken_back(table, at, account, now):
            undone.stands.append(where)
            continue
        SheetPicture.objects.filter(tournament=tournament, table=table, taken_at=at).update(
            taken_at=None, taken_by="", answers={}, wrong=None
        )
        undone.count += 1
    return undone


def _taken_back(table: Table, at: datetime, account: Account, now: datetime) -> bool:
    """Whether everything stored at that moment was undone; one deal changed since prevents it."""
    made = list(table.reports.filter(recorded_at=at).exclude(result=None))
    newest = dict(table.dealt.values_list("number", "current__revision"))
    if any(newest.get(report.deal_number) != report.revision for report in made):
        return False
    back = [_back(table, report) for report in made]
    answers = record(table, back, Author("desk", account), now=now)
    return all(answer.status in ("accepted", "duplicate") for answer in answers)


def _back(table: Table, report: Report) -> Submission:
    before = table.reports.filter(deal_number=report.deal_number, revision=report.revision - 1).first()
    return Submission(
        key=uuid5(report.key, "back"),
        deal=report.deal_number,
        base=report.revision,
        result=before.result if before else None,
        reason=UNDO,
    )


# The page of a read table, at the desk and by the captain's link: lines, questions, button.


class ReadPage:
    """A table's pictures: load, answer, take in, render."""

    def __init__(
        self,
        request: HttpRequest,
        table: Table,
        account: Account | None,
        pieces_at: Callable[[SheetPicture], str],
    ) -> None:
        """Without an account it is the captain's; `pieces_at` is where a picture's lines are shown."""
        self.request = request
        self.account = account
        self.pieces_at = pieces_at
        self.right = sheets_right(table.round.tournament.host)
        self.form = ReadForm(request.POST) if request.method == "POST" else ReadForm(initial={"key": uuid4()})
        self._look(table)

    def _look(self, table: Table) -> None:
        self.sheet = score_sheet(table)
        self.found = Pictures(table, list(to_be_taken(table)), self.sheet)
        sent, deals = self.request.POST, table.deals
        answered = self.form.answered(sent, deals) if self.request.method == "POST" else None
        self.check = Check(self.sheet, self.found.lines(), answered, trusted=self.trusted)

    @property
    def trusted(self) -> bool:
        return self.right == ENOUGH

    def is_empty(self) -> bool:
        """Whether nothing is left to take in.

        Checked again after a failure, since another user may have been faster.
        """
        return not self.found.read

    def checked(self) -> JsonResponse:
        """Respond with every parsed line, without storing anything."""
        return JsonResponse({"lines": [line.to_json() for line in self.check.grid]})

    def take(self) -> bool:
        """Take the table in; False where the page is to be shown again."""
        table = self.sheet.table
        if not self.form.is_valid():
            messages.error(self.request, _("This page is out of date. Reload it."))
            return False
        now = timezone.now()
        try:
            taken = take_in(
                table,
                self.form.answered(self.request.POST, table.deals),
                pictures=pictures_of(self.request.POST),
                key=self.form.cleaned_data["key"],
                account=self.account,
                now=now,
                trusted=self.trusted,
            )
        except NotPossible as refusal:
            messages.warning(self.request, refusal.message)
            self._look(table)
            return False
        if not taken.done:
            self._look(table)
            messages.warning(self.request, _("Nothing has been saved yet: check what is marked."))
            return False
        said = ngettext("%(count)d deal has been saved.", "%(count)d deals have been saved.", taken.count)
        back = undo_of(table.round.tournament, "sheet")(now) if self.account and taken.count else ""
        messages.success(self.request, said % {"count": taken.count}, extra_tags=back)
        return True

    def show(self, check: str, secret: str = "") -> HttpResponse:
        """Render the page of the desk, or with the `secret` of their link the captain's."""
        table = self.sheet.table
        asked = [row_of(self.sheet, one, self.pieces_at) for one in self.check.asked]
        blocks = [
            (block, [row_of(self.sheet, one, self.pieces_at) for one in block.lines])
            for block in self.check.blocks
        ]
        first = next((one for one in self.check.asked if one.problem), None) or next(
            iter(self.check.asked), None
        )
        deals = {one.deal for one in self.found.lines()}
        context = {
            "layout": "captain/base.html" if secret else "desk/base.html",
            "secret": secret,
            "check": check,
            "tournament": table.round.tournament,
            "round": table.round,
            "table": table,
            "sheet": self.sheet,
            "form": self.form,
            "found": self.found,
            "asked": asked,
            "blocks": blocks,
            "left": len(asked),
            "lines": len(deals),
            "missing": sorted({line.number for line in self.sheet.lines if not line.reported} - deals),
            "first": first.merged.deal if first else 0,
            "pictures": [read.picture for read in self.found.read],
            "picture_keys": ",".join(self.found.keys),
            "seen": self._seen_revisions(),
            "trusted": self.trusted,
            "enough": ENOUGH,
            "right_so_far": self.right,
            "block_of": BLOCK,
            "legend": legend_of(self.sheet.rulebook, self.sheet.players),
        }
        return render(self.request, "slip/read.html", context)

    def _seen_revisions(self) -> str:
        """The revision of each deal that the page shows: where paper and report differ, both stand there."""
        return ",".join(str(line.revision) for line in self.sheet.lines)


# Each line's piece of a sheet's picture, straightened, stacked in one small picture.
#
# Cut on first request. One file per sheet, so that forty pieces are one request.

WIDTH, QUALITY = 1100, 70
# Pixels a millimetre.
SCALE = WIDTH / (RIGHT - EDGE)


class Size(NamedTuple):
    """The sizes of a piece, and of all of them, in pixels."""

    width: int
    height: int
    of_all: int


def size_of(layout: Layout) -> Size:
    height = round((layout.row + 2 * AROUND) * SCALE)
    return Size(WIDTH, height, height * len(layout.rows))


def across(layout: Layout, column: int) -> float:
    """The middle of a column of boxes in a piece."""
    return _scale(layout.columns[column][2])


def pieces(picture: SheetPicture) -> Path:
    """The file with all pieces of a picture that was read. Raises OSError where the picture is not there."""
    target = pieces_of(picture.path)
    if not target.is_file():
        write_atomically(target, _cut(picture))
    return target


def _cut(picture: SheetPicture) -> bytes:
    kept = picture.reading or {}
    width, height, of_all = size_of(read_layout(kept.get("layout")))
    with Image.open(picture.path) as whole:
        sheet = whole.convert("RGB")
    mesh = [
        ((round(_scale(left)), row * height, round(_scale(right)), (row + 1) * height), _corners(one, other))
        for row, line in enumerate(kept["lines"])
        for (left, *one), (right, *other) in pairwise(line["across"])
    ]
    strip = sheet.transform((width, of_all), Image.Transform.MESH, mesh, Image.Resampling.BILINEAR)
    written = BytesIO()
    strip.save(written, "WEBP", quality=QUALITY, method=2)
    return written.getvalue()


def _scale(x: float) -> float:
    return (x - EDGE) * SCALE


def _corners(left: list[float], right: list[float]) -> tuple[float, ...]:
    """The corners for Pillow: counter-clockwise from the upper left."""
    return (*left, *right[2:], *right[:2])


# A line of a read table as its page shows it: in words, with its pieces of the paper and what is marked on them.

# What is written beside the boxes says something of a line that is asked for this.
BESIDE = ("note", "stray", "rare")
# Pixels of the piece: below it its boxes are named, in rows so high and letters about so wide; the frame around a box.
NAMES, LETTER = 28, 13
MARKED = round(BOX * SCALE) + 8
# Millimetres that are shown beside the last box.
MARGIN = 3.0


def row_of(sheet: ScoreSheet, one: Checked, pieces_at: Callable[[SheetPicture], str]) -> dict[str, Any]:
    line, merged = one.line, one.merged
    seats, nothing = sheet.seats, ("",) * sheet.players
    stands = ""
    if merged.differs:
        report = next(there.report for there in sheet.lines if there.number == line.deal)
        stands = result_sentence(sheet.rulebook, report, sheet.names) if report else ""
    why = WHY_ASKED.get(merged.why, WHY_ASKED["unclear"])
    return {
        "line": line,
        "one": one,
        "merged": merged,
        "folder": sheet.table.folder_of(line.deal),
        "dealer": seats[line.dealer],
        "sits_out": None if line.sits_out is None else seats[line.sits_out],
        "amounts": list(zip(seats, line.tokens or nothing, line.running or nothing, strict=True)),
        "why": _(why) if merged.why else "",
        "stands": stands,
        # Totals are compared where people write them: after ten deals, and at the foot.
        "totals": line.deal % 10 == 0 or line.deal == len(sheet.lines) or bool(line.typed.paper),
        "pieces": [_piece(sheet.rulebook, seen, pieces_at) for seen in merged.on],
    }


def _piece(rulebook: Rulebook, seen: Seen, pieces_at: Callable[[SheetPicture], str]) -> dict[str, Any]:
    layout = seen.read.reading.layout
    size = size_of(layout)
    is_wide = seen.line.why in BESIDE
    width = WIDTH if is_wide else min(WIDTH, round((layout.right + MARGIN - EDGE) * SCALE))
    marks = _marks(rulebook, layout, seen, size.height, width)
    rows = 1 + max((mark["row"] for mark in marks), default=0)
    return {
        "address": pieces_at(seen.read.picture),
        "is_there": seen.read.picture.is_there,
        "is_wide": is_wide,
        "top": seen.row * size.height,
        "width": width,
        "height": size.height,
        "whole": size.height + NAMES * rows + 4,
        "all_width": size.width,
        "all_height": size.of_all,
        "marks": marks,
    }


def _marks(rulebook: Rulebook, layout: Layout, seen: Seen, height: int, width: int) -> list[dict[str, Any]]:
    """The frames around boxes that are ticked, or may be, with their names below: in as many rows as they need."""
    ends: list[float] = []
    marks = []
    for box in seen.line.line.boxes:
        if box.state not in (State.TICK, State.DOUBT):
            continue
        column = _column(layout, box)
        in_doubt = box.state is State.DOUBT
        name = _name(rulebook, layout.groups[layout.columns[column][0]], box.index) + "?" * in_doubt
        middle, half = across(layout, column), len(name) * LETTER / 2 + 4
        at = min(max(middle, half), width - half)
        row = next((row for row, end in enumerate(ends) if end <= at - half), len(ends))
        ends[row : row + 1] = [at + half]
        marks.append(
            {
                "left": round(middle - MARKED / 2),
                "top": round((height - MARKED) / 2),
                "side": MARKED,
                "at": round(at),
                "foot": height + NAMES * (row + 1) - 6,
                "row": row,
                "name": name,
                "in_doubt": in_doubt,
            }
        )
    return marks


def _column(layout: Layout, box: Box) -> int:
    return next(
        column
        for column, (group, index, _x) in enumerate(layout.columns)
        if layout.groups[group].key == box.group and index == box.index
    )


def _name(rulebook: Rulebook, group: Group, index: int) -> str:
    value = group.values[index]
    if group.key in (DECLARER, PARTNER):
        return SEAT_LETTERS[int(value)]
    return value if group.key == ESTUCHES else box_name(rulebook, group.key, value)
