"""Reports that came too late or by a dead link: what each says and would change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tournaments.desk.evening.effect import Effect, effect_of
from tournaments.ledger import Refused, judge, read_submission
from tournaments.ledger.late_reports import BY_CODE, BY_OLD_CODE
from tournaments.ledger.recording import unseen_seats
from tournaments.ledger.scoresheet import ScoreSheet, SheetLine, score_sheet
from tournaments.ledger.submissions import KEY_USED, TAKEN_BACK

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from tournaments.ledger import Submission
    from tournaments.models import KeptReport, Table


@dataclass(frozen=True, slots=True)
class LateReport:
    """A kept report: its deal, what it would change, or why the rules refuse it."""

    kept: KeptReport
    deal: int
    reason: str
    made_at: datetime | None
    effect: Effect | None
    refusals: tuple[str, ...] = ()
    # The revision of the deal that it is shown beside; 0 where none counts.
    seen: int = 0
    # What its sender did not know when it was tapped: another deals now, or others sit there.
    unseen: str = ""

    @property
    def why_late(self) -> str:
        return why_late(self.kept.why)


def why_late(code: str) -> str:
    words = {
        "early": _("arrived before the round was started"),
        "closed": _("arrived after the round was closed"),
        "ended": _("arrived after the table was ended"),
        "revoked": _("arrived through a link that had been replaced"),
        KEY_USED: _("arrived under the key of a different report"),
        BY_CODE: _("a code from the captain’s phone"),
        BY_OLD_CODE: _("a code from a phone with a replaced link"),
    }
    return words.get(code, code)


def late_reports(kept: QuerySet[KeptReport]) -> list[LateReport]:
    """Each of `kept`, in that order, with its effect; what concerns a table is read once."""
    tables: dict[int, _AtTable] = {}
    found = []
    for report in kept.select_related("table__round__tournament__host"):
        table = tables.get(report.table_id) or tables.setdefault(report.table_id, _AtTable(report.table))
        found.append(table.judged(report))
    return found


def in_order(kept: QuerySet[KeptReport]) -> QuerySet[KeptReport]:
    """By table, and as they came."""
    return kept.order_by("table__round__number", "table__number", "pk")


class _AtTable:
    """What late reports of one table are held against."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sheet: ScoreSheet = score_sheet(table)
        self.names = self.sheet.names

    def judged(self, report: KeptReport) -> LateReport:
        sent = read_submission(report.item)
        effect: Effect | None = None
        refusals: tuple[str, ...] = ()
        line = self.sheet.lines[sent.deal - 1] if 1 <= sent.deal <= self.table.deals else None
        try:
            effect = self._effect(sent, line)
        except Refused as refused:
            refusals = tuple(problem.message for problem in refused.problems)
        seen = line.revision if line else 0
        unseen = unseen_seats(self.table, sent, self.names) if line else None
        said = unseen.message if unseen else ""
        return LateReport(report, sent.deal, sent.reason, sent.made_at, effect, refusals, seen, said)

    def _effect(self, sent: Submission, line: SheetLine | None) -> Effect | None:
        """What it would change; None for a deal that this table does not play. Raises `Refused`."""
        judged = TAKEN_BACK
        if sent.result is not None:
            judged = judge(self.table, self.sheet.rulebook, self.names, sent.deal, sent.result, at_desk=True)
        return effect_of(self.sheet, line, judged) if line else None
