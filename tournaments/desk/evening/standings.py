"""The standings as they are now, below what waits at the desk; everybody else has them in the hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tournaments.desk.evening.now import now_of
from tournaments.standings.columns import On
from tournaments.standings.team_text import places_now
from tournaments.web.guards import DESK, DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Tournament


@desk_view(helper=True)
@require_safe
def desk_standings(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    begun = now_of(request, tournament).steps.have_begun
    context = {"tournament": tournament, **(places_now(tournament, On.SCREEN) if begun else {})}
    return render(request, "desk/evening/standings.html", context)


urlpatterns = [path(f"{DESK}standings/", desk_standings, name="desk_standings")]
