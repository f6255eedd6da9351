"""Printing: what there is, and asking for it.

All of it is for the host's desk only: sheets have the captains' secrets on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from jobs.kinds import kind_of
from jobs.told import remember
from tournaments.ledger.tables import current_round, next_round
from tournaments.models import Round, Table, Tournament
from tournaments.paper import jobs
from tournaments.paper.kinds import KINDS, Kind, Order
from tournaments.running.addresses import base_url
from tournaments.steps.refusals import NotPossible
from tournaments.web.finding import find_round, number_in
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpResponse

    from jobs.models import Job

FILES_SHOWN = 10


@dataclass(frozen=True)
class Choice:
    """A kind of sheet on the page, and why it cannot be printed yet if it cannot."""

    kind: Kind
    missing: str


@desk_view(helper=True)
@require_safe
def desk_print(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """What can be printed of a round: the one asked for, or the one that is on."""
    rounds = list(tournament.rounds.order_by("number"))
    asked = request.GET.get("round", "")
    chosen = next((round_ for round_ in rounds if str(round_.number) == asked), None)
    round_ = chosen or _round_to_print(tournament)
    context = {
        "tournament": tournament,
        "rounds": rounds,
        "round": round_,
        "choices": [Choice(kind, kind.missing(round_)) for kind in KINDS.values() if kind.suits(tournament)]
        if round_
        else [],
        "tables": list(round_.tables.values_list("number", flat=True)) if round_ else [],
        "ready": _ready_files(round_) if round_ else [],
    }
    return render(request, "paper/print.html", context)


def _round_to_print(tournament: Tournament) -> Round | None:
    """The round that runs; between rounds the next one."""
    current = current_round(tournament)
    if current is None or current.is_running:
        return current
    return next_round(tournament) or current


def _ready_files(round_: Round) -> list[tuple[Job, str]]:
    """Files that were made before, each with its title."""
    return [(job, kind_of(job.kind).title(job)) for job in jobs.made_of(round_)[:FILES_SHOWN]]


@desk_view(helper=True, one_transaction=False)
def desk_print_ask(request: DeskRequest, tournament: Tournament, number: int, kind: str) -> HttpResponse:
    """Ask for a file; whoever comes here by the back button is shown the page with the choices."""
    round_ = find_round(tournament, number)
    if kind not in KINDS or not KINDS[kind].suits(tournament):
        raise Http404
    back = _print_page(round_)
    if request.method != "POST":
        return back
    missing = KINDS[kind].missing(round_)
    if missing:
        messages.warning(request, missing)
        return back
    order = Order(round_, base_url(request), timezone.now(), _table_number(request, round_, KINDS[kind]))
    try:
        job = jobs.ask(
            order,
            kind,
            language=get_language() or "en",
            account=request.user,
            at_once="at_once" in request.POST,
            anew="anew" in request.POST,
        )
    except NotPossible as refusal:
        messages.warning(request, refusal.message)
        return back
    remember(request, job)
    return redirect("desk_job", job.pk)


def _print_page(round_: Round) -> HttpResponse:
    return redirect(f"{reverse('desk_print', args=[round_.tournament.code])}?round={round_.number}")


def _table_number(request: DeskRequest, round_: Round, kind: Kind) -> int | None:
    """The one table asked for; None for all. Raises Http404 for a table that the round has not."""
    asked = request.POST.get("table", "")
    if not asked or not kind.of_tables:
        return None
    return get_object_or_404(Table, round=round_, number=number_in(asked)).number


urlpatterns = [
    path("desk/t/<str:code>/print/", desk_print, name="desk_print"),
    path("desk/t/<str:code>/print/<int:number>/<slug:kind>/", desk_print_ask, name="desk_print_ask"),
]
