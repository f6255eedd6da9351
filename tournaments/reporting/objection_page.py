"""The page on which a team makes and withdraws objections, by its own link."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.http.responses import hide_address
from core.http.steps import as_account, handle_button, handle_form
from tournaments.lifecycle.objections import make_objection, why_not_object, withdraw_objection
from tournaments.reporting.line_up_page import find_team
from tournaments.web.guards import one_by_one
from tournaments.web.lookup import number_in
from tournaments.web.matches_form import ObjectionForm

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Team


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_objections(request: HttpRequest, secret: str) -> HttpResponse:
    """The team's objections with their answers, and a form for another one."""
    team = find_team(secret)
    if request.method != "POST":
        return _page(request, team, ObjectionForm(tournament=team.tournament))
    with one_by_one(team.tournament):
        return _take(request, team)


def _take(request: HttpRequest, team: Team) -> HttpResponse:
    here = "team_objections", team.secret
    if "withdraw" in request.POST:
        number = number_in(request.POST["withdraw"])
        own = team.objections.select_related("tournament")
        objection = own.filter(number=number).first() if number is not None else None
        if objection is None:
            return _page(request, team, ObjectionForm(tournament=team.tournament))
        step = as_account(partial(withdraw_objection, objection), None)
        return handle_button(request, step, _("Your objection has been withdrawn."), *here)
    form = ObjectionForm(request.POST, tournament=team.tournament)
    step = as_account(partial(make_objection, team.tournament, team), None)
    said = _("Your objection has been sent to the organiser.")
    return handle_form(request, form, step, said, *here, arguments=form.arguments) or _page(
        request, team, form
    )


def _page(request: HttpRequest, team: Team, form: ObjectionForm) -> HttpResponse:
    context = {
        "team": team,
        "tournament": team.tournament,
        "objections": team.objections.order_by("-number"),
        "closed": why_not_object(team.tournament),
        "form": form,
    }
    return hide_address(render(request, "captain/objections.html", context))


urlpatterns = [path("c/team/<str:secret>/objections/", team_objections, name="team_objections")]
