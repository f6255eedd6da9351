"""Where do I sit? By a part of the name, or by the player's number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.views.decorators.http import require_safe

from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.seat_finder import all_players, find_players

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament

# So many players are shown with their whole table; more than these as a list to choose from.
SHOWN_BIG = 8


@require_safe
def seats(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    query = request.GET.get("name", "").strip()[:100]
    return live_page(request, tournament, "seats", lambda: _found(tournament, query), keep=not query)


def _found(tournament: Tournament, query: str) -> dict[str, Any]:
    found = find_players(tournament, query) if query else []
    several = not query or len(found) > SHOWN_BIG
    return {
        "query": query,
        "found": found,
        "big": [] if several else found,
        "list": (found or all_players(tournament)) if several else [],
        "drawn": any(player.seats for player in all_players(tournament)),
    }
