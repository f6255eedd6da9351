"""How a points list counts: points for places, weights, months, the best so many."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction

import pytest

from tournaments.seasons.points import Part, Rule, month_of, points_list, read_part, read_rule

STEPS = [(12, Fraction(1)), (24, Fraction(2, 3)), (36, Fraction(1, 3))]
TABLES = {"evening": [(16, [15, 12, 9, 6]), (4, [6, 3])]}
DAY = date(2026, 11, 28)


def rule(**fields):
    return Rule(**({"tables": TABLES, "weights": {}, "steps": STEPS} | fields))


def evening(pk, players, *, day=1, kind="evening", field=None, places=None):
    return [pk, day, kind, [[field or len(players), players, places]]]


def lists(*evenings, by=None, day=DAY, listed=frozenset(range(100))):
    """The list of evenings given with the months they were played in."""
    months = {}
    for month, one in evenings:
        months.setdefault(month_of(month), []).append(one)
    return points_list(months, by or rule(), day, listed)


def told(found):
    return [(line.player, line.place, Fraction(line.total, found.rule.scale)) for line in found.lines]


NOVEMBER, A_YEAR_AGO = date(2026, 11, 1), date(2025, 11, 1)


def test_places_bring_points_by_how_many_were_entered():
    few = lists((NOVEMBER, evening(1, [7, 8, 9, 10])))
    assert told(few) == [(7, 1, 6), (8, 2, 3)]
    many = lists((NOVEMBER, evening(1, [7, 8, 9, 10], field=16)))
    assert told(many) == [(7, 1, 15), (8, 2, 12), (9, 3, 9), (10, 4, 6)]
    assert told(lists((NOVEMBER, evening(1, [7, 8, 9])))) == []  # too few


def test_a_shared_place_brings_the_points_of_the_place_to_each_and_none_brings_none():
    found = lists((NOVEMBER, evening(1, [7, 8, 9, 10], field=16, places=[1, 2, 2, 0])))
    assert told(found) == [(7, 1, 15), (8, 2, 12), (9, 2, 12)]
    assert [line.shared for line in found.lines] == [False, True, True]


@pytest.mark.parametrize(
    ("month", "share", "until"),
    [
        (date(2026, 11, 1), Fraction(1), date(2027, 11, 1)),
        (date(2025, 12, 1), Fraction(1), date(2026, 12, 1)),
        (date(2025, 11, 1), Fraction(2, 3), date(2027, 11, 1)),
        (date(2024, 12, 1), Fraction(2, 3), date(2026, 12, 1)),
        (date(2023, 12, 1), Fraction(1, 3), date(2026, 12, 1)),
        (date(2023, 11, 1), None, None),
    ],
)
def test_a_result_fades_by_the_month_it_was_played_in(month, share, until):
    found = lists((month, evening(1, [7, 8, 9, 10])))
    if share is None:
        assert found.lines == []
        return
    (part,) = found.parts(found.lines[0])
    assert (part.worth, part.share, part.until) == (6 * share, share, month_of(until))
    assert told(found)[0] == (7, 1, 6 * share)


def test_kinds_have_their_weights_and_a_kind_without_a_table_counts_nowhere():
    by = rule(tables=TABLES | {"union": [(4, [6, 3])]}, weights={"union": Fraction(3, 2)})
    found = lists(
        (NOVEMBER, evening(1, [7, 8, 9, 10], kind="union")),
        (A_YEAR_AGO, evening(2, [8, 7, 9, 10], kind="union")),
        (NOVEMBER, evening(3, [10, 9, 8, 7], kind="teams")),
        by=by,
    )
    assert told(found) == [(7, 1, 12), (8, 2, Fraction(21, 2))]
    assert [line.played for line in found.lines] == [2, 2]


def test_the_best_results_count_and_of_equal_ones_the_earlier():
    found = lists(
        (A_YEAR_AGO, evening(1, [8, 7, 9, 10])),
        (NOVEMBER, evening(2, [8, 7, 9, 10])),
        (NOVEMBER, evening(3, [7, 8, 9, 10], day=2)),
        (NOVEMBER, evening(4, [7, 8, 9, 10], day=3)),
        by=rule(best_of=2),
    )
    assert told(found) == [(7, 1, 12), (8, 2, 10)]
    first, second = ([part.evening for part in found.parts(line)] for line in found.lines)
    assert (first, second) == ([3, 4], [2, 1])


def test_who_has_played_too_little_or_is_not_to_be_listed_is_left_out():
    evenings = [(NOVEMBER, evening(1, [7, 8, 9, 10])), (NOVEMBER, evening(2, [8, 9, 10, 11]))]
    assert told(lists(*evenings, by=rule(least_evenings=2))) == [(8, 1, 9), (9, 2, 3)]
    assert told(lists(*evenings, listed=frozenset({7, 9}))) == [(7, 1, 6), (9, 2, 3)]


def test_what_is_played_after_the_day_of_the_list_waits_for_the_next():
    evenings = [(NOVEMBER, evening(1, [7, 8, 9, 10], day=28)), (NOVEMBER, evening(2, [8, 7, 9, 10], day=29))]
    assert told(lists(*evenings)) == [(7, 1, 6), (8, 2, 3)]


def test_a_rule_and_a_part_are_read_as_they_were_stored():
    by = rule(weights={"evening": Fraction(3, 2)}, best_of=3, least_evenings=2)
    assert read_rule(json.loads(json.dumps(by.to_json()))).to_json() == by.to_json()
    part = Part(4, 24322, "evening", 3, 31, 21, Fraction(3, 2), Fraction(2, 3), 24340)
    assert read_part(json.loads(json.dumps(part.to_json()))) == part
