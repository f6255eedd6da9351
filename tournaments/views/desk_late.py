"""Late reports of the whole tournament: those that wait, those taken in, those set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.desk.late_reports import late_reports
from tournaments.models import KeptReport, Tournament
from tournaments.views.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpResponse

DECIDED_SHOWN = 100


@desk_view(helper=True)
@require_safe
def desk_late(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    kept = KeptReport.objects.filter(table__round__tournament=tournament)
    decided = kept.exclude(state=KeptReport.State.WAITING).select_related("table__round")
    context = {
        "tournament": tournament,
        "late": late_reports(kept.filter(state=KeptReport.State.WAITING)),
        "decided": decided.order_by("-decided_at", "-pk")[:DECIDED_SHOWN],
    }
    return render(request, "desk/late.html", context)
