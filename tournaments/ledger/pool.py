"""The pool of a table: the tokens in its middle, which live through its deals.

A report says what lay in the pool before its deal was settled, the antes of the deal included. What the players won
and lost went out of the pool or into it, so what lies there before the next deal follows from the report alone.
Where a report says otherwise (the deal before was corrected, or something else was typed) there is a gap, which is
told and not mended: what the players paid each other was paid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.rulebooks import Rulebook
    from tournaments.models import Report


@dataclass(frozen=True, slots=True)
class PoolGap:
    """A deal whose report says another pool than follows from the deal before; in tokens."""

    deal: int
    reported: int
    follows: int

    def __str__(self) -> str:
        return _(
            "Deal %(deal)d: the pool is reported as %(reported)d, from the deal before follow %(follows)d."
        ) % {"deal": self.deal, "reported": self.reported, "follows": self.follows}


class TablePool:
    """The pool of one table, from the reports that count, by deal."""

    def __init__(self, rulebook: Rulebook, players: int, reports: Mapping[int, Report]) -> None:
        """`reports` may hold deals taken back; the rulebook has a pool."""
        self.reports = {number: report for number, report in reports.items() if report.result is not None}
        self.antes = rulebook.pool.each_deal(players) if rulebook.pool else 0

    def follows(self, deal: int) -> int | None:
        """What lies in the pool before a deal is settled, from the deal before; None if that is not known."""
        if deal == 1:
            return self.antes
        before = self.reports.get(deal - 1)
        return None if before is None else self._after(deal - 1, before)

    def _after(self, deal: int, report: Report) -> int | None:
        """What lies in the pool for the next deal, its antes included: this deal's own were among the tokens."""
        lay = self.lay(deal, report)
        return None if lay is None else lay - sum(report.tokens)

    def lay(self, deal: int, report: Report) -> int | None:
        """What lay in the pool before a reported deal; a ruling does not say it."""
        stated: int | None = (report.result or {}).get("pool")
        return self.follows(deal) if stated is None else stated

    def for_entry(self, deal: int) -> int:
        """What a report of the deal most likely has to say: deals not reported count as washed out."""
        earlier = max((number for number in self.reports if number < deal), default=0)
        if not earlier:
            return self.antes * deal
        after = self._after(earlier, self.reports[earlier])
        return (self.antes * (earlier + 1) if after is None else after) + self.antes * (deal - earlier - 1)

    @property
    def left(self) -> int:
        """What lies in the pool after the last reported deal, before anybody pays the next ante."""
        return self.for_entry(max(self.reports, default=0) + 1) - self.antes

    @property
    def gaps(self) -> list[PoolGap]:
        found = []
        for deal, report in sorted(self.reports.items()):
            stated, follows = (report.result or {}).get("pool"), self.follows(deal)
            if stated is not None and follows is not None and stated != follows:
                found.append(PoolGap(deal, stated, follows))
        return found
