"""Places of pairs and teams by their matches: points, tokens, head to head, averages, marks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tournaments.standings.team_ranking import Division, Result, Row, mark, points_of, rank, side_of


def team(number, **fields):
    return Row(number, f"Hold {number}", "", 1, withdrawn=False, **fields)


def season(count, *matches, penalties=None, by_average=False):
    """Rank so many teams after matches (home, away, home's tokens), all by 2-1-0."""
    rows = {number: team(number) for number in range(1, count + 1)}
    for number, (home, away, tokens) in enumerate(matches, 1):
        result = Result(1, number, None, home, away, tokens=(tokens, -tokens))
        result.points = points_of(tokens, -tokens, [2, 1, 0])
        rows[home].results.append(result)
        rows[away].results.append(result)
    for number, tokens in (penalties or {}).items():
        rows[number].penalties = tokens
    return rank(list(rows.values()), by_average=by_average)


def places(rows):
    return {row.number: f"{row.rank}{'=' if row.shared else ''}" for row in rows}


@pytest.mark.parametrize(
    ("home", "away", "points"), [(5, -5, (3, 0)), (-1, 1, (0, 3)), (0, 0, (1, 1)), (4, 4, (1, 1))]
)
def test_the_match_goes_to_the_side_with_more_tokens(home, away, points):
    assert points_of(home, away, [3, 1, 0]) == points


def test_home_sits_north_and_south_at_the_first_table_and_east_and_west_at_the_second():
    assert [side_of(position, at_second=False) for position in range(4)] == [0, 1, 0, 1]
    assert [side_of(position, at_second=True) for position in range(4)] == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("matches", "penalties", "expected"),
    [
        # points before tokens
        ([(1, 2, 1), (1, 3, 1), (2, 3, 90)], {}, {1: "1", 2: "2", 3: "3"}),
        # level on points: tokens, with rulings
        ([(1, 2, 5), (3, 1, 9), (2, 3, 8)], {}, {2: "1", 3: "2", 1: "3"}),
        ([(1, 2, 5), (3, 1, 9), (2, 3, 8)], {2: -3}, {3: "1", 2: "2", 1: "3"}),
        # nobody has played
        ([], {}, {1: "1=", 2: "1=", 3: "1="}),
    ],
)
def test_points_then_tokens(matches, penalties, expected):
    assert places(season(3, *matches, penalties=penalties)) == expected


def test_level_on_points_and_tokens_the_match_against_each_other_decides():
    even = season(4, (1, 2, 3), (3, 1, 3), (2, 4, 3))
    assert [(row.number, row.points, row.tokens) for row in even[:3]] == [(3, 2, 3), (1, 2, 0), (2, 2, 0)]
    assert places(even) == {3: "1", 1: "2", 2: "3", 4: "4"}
    assert even[1].head_to_head == (2, 3)


def test_three_who_are_level_among_themselves_share_the_place():
    assert places(season(3, (1, 2, 4), (2, 3, 4), (3, 1, 4))) == {1: "1=", 2: "1=", 3: "1="}


def test_the_average_counts_where_some_have_more_matches():
    matches = [(1, 2, 6), (3, 2, 2), (3, 4, 2), (4, 3, 1)]
    assert [row.number for row in season(4, *matches)][:2] == [3, 1]
    averaged = season(4, *matches, by_average=True)
    assert [row.number for row in averaged][:2] == [1, 3]
    assert averaged[1].average_points == Fraction(4, 3)


def test_a_match_awarded_brings_points_and_no_tokens():
    awarded = Result(1, 1, None, 1, 2, points=(2, 0), is_awarded=True)
    first, second = rank([team(1, results=[awarded]), team(2, results=[awarded])], by_average=False)
    assert (first.number, first.points, first.tokens, first.won) == (1, 2, 0, 1)
    assert (second.points, second.lost) == (0, 1)


def test_a_bye_brings_nothing():
    bye = Result(1, 1, None, 1, None)
    (row,) = rank([team(1, results=[bye])], by_average=False)
    assert (row.points, row.played, row.byes) == (0, 0, 1)


def test_who_goes_up_and_down_is_marked_but_not_up_from_the_first_nor_down_from_the_last():
    divisions = [Division(number, [team(10 * number + place) for place in range(4)]) for number in (1, 2, 3)]
    mark(divisions, promoted=1, relegated=2)
    assert [[row.promoted for row in division.rows] for division in divisions] == [
        [False] * 4,
        [True, False, False, False],
        [True, False, False, False],
    ]
    assert [[row.relegated for row in division.rows] for division in divisions] == [
        [False, False, True, True],
        [False, False, True, True],
        [False] * 4,
    ]
