"""The ladder of a season: what counts, what is dropped, who has a place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tournaments.seasons.ladder import Kind, Result, Rule, ladder


def evening(total, *, deals=30, rank=1, tokens=None, withdrawn=False):
    return Result(total, total if tokens is None else tokens, deals, rank, withdrawn)


def lines(results, rule):
    """The ladder of rows with None for an evening that a player was not at."""
    there = {
        player: {column: result for column, result in enumerate(row) if result}
        for player, row in results.items()
    }
    return ladder(there, rule)


def told(results, rule):
    return [(line.player, line.rank, line.total) for line in lines(results, rule)]


def counted(results, rule):
    return {
        line.player: [
            there and there.counts
            for there in (line.evening(column) for column in range(len(results[line.player])))
        ]
        for line in lines(results, rule)
    }


SUMS = {
    "anna": [evening(10), evening(-4), evening(7)],
    "bo": [evening(5), None, evening(9)],
    "carl": [None, evening(30), None],
}


def test_all_evenings_are_added_up():
    assert told(SUMS, Rule(Kind.TOKENS)) == [("carl", 1, 30), ("bo", 2, 14), ("anna", 3, 13)]


def test_only_the_best_evenings_count_and_the_others_are_dropped():
    rule = Rule(Kind.TOKENS, best_of=2)
    assert told(SUMS, rule) == [("carl", 1, 30), ("anna", 2, 17), ("bo", 3, 14)]
    assert counted(SUMS, rule) == {
        "anna": [True, False, True],
        "bo": [True, None, True],
        "carl": [None, True, None],
    }


def test_of_equal_evenings_the_earlier_one_counts():
    assert counted({"anna": [evening(3), evening(3)]}, Rule(Kind.TOKENS, best_of=1)) == {
        "anna": [True, False]
    }


@pytest.mark.parametrize("least", [{"least_evenings": 2}, {"least_deals": 60}])
def test_who_has_played_too_little_stands_below_without_a_place(least):
    assert told(SUMS, Rule(Kind.TOKENS, **least)) == [("bo", 1, 14), ("anna", 2, 13), ("carl", 0, 30)]


def test_an_average_is_tokens_over_all_deals_that_count_and_not_the_mean_of_averages():
    results = {"anna": [evening(10, deals=30), evening(1, deals=10)], "bo": [evening(9, deals=30), None]}
    assert told(results, Rule(Kind.AVERAGE)) == [("bo", 1, Fraction(3, 10)), ("anna", 2, Fraction(11, 40))]
    assert told(results, Rule(Kind.AVERAGE, best_of=1))[0] == ("anna", 1, Fraction(1, 3))


def test_an_average_goes_by_tokens_whatever_the_evening_compared():
    results = {"anna": [evening(Fraction(1, 3), tokens=10, deals=40)]}
    assert told(results, Rule(Kind.AVERAGE)) == [("anna", 1, Fraction(1, 4))]


def test_places_bring_points_and_places_behind_the_table_none():
    rule = Rule(Kind.PLACES, points=(10, 6, 3))
    results = {
        "anna": [evening(-1, rank=3), evening(0, rank=1)],
        "bo": [evening(50, rank=1), evening(0, rank=4)],
        "carl": [evening(9, rank=2), evening(9, rank=2)],
    }
    assert told(results, rule) == [("anna", 1, 13), ("carl", 2, 12), ("bo", 3, 10)]


def test_equal_sums_are_told_apart_by_the_best_evenings_or_share_the_place():
    results = {
        "anna": [evening(5), evening(5)],
        "bo": [evening(9), evening(1)],
        "carl": [evening(1), evening(9)],
    }
    assert [(line.player, line.rank, line.shared) for line in lines(results, Rule(Kind.TOKENS))] == [
        ("bo", 1, True),
        ("carl", 1, True),
        ("anna", 3, False),
    ]
    assert {line.rank for line in lines(results, Rule(Kind.TOKENS, breaks_ties=False))} == {1}


def test_an_evening_left_early_counts_or_not_as_the_season_says():
    results = {"anna": [evening(9, withdrawn=True), evening(2)]}
    assert told(results, Rule(Kind.TOKENS)) == [("anna", 1, 11)]
    assert told(results, Rule(Kind.TOKENS, counts_withdrawn=False)) == [("anna", 1, 2)]


def test_who_was_never_there_is_not_in_the_ladder():
    assert lines({"anna": [None, None]}, Rule(Kind.TOKENS)) == []
