"""Reports that came too late or by a dead link: what each says and would change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tournaments.desk.effect import Effect, effect_of
from tournaments.ledger import Judged, Refused, preview, read_submission
from tournaments.ledger.aside import KEY_USED
from tournaments.ledger.late import BY_CODE, BY_OLD_CODE
from tournaments.scoresheet import ScoreSheet, score_sheet

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

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

    @property
    def why_late(self) -> str:
        return why_late(self.kept.why)


def why_late(code: str) -> str:
    words = {
        "early": _("came before the round was started"),
        "closed": _("came after the round was closed"),
        "ended": _("came after the table was ended"),
        "revoked": _("came by a link that had been replaced"),
        KEY_USED: _("came under the key of a report that says something else"),
        BY_CODE: _("a code from the captain’s phone"),
        BY_OLD_CODE: _("a code from a phone whose link had been replaced"),
    }
    return words.get(code, code)


def late_reports(kept: QuerySet[KeptReport]) -> list[LateReport]:
    """Each of `kept` with its effect; a table's sheet is read once."""
    return list(_judged(kept.select_related("table__round__tournament__host").order_by("table", "pk")))


def _judged(kept: Iterable[KeptReport]) -> Iterable[LateReport]:
    sheets: dict[int, ScoreSheet] = {}
    for report in kept:
        sent = read_submission(report.item)
        table: Table = report.table
        sheet = sheets.get(table.pk) or sheets.setdefault(table.pk, score_sheet(table))
        effect: Effect | None = None
        refusals: tuple[str, ...] = ()
        try:
            judged = Judged(None) if sent.result is None else preview(table, sent.deal, sent.result)
            line = sheet.lines[sent.deal - 1] if 1 <= sent.deal <= table.deals else None
            effect = effect_of(sheet, line, judged) if line else None
        except Refused as refused:
            refusals = tuple(problem.message for problem in refused.problems)
        yield LateReport(report, sent.deal, sent.reason, sent.made_at, effect, refusals)
