"""Movement: by how many places each has gone up or down in the last round, and by what was reported last."""

from __future__ import annotations

import pytest

from tests.factories import first_round, first_table, make_tournament, play_out, report
from tests.tournaments.standings.test_standings import row
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Table
from tournaments.standings.columns import PLAYERS, On, select_columns
from tournaments.standings.players import LastRound, mark_since_round, standings
from tournaments.standings.statistics import Games
from tournaments.standings.tie_breaks import rank

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
NOTHING = LastRound({}, {}, {})


def moved(rows, last=NOTHING, codes=()):
    rank(rows, codes)
    mark_since_round(rows, last, codes)
    return {row.number: row.moved for row in rows}


@pytest.fixture
def first_of_two(club):
    """Two rounds for four; nothing is reported yet."""
    return make_tournament(4, 2, club=club, deals_per_round=4, tie_breaks=["games_won"])


def places(tournament, what="moved_by_deal"):
    tournament.refresh_from_db()
    return {row.number: getattr(row, what) for row in standings(tournament).rows}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # The third becomes first.
        ([row(1, [9, 0]), row(2, [5, 0]), row(3, [1, 20])], {1: -1, 2: -1, 3: 2}),
        # Nothing is reported in the last round yet.
        ([row(1, [9, None]), row(2, [-9, None])], {1: 0, 2: 0}),
        # Who came for the last round pushes others down, and had no place before.
        ([row(1, [9, 0]), row(2, [5, -1]), row(3, [None, 30])], {1: -1, 2: -1, 3: None}),
        # What was taken along is a place, before the first round too.
        ([row(1, [9], carried=0), row(2, [-9], carried=5)], {1: 1, 2: -1}),
        # They shared the first place.
        ([row(1, [3, 1]), row(2, [3, 0])], {1: 0, 2: -1}),
    ],
)
def test_places_moved_are_those_since_the_round_before(rows, expected):
    assert moved(rows) == expected


def test_games_and_rulings_of_the_last_round_did_not_count_before_it():
    rows = [row(1, [5, 0], games_won=4), row(2, [5, 0], games_won=3, penalties=-1)]
    brought = LastRound({1: Games(dealt=9, won=4)}, {2: -1}, {})
    # Before that round 2 was ahead: 3 games won to none, and no ruling.
    assert moved(rows, brought, ["games_won"]) == {1: 1, 2: -1}


def test_a_deal_moves_those_whom_it_has_moved_until_the_next_is_reported(first_of_two):
    table = first_table(first_of_two)
    number = [seat.entry.number for seat in table.seats.order_by("position")]
    report(table, 1, SOLO)
    # The declarer leads, the two who defended are last, who sat out (position 2) stands between: all were equal.
    assert places(first_of_two) == {number[0]: -2, number[1]: 0, number[2]: -1, number[3]: -2}
    report(table, 2, {"all_passed": True})
    assert set(places(first_of_two).values()) == {0}
    report(table, 1, {"all_passed": True}, base=1, reason="wrong")
    # The correction takes it all back.
    assert places(first_of_two) == {number[0]: 2, number[1]: 0, number[2]: 1, number[3]: 2}


def test_what_is_taken_away_of_the_last_deal_is_what_it_had_brought(first_of_two):
    """Places before the last deal are those that stood there before it was reported."""
    table = first_table(first_of_two)
    report(table, 1, SOLO)
    first_of_two.refresh_from_db()
    before = {row.number: row.rank for row in standings(first_of_two).rows}
    report(table, 2, SOLO | {"declarer": 2, "outcome": "kodille"})
    first_of_two.refresh_from_db()
    rows = standings(first_of_two).rows
    assert {row.number: row.rank + row.moved_by_deal for row in rows} == before


def test_a_round_over_nothing_is_said_of_a_deal_and_in_the_first_nothing_of_a_round(first_of_two, by_alice):
    tournament = first_of_two
    assert [column.name for column in select_columns(PLAYERS, On.SCREEN, standings(tournament))][:1] == [
        "total"
    ]
    play_out(first_table(tournament), agreed=True)
    close_round(first_round(tournament), **by_alice)
    assert set(places(tournament).values()) == {None}
    before = places(tournament, "rank")
    second = tournament.rounds.get(number=2)
    start_round(second, **by_alice)
    report(Table.objects.get(round=second), 1, SOLO)
    assert places(tournament, "moved") == {
        number: before[number] - now for number, now in places(tournament, "rank").items()
    }
    assert "moved" in [column.name for column in select_columns(PLAYERS, On.PHONE, standings(tournament))]
