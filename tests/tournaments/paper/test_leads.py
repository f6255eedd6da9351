"""Lists on paper begin with a sentence: who leads, by how much, after how many evenings."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest

from tournaments.paper import lists, season
from tournaments.people.points_lists import points_column


def in_list(place, name, points):
    return SimpleNamespace(place=place, name=name, points=Fraction(points))


def in_ladder(rank, name, total):
    line = SimpleNamespace(rank=rank, total=total)
    return SimpleNamespace(row=SimpleNamespace(line=line, name=name), total=f"+{total}")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], ""),
        ([in_list(1, "Alice", 31)], "Alice leads with 31."),
        (
            [in_list(1, "Alice", "71/2"), in_list(2, "Bob", 31)],
            "Alice leads with 35.50 points, 4.50 ahead of the next.",
        ),
        ([in_list(1, "Alice", 31), in_list(1, "Bob", 31)], "Alice and Bob share the lead with 31."),
    ],
)
def test_a_points_list_says_who_leads_and_by_how_much(rows, said):
    assert lists.lead_in_words(rows) == said


@pytest.mark.parametrize(
    ("lines", "evenings", "is_over", "said"),
    [
        ([], 0, False, ""),
        ([in_ladder(0, "Alice", 51)], 2, False, ""),
        ([in_ladder(1, "Alice", 51)], 2, False, "Alice leads with +51."),
        (
            [in_ladder(1, "Alice", 51), in_ladder(2, "Bob", 43)],
            1,
            False,
            "Alice leads with +51, 8 ahead of the next, after 1 evening.",
        ),
        (
            [in_ladder(1, "Alice", 51), in_ladder(1, "Bob", 51), in_ladder(3, "Carol", 2)],
            4,
            False,
            "Alice and Bob share the lead with +51.",
        ),
        (
            [in_ladder(1, "Alice", 51), in_ladder(2, "Bob", 43)],
            4,
            True,
            "Alice won the season with +51.",
        ),
    ],
)
def test_a_ladder_says_who_leads_after_how_many_evenings_or_who_has_won(lines, evenings, is_over, said):
    assert season.lead_in_words(lines, evenings, is_over=is_over) == said


def test_the_figures_of_a_points_list_have_as_many_decimals_each():
    assert points_column([Fraction(71, 2), Fraction(31), Fraction(0)]) == ["35.50", "31.00", "0.00"]
    assert points_column([Fraction(35), Fraction(31)]) == ["35", "31"]
    assert points_column([]) == []
