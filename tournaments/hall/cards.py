"""The card of the evening: everybody's, one player's with the hand it belongs to, its picture and its sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.sql import key_set
from tournaments.changes.versions import print_of_versions
from tournaments.domain.terms import signed
from tournaments.hall.about import render_page
from tournaments.hall.live import HallRequest, find_tournament, listed_where_allowed, live_page
from tournaments.hall.share_card import Card
from tournaments.hall.share_images import share_page, tournament_picture
from tournaments.hall.years.links import led_on
from tournaments.hall.years.person import find_person
from tournaments.models import Entry, Tournament
from tournaments.paper.evening import cards_pdf
from tournaments.people import visibility
from tournaments.people.evening_cards import (
    SIXTH,
    THIRD,
    EveningCard,
    hands_of,
    shown_cards,
    title_of,
    was_corrected,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase


# Cards that come with the page of all: a card weighs 1.2 kB before it is packed.
AT_FIRST = 60
# Cards of others that a player's own page shows, and hands on a page.
FIRST, HANDS_ON_A_PAGE = 6, 12


@require_safe
def hall_cards(request: HallRequest, code: str) -> HttpResponseBase:
    """The page of all players' cards of the evening, by place."""
    tournament = find_tournament(code)
    if not tournament.host.gives_cards:
        raise Http404
    is_whole = "all" in request.GET
    return live_page(
        request,
        tournament,
        "cards",
        lambda: _all_cards(tournament, None if is_whole else AT_FIRST),
        part="" if is_whole else "first",
        query="?all" if is_whole else "",
    )


@require_safe
def hall_card(request: HallRequest, code: str, number: int) -> HttpResponseBase:
    """A player's card, what it was given for, and the hand that it belongs to."""
    tournament, entry = _find(code, number)
    own = visibility.own_entries(entry.player)
    # The hand is of other evenings, too.
    others = own.aggregate(all=print_of_versions("tournament__"))["all"]
    return live_page(
        request,
        tournament,
        "card",
        lambda: _about_card(tournament, entry),
        part=str(number),
        besides=str(others),
        entry=entry,
        unlisted=not visibility.may_be_found(entry.player),
    )


@require_safe
def hall_card_share(request: HallRequest, code: str, number: int) -> HttpResponse:
    tournament, entry = _find(code, number)
    card = find_card(tournament, entry)
    address = reverse("hall_card", args=[tournament.code, number])
    unlisted = not visibility.may_be_found(entry.player)
    said = [_headline(entry, card), _placed(card)]
    return share_page(request, tournament, address, said, entry=entry, unlisted=unlisted)


@require_safe
def hall_card_picture(request: HallRequest, code: str, number: int) -> HttpResponseBase:
    tournament, entry = _find(code, number)
    answer = tournament_picture(
        request, tournament, f"card:{number}", lambda: picture_of_card(tournament, entry)
    )
    return listed_where_allowed(answer, entry.player)


@a_pdf
@require_safe
def hall_card_pdf(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The card on a sheet of A4, 63 by 88 mm."""
    tournament, entry = _find(code, number)
    card = find_card(tournament, entry)
    answer = pdf_answer(
        request,
        lambda: cards_pdf(tournament, [(card, entry)], **for_visitor(request)),
        tournament.name,
        entry.shown_name,
        instead=reverse("hall_card", args=[tournament.code, number]),
    )
    return listed_where_allowed(answer, entry.player)


@led_on
@require_safe
def person_hands(request: HttpRequest, pk: int) -> HttpResponse:
    """All hands of a person, the newest first."""
    player, own = find_person(pk)
    hands = hands_of(player)
    pages = Paginator(range(hands.count), HANDS_ON_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "person": player,
        "name": own.name,
        "page": page,
        "hands": hands.newest(HANDS_ON_A_PAGE, HANDS_ON_A_PAGE * (page.number - 1)),
        "times": _times(hands.times, len(hands.evenings)),
    }
    return render_page(request, "hall/years/hands.html", context, may_be_found=own.may_be_found)


def _find(code: str, number: int) -> tuple[Tournament, Entry]:
    tournament = find_tournament(code)
    if not tournament.host.gives_cards:
        raise Http404
    entries = Entry.objects.select_related("player", "club", "team", "tournament__host")
    return tournament, get_object_or_404(entries, tournament=tournament, number=number)


def find_card(tournament: Tournament, entry: Entry) -> EveningCard:
    """The player's card. Raises Http404 for a player without one."""
    card = next((one for one in shown_cards(tournament) if one.entry == entry.pk), None)
    if card is None:
        raise Http404
    return card


def _headline(entry: Entry, card: EveningCard) -> str:
    words = {"name": entry.shown_name, "card": card.label}
    return (_("%(name)s got %(card)s") if card.title else _("%(name)s got the %(card)s")) % words


def _placed(card: EveningCard) -> str:
    """The result that the card was given for: the place, the number of players, and the tokens if none were lost."""
    place = _("place %(place)d of %(all)d") % {"place": card.place, "all": card.field}
    return f"{place} · {signed(card.tokens)}" if card.tokens >= 0 else place


def _with_entries(tournament: Tournament, cards: Sequence[EveningCard]) -> list[tuple[EveningCard, Entry]]:
    """These cards of an evening, with the entries for their names."""
    these = tournament.entries.filter(pk__in=key_set([card.entry for card in cards]))
    by_key = {entry.pk: entry for entry in these.select_related("player", "club")}
    return [(card, by_key[card.entry]) for card in cards]


def _all_cards(tournament: Tournament, most: int | None) -> dict[str, Any]:
    """The first `most` cards, and how many there are where that is more."""
    cards = shown_cards(tournament)
    count = len(cards) if most is not None and len(cards) > most else 0
    return {"cards": _with_entries(tournament, cards[:most]), "count": count}


def _about_card(tournament: Tournament, entry: Entry) -> dict[str, Any]:
    cards = shown_cards(tournament)
    card = next((one for one in cards if one.entry == entry.pk), None)
    if card is None:
        raise Http404
    hands = (
        hands_of(entry.player) if visibility.own_entries(entry.player).filter(pk=entry.pk).exists() else None
    )
    return {
        "entry": entry,
        "card": card,
        "headline": _headline(entry, card),
        "placed": _placed(card),
        "given_for": given_for(card),
        "times": _times(hands.times, len(hands.evenings), card.place) if hands else "",
        "hand": hands.last if hands else None,
        "has_hands": hands is not None and hands.count > 1,
        "was_corrected": was_corrected(tournament),
        "others": _with_entries(tournament, [one for one in cards if one is not card][:FIRST]),
        "count": len(cards),
    }


def given_for(card: EveningCard) -> str:
    """A sentence on how the place decided the card."""
    if card.place == 1:
        return _("The winner of the evening takes Spadille home, the highest card of the game.")
    if card.place <= THIRD:
        said = {
            2: _("Second place takes Manille home, the second highest trump."),
            THIRD: _("Third place takes Basta home, the third highest trump."),
        }
        return said[card.place]
    if card.place <= SIXTH:
        return _("Fourth to sixth place take king, queen and jack home.")
    return _("The rest of the field shares the lower cards, and nobody goes home without one.")


def _times(times: Callable[[int], int], evenings: int, place: int = 1) -> str:
    """The text of how often the player has had this one of the first three cards; "" for other cards, and for never."""
    count = times(place) if place <= THIRD else 0
    if not count:
        return ""
    words = {"card": title_of(place), "count": count, "evenings": evenings}
    said = ngettext(
        "%(card)s once in %(evenings)d evenings.", "%(card)s %(count)d times in %(evenings)d evenings.", count
    )
    return said % words if evenings > 1 else ""


def picture_of_card(tournament: Tournament, entry: Entry) -> Card:
    """The picture of a card for link previews."""
    card = find_card(tournament, entry)
    label = f"{tournament.host} · {date_format(tournament.date, 'DATE_FORMAT')}"
    return Card(label, _headline(entry, card), f"{tournament.name}, {_placed(card)}", playing=card.card)
