"""Who goes on from groups, who moves up, and into which group."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tournaments.seasons.championships import Contender, Way, qualified, snake, taken_along


def group(*scores, start=0):
    """Contenders numbered from `start`, placed by these scores."""
    ordered = sorted(scores, reverse=True)
    return [
        Contender(start + number, (score,), 1 + ordered.index(score), lot=number)
        for number, score in enumerate(scores)
    ]


A, B = group(9, 7, 5, 3), group(20, 2, 1, 6, start=10)


def keys(found):
    return [one.contender.key for one in found]


def test_the_best_of_each_group_go_on_and_winners_are_seeded_first():
    found = qualified([A, B], 2, 0)
    assert keys(found) == [10, 0, 1, 13]
    assert [one.seed for one in found] == [1, 2, 3, 4]
    assert {one.way for one in found} == {Way.GROUP}


def test_the_next_best_are_taken_from_all_groups_together():
    found = qualified([A, B], 1, 2)
    assert keys(found) == [10, 0, 1, 13]
    assert [one.way for one in found] == [Way.GROUP, Way.GROUP, Way.NEXT, Way.NEXT]


def test_who_does_not_take_part_is_replaced_by_the_next_of_the_group():
    assert keys(qualified([A, B], 2, 0, out={0})) == [10, 1, 13, 2]


def test_who_does_not_take_part_as_a_next_best_is_replaced_by_the_next_of_all():
    assert keys(qualified([A, B], 1, 1, out={1})) == [10, 0, 13]


def test_equals_at_the_line_are_told_apart_by_lot():
    equal = [Contender(key, (5,), 1, lot) for key, lot in ((1, 3), (2, 9), (3, 6))]
    assert keys(qualified([equal], 2, 0)) == [2, 3]
    assert keys(qualified([equal], 0, 2)) == [2, 3]


def test_a_small_group_sends_those_it_has():
    assert keys(qualified([A[:1], B], 2, 0)) == [10, 0, 13]
    assert qualified([], 2, 2) == []


def test_the_seeds_go_there_and_back_over_the_groups():
    assert snake(range(1, 10), 3) == [[1, 6, 7], [2, 5, 8], [3, 4, 9]]
    assert snake([1, 2, 3], 1) == [[1, 2, 3]]


@pytest.mark.parametrize(
    ("total", "per_cent", "hundredths"),
    [
        (7, 50, 350),
        (-7, 50, -350),
        (7, 100, 700),
        (7, 0, 0),
        (Fraction(1, 3), 100, 33),
        (Fraction(-1, 200), 100, -1),
    ],
)
def test_what_is_taken_along_is_counted_in_hundredths(total, per_cent, hundredths):
    assert taken_along(total, per_cent) == hundredths
