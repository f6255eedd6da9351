"""The round's clock, and what the wall shows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext
from django.views.decorators.http import require_POST

from core.http.steps import handle_button, handle_form, posted_data
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.ledger.queries import board, running_round
from tournaments.lifecycle import playing
from tournaments.lifecycle.playing import paces
from tournaments.models import base
from tournaments.models.base import MOST_MINUTES, SECONDS_OFFERED, Wall
from tournaments.web.fields import whole_number
from tournaments.web.guards import DESK, DeskRequest, desk_view
from tournaments.web.live_parts import render_live

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise as StrPromise

    from clubs.models import Account
    from tournaments.models import Round, Tournament


# The round's clock at the desk: started, paused and lengthened, with who is behind.


@desk_view(helper=True)
def desk_clock(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The clock of the running round; a submitted number of minutes starts or restarts it."""
    round_ = running_round(tournament)
    form = StartForm(posted_data(request), initial={"minutes": playing.usual_minutes(tournament)})
    if request.method == "POST":
        if round_ is None:
            return _no_round(request, tournament)
        if request.POST.get("seen", "") != _mark(round_):
            messages.warning(request, _("The clock has been changed in the meantime."))
            return redirect("desk_clock", tournament.code)
        step = partial(playing.start_clock, round_)
        if done := handle_form(
            request, form, step, _("The clock is running."), "desk_clock", tournament.code
        ):
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
    return render_live(request, "evening/clock", context)


def _mark(round_: Round | None) -> str:
    """Fingerprint of the clock that a page shows: a stale page cannot restart it."""
    started = round_.clock_started_at if round_ else None
    return started.isoformat() if started else ""


def _no_round(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    messages.warning(request, _("No round is being played: a clock starts with a round."))
    return redirect("desk_clock", tournament.code)


@desk_view(helper=True)
@require_POST
def desk_clock_step(request: DeskRequest, tournament: Tournament, step: str) -> HttpResponse:
    """Buttons without input: pause, continue, remove."""
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


# For how long a round is played, and by how much its clock is lengthened.

# What the buttons offer, in minutes.
LENGTHENED_BY = (-5, 1, 5, 10, 15)


def _minutes() -> forms.IntegerField:
    said = gettext_lazy("Later rounds start with a clock of the same length.")
    return whole_number(gettext_lazy("Minutes"), 1, MOST_MINUTES, help_text=said)


class ClockOfRoundForm(forms.Form):
    """Whether a round that is started has a clock; without one its minutes are not looked at."""

    with_clock = forms.BooleanField(
        label=gettext_lazy("Start the clock with the round"), required=False,
        help_text=gettext_lazy("The time left is shown at the top of every desk page and on the projector."),
    )  # fmt: skip
    minutes = _minutes()

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data["with_clock"]:
            self.errors.pop("minutes", None)
            self.cleaned_data["minutes"] = 0
        return self.cleaned_data

    def chosen(self) -> dict[str, int]:
        """The minutes chosen for the round."""
        return {"minutes": self.cleaned_data["minutes"]}


class StartForm(forms.Form):
    minutes = _minutes()


class LengthenForm(forms.Form):
    """`seen` are the minutes of the clock on the page that was pressed on: twice is once."""

    minutes = forms.TypedChoiceField(choices=[(each, each) for each in LENGTHENED_BY], coerce=int)
    seen = forms.IntegerField(min_value=1, max_value=MOST_MINUTES)


# What the projector shows, chosen at the desk or on whatever phone an organiser or helper has.


@desk_view(helper=True)
def desk_wall(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    form = WallForm(posted_data(request), initial=tournament.wall.to_json())
    step, here = partial(_choose, tournament), ("desk_wall", tournament.code)
    if done := handle_form(
        request, form, step, _("The projector is showing it now."), *here, arguments=form.chosen
    ):
        return done
    return render(request, "desk/evening/wall.html", {"tournament": tournament, "form": form})


@transaction.atomic
def _choose(tournament: Tournament, *, wall: Wall, account: Account, now: datetime) -> None:
    tournament = locked(tournament)
    if tournament.wall != wall:
        tournament.projector = wall.to_json()
        tournament.save(update_fields=["projector"])
        write_down(tournament, account, gettext_noop("Chose what the projector shows"), now=now)


urlpatterns += [path(f"{DESK}projector/", desk_wall, name="desk_wall")]


# What the wall of the hall shows, and for how long each.

NAMES = {
    base.PODIUM: gettext_lazy("the podium, once play is over"),
    base.SEATS: gettext_lazy("seats, until the first deal, and for the next round"),
    base.STANDINGS: gettext_lazy("standings, once a deal is reported"),
    base.TABLES: gettext_lazy("tables, with the leader at each"),
    base.PROGRESS: gettext_lazy("the progress of each table, with the clock and deals per hour"),
}


def _seconds() -> list[tuple[int, str]]:
    return [
        (each, ngettext("%(count)d second", "%(count)d seconds", each) % {"count": each})
        for each in SECONDS_OFFERED
    ]


class WallForm(forms.Form):
    shows = forms.MultipleChoiceField(
        label=gettext_lazy("It shows"), choices=list(NAMES.items()), widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )  # fmt: skip
    seconds = forms.TypedChoiceField(label=gettext_lazy("Time for each"), choices=_seconds, coerce=int)
    on_paper = forms.BooleanField(
        label=gettext_lazy("Light background, for a weak projector"), required=False
    )

    def chosen(self) -> dict[str, Wall]:
        said = self.cleaned_data
        return {
            "wall": Wall(
                tuple(name for name in base.SLIDES if name in said["shows"]),
                said["seconds"],
                said["on_paper"],
            )
        }
