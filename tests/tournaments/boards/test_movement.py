"""Folders travel so that every table plays each of them once, its right seat dealing, and nobody waits for a folder."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seats import dealer_of
from tournaments.boards.dealing import Shortage, dealer_seat, sequences, set_of


@st.composite
def halls(draw):
    """Tables, sets and deals that can go round."""
    size = draw(st.sampled_from([3, 4]))
    groups = draw(st.integers(1, 20))
    sets = draw(st.integers(1, 6))
    tables = draw(st.integers(1, sets * groups))
    return tables, sets, groups * size, size


@given(halls())
def test_every_table_plays_every_folder_once_and_the_folders_own_seat_deals(hall):
    tables, sets, deals, size = hall
    for order in sequences([deals] * tables, sets, size):
        assert sorted(order) == list(range(1, deals + 1))
        for deal, folder in enumerate(order, start=1):
            assert dealer_seat(folder, size) == dealer_of(deal, size)


@given(halls())
def test_no_two_tables_hold_one_physical_folder_at_the_same_time(hall):
    tables, sets, deals, size = hall
    orders = sequences([deals] * tables, sets, size)
    # A table has the whole group in front of it that it is playing.
    for start in range(0, deals, size):
        held = Counter(
            (set_of(table, tables, sets), folder)
            for table, order in enumerate(orders)
            for folder in order[start : start + size]
        )
        assert set(held.values()) == {1}


@given(halls())
def test_sets_are_shared_as_evenly_as_can_be(hall):
    tables, sets, _deals, _size = hall
    shared = Counter(set_of(table, tables, sets) for table in range(tables))
    assert max(shared.values()) - min(shared.values()) <= 1
    assert len(shared) == min(sets, tables)


def test_with_a_set_each_everybody_plays_in_order():
    in_order = tuple(range(1, 43))
    assert sequences([42, 42, 30], 0, 4) == [in_order, in_order, in_order[:30]]
    assert sequences([42, 42, 30], 3, 4) == [in_order, in_order, in_order[:30]]


def test_four_tables_with_one_set_begin_as_far_apart_as_can_be():
    orders = sequences([40] * 4, 1, 4)
    assert [order[0] for order in orders] == [1, 9, 17, 25]
    assert orders[3][12:20] == (37, 38, 39, 40, 1, 2, 3, 4)


def test_two_sets_are_played_by_neighbours():
    assert [order[0] for order in sequences([40] * 5, 2, 4)] == [1, 13, 25, 1, 21]


def test_a_table_of_three_leaves_the_last_of_its_order_out():
    orders = sequences([40, 40, 30], 1, 4)
    assert orders[2] == (*range(25, 41), *range(1, 15))


@pytest.mark.parametrize(
    ("tables", "deals", "sets", "needed"),
    [
        (11, 40, 1, 2),  # ten groups of four go to ten tables at most
        (21, 40, 2, 3),
        (3, 42, 2, 3),  # the deal would not come round
        (2, 3, 1, 2),
    ],
)
def test_too_few_sets_are_refused_with_the_number_that_will_do(tables, deals, sets, needed):
    with pytest.raises(Shortage) as refused:
        sequences([deals] * tables, sets, 4)
    assert refused.value.needed == needed
    assert sequences([deals] * tables, needed, 4)


def test_a_hall_without_tables():
    assert sequences([], 1, 4) == []
