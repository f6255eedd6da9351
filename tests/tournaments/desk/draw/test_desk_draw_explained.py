"""How good a draw is, in words, and who meets whom how often."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import make_tournament
from tournaments.domain.draw_text import quality_in_words
from tournaments.draw import planner
from tournaments.draw.quality import quality
from tournaments.lifecycle.seat_plan import seat_plan, seatings


@pytest.fixture
def drawn(club):
    return make_tournament(16, 2, club=club, started=False)


def page(name, tournament):
    return reverse(name, args=[tournament.code])


def test_a_draw_without_fault_says_so():
    plan = planner.plan(16, 3, seed=1, groups=[player % 4 for player in range(16)])
    lines = quality_in_words(plan.quality, clubs=4)
    assert [line.title for line in lines] == [
        "Meet again", "Pairs of club-mates at a table", "Players from two clubs meet", "Seats", "Deals first",
    ]  # fmt: skip
    assert (lines[0].value, lines[2].value) == ("no two players meet twice", "12 times each")
    assert [line.good for line in lines] == [True] * 5


def test_a_draw_that_mathematics_spoils_says_that_too():
    plan = planner.plan(8, 3, seed=1)
    meet = quality_in_words(plan.quality, clubs=1)[0]
    assert meet.value.endswith("no fewer are possible with this many players and rounds") == meet.good
    assert "nobody meets the same player more than" in meet.value


def test_a_spoilt_draw_is_not_praised():
    same = ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11), (12, 13, 14, 15))
    lines = {line.title: line for line in quality_in_words(quality([same, same]), clubs=1)}
    assert not lines["Meet again"].good
    assert lines["Meet again"].value == "24 times in all, nobody meets the same player more than 2 times"
    assert lines["Seats"].value == "16 players have the same seat twice more often than another"
    assert lines["Deals first"].value == "0 to 2 times each"


def test_who_meets_whom_is_listed_for_every_player(as_alice, drawn):
    lines = seatings(drawn).players
    assert [line.player.number for line in lines] == list(range(1, 17))
    assert all(sum(line.meetings.values()) == 6 for line in lines)
    assert sum(line.first_deals for line in lines) == 8
    answer = as_alice.get(page("desk_draw_explained", drawn))
    assert answer.context["again"] == []
    assert len(answer.context["seatings"]) == 16


def test_the_chair_that_stays_empty_at_a_table_of_three_moves_on_every_round(as_alice, club):
    tournament = make_tournament(11, 5, club=club, started=False)
    rows = [
        [seat is None for seat in chairs]
        for planned in seat_plan(tournament)
        for _table, chairs in planned.seated
        if None in chairs
    ]
    assert [empty.index(True) for empty in rows] == [3, 2, 1, 0, 3]
    for number in range(1, 6):
        assert (
            as_alice.get(page("desk_draw", tournament), {"round": number}).content.count(b"empty chair") == 1
        )
    assert (
        b"At a table of three one of the four chairs stays empty, a different one each round"
        in as_alice.get(page("desk_draw_explained", tournament)).content
    )


def test_where_all_tables_are_of_three_no_chair_is_empty(club):
    tournament = make_tournament(9, 2, club=club, started=False, rulebook="crocodile")
    assert all(None not in chairs for planned in seat_plan(tournament) for _table, chairs in planned.seated)


def test_pairs_that_meet_again_are_named(as_alice, club):
    tournament = make_tournament(4, 2, club=club, started=False)
    again = as_alice.get(page("desk_draw_explained", tournament)).context["again"]
    assert len(again) == 6
    assert "Anna Holm and Bo Krogh: 2 times" in again
