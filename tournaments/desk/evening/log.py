"""Who did what, and when."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from core.jobs import queue
from core.jobs.queue import remember
from tournaments.desk.evening.evening_form import LogForm
from tournaments.desk.evening.logged import events
from tournaments.exports.verify.jobs import VERIFY, of_tournament
from tournaments.models import Tournament
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import find_table

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LINES_ON_A_PAGE = 100


@desk_view(helper=True)
@require_safe
def desk_log(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The log; with `?table=2-7` what concerns table 7 of round 2."""
    asked = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,4})", request.GET.get("table", ""))
    table = find_table(tournament, int(asked[1]), int(asked[2])) if asked else None
    here = {"round": table.round.number, "number": table.number} if table else None
    form = LogForm(request.GET if "number" in request.GET else None, tournament=tournament, initial=here)
    if form.is_valid():
        return redirect(f"{request.path}?table={form.asked}")
    pages = Paginator(events(tournament, table), LINES_ON_A_PAGE)
    context = {
        "tournament": tournament,
        "page": pages.get_page(request.GET.get("page")),
        "table": table,
        "form": form,
        "organises": request.organises,
    }
    return render(request, "desk/evening/log.html", context)


@desk_view(called_off=True, one_transaction=False)
@require_POST
def desk_verify(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Have everything of the tournament counted again."""
    wish = queue.JobRequest(VERIFY, of_tournament(tournament), get_language() or "en")
    job = queue.enqueue(wish, account=request.user, now=timezone.now(), anew=True)
    remember(cast("HttpRequest", request), job)
    return redirect("desk_job", job.pk)
