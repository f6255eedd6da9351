"""Late reports of the whole tournament: those that wait, those taken in, those set aside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.db.models import Max
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.desk.evening.late_reports import in_order, late_reports
from tournaments.models import KeptReport, Table, Tournament
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import find_table

if TYPE_CHECKING:
    from django.http import HttpResponse

ON_A_PAGE = 20
TABLE_ASKED = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")


@desk_view(helper=True)
@require_safe
def desk_late(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Those of the tournament, or of one table: `?table=2-5` is table 5 of round 2."""
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
