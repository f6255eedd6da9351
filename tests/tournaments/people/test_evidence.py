"""What is little evidence is said so; runs go on over evenings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.people.person_statistics import Rate, wilson
from tournaments.seasons.results import joined, runs


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I: the score method without correction.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_is_as_published(count, of, low, high):
    assert wilson(count, of) == pytest.approx((low, high), abs=0.0001)


def test_of_nothing_nothing_is_known():
    assert (Rate(0, 0).share, Rate(0, 0).interval, Rate(0, 0).is_little) == (None, (0.0, 1.0), True)
    assert (Rate(10, 20).share, Rate(10, 20).is_little) == (0.5, False)


def longest(flags):
    best = now = 0
    for flag in flags:
        now = now + 1 if flag else 0
        best = max(best, now)
    return best


@given(st.lists(st.lists(st.booleans(), max_size=6), max_size=6))
def test_a_run_over_evenings_is_that_of_their_games_one_after_the_other(evenings):
    told = [(len(games), *runs(games)) for games in evenings]
    games = [flag for evening in evenings for flag in evening]
    assert joined(told) == (len(games), *runs(games))
    assert joined(told)[-1] == longest(games)
