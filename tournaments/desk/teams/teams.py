"""Who plays together: pairs and teams at the desk."""

from __future__ import annotations

import secrets
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from core.errors import NotPossible
from core.http.steps import handle_button, handle_form, posted_data
from tournaments.desk.people.entries_form import WithdrawForm
from tournaments.desk.teams.teams_form import GroupsForm, TeamForm
from tournaments.entries import teams as making
from tournaments.ledger import queries
from tournaments.models import Entry, Team, Tournament
from tournaments.web.choice_field import found_alone
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import as_shown, only_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse


def lack_in_words(team: Team) -> str:
    """What keeps a pair or team from being drawn; empty where nothing does."""
    missing = queries.lacks(team)
    if team.withdrawn:
        return ""
    if missing:
        return ngettext("lacks a player", "lacks %(count)d players", missing) % {"count": missing}
    waited = [entry for entry in queries.regulars(team) if entry.status == Entry.Status.ENTERED]
    if waited:
        return _("not here yet: %(names)s") % {"names": ", ".join(entry.player.name for entry in waited)}
    return ""


def _find(tournament: Tournament, number: int) -> Team:
    only_with(tournament, "teams")
    teams = Team.objects.select_related("tournament__host", "club")
    return get_object_or_404(teams, tournament=tournament, number=number)


def _meant(request: DeskRequest, tournament: Tournament, number: int) -> Team:
    """The pair or team whose page a button was on; refused where that is no more, whoever has its number now.

    Raises Http404 where the page named none, and none has that number.
    """
    only_with(tournament, "teams")
    seen = as_shown(request, "team")
    if seen is None:
        return _find(tournament, number)
    teams = Team.objects.select_related("tournament__host", "club")
    team = teams.filter(tournament=tournament, number=number, pk=seen).first()
    if team is None:
        raise NotPossible(_("It has been dissolved in the meantime."))
    return team


def _button_of_a_team(
    view: Callable[[DeskRequest, Team], HttpResponse],
) -> Callable[[DeskRequest, Tournament, int], HttpResponse]:
    """Call `view(request, team)` with the pair or team that is meant, or say why not beside those there are."""

    @wraps(view)
    def button(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
        try:
            team = _meant(request, tournament, number)
        except NotPossible as refusal:
            messages.warning(request, refusal.message)
            return redirect("desk_teams", tournament.code)
        return view(request, team)

    return button


def _page(request: DeskRequest, tournament: Tournament, **forms: Any) -> HttpResponse:
    teams = queries.teams_of(tournament)
    free = queries.without_team(tournament)
    divisions = sorted({team.division for team in teams if not team.withdrawn})
    context = {
        "tournament": tournament,
        "teams": [(team, lack_in_words(team)) for team in teams],
        "count": sum(not team.withdrawn for team in teams),
        "divisions": divisions,
        "free": free,
        "enough_free": len(free) >= tournament.format_row.team_size,
        "rounds_needed": queries.rounds_needed(tournament),
        "form": TeamForm(tournament=tournament),
        "groups": GroupsForm(initial={"groups": max(divisions, default=1)}),
    }
    return render(request, "desk/teams/teams.html", context | forms)


def _together(form: TeamForm) -> str:
    if len(form.lineup().members) < form.tournament.format_row.team_size:
        return _("They play together; one player is still missing.")
    return _("They play together.")


@desk_view(helper=True)
def desk_teams(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Every pair or team, who has none, and a form for another."""
    only_with(tournament, "teams")
    form = TeamForm(posted_data(request), tournament=tournament)
    if hits := found_alone(request, form):
        return hits

    def said(_made: Team) -> str:
        return _together(form)

    page, step = ("desk_teams", tournament.code), partial(making.make_team, tournament)
    done = handle_form(request, form, step, said, *page, typed=lambda: {"lineup": form.lineup()})
    return done or _page(request, tournament, form=form)


@desk_view(helper=True)
@require_POST
def desk_put_together(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    seed = secrets.randbelow(10**6) if "lot" in request.POST else None
    said = _("They have been formed in the order of entry.")
    if seed is not None:
        said = _("They have been formed by lot, with seed %(seed)d.") % {"seed": seed}
    step = partial(making.put_together, tournament, seed=seed)
    return handle_button(request, step, said, "desk_teams", tournament.code)


@desk_view(helper=True)
@require_POST
def desk_groups(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    form = GroupsForm(request.POST)
    step, said = partial(making.split_into_groups, tournament), _("The groups have been made.")
    done = handle_form(request, form, step, said, "desk_teams", tournament.code)
    return done or _page(request, tournament, groups=form)


@desk_view(helper=True)
@require_POST
def desk_all_meet(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    page = "desk_draw" if request.POST.get("from") == "draw" else "desk_teams"
    step, said = (
        partial(making.plan_all_meetings, tournament),
        _("The rounds have been set for a full round robin."),
    )
    return handle_button(request, step, said, page, tournament.code)


def _show(request: DeskRequest, team: Team, **forms: Any) -> HttpResponse:
    tournament = team.tournament
    context = {
        "tournament": tournament,
        "team": team,
        "lack": lack_in_words(team),
        "has_played": queries.has_played(team),
        "form": TeamForm(tournament=tournament, team=team),
        "withdraw": WithdrawForm(),
    }
    return render(request, "desk/teams/team.html", context | forms)


@desk_view(helper=True)
def desk_team(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Change a pair or team."""
    team = _find(tournament, number)
    form = TeamForm(posted_data(request), tournament=tournament, team=team)
    if hits := found_alone(request, form):
        return hits
    page, step = ("desk_teams", tournament.code), partial(making.change_team, team)
    done = handle_form(
        request, form, step, _("It is changed."), *page, typed=lambda: {"lineup": form.lineup()}
    )
    return done or _show(request, team, form=form)


@desk_view(helper=True)
@require_POST
@_button_of_a_team
def desk_withdraw_team(request: DeskRequest, team: Team) -> HttpResponse:
    form = WithdrawForm(request.POST)
    step, said = partial(making.withdraw_team, team), _("%(name)s has withdrawn.") % {"name": team}
    done = handle_form(request, form, step, said, "desk_teams", team.tournament.code)
    return done or _show(request, team, withdraw=form)


@desk_view(helper=True)
@require_POST
@_button_of_a_team
def desk_team_back(request: DeskRequest, team: Team) -> HttpResponse:
    said, step = _("%(name)s is back.") % {"name": team}, partial(making.bring_team_back, team)
    return handle_button(request, step, said, "desk_team", team.tournament.code, team.number)


@desk_view(helper=True)
@require_POST
@_button_of_a_team
def desk_dissolve(request: DeskRequest, team: Team) -> HttpResponse:
    said = _("The players are free again.")
    return handle_button(request, partial(making.dissolve, team), said, "desk_teams", team.tournament.code)


urlpatterns = [
    path("desk/t/<str:code>/teams/", desk_teams, name="desk_teams"),
    path("desk/t/<str:code>/teams/together/", desk_put_together, name="desk_put_together"),
    path("desk/t/<str:code>/teams/groups/", desk_groups, name="desk_groups"),
    path("desk/t/<str:code>/teams/rounds/", desk_all_meet, name="desk_all_meet"),
    path("desk/t/<str:code>/teams/<int:number>/", desk_team, name="desk_team"),
    path("desk/t/<str:code>/teams/<int:number>/withdraw/", desk_withdraw_team, name="desk_withdraw_team"),
    path("desk/t/<str:code>/teams/<int:number>/back/", desk_team_back, name="desk_team_back"),
    path("desk/t/<str:code>/teams/<int:number>/dissolve/", desk_dissolve, name="desk_dissolve"),
]
