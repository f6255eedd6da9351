"""Seat cards: printed, ticked, cut apart or not, several in one photograph."""

from __future__ import annotations

import numpy as np
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account
from core.pdf.files import pdf_of
from tests.factories import make_tournament
from tests.pages import words
from tests.photographs.camera import LEVELS, photographed
from tests.photographs.cards import card_at, laid_out, ticked_cards
from tests.photographs.hands import HANDS
from tests.photographs.made import page_of
from tests.tournaments.reporting.reader.test_lists import sent
from tournaments.entries import bulk
from tournaments.models import Entry, PrintedList, Tournament
from tournaments.paper.door import _seats, card_pages
from tournaments.reporting.reader.layout import sheet_named
from tournaments.reporting.reader.results import card_layout, card_name, is_list

MEANT = [{"here": "here", "paid": "paid"}, {"here": "here"}, {}, {"paid": "paid"}, {"here": "here"}]


def read_of(page):
    return {one.entry.number: (one.here, one.paid) for one in page.context["read"].people.values()}


def test_cards_are_read_cut_apart_and_whole_and_those_that_cannot_be_are_named(club, as_helper, client):
    tournament = make_tournament(5, club=club, drawn=False, entry_fee=50)
    tournament.entries.update(status=Entry.Status.ENTERED)
    by = {"base_url": "http://192.168.1.24:8000", "printed_at": timezone.localtime()}
    for _twice in range(2):
        pdf = pdf_of(card_pages(tournament, **by), "Cards")
    # One layout for all cards, kept once.
    assert PrintedList.objects.get().code == card_layout(fee=True).code
    numbers = list(tournament.entries.order_by("player__sorted_as").values_list("number", flat=True))
    wanted = {
        number: ("here" in chosen, "paid" in chosen) for number, chosen in zip(numbers, MEANT, strict=True)
    }
    random = np.random.default_rng(3)
    printed = page_of(pdf)
    page = ticked_cards(printed, MEANT, HANDS["crosses"], random)
    whole = photographed(page, LEVELS["easy"], random)
    # Of the first card the marks on the left are covered.
    left, top, _wide, high = card_at(0)
    covered_first = page.copy()
    covered_first[top : top + high, left : left + 100] = 200
    apart = photographed(laid_out(covered_first, 5, random), LEVELS["easy"], random)
    told = sent(as_helper, tournament, whole)
    assert (read_of(told), told.context["read"].unread) == (wanted, [])
    told = sent(as_helper, tournament, apart)
    assert read_of(told) == {number: ticks for number, ticks in wanted.items() if number != numbers[0]}
    covered = tournament.entries.get(number=numbers[0])
    assert told.context["read"].unread == [("1.jpg", f"These cards are covered, bent or cut off: {covered}.")]
    # Both together: what one picture has not, the other has.
    assert read_of(sent(as_helper, tournament, apart, whole)) == wanted
    assert not tournament.entries.filter(status=Entry.Status.PRESENT).exists()
    # A covered card of another evening names nobody of this one.
    other = make_tournament(0, club=club, drawn=False)
    bulk.enter_all(
        other,
        [(entry.player, entry.club) for entry in tournament.entries.order_by("number")],
        account=Account.objects.first(),
        now=timezone.now(),
    )
    strange = sent(as_helper, other, apart)
    assert [why for _name, why in strange.context["read"].unread] == [
        "There are cards from another evening in the picture: remove them."
    ]
    # Read for an evening without a fee, what is ticked for one is left out, and told of once.
    Tournament.objects.filter(pk=tournament.pk).update(entry_fee=0)
    with CaptureQueriesContext(connection) as asked:
        free = sent(as_helper, tournament, whole)
    assert sum("printedlist" in one["sql"] for one in asked) == 1
    assert read_of(free) == {number: (here, False) for number, (here, _paid) in wanted.items()}
    assert words(free.content.decode()).count("There is no longer an entry fee") == 1
    assert free.content.decode().count('<li role="group" aria-label="') == 3
    # A player's own phone is led to the player's page.
    name = card_name(tournament.code, numbers[0], card_layout(fee=True))
    assert sheet_named(name.path) == name
    assert is_list(name)
    assert client.get(name.path).url == reverse("hall_player", args=[tournament.code, numbers[0]])


def test_a_card_has_the_seat_of_the_round_that_is_on_and_of_none_that_is_over(club):
    tournament = make_tournament(4, club=club)
    seats = tournament.rounds.get().seats.order_by("position")
    wanted = {seat.entry_id: f"Table 1 · seat {letter}" for seat, letter in zip(seats, "ABCD", strict=True)}
    assert _seats(tournament) == wanted
    tournament.rounds.update(state="closed")
    assert _seats(tournament) == {}
