"""The cards of an evening on paper: 63 by 88 mm, nine on a sheet, to be cut apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.pdf.fonts import DISPLAY, cut, plain
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file
from tournaments.domain.card_drawing import MATADORS, draw_card
from tournaments.domain.terms import signed
from tournaments.models import Entry
from tournaments.paper.page import size_for
from tournaments.people.evening_cards import evening_cards

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import Tournament
    from tournaments.people.evening_cards import EveningCard


A_PAGE = 9
# Millimetres for a name below the card, and its type in points; letters before it is cut.
ROOM, SIZES, LONGEST = 55.0, (11.5, 6.5), 60
LONGEST_EVENT = 44


def card_pages(tournament: Tournament, occasion: Any) -> list[Page]:
    """The pages of all players' cards, by place."""
    entries = Entry.objects.select_related("player", "club", "tournament__host")
    by_key = entries.filter(tournament=tournament).in_bulk()
    return _pages(tournament, [(card, by_key[card.entry]) for card in evening_cards(tournament)], occasion)


def cards_pdf(
    tournament: Tournament,
    cards: Sequence[tuple[EveningCard, Entry]],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The file of these cards. Raises CannotMake."""
    pages = _pages(tournament, cards, {"printed_at": printed_at})
    names = ", ".join(plain(entry.shown_name) for _card, entry in cards)
    return kept_file(pages, f"{names}, {tournament.name}", printed_at=printed_at, asker=asker)


def _pages(tournament: Tournament, cards: Sequence[tuple[EveningCard, Entry]], occasion: Any) -> list[Page]:
    event = cut(plain(tournament.name), LONGEST_EVENT)
    told = [_card(card, entry, event, tournament) for card, entry in cards]
    return [
        Page(
            "paper/_evening_cards.html",
            name=_("Cards of the evening"),
            css="evening-cards",
            context={"cards": part, "occasion": occasion},
        )
        for part in chunks(told, A_PAGE) or [()]
    ]


def _card(card: EveningCard, entry: Entry, event: str, tournament: Tournament) -> dict[str, Any]:
    name = cut(plain(entry.shown_name), LONGEST)
    place = _("place %(place)d of %(all)d") % {"place": card.place, "all": card.field}
    return {
        "drawn": draw_card(card.card, gold=card.card in MATADORS, in_place=True),
        "said": card.label,
        "title": card.title,
        "name": name,
        "size": size_for(name, ROOM, *SIZES, DISPLAY),
        "placed": f"{place} · {signed(card.tokens)}" if card.tokens >= 0 else place,
        "event": event,
        "day": date_format(tournament.date, "DATE_FORMAT"),
    }
