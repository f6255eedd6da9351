"""Ratings in the hall: a club's list, and a player's curve, which the player's page fetches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from tournaments.hall.club import find_club
from tournaments.hall.curve import curve
from tournaments.hall.live import HallRequest, find_tournament
from tournaments.models import Entry
from tournaments.seasons.rated import around
from tournaments.seasons.rating import FIRST
from tournaments.seasons.rating_list import LEAST_TABLES, rating_list, rating_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def hall_rating(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of a club that shows it."""
    club = find_club(slug)
    if not club.shows_rating:
        raise Http404
    listed = rating_list(club)
    context = {
        "club": club,
        "listed": listed,
        "clubs": len({line.club for line in listed}) > 1,
        "around": around(club),
        "first": FIRST,
        "least": LEAST_TABLES,
    }
    return render(request, "hall/rating.html", context)


@require_safe
def hall_player_rating(request: HallRequest, code: str, number: int) -> HttpResponse:
    """A player's curve: to htmx a part of the player's page, else a page of its own."""
    tournament = find_tournament(code)
    entries = Entry.objects.select_related("player", "club", "tournament__host__union")
    entry = get_object_or_404(entries, tournament=tournament, number=number)
    rated = rating_of(entry)
    history = rated.history if rated else []
    points = [FIRST, *(after.points for after in history)]
    context = {
        "tournament": tournament,
        "entry": entry,
        "rated": rated.now if rated else None,
        "curve": curve(points, [(1, len(history))], zero=FIRST) if history else None,
        "days": [after.day for after in history],
        "first": FIRST,
        "least": LEAST_TABLES,
        "club": entry.club or tournament.host,
    }
    page = "hall/_player_rating.html" if request.htmx else "hall/player_rating.html"
    return render(request, page, context)
