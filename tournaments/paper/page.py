"""Printing: what there is, a file in the making, and the file.

All of it is for the host's desk only: sheets have the captains' secrets on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from tournaments.ledger.tables import current_round, next_round
from tournaments.models import Round, SheetJob, Table, Tournament
from tournaments.models.printing import SILENCE
from tournaments.paper import jobs
from tournaments.paper.answers import a_pdf
from tournaments.paper.kinds import KINDS, Kind, Order
from tournaments.running.addresses import base_url
from tournaments.steps.refusals import NotPossible
from tournaments.web.files import PDF, file_name
from tournaments.web.finding import find_round, number_in
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpResponse

# A worker looks for work every half second; after this long there is none.
TAKEN_UP_WITHIN = timedelta(seconds=5)
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


def _ready_files(round_: Round) -> list[SheetJob]:
    made = SheetJob.objects.filter(round=round_, state=SheetJob.State.READY)
    return [_titled(job) for job in made[:FILES_SHOWN] if job.is_ready]


def _titled(job: SheetJob) -> SheetJob:
    job.title = KINDS[job.kind].title  # type: ignore[attr-defined]
    return job


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
    return redirect("desk_print_job", tournament.code, job.pk)


def _print_page(round_: Round) -> HttpResponse:
    return redirect(f"{reverse('desk_print', args=[round_.tournament.code])}?round={round_.number}")


def _table_number(request: DeskRequest, round_: Round, kind: Kind) -> int | None:
    """The one table asked for; None for all. Raises Http404 for a table that the round has not."""
    asked = request.POST.get("table", "")
    if not asked or not kind.of_tables:
        return None
    return get_object_or_404(Table, round=round_, number=number_in(asked)).number


@desk_view(helper=True)
@require_safe
def desk_print_job(request: DeskRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """How far a file is; only that where htmx asks, once a second."""
    job = _job(tournament, pk)
    if job is None:
        messages.warning(
            request, _("These sheets are no longer kept, or the round has been drawn anew. Ask again.")
        )
        choices = reverse("desk_print", args=[tournament.code])
        return HttpResponseClientRedirect(choices) if request.htmx else redirect(choices)
    now = timezone.now()
    context = {
        "tournament": tournament,
        "job": _titled(job),
        "stopped": job.has_stopped(now),
        "lost": job.state == SheetJob.State.READY and not job.is_ready,
        "late": job.is_waiting and now - job.asked_at > TAKEN_UP_WITHIN,
        "busy": SheetJob.objects.filter(
            state=SheetJob.State.RENDERING, touched_at__gt=now - SILENCE
        ).exists(),
        "is_current": job.tournament_version == tournament.version,
    }
    return render(request, "paper/_job.html" if request.htmx else "paper/print_job.html", context)


def _job(tournament: Tournament, pk: int) -> SheetJob | None:
    jobs_here = SheetJob.objects.select_related("round").filter(round__tournament=tournament)
    return jobs_here.filter(pk=pk).first()


@a_pdf
@desk_view(helper=True)
@require_safe
def desk_print_file(_request: DeskRequest, tournament: Tournament, pk: int) -> HttpResponse | FileResponse:
    """The file itself."""
    job = _job(tournament, pk)
    if job is None or not job.is_ready:
        return redirect("desk_print_job", tournament.code, pk)
    return FileResponse(job.path.open("rb"), content_type=PDF, filename=_file_name(job))


def _file_name(job: SheetJob) -> str:
    """In the language of the sheets themselves."""
    kind = KINDS[job.kind]
    with override(job.language):
        which = [job.round.tournament.name]
        if not kind.of_event:
            which.append(_("round %(number)d") % {"number": job.round.number})
        if job.table_number is not None:
            which.append(_("table %(number)d") % {"number": job.table_number})
        return file_name(*which, kind.title, kind="pdf")


urlpatterns = [
    path("desk/t/<str:code>/print/", desk_print, name="desk_print"),
    path("desk/t/<str:code>/print/<int:number>/<slug:kind>/", desk_print_ask, name="desk_print_ask"),
    path("desk/t/<str:code>/print/job/<int:pk>/", desk_print_job, name="desk_print_job"),
    path("desk/t/<str:code>/print/job/<int:pk>/file", desk_print_file, name="desk_print_file"),
]
