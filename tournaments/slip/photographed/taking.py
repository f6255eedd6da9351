"""Taking a read table in: every line of its pictures through the ledger, all of them or none; and taking it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.log_messages import name_of
from tournaments.changes.locks import held_tables, hold
from tournaments.changes.log import Undone, write_down_at
from tournaments.domain.log_values import TOOK_IN_SHEET
from tournaments.domain.terms import ON_PAPER, UNDO
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import Report, SheetPicture, Table
from tournaments.slip.photographed.checking import STANDS, Check
from tournaments.slip.photographed.merging import Pictures, says, to_be_taken

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from clubs.models import Account
    from tournaments.ledger.scoresheet import ScoreSheet
    from tournaments.ledger.submissions import Answer
    from tournaments.models import Tournament
    from tournaments.slip.grid import GridLine
    from tournaments.slip.photographed.checking import Answered
    from tournaments.slip.photographed.merging import Read


@dataclass(frozen=True)
class Taken:
    """What came of it: how many deals were stored; or the lines that are still to be looked at, and nothing stored."""

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
        return _taken(table, answered, frozenset(pictures), key, account, now, trusted=trusted)


def _taken(
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
        raise NotPossible(" ".join(said) or _("The sheet has changed in the meantime. Look at it again."))
    count = sum(answer.status == "accepted" for answer in answers)
    _keep_answers(found, check, name_of(account), now)
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
        # Whoever takes it in has had every line before them, with what it says; but not of what they typed themselves.
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
        # Where what was reported by phone was kept, the paper may be wrong, or its reading: nobody has said which.
        picture.wrong = len(wrong) if wrong or not unsure else None
        picture.taken_at, picture.taken_by = now, who
        picture.save(update_fields=["answers", "wrong", "taken_at", "taken_by"])


def _wrong(
    sheet: ScoreSheet, read: Read, reports: Mapping[int, Report | None], stands: set[int], typed: set[int]
) -> tuple[list[int], list[int]]:
    """Deals of a picture that were read for certain and are otherwise; and those of which one cannot say."""
    certain = [line for line in read.lines if line.certain and not says(sheet, line, reports.get(line.deal))]
    unsure = [line.deal for line in certain if line.deal in stands]
    # An empty line says nothing against what was reported by phone, but what had to be typed there was not seen.
    wrong = [
        line.deal for line in certain if line.deal not in stands and (not line.is_empty or line.deal in typed)
    ]
    return wrong, unsure


# Back


@transaction.atomic
def take_sheets_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """What was taken in `at` a moment counts no more, and what it has changed counts again; its pictures wait again.

    Deals that somebody has changed since stand, and so do tables that are not open any more.
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
    """Whether all that was stored at that moment is as it was before; one deal that was changed since keeps it all."""
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
