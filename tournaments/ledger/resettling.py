"""Results of a table's deals under another version of its rules, and reporting the deals again under it.

A report is never altered: a deal with another result gets a new version, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from tournaments.domain.terms import OTHER_RULES
from tournaments.ledger.queries import NamesAt
from tournaments.ledger.recording import Author, recount
from tournaments.ledger.submissions import Judged, Refused, Submission, judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from clubs.models import Account
    from scoring.rulebook import Rulebook
    from tournaments.domain.terms import ProblemText
    from tournaments.models import Report, Table


@dataclass(frozen=True, slots=True)
class DealAnew:
    """A deal that comes to something else; without `judged` it cannot be, and `problems` say why."""

    table: Table
    report: Report
    judged: Judged | None = None
    problems: Sequence[ProblemText] = ()

    @property
    def deal(self) -> int:
        return self.report.deal_number

    @property
    def tokens(self) -> list[tuple[int, int]]:
        """The tokens of each seat now and by the other rules."""
        after = self.judged.tokens if self.judged else self.report.tokens
        return list(zip(self.report.tokens, after, strict=True))


def resettled_table_deals(table: Table, players: int, rulebook: Rulebook) -> Iterator[DealAnew]:
    """Every deal of a table of so many that comes to something else by this rulebook, or cannot be by it."""
    names = NamesAt(table, players)
    for dealt in table.dealt.select_related("current").order_by("number"):
        report = dealt.current
        if report is None or report.result is None:
            continue
        try:
            judged = judge(table, rulebook, names, report.deal_number, report.result, at_desk=True)
        except Refused as refused:
            yield DealAnew(table, report, problems=refused.problems)
            continue
        if (judged.outcome, list(judged.tokens)) != (report.outcome, report.tokens):
            yield DealAnew(table, report, judged)


def tell_again(table: Table, deals: Iterable[DealAnew], *, account: Account | None, now: datetime) -> None:
    """Report these deals again, settled by the tournament's current rules; the caller holds the tournament's lock."""
    told = [
        Submission(
            key=uuid4(),
            deal=one.deal,
            base=one.report.revision,
            result=one.report.result,
            reason=OTHER_RULES,
        )
        for one in deals
    ]
    if told:
        recount(table, told, Author("desk", account), now=now)
