"""Rounds by the standings, by lot and as the organiser says."""

import pytest

from tournaments.draw.planner import plan
from tournaments.draw.quality import quality
from tournaments.draw.swiss import plan_as_given, plan_by_lot, plan_by_standings
from tournaments.draw.tables import Apart, DrawError, table_sizes


def event_by_standings(players, rounds, *, seats=(3, 4), **asked):
    """Play by the standings: in every round, who has the greater number at a table gains more."""
    history = list(plan(players, 1, seed=players, seats=seats).rounds)
    tokens = dict.fromkeys(range(players), 0)
    while len(history) < rounds:
        for table in history[-1]:
            for rank, player in enumerate(sorted(table)):
                tokens[player] += 7 * rank + player % 5 - 10
        ranking = sorted(tokens, key=lambda player: (-tokens[player], player))
        history += plan_by_standings(ranking, seed=1, history=history, seats=seats, **asked).rounds
    return history


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds"), [(24, 4), (27, 4), (28, 5), (31, 4), (32, 5), (48, 8), (49, 5), (100, 6)]
)
def test_by_standings_nobody_meets_anybody_twice(players, rounds):
    drawn = event_by_standings(players, rounds, even_chairs=False)
    figures = quality(drawn)
    assert (figures.repeats, figures.most_meetings) == (0, 1)
    assert figures.tables_of_three[1] - figures.tables_of_three[0] <= 1
    for tables in drawn:
        assert [len(table) for table in tables] == list(table_sizes(players))


def test_with_nothing_in_the_way_neighbours_in_the_standings_share_tables():
    ranking = [7, 2, 9, 4, 11, 0, 5, 3, 8, 1, 10, 6]
    (tables,) = plan_by_standings(ranking, seed=1, history=[]).rounds
    assert {frozenset(table) for table in tables} == {
        frozenset({7, 2, 9, 4}),
        frozenset({11, 0, 5, 3}),
        frozenset({8, 1, 10, 6}),
    }


@pytest.mark.parametrize("players", [32, 48])
def test_chairs_are_shared_in_four_rounds_by_standings(players):
    figures = quality(event_by_standings(players, 4, even_chairs=True))
    assert figures.repeats == 0
    assert figures.seat_imbalance <= players // 10


def test_a_strict_wish_beats_the_standings_and_club_mates_only_neighbours():
    ranking = list(range(16))
    clubs = ["Ro" if player in {0, 1} else None for player in range(16)]
    drawn = plan_by_standings(
        ranking, seed=1, history=[], groups=clubs, apart=[Apart((4, 5), strict=True), Apart((8, 9))]
    )
    assert drawn.quality.wishes_broken == ()
    assert drawn.quality.club_mates == (0,)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "sizes"), [((3,), (3,) * 4), ((2,), (2,) * 6), ((5,), (5,) * 2)])
def test_tables_of_one_size_by_standings_share_byes(seats, sizes):
    history = event_by_standings(13, 4, seats=seats)
    assert all(tuple(len(table) for table in tables) == sizes for tables in history)
    fewest, most = quality(history, seats=seats).rounds_played
    assert most - fewest <= 1


def test_the_same_seed_gives_the_same_round_by_standings():
    history = plan(20, 2, seed=1).rounds
    drawn = [plan_by_standings(range(20), seed=3, history=history) for _time in range(2)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(("players", "seats"), [(16, (3, 4)), (27, (3, 4)), (14, (3,)), (11, (2,))])
def test_by_lot_everybody_sits_once_a_round_and_byes_are_shared(players, seats):
    drawn = plan_by_lot(range(players), 4, seed=9, seats=seats)
    for tables in drawn.rounds:
        seated = [player for table in tables for player in table]
        assert len(seated) == len(set(seated)) == sum(table_sizes(players, seats))
    fewest, most = drawn.quality.rounds_played
    assert most - fewest <= 1
    assert drawn == plan_by_lot(range(players), 4, seed=9, seats=seats)
    assert drawn.rounds != plan_by_lot(range(players), 4, seed=10, seats=seats).rounds


GIVEN = [((0, 1, 2, 3), (4, 5, 6)), ((6, 0, 4), (3, 2, 1, 5))]


def test_the_organisers_tables_stay_as_they_are_and_are_judged():
    drawn = plan_as_given(GIVEN, range(7), apart=[Apart((2, 3))])
    assert drawn.rounds == tuple(GIVEN)
    assert drawn.quality == quality(GIVEN, apart=[Apart((2, 3))])
    assert [(round_number, p, q) for round_number, p, q, _strict in drawn.quality.wishes_broken] == [
        (1, 2, 3),
        (2, 2, 3),
    ]


@pytest.mark.parametrize(
    ("given", "code", "params"),
    [
        ([((0, 1, 2, 3), (4, 5, 9))], "not_present", {"round": 2, "player": 9}),
        ([((0, 1, 2, 3),)], "not_given", {"round": 2, "player": 4}),
        ([((0, 1, 2, 3), (4, 5, 5))], "history", {"round": 2}),
        ([((0, 1, 2, 3, 6), (4, 5))], "history", {"round": 2}),
    ],
)
def test_what_the_organiser_gives_wrongly_is_named(given, code, params):
    with pytest.raises(DrawError) as caught:
        plan_as_given(given, range(7), history=GIVEN[:1])
    assert (caught.value.code, caught.value.params) == (code, params)


def test_as_many_may_have_a_bye_as_the_tables_leave_over():
    assert plan_as_given([((0, 1, 2),)], range(4), seats=(3,)).quality.rounds_played == (1, 1)
    with pytest.raises(DrawError):
        plan_as_given([((0, 1, 2),)], range(6), seats=(3,))
