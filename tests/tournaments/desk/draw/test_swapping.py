"""The draw without checkboxes: choose a seat, every other says its price, and the second tap swaps."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from tests.factories import first_round, make_account, make_club, make_player, make_tournament
from tournaments.entries import entering
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.planning import draw_quality
from tournaments.lifecycle.playing import start_round
from tournaments.lifecycle.seat_changes import smallest_change
from tournaments.models import Seat

MEANWHILE = "The draw has changed since you opened the page. This is how it is now."


@pytest.fixture
def drawn(club):
    return make_tournament(11, 2, club=club, started=False)


def draw_page(tournament):
    return reverse("desk_draw", args=[tournament.code])


def swap_page(tournament, number=1):
    return reverse("desk_swap", args=[tournament.code, number])


def at(tournament, place, number=1):
    """Who sits there."""
    letter = "ABCD".index(place[-1])
    seats = Seat.objects.select_related("entry__player")
    where = {"round__number": number, "table__number": int(place[:-1]), "position": letter}
    return seats.get(round__tournament=tournament, **where).entry


def named(tournament, place, number=1):
    return f"{place}.{at(tournament, place, number).number}"


def shown(browser, tournament, **asked):
    return browser.get(draw_page(tournament), asked).context["shown"]


def prices(page):
    """The price at each place that is shown."""
    places = [place for _table, places in page.page for place in places if place]
    return {place.at.partition(".")[0]: place.price for place in places}


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def test_nobody_is_priced_before_a_seat_is_chosen(as_alice, drawn):
    page = shown(as_alice, drawn)
    assert (page.chosen, set(prices(page).values())) == (None, {None})
    text = as_alice.get(draw_page(drawn)).content.decode()
    assert 'type="checkbox"' not in text
    assert f'<button name="seat" value="{named(drawn, "1A")}"' in text


@pytest.mark.parametrize("typed", ["1A", "1a", " 1 A "])
def test_the_chosen_seat_prices_every_other(as_helper, drawn, typed):
    page = shown(as_helper, drawn, seat=typed)
    assert (page.chosen.entry, page.chosen.table, page.chosen.letter) == (at(drawn, "1A"), 1, "A")
    found = prices(page)
    assert found.pop("1A") is None
    assert all(price.words for price in found.values())
    assert len(found) == 10
    assert page.free == sum(price.is_free for price in found.values())


def test_the_price_is_what_the_swap_then_costs(as_alice, drawn, by_alice):
    before = draw_quality(drawn)
    dear = {place: price for place, price in prices(shown(as_alice, drawn, seat="1A")).items() if price}
    place = max(dear, key=lambda place: dear[place].words.endswith("meetings"))
    as_alice.post(swap_page(drawn), {"at": named(drawn, "1A"), "to": named(drawn, place)})
    more = draw_quality(drawn).repeats - before.repeats
    words = "1 repeat" if more == 1 else f"{more} repeats"
    assert dear[place].words == (words if more > 0 else dear[place].words)


def test_only_the_free_ones_are_shown_where_that_is_asked_for(as_alice, drawn):
    page = shown(as_alice, drawn, seat="1A", free="1")
    assert page.only_free
    assert all(price is None or price.is_free for price in prices(page).values())
    assert len([price for price in prices(page).values() if price]) == page.free


@pytest.mark.parametrize("typed", ["9Z", "99A", "nonsense", "1A.99", "bye.1", "\x00", "1" * 50])
def test_a_seat_that_is_none_is_said(as_alice, drawn, typed):
    answer = as_alice.get(draw_page(drawn), {"seat": typed})
    assert answer.context["shown"].chosen is None
    assert "There is no seat" in answer.content.decode()


@pytest.mark.parametrize("taps", [1, 2])
def test_the_second_seat_swaps_and_a_double_tap_swaps_once(as_alice, drawn, taps):
    one, other = at(drawn, "1A"), at(drawn, "2C")
    sent = {"at": named(drawn, "1A"), "to": named(drawn, "2C")}
    for _tap in range(taps):
        answer = as_alice.post(swap_page(drawn), sent, follow=True)
    assert said(answer) == [f"{one.player} and {other.player} have swapped seats."]
    assert (at(drawn, "1A"), at(drawn, "2C")) == (other, one)
    assert first_round(drawn).swapped
    assert drawn.log.filter(text__contains="swapped seats").count() == 1


@pytest.mark.parametrize("taps", [1, 2])
def test_undo_brings_both_back(as_alice, drawn, taps):
    one, other = at(drawn, "1A"), at(drawn, "2C")
    sent = {"at": named(drawn, "1A"), "to": named(drawn, "2C")}
    answer = as_alice.post(swap_page(drawn), sent, follow=True)
    (message,) = answer.context["messages"]
    for _tap in range(taps):
        as_alice.post(message.extra_tags)
    assert (at(drawn, "1A"), at(drawn, "2C")) == (one, other)


def test_a_seat_can_be_typed(as_alice, drawn):
    one, other = at(drawn, "1A"), at(drawn, "3B")
    sent = {"at": named(drawn, "1A"), "to": "3b"}
    for _tap in range(2):
        as_alice.post(swap_page(drawn), sent)
        assert (at(drawn, "1A"), at(drawn, "3B")) == (other, one)


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({}, "There is no seat  in this round."),
        ({"at": "1A.1"}, "There is no seat  in this round."),
        ({"at": "1A", "to": "2B"}, MEANWHILE),
        ({"at": "1A.99", "to": "2B"}, MEANWHILE),
        ({"at": "1A.{1A}", "to": "1a"}, "Choose two different players."),
        ({"at": "1A.{1A}", "to": "9D"}, "There is no seat 9D in this round."),
        ({"at": "1A.{1A}", "to": "2B.{3B}"}, MEANWHILE),
        ({"at": "2B.{1A}", "to": "3A"}, MEANWHILE),
        ({"at": "1A.{1A}", "to": "nonsense"}, "There is no seat nonsense in this round."),
    ],
)
def test_what_cannot_be_swapped_is_said_and_changes_nothing(as_alice, drawn, sent, why):
    numbers = {place: str(at(drawn, place).number) for place in ("1A", "2B", "3B")}
    for place, number in numbers.items():
        sent = {name: value.replace("{" + place + "}", number) for name, value in sent.items()}
    before = list(Seat.objects.order_by("pk").values_list("pk", "entry"))
    assert said(as_alice.post(swap_page(drawn), sent, follow=True)) == [why]
    assert list(Seat.objects.order_by("pk").values_list("pk", "entry")) == before


def test_in_a_round_that_has_started_seats_are_text(as_alice, drawn, by_alice):
    one = at(drawn, "1A")
    sent = {"at": named(drawn, "1A"), "to": named(drawn, "2C")}
    start_round(first_round(drawn), **by_alice)
    assert said(as_alice.post(swap_page(drawn), sent, follow=True)) == [MEANWHILE]
    assert at(drawn, "1A") == one
    text = as_alice.get(draw_page(drawn), {"round": 1, "seat": "1A"}).content.decode()
    assert '<button name="seat"' not in text
    assert "There is no seat" not in text


def test_partners_are_not_swapped(as_alice, club, by_alice):
    tournament = make_tournament(8, club=club, drawn=False, format="pairs")
    from tournaments.entries.teams import put_together

    put_together(tournament, **by_alice)
    draw(tournament, seed=1, **by_alice)
    assert shown(as_alice, tournament, seat="1A").chosen is None
    sent = {"at": named(tournament, "1A"), "to": named(tournament, "2C")}
    assert said(as_alice.post(swap_page(tournament), sent, follow=True)) == [MEANWHILE]


def test_who_may_swap(as_charlie, client, drawn, club):
    sent = {"at": named(drawn, "1A"), "to": named(drawn, "2C")}
    one = at(drawn, "1A")
    assert as_charlie.post(swap_page(drawn), sent).status_code == 403
    assert client.post(swap_page(drawn), sent).headers["Location"].startswith(reverse("login"))
    neighbour = Client()
    neighbour.force_login(make_account("nina", make_club("Viby"), Role.Kind.ORGANISER))
    assert neighbour.post(swap_page(drawn), sent).status_code == 403
    assert at(drawn, "1A") == one


def test_an_old_link_leads_to_the_round(as_alice, drawn):
    assert as_alice.get(swap_page(drawn, 2)).url == f"{draw_page(drawn)}?round=2"


# Who comes late


def test_a_late_player_is_offered_the_smallest_change_and_then_the_table_to_print(
    as_alice, club, by_alice, undrawn
):
    tournament = make_tournament(11, club=club, started=False)
    as_alice.post(reverse("desk_print_ask", args=[tournament.code, 1, "blank"]), {"at_once": "1"})
    late = entering.enter(tournament, make_player("Vagn Vest"), club=None, **by_alice)
    entering.check_in(late, present=True, **by_alice)
    (table,) = smallest_change(late)
    text = " ".join(as_alice.get(draw_page(tournament)).content.decode().split())
    assert (
        f"<b>Vagn Vest has arrived.</b> Smallest change: a fourth at round 1, table {table.number}." in text
    )
    before = {seat.entry_id: (seat.table_id, seat.position) for seat in Seat.objects.all()}
    for _tap in range(2):
        as_alice.post(reverse("desk_sit_late", args=[tournament.code, late.number]))
    after = {seat.entry_id: (seat.table_id, seat.position) for seat in Seat.objects.all()}
    assert after.pop(late.pk) == (table.pk, 3)
    assert after == before
    text = " ".join(as_alice.get(draw_page(tournament)).content.decode().split())
    assert f"<b>Table {table.number} has changed</b> since it was printed at" in text
    assert f"<button>Only table {table.number}</button>" in text


@pytest.mark.slow
@pytest.mark.parametrize("players", [24, 120])
def test_prices_ask_the_database_as_often_for_many_players(
    as_alice, club, players, django_assert_max_num_queries
):
    tournament = make_tournament(players, 2, club=club, started=False)
    with django_assert_max_num_queries(42):
        as_alice.get(draw_page(tournament), {"seat": "1A"})
