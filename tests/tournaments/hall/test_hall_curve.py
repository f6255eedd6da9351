"""The curve of a player's tokens: inside its box, its lines at round amounts."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.hall.curve import BOTTOM, LEFT, RIGHT, STEPS, TOP, curve


def points(path):
    return [(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", path)]


def test_it_runs_from_zero_at_the_left_to_the_last_total_at_the_right():
    drawn = curve([0, 2, -2], [(1, 2)])
    assert points(drawn.path) == [(LEFT, drawn.zero), ((LEFT + RIGHT) / 2, TOP), (RIGHT, BOTTOM)]
    assert drawn.tip == (RIGHT, BOTTOM)
    assert (drawn.highest, drawn.lowest, drawn.last, drawn.deals) == (2, -2, -2, 2)


@pytest.mark.parametrize(
    ("totals", "levels"),
    [
        ([0, 0], [0, 1]),
        ([0, 3], [0, 1, 2, 3]),
        ([0, -3], [-3, -2, -1, 0]),
        ([0, 21, -4], [-5, 0, 5, 10, 15, 20, 25]),
        ([0, 180], [0, 50, 100, 150, 200]),
    ],
)
def test_lines_are_at_amounts_that_people_count_in(totals, levels):
    assert [level.value for level in curve(totals, [(1, len(totals) - 1)]).levels] == levels


def test_rounds_are_parted_where_one_ends_and_named_in_their_middle():
    drawn = curve([0] * 5, [(1, 3), (2, 1)])
    assert drawn.ends == [LEFT + (RIGHT - LEFT) * 3 / 4]
    assert [(mark.value, mark.at) for mark in drawn.rounds] == [
        (1, LEFT + (RIGHT - LEFT) * 3 / 8),
        (2, LEFT + (RIGHT - LEFT) * 7 / 8),
    ]


@pytest.mark.parametrize(("totals", "rounds"), [([0], []), ([0, 1], [(1, 2)])])
def test_deals_that_do_not_add_up_are_refused(totals, rounds):
    with pytest.raises(ValueError, match="deals and rounds"):
        curve(totals, rounds)


@given(st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=200))
def test_everything_is_inside_the_box_and_the_lines_are_few(deals):
    totals = list(accumulate(deals, initial=0))
    drawn = curve(totals, [(1, len(deals))])
    assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in points(drawn.path))
    assert all(TOP <= level.at <= BOTTOM for level in drawn.levels)
    assert 2 <= len(drawn.levels) <= STEPS + 1
    assert drawn.levels[0].value <= min(totals) <= max(totals) <= drawn.levels[-1].value
