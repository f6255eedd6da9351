"""Diplomas for the first three, a page each, to be framed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.pdf.fonts import DISPLAY, cut
from core.pdf.page import Page
from tournaments.lifecycle.money import podiums
from tournaments.paper.names import size_for

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.paper.pages import Occasion

# Millimetres for the name and for what was won, and their type in points.
ROOM, NAME_SIZES, EVENT_SIZES = 140.0, (36.0, 14.0), (19.0, 11.0)
LONGEST = 80
# Who is first has won; the others have a place.
PLACES = {2: gettext_lazy("Second place"), 3: gettext_lazy("Third place")}


def diploma_pages(tournament: Tournament, occasion: Occasion) -> list[Page]:
    """A diploma for each of the first three of every division."""
    takes_part = tournament.entries.filter(seats__isnull=False).distinct().count()
    return [
        Page(
            "paper/_diploma.html",
            name=cut(place.name, LONGEST),
            css="diploma",
            context={
                "occasion": occasion,
                "place": place,
                "place_said": PLACES.get(place.rank) or _("Winner"),
                "division": podium.name,
                "winner": cut(place.name, LONGEST),
                "size": size_for(place.name, ROOM, *NAME_SIZES, DISPLAY),
                "event_size": size_for(occasion.tournament, ROOM, *EVENT_SIZES, DISPLAY),
                "venue": cut(tournament.place, LONGEST),
                "takes_part": takes_part,
            },
        )
        for podium in podiums(tournament)
        for place in podium.places
        if place.rank <= max(PLACES)
    ]
