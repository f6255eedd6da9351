"""The curve of a player's tokens and the race of all: inside their box, their lines at round amounts."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.hall.charts import BOX, FOLLOWED_POINTS, MOST_NAMED, STEPS, THIN_POINTS, Scale, chart, curve


def points(path):
    """Where a path goes, from the steps that it is written in."""
    start, _, steps = path.removeprefix("M").partition("l")
    numbers = [int(number) for number in re.findall(r"-?\d+", steps)]
    x, y = map(int, start.split())
    ways = zip(accumulate(numbers[::2], initial=x), accumulate(numbers[1::2], initial=y), strict=True)
    return list(ways)


def test_it_runs_from_zero_at_the_left_to_the_last_total_at_the_right():
    drawn = curve([0, 2, -2], [(1, 2)])
    assert drawn.path == "M0 500l500-500 500 1000"
    assert points(drawn.path) == [(0, 500), (500, 0), (1000, 1000)]
    assert (drawn.zero, drawn.tip) == (50, (100, 100))
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
    assert drawn.ends == [75]
    assert [(mark.value, mark.position) for mark in drawn.rounds] == [(1, 37.5), (2, 87.5)]


def test_of_many_rounds_not_every_one_is_named():
    named = Scale.over(60, 0, 1).rounds([(number, number) for number in range(1, 61)])
    assert [mark.value for mark in named] == list(range(1, 61, 8))
    assert len(named) <= MOST_NAMED


@pytest.mark.parametrize(("totals", "rounds"), [([0], []), ([0, 1], [(1, 2)])])
def test_deals_that_do_not_add_up_are_refused(totals, rounds):
    with pytest.raises(ValueError, match="deals and rounds"):
        curve(totals, rounds)


@given(st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=200))
def test_everything_is_inside_the_box_and_the_lines_are_few(deals):
    totals = list(accumulate(deals, initial=0))
    drawn = curve(totals, [(1, len(deals))])
    assert all(0 <= x <= BOX and 0 <= y <= BOX for x, y in points(drawn.path))
    assert all(0 <= level.position <= 100 for level in drawn.levels)
    assert 2 <= len(drawn.levels) <= STEPS + 1
    assert drawn.levels[0].value <= min(totals) <= max(totals) <= drawn.levels[-1].value


def test_a_race_of_hundreds_has_a_bounded_number_of_points_and_says_where_each_line_ends():
    lines = {player: list(range(0, 121 * player, player)) for player in range(1, 251)}
    drawn = chart(lines, {1: 40, 2: 80, 3: 120}, followed=[250])
    thin = [line for player, line in drawn.lines.items() if player != 250]
    assert sum(len(points(line.path)) for line in thin) <= THIN_POINTS + 2 * len(thin)
    assert len(points(drawn.lines[250].path)) == 121 <= FOLLOWED_POINTS
    assert [line.last for line in drawn.lines.values()] == [120 * player for player in lines]
    assert all(points(line.path)[-1] == (1000, 10 * line.end[1]) for line in drawn.lines.values())
    assert chart({1: [0]}, {}, followed=[]) is None


def test_a_band_goes_around_all_that_a_line_may_be_off():
    drawn = curve([1000, 1100, 1050], [(1, 2)], zero=1000, either_way=[200, 150, 50])
    assert (drawn.scale.bottom, drawn.scale.top) == (800, 1300)
    # Above the line to its end, and below it back: 1200, 1250, 1100; 1000, 950, 800.
    assert drawn.band == "M0 200 500 100 1000 400 1000 600 500 700 0 1000z"
    assert curve([1000, 1100], [(1, 1)]).band == ""
