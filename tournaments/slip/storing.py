"""Storing a typed slip: every good line goes through the ledger, a wrong one stays in the grid as it was typed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from tournaments.ledger import Answer, Author, Submission, keep_aside, record
from tournaments.ledger.scoresheet import result_sentence, score_sheet
from tournaments.slip.grid import GridLine, TypedLine, as_it_stands, read_grid

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tournaments.ledger.scoresheet import ScoreSheet


@dataclass(frozen=True, slots=True)
class Stored:
    """The sheet and the grid after storing, how many lines were stored or kept aside, whether a reason is missing."""

    sheet: ScoreSheet
    lines: list[GridLine]
    stored: int
    kept: int
    reason_missing: bool

    @property
    def done(self) -> bool:
        """Whether nothing in the grid needs to be looked at again."""
        return not self.kept and not any(line.problem or line.result for line in self.lines)


def store(
    sheet: ScoreSheet,
    typed: Mapping[int, TypedLine],
    *,
    key: UUID,
    reason: str,
    author: Author,
    now: datetime,
    why_aside: str = "",
) -> Stored:
    """Store every line that is right and new; raises `NotPossible` where the desk cannot store now.

    `key` is the page's: sending the same page twice stores it once. With `why_aside` (a dead link) nothing is stored:
    the lines are kept for the organiser.
    """
    table = sheet.table
    lines = read_grid(sheet, typed)
    submissions = [_submission(line, key, reason) for line in lines if line.result is not None]
    if why_aside:
        answers = keep_aside(table, submissions, why_aside, now=now)
    else:
        answers = record(table, submissions, author, now=now)
    by_deal = {submission.deal: answer for submission, answer in zip(submissions, answers, strict=True)}
    after = score_sheet(table)
    again = {line.deal: _typed_after(line, by_deal.get(line.deal), after) for line in lines}
    shown = [
        replace(line, problem=_problem(after, by_deal[line.deal]) or line.problem)
        if line.deal in by_deal
        else line
        for line in read_grid(after, again)
    ]
    statuses = [answer.status for answer in answers]
    return Stored(
        sheet=after,
        lines=shown,
        stored=statuses.count("accepted"),
        kept=statuses.count("kept"),
        reason_missing=any(
            problem.code == "reason_missing" for answer in answers for problem in answer.problems
        ),
    )


def _submission(line: GridLine, key: UUID, reason: str) -> Submission:
    return Submission(
        # Another text on the same line is another report.
        key=uuid5(key, f"{line.deal} {line.typed.seen} {line.result}"),
        deal=line.deal,
        base=line.typed.seen,
        result=line.result,
        reason=reason if line.corrects else "",
    )


def _typed_after(line: GridLine, answer: Answer | None, after: ScoreSheet) -> TypedLine:
    """The line as it is shown again, typed over what counts now if it was told what that is."""
    if answer is None or answer.status not in ("accepted", "duplicate", "conflict"):
        return line.typed
    stands = as_it_stands(after)[line.deal]
    if answer.status == "conflict":
        return replace(line.typed, seen=stands.seen)
    return replace(stands, paper=line.typed.paper)


def _problem(sheet: ScoreSheet, answer: Answer) -> str:
    match answer.status:
        case "conflict" if answer.current:
            return _(
                "Changed while you were typing; it now counts as: %(said)s. Save again with a reason "
                "if yours is right."
            ) % {"said": result_sentence(sheet.rulebook, answer.current, sheet.names)}
        case "refused":
            # A missing reason is told where the reason is typed.
            told = [problem.message for problem in answer.problems if problem.code != "reason_missing"]
            return " ".join(told)
    return ""
