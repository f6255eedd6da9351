"""The rules that give rounds without repeats, and the arithmetic behind them."""

from itertools import combinations

import pytest

from tournaments.draw.constructions import field_of, rounds_without_repeats


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        (4, 1), (8, 1), (12, 1), (16, 5), (20, 5), (24, 7), (28, 9), (32, 9), (36, 11), (40, 13), (44, 11), (48, 15),
        (52, 13), (56, 8), (60, 8), (64, 21), (72, 8), (84, 8), (92, 23), (96, 15), (100, 25), (120, 10), (1000, 125),
    ],
)  # fmt: skip
def test_a_rule_gives_this_many_rounds_and_no_pair_meets_twice(players, rounds):
    found = rounds_without_repeats(players // 4)
    assert len(found) == rounds
    for tables in found:
        assert sorted(player for table in tables for player in table) == list(range(players))
    pairs = [pair for tables in found for table in tables for pair in combinations(sorted(table), 2)]
    assert len(pairs) == len(set(pairs)) == rounds * players * 3 // 2


def test_a_rule_gives_eight_rounds_for_any_number_of_tables_from_seven():
    assert all(len(rounds_without_repeats(tables)) >= 8 for tables in range(7, 101))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27])
def test_in_a_field_one_can_subtract_and_divide(size):
    field = field_of(size)
    elements = set(range(size))
    assert all(set(row) == elements for row in field.plus)
    assert all(set(row[1:]) == elements - {0} for row in field.times[1:])
    assert all(field.times[0][x] == field.times[x][0] == 0 for x in elements)


@pytest.mark.parametrize("size", [4, 8, 9])
def test_in_a_field_products_distribute_over_sums(size):
    plus, times = field_of(size).plus, field_of(size).times
    assert all(
        times[a][plus[b][c]] == plus[times[a][b]][times[a][c]]
        for a in range(size)
        for b in range(size)
        for c in range(size)
    )


@pytest.mark.parametrize("size", [1, 6, 10, 12, 15, 36])
def test_there_is_no_field_of_other_sizes(size):
    assert field_of(size) is None
