"""A team's own page, by its link: its captain says who sits where in the matches to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments import rounds
from tournaments.models import Team
from tournaments.web.finding import only_with
from tournaments.web.lining_up import lined_up
from tournaments.web.matches_form import LineUpForm
from tournaments.web.quiet import quiet

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from tournaments.models import Match


def _form(match: Match, team: Team, data: QueryDict | None) -> LineUpForm:
    seats, free = rounds.seats_of(match, team), rounds.free_for(match, team)
    return LineUpForm(data, match=match, team=team, seats=seats, free=free, prefix=f"match{match.pk}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_line_up(request: HttpRequest, secret: str) -> HttpResponse:
    """The team's matches to come; what is chosen for them is stored."""
    team = get_object_or_404(Team.objects.select_related("tournament__host"), secret=secret)
    tournament = team.tournament
    only_with(tournament, "matches")
    data = request.POST if request.method == "POST" else None
    matches = [] if tournament.is_finished or tournament.is_called_off else rounds.line_ups_to_come(team)
    forms = [_form(match, team, data) for match in matches]
    if data is not None and lined_up(request, forms, account=None):
        return redirect("team_line_up", secret)
    playing = [(match, rounds.seats_of(match, team)) for match in rounds.line_ups_in_play(team)]
    context = {"team": team, "tournament": tournament, "forms": forms, "playing": playing}
    return quiet(render(request, "captain/line_up.html", context))


urlpatterns = [path("c/team/<str:secret>/", team_line_up, name="team_line_up")]
