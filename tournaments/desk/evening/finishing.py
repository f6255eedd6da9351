"""The end of an evening at the desk: posting the standings, the podium, what is still to be done, opening again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _

from core.http.steps import posted_data
from tournaments.desk.evening.finishing_form import PostForm, ReopenForm
from tournaments.desk.evening.last_steps import last_steps
from tournaments.desk.evening.readiness import before_finish
from tournaments.lifecycle.ending import hear_objections, post, reopen_tournament, why_not_finish
from tournaments.lifecycle.money import podiums
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DESK, DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Tournament


def _told(tournament: Tournament) -> str:
    if tournament.is_finished:
        return _("The tournament is finished; the standings are final.")
    text = _("The final standings are published. Objections can be made until %(time)s.")
    return text % {"time": tournament.objections_said}


def _end_of(tournament: Tournament) -> dict[str, str]:
    """Which end a question is about: who presses twice moves it once."""
    until = tournament.objections_until
    return {"end": f"{tournament.state} {until.isoformat() if until else ''}"}


@desk_view()
def desk_finish(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Ask how long objections are heard; afterwards the podium, and what is left to do."""
    here, overview = (reverse(name, args=[tournament.code]) for name in ("desk_finish", "desk_tournament"))
    if tournament.is_played and request.method != "POST":
        return render(request, "desk/evening/finish.html", _finish_page(tournament))
    asked = Question(
        title=_("Finish the tournament"),
        does=_(
            "The final standings are published as provisional on every page and sheet, and become"
            " final if nobody objects in time. You can reopen the tournament, giving a reason."
        ),
        button=_("Finish the tournament now"),
        back=overview,
        notes=partial(before_finish, tournament),
        step=partial(post, tournament),
        said=_told,
        leads_to=here if tournament.is_played or not why_not_finish(tournament) else overview,
        form=PostForm(posted_data(request)),
        too_late=why_not_finish(tournament),
    )
    return ask_first(request, tournament, asked)


def _finish_page(tournament: Tournament) -> dict[str, object]:
    steps = last_steps(tournament)
    left = sum(not step.done for step in steps)
    return {
        "tournament": tournament,
        "podiums": podiums(tournament),
        "last": steps,
        "left": left,
        "notes": before_finish(tournament) if tournament.is_posted else [],
    }


@desk_view()
def desk_objections(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Hear objections for longer, or shorter, or not at all."""
    finish = reverse("desk_finish", args=[tournament.code])
    at_once = "final" in request.GET
    asked = Question(
        title=_("Make the standings final") if at_once else _("The objection period"),
        does=_("It starts now. Every page shows until when the standings are provisional."),
        button=_("Make them final now") if at_once else _("Store the time"),
        back=finish,
        step=partial(hear_objections, tournament),
        said=_told,
        leads_to=finish,
        form=PostForm(posted_data(request), initial={"minutes": 0} if at_once else None),
        sees=_end_of(tournament),
        too_late="" if tournament.is_posted else _("There is no objection period now."),
        instead=finish if tournament.is_played else reverse("desk_tournament", args=[tournament.code]),
    )
    return ask_first(request, tournament, asked)


@desk_view()
def desk_reopen(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    overview = reverse("desk_tournament", args=[tournament.code])
    asked = Question(
        title=_("Reopen the tournament"),
        does=_("The standings are no longer final: rounds can be reopened and penalties given."),
        button=_("Reopen the tournament"),
        back=reverse("desk_finish", args=[tournament.code]),
        step=partial(reopen_tournament, tournament),
        said=_("The tournament is open again."),
        leads_to=overview,
        form=ReopenForm(posted_data(request)),
        sees=_end_of(tournament),
        too_late="" if tournament.is_played else _("The tournament is not finished."),
        instead=overview,
    )
    return ask_first(request, tournament, asked)


urlpatterns = [
    path(f"{DESK}finish/", desk_finish, name="desk_finish"),
    path(f"{DESK}finish/objections/", desk_objections, name="desk_objections"),
    path(f"{DESK}reopen/", desk_reopen, name="desk_reopen"),
]
