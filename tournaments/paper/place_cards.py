"""Place cards for a round: a name, the table and the seat, to be cut apart and folded, read from both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.fonts import DISPLAY, cut
from core.pdf.page import Page
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.ledger.queries import NAMED_SEATS
from tournaments.paper.names import size_for
from tournaments.paper.pages import cards_to_cut

if TYPE_CHECKING:
    from tournaments.models import Round
    from tournaments.paper.pages import Occasion

CARDS_A_PAGE = 8
# Millimetres for a name, and its type in points.
ROOM, SIZES = 82.0, (24.0, 9.0)
LONGEST = 60


def place_card_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """A card for every seat of a round, table by table."""
    cards = [
        {
            "name": (name := cut(seat.entry.shown_name, LONGEST)),
            "size": size_for(name, ROOM, *SIZES, DISPLAY),
            "club": cut(seat.entry.club.name, LONGEST) if seat.entry.club else "",
            "table": table.number,
            "letter": SEAT_LETTERS[seat.position],
        }
        for table in round_.tables.prefetch_related(NAMED_SEATS)
        for seat in table.seats.all()
    ]
    return cards_to_cut(
        "paper/_place_cards.html", occasion, cards, CARDS_A_PAGE, name=_("Place cards"), css="place-cards"
    )
