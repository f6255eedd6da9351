"""What a player earned at an evening that is over: fetched by the page of the evening, since all evenings say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.hall.findable import shown
from tournaments.hall.live import HallRequest, find_tournament
from tournaments.models import Entry
from tournaments.people import visibility
from tournaments.people.achievements import earned_at, of_player

if TYPE_CHECKING:
    from django.http import HttpResponse


@require_safe
def hall_player_achievements(request: HallRequest, code: str, number: int) -> HttpResponse:
    """To a script a part of the player's page, else a page of its own; empty for who may not be told of."""
    tournament = find_tournament(code)
    entries = Entry.objects.select_related("player", "club", "tournament__host")
    entry = get_object_or_404(entries, tournament=tournament, number=number)
    told = tournament.is_finished and visibility.own_entries(entry.player).filter(pk=entry.pk).exists()
    achieved = of_player(entry.player, timezone.localdate()) if told else []
    context = {
        "tournament": tournament,
        "entry": entry,
        "achievements": earned_at(achieved, tournament),
        "at_evening": True,
    }
    page = "hall/years/_achievements.html" if request.htmx else "hall/years/achievements.html"
    return shown(request, page, context, may_be_found=visibility.may_be_found(entry.player))
