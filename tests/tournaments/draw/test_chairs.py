"""Chairs and first deals are shared as evenly as they can be."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.draw.chairs import chairs_of
from tournaments.draw.planner import plan, plan_next


def chairs_had(rounds, start=0):
    had = {}
    for index, tables in enumerate(rounds, start=start):
        for chairs in chairs_of(tables, index):
            for chair, player in enumerate(chairs):
                if player is not None:
                    had.setdefault(player, []).append(chair)
    return had


@settings(max_examples=25)
@given(st.integers(9, 70), st.integers(1, 8), st.integers(0, 1000))
def test_in_a_planned_event_nobody_has_a_chair_two_times_more_than_another(players, rounds, seed):
    drawn = plan(players, rounds, seed=seed)
    assert drawn.quality.seat_imbalance == 0
    fewest, most = drawn.quality.first_deals
    assert most - fewest <= 1


@pytest.mark.parametrize(("players", "rounds"), [(9, 7), (9, 8), (10, 8), (13, 8), (21, 7)])
@pytest.mark.parametrize("seed", range(8))
def test_where_tables_of_three_are_many_first_deals_are_within_one_too(players, rounds, seed):
    figures = plan(players, rounds, seed=seed).quality
    fewest, most = figures.first_deals
    assert (figures.seat_imbalance, most - fewest <= 1) == (0, True)


@pytest.mark.parametrize("players", [16, 18, 25, 27, 32, 101, 198])
def test_everybody_has_each_chair_once_in_rounds_one_to_four_and_five_to_eight(players):
    rounds = plan(players, 8, seed=4).rounds
    for start in (0, 4):
        assert all(
            sorted(chairs) == [0, 1, 2, 3] for chairs in chairs_had(rounds[start : start + 4], start).values()
        )


@pytest.mark.parametrize("players", [16, 27, 34])
def test_chairs_in_the_rounds_that_are_left_make_up_for_those_played(players):
    played = plan(players, 6, seed=4).rounds[:2]
    present = [*range(1, players), 500, 501]
    drawn = plan_next(present, 4, seed=6, history=played)
    had = chairs_had((*played, *drawn.rounds))
    assert all(
        max(map(chairs.count, range(4))) - min(map(chairs.count, range(4))) <= 1 for chairs in had.values()
    )
