"""Who comes late sits down as the fourth at tables of three, and nobody else moves."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from django.urls import reverse

from tests.factories import make_tournament
from tournaments import rounds
from tournaments.entries import entering
from tournaments.models import Seat
from tournaments.steps.refusals import NotPossible


@pytest.fixture
def evening(club):
    """Fourteen players, two tables of three a round; the first of three rounds has started."""
    return make_tournament(14, 3, club=club)


def come_late(tournament, by, name="Sen Kommer"):
    entry = entering.enter_guest(tournament, name, **by)
    return entering.check_in(entry, present=True, **by)


def seats(tournament):
    found = Seat.objects.filter(round__tournament=tournament)
    return set(found.values_list("round__number", "table__number", "position", "entry__number"))


def offered(client, tournament):
    return client.get(reverse("desk_draw", args=[tournament.code])).context["chairs"]


def test_the_fourth_chair_is_taken_in_every_round_not_started_and_nobody_else_moves(
    as_alice, evening, by_alice
):
    before, late = seats(evening), come_late(evening, by_alice)
    assert offered(as_alice, evening)
    as_alice.post(reverse("desk_sit_late", args=[evening.code, late.number]))
    new = seats(evening) - before
    assert seats(evening) >= before
    assert {(number, position, who) for number, _table, position, who in new} == {
        (2, 3, late.number),
        (3, 3, late.number),
    }
    for number, table, *_rest in new:
        joined = evening.rounds.get(number=number).tables.get(number=table)
        assert (joined.seats.count(), joined.deals) == (4, evening.deals_per_round)
    others = Counter(
        pair
        for seat in late.seats.all()
        for pair in combinations(sorted(seat.table.seats.values_list("entry__number", flat=True)), 2)
        if late.number in pair
    )
    assert max(others.values()) == 1
    assert "in 2 rounds" in evening.log.first().words


def test_pressing_twice_seats_once_and_says_so(as_alice, evening, by_alice):
    late = come_late(evening, by_alice)
    address = reverse("desk_sit_late", args=[evening.code, late.number])
    as_alice.post(address)
    once = seats(evening)
    assert "has a seat already" in as_alice.post(address, follow=True).content.decode()
    assert seats(evening) == once


def test_a_strict_wish_decides_the_table(evening, by_alice):
    late = come_late(evening, by_alice)
    threes = [table for table in evening.rounds.get(number=2).tables.all() if table.seats.count() == 3]
    for unwanted, wanted in (threes, threes[::-1]):
        rounds.keep_apart(evening, [late, unwanted.seats.first().entry], strict=True, **by_alice)
        evening.refresh_from_db()
        assert rounds.sit_at_threes(late, **by_alice)[0] == wanted
        late.seats.all().delete()
        rounds.let_meet(evening, evening.not_together[0]["entries"], **by_alice)


@pytest.mark.parametrize("players", [12, 16])
def test_without_a_table_of_three_it_is_neither_offered_nor_done(as_alice, club, by_alice, players):
    tournament = make_tournament(players, 2, club=club)
    late = come_late(tournament, by_alice)
    assert not offered(as_alice, tournament)
    with pytest.raises(NotPossible, match="Draw again"):
        rounds.sit_at_threes(late, **by_alice)


def test_who_is_not_here_is_not_seated(evening, by_alice):
    with pytest.raises(NotPossible, match="not checked in"):
        rounds.sit_at_threes(entering.enter_guest(evening, "Ikke Her", **by_alice), **by_alice)
