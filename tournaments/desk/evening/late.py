"""Late reports: the list, the decision, and its effect."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.db.models import Max
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.domain.outcomes import declarer_of
from tournaments.ledger import Refused, judge, read_submission
from tournaments.ledger.late_reports import BY_CODE, BY_OLD_CODE
from tournaments.ledger.recording import unseen_seats
from tournaments.ledger.scoresheet import ScoreSheet, SheetLine, result_sentence, score_sheet
from tournaments.ledger.submissions import KEY_USED, TAKEN_BACK
from tournaments.models import KeptReport, Report, Table, Tournament
from tournaments.web.guards import DeskRequest, desk_view, find_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpResponse

    from scoring.rulebook import Rulebook
    from tournaments.ledger import Judged, Submission


# The tournament's late reports: waiting, taken in, set aside.

ON_A_PAGE = 20
TABLE_ASKED = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")


@desk_view(helper=True)
@require_safe
def desk_late(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The late reports of the tournament, or of one table: `?table=2-5` is table 5 of round 2."""
    kept = KeptReport.objects.filter(table__round__tournament=tournament)
    table: Table | None = None
    if asked := TABLE_ASKED.fullmatch(request.GET.get("table", "")):
        table = find_table(tournament, int(asked[1]), int(asked[2]))
        kept = kept.filter(table=table)
    waiting = kept.filter(state=KeptReport.State.WAITING)
    page = Paginator(in_order(waiting), ON_A_PAGE).get_page(request.GET.get("page"))
    decided = kept.exclude(state=KeptReport.State.WAITING).select_related("table__round")
    shown = KeptReport.objects.filter(pk__in=[report.pk for report in page])
    context = {
        "tournament": tournament,
        "table": table,
        "late": late_reports(in_order(shown)),
        "page": page,
        "decided": Paginator(decided.order_by("-decided_at", "-pk"), ON_A_PAGE).get_page(
            request.GET.get("decided")
        ),
        "newest": waiting.aggregate(newest=Max("pk"))["newest"],
    }
    return render(request, "desk/evening/late.html", context)


# Preview of what a new version of a deal would change.


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """A player's tokens in the deal (None: not reported) and in all, as they stand and as they would be."""

    name: str
    before: int | None
    after: int | None
    total_before: int
    total_after: int

    @property
    def change(self) -> int:
        return self.total_after - self.total_before


@dataclass(frozen=True, slots=True)
class Effect:
    """`said` is the new result in words, `was` the current one ("" if none)."""

    said: str
    was: str
    seats: tuple[SeatEffect, ...]
    warnings: tuple[str, ...]
    # Whether players have signed and would have to sign again.
    unconfirms: bool

    @property
    def changes(self) -> bool:
        return self.said != self.was or any(seat.change for seat in self.seats)


def effect_of(sheet: ScoreSheet, line: SheetLine, judged: Judged) -> Effect:
    names = sheet.names
    before: Sequence[int | None] = line.tokens or (None,) * sheet.players
    after: Sequence[int | None] = judged.tokens or (None,) * sheet.players
    return Effect(
        said=_read_aloud(sheet.rulebook, judged, names),
        was=result_sentence(sheet.rulebook, line.report, names) if line.report else "",
        seats=tuple(
            SeatEffect(seat.name, old, new, total, total - (old or 0) + (new or 0))
            for seat, old, new, total in zip(sheet.seats, before, after, sheet.totals, strict=True)
        ),
        warnings=tuple(warning.message for warning in judged.warnings),
        unconfirms=any(seat.agreed_at for seat in sheet.seats),
    )


def _read_aloud(rulebook: Rulebook, judged: Judged, names: Sequence[str]) -> str:
    declarer = declarer_of(judged.result)
    reported = Report(result=judged.result, outcome=judged.outcome, declarer=declarer)
    return result_sentence(rulebook, reported, names)


# Quarantined reports: their content and effect.


@dataclass(frozen=True, slots=True)
class LateReport:
    """A quarantined report: its deal and effect, or why the rules reject it."""

    kept: KeptReport
    deal: int
    reason: str
    made_at: datetime | None
    effect: Effect | None
    refusals: tuple[str, ...] = ()
    # Revision of the current version of the deal; 0 if there is none.
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
        KEY_USED: _("arrived with the key of a different report"),
        BY_CODE: _("a code from the captain’s phone"),
        BY_OLD_CODE: _("a code from a phone with a replaced link"),
    }
    return words.get(code, code)


def late_reports(kept: QuerySet[KeptReport]) -> list[LateReport]:
    """Each of `kept`, in that order, with its effect; every table is loaded once."""
    tables: dict[int, _AtTable] = {}
    found = []
    for report in kept.select_related("table__round__tournament__host"):
        table = tables.get(report.table_id) or tables.setdefault(report.table_id, _AtTable(report.table))
        found.append(table.judged(report))
    return found


def in_order(kept: QuerySet[KeptReport]) -> QuerySet[KeptReport]:
    """Sort late reports by table, in the order of arrival."""
    return kept.order_by("table__round__number", "table__number", "pk")


class _AtTable:
    """The current state of one table, with which its late reports are compared."""

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
        """The effect of counting a late report; None for a deal that this table does not play. Raises `Refused`."""
        judged = TAKEN_BACK
        if sent.result is not None:
            judged = judge(self.table, self.sheet.rulebook, self.names, sent.deal, sent.result, at_desk=True)
        return effect_of(self.sheet, line, judged) if line else None
