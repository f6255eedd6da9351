"""Where do I sit? By a part of the name, or by the player's number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.views.decorators.http import require_safe

from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.seat_finder import players_shown, rounds_to_find, with_seats
from tournaments.models import Seat

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament

# So many players are shown with their whole table; more than these as a list to choose from, so many at a time.
SHOWN_BIG, ON_A_PAGE = 8, 100


@require_safe
def seats(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    query = request.GET.get("name", "").strip()[:100]
    number = request.GET.get("page", "")
    keep = not query and number in ("", "1")  # what most ask for; the rest is drawn for who asks
    return live_page(request, tournament, "seats", lambda: _found(tournament, query, number), keep=keep)


def _found(tournament: Tournament, query: str, number: str) -> dict[str, Any]:
    rounds = rounds_to_find(tournament)
    found = players_shown(tournament, rounds, query)
    nobody = bool(query) and not found
    page = Paginator(players_shown(tournament, rounds) if nobody else found, ON_A_PAGE).get_page(number)
    shown = with_seats(rounds, list(page))
    several = not query or nobody or len(found) > SHOWN_BIG
    return {
        "query": query,
        "found": found if query else [],
        "page": page,
        "big": [] if several else shown,
        "list": shown if several else [],
        "drawn": Seat.objects.filter(round__in=rounds).exists(),
    }
