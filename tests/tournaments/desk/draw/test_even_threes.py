"""Tables of three at the desk: shared evenly unless the fewest repeats are chosen, the price of both said."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.factories import make_tournament
from tests.pages import text
from tournaments.entries import entering
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.planning import draw_quality
from tournaments.lifecycle.playing import start_round
from tournaments.lifecycle.round_repair import mend_tables
from tournaments.lifecycle.seat_changes import sit_at_threes, swap, take_seats
from tournaments.lifecycle.seat_plan import draw_mark
from tournaments.models import Tournament


def page(tournament):
    return reverse("desk_draw", args=[tournament.code])


def draw(client, tournament, **typed):
    return client.post(page(tournament), {"drawn": draw_mark(tournament), "seed": 3} | typed, follow=True)


def visits(tournament):
    quality = draw_quality(tournament)
    return quality.repeats, quality.tables_of_three


@pytest.fixture
def thirteen(club):
    return make_tournament(13, 4, club=club, drawn=False)


EVEN, FEWEST = (
    "6 repeats; at a table of three 2 to 3 times each",
    "0 repeats; at a table of three 1 to 4 times each",
)


def test_the_draw_is_even_and_the_price_of_both_ways_is_said_before_and_after(as_alice, thirteen):
    before = text(as_alice.get(page(thirteen)))
    assert EVEN in before
    assert FEWEST in before
    after = text(draw(as_alice, thirteen, threes="even"))
    assert visits(thirteen) == (6, (2, 3))
    assert f"{EVEN}. With the fewest repeats instead: {FEWEST}" in after


def test_the_organiser_may_choose_the_fewest_repeats_which_is_kept_and_logged(as_alice, thirteen):
    after = text(draw(as_alice, thirteen, threes="fewest"))
    assert visits(thirteen) == (0, (1, 4))
    assert f"{FEWEST}. With an even share instead: {EVEN}" in after
    assert re.search(r'value="fewest"[^>]* checked', after)
    assert (
        "as few repeats as possible, rather than sharing tables of three evenly"
        in thirteen.log.order_by("pk").first().words
    )
    draw(as_alice, thirteen)  # a page that was opened before there was a choice
    assert visits(thirteen) == (0, (1, 4))
    draw(as_alice, thirteen, threes="even")
    assert visits(thirteen) == (6, (2, 3))
    assert list(differences(Tournament.objects.get(pk=thirteen.pk))) == []


def test_a_choice_that_is_none_is_said_and_nothing_is_drawn(as_alice, thirteen):
    assert "threes" in draw(as_alice, thirteen, threes="odd").context["form"].errors
    assert not thirteen.rounds.exists()


@pytest.mark.parametrize(
    ("players", "fields"),
    [
        (16, {}),
        (5, {}),
        (6, {}),
        (9, {}),
        (14, {"draw_mode": "lot"}),
        (14, {"draw_mode": "by_hand"}),
        (14, {"rulebook": "crocodile"}),
    ],
)
def test_without_tables_of_three_among_those_of_four_there_is_nothing_to_choose(
    as_alice, club, players, fields
):
    tournament = make_tournament(players, 3, club=club, drawn=False, **fields)
    assert "threes" not in as_alice.get(page(tournament)).context["form"].fields


def test_where_an_even_share_costs_nothing_no_price_is_said(as_alice, club):
    tournament = make_tournament(15, 3, club=club, drawn=False)
    assert "nobody sits at one again until everyone has had a turn" in text(as_alice.get(page(tournament)))
    drawn = text(draw(as_alice, tournament, threes="even"))
    assert "Price of" not in drawn
    assert Tournament.objects.get(pk=tournament.pk).draw_prices == {}


def test_the_price_goes_with_the_draw_that_is_discarded(as_alice, thirteen):
    draw(as_alice, thirteen)
    assert Tournament.objects.get(pk=thirteen.pk).draw_prices
    as_alice.post(reverse("desk_discard_draw", args=[thirteen.code]))
    assert Tournament.objects.get(pk=thirteen.pk).draw_prices == {}


def withdraw(tournament, number, by):
    return entering.withdraw(tournament.entries.get(number=number), reason="ill", **by)


def swap_two(tournament, by):
    round_ = tournament.rounds.get(number=1)
    first, second = (table.seats.first() for table in round_.tables.order_by("number")[:2])
    swap(round_, first, second, **by)


def enter_present(tournament, by):
    guest = entering.enter_guest(tournament, "Olga Sen", **by)
    return entering.check_in(guest, present=True, **by)


def come_late(tournament, by):
    sit_at_threes(enter_present(tournament, by), **by)


def mend(tournament, by):
    mend_tables(withdraw(tournament, 5, by), **by)


def give_seats_to_a_substitute(tournament, by):
    gone = withdraw(tournament, 5, by)
    take_seats(gone, enter_present(tournament, by), **by)


@pytest.mark.parametrize("change", [swap_two, come_late, mend, give_seats_to_a_substitute])
def test_a_price_is_said_of_the_seats_as_drawn_only(as_alice, by_alice, thirteen, change):
    draw(as_alice, thirteen, threes="even")
    assert "Price of an even share" in text(as_alice.get(page(thirteen)))
    change(Tournament.objects.get(pk=thirteen.pk), by_alice)
    assert "Price of an even share" not in text(as_alice.get(page(thirteen)))
    assert list(differences(Tournament.objects.get(pk=thirteen.pk))) == []


def test_another_draw_is_offered_at_the_price_for_the_players_who_are_here_now(as_alice, by_alice, club):
    tournament = make_tournament(12, 5, club=club, drawn=False)
    draw(as_alice, tournament, threes="even")
    withdraw(tournament, 12, by_alice)
    offered = text(as_alice.get(page(tournament)))
    assert "(26 repeats; at a table of three 1 to 2 times each)" in offered
    assert "(20 repeats; at a table of three 1 to 5 times each)" in offered


def test_no_price_of_an_earlier_draw_is_offered_in_the_middle(as_alice, by_alice, thirteen):
    draw(as_alice, thirteen, threes="even")
    start_round(thirteen.rounds.get(number=1), **by_alice)
    assert f"({EVEN})" in text(as_alice.get(page(thirteen)))
    withdraw(thirteen, 13, by_alice)
    withdraw(thirteen, 12, by_alice)
    offered = text(as_alice.get(page(thirteen)))
    assert "nobody sits at one again until everyone has had a turn" in offered
    assert "repeats; at a table of three" not in offered.split("How good the draw is")[0]
