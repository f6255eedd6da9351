"""A team's own page, by its link: its captain says who sits where in the matches to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.http.responses import quiet
from tournaments.lifecycle.line_ups import captains_choice, line_ups_in_play, line_ups_to_come, seats_of
from tournaments.models import Team
from tournaments.web.finding import only_with
from tournaments.web.guards import one_by_one
from tournaments.web.lining_up import lined_up
from tournaments.web.matches_form import LineUpForm, line_up_choices
from tournaments.web.sought import found_alone

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from tournaments.models import Match


def _form(match: Match, team: Team, data: QueryDict | None) -> LineUpForm:
    seats, free = seats_of(match, team), captains_choice(match, team)
    choices = line_up_choices(team, free, own=free)
    page = reverse("team_line_up", args=[team.secret])
    return LineUpForm(
        data, match=match, team=team, seats=seats, choices=choices, prefix=f"match{match.pk}", page=page
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_line_up(request: HttpRequest, secret: str) -> HttpResponse:
    """The team's matches to come; what is chosen for them is stored."""
    team = _find(secret)
    if request.method != "POST":
        return _page(request, team, None)
    with one_by_one(team.tournament):
        return _page(request, _find(secret), request.POST)


def _find(secret: str) -> Team:
    team = get_object_or_404(Team.objects.select_related("tournament__host"), secret=secret)
    only_with(team.tournament, "matches")
    return team


def _page(request: HttpRequest, team: Team, data: QueryDict | None) -> HttpResponse:
    tournament = team.tournament
    matches = [] if tournament.is_finished or tournament.is_called_off else line_ups_to_come(team)
    forms = [_form(match, team, data) for match in matches]
    if hits := found_alone(request, *forms):
        return quiet(hits)
    if data is not None and lined_up(request, forms, account=None):
        return redirect("team_line_up", team.secret)
    playing = [(match, seats_of(match, team)) for match in line_ups_in_play(team)]
    context = {"team": team, "tournament": tournament, "forms": forms, "playing": playing}
    return quiet(render(request, "captain/line_up.html", context))


urlpatterns = [path("c/team/<str:secret>/", team_line_up, name="team_line_up")]
