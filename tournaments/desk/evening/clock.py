"""The round's clock at the desk: started, paused and lengthened, with who is behind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from core.http.steps import handle_button, handle_form, posted_data
from tournaments.desk.evening.clock_form import LENGTHENED_BY, LengthenForm, StartForm
from tournaments.ledger.queries import board, running_round
from tournaments.lifecycle import playing
from tournaments.lifecycle.playing import paces
from tournaments.web.guards import DESK, DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise as StrPromise

    from tournaments.models import Round, Tournament


@desk_view(helper=True)
def desk_clock(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The clock of the round that runs; a number of minutes that is sent starts it, or starts it anew."""
    round_ = running_round(tournament)
    form = StartForm(posted_data(request), initial={"minutes": playing.usual_minutes(tournament)})
    if request.method == "POST":
        if round_ is None:
            return _no_round(request, tournament)
        if request.POST.get("seen", "") != _mark(round_):
            messages.warning(request, _("The clock has been changed in the meantime."))
            return redirect("desk_clock", tournament.code)
        step = partial(playing.start_clock, round_)
        if done := handle_form(request, form, step, _("The clock runs."), "desk_clock", tournament.code):
            return done
    rows = board(round_) if round_ else []
    pace = paces(round_, rows) if round_ else {}
    context = {
        "tournament": tournament,
        "round": round_,
        "seen": _mark(round_),
        "form": form,
        "lengthened_by": LENGTHENED_BY,
        "lines": [(row, pace[row.table.pk]) for row in rows],
    }
    return render(request, "desk/evening/clock.html", context)


def _mark(round_: Round | None) -> str:
    """Which clock a page shows: who has not seen the one that runs does not begin it anew."""
    started = round_.clock_started_at if round_ else None
    return started.isoformat() if started else ""


def _no_round(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    messages.warning(request, _("No round is running: a clock starts with a round."))
    return redirect("desk_clock", tournament.code)


@desk_view(helper=True)
@require_POST
def desk_clock_step(request: DeskRequest, tournament: Tournament, step: str) -> HttpResponse:
    """A button that asks for nothing: the clock is paused, goes on, or is taken away."""
    if step not in STEPS:
        raise Http404
    round_ = running_round(tournament)
    if round_ is None:
        return _no_round(request, tournament)
    does, said = STEPS[step]
    return handle_button(request, partial(does, round_), str(said), "desk_clock", tournament.code)


STEPS: Mapping[str, tuple[Callable[..., Round], StrPromise]] = {
    "pause": (playing.pause_clock, gettext_lazy("The clock is paused.")),
    "go-on": (playing.go_on_with_clock, gettext_lazy("The clock is running again.")),
    "away": (playing.take_clock_away, gettext_lazy("The round is played without a clock.")),
}


@desk_view(helper=True)
@require_POST
def desk_clock_lengthen(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    round_, form = running_round(tournament), LengthenForm(request.POST)
    if round_ is None:
        return _no_round(request, tournament)
    if not form.is_valid():
        messages.warning(request, _("The clock has been changed in the meantime."))
        return redirect("desk_clock", tournament.code)
    step = partial(playing.lengthen_clock, round_, **form.cleaned_data)
    return handle_button(request, step, _("The clock has been changed."), "desk_clock", tournament.code)


urlpatterns = [
    path(f"{DESK}clock/", desk_clock, name="desk_clock"),
    path(f"{DESK}clock/lengthen/", desk_clock_lengthen, name="desk_clock_lengthen"),
    path(f"{DESK}clock/<slug:step>/", desk_clock_step, name="desk_clock_step"),
]
