"""Halls: their tables are numbered through all of them, without gaps."""

from __future__ import annotations

import re

import pytest

from tournaments.domain.halls import (
    LONGEST_NAME,
    MOST_HALLS,
    hall_of,
    name_of_hall,
    read_halls,
    stored_halls,
    with_hall,
)

TWO = stored_halls([("Sal A", "Søndergade 5", 3), ("Sal B", "", 2)])


def test_each_hall_begins_where_the_one_before_ends():
    assert [(hall.number, hall.first, hall.last, hall.tables) for hall in read_halls(TWO)] == [
        (1, 1, 3, 3),
        (2, 4, 5, 2),
    ]


@pytest.mark.parametrize(
    ("table", "name"), [(1, "Sal A"), (3, "Sal A"), (4, "Sal B"), (5, "Sal B"), (6, "Sal B"), (40, "Sal B")]
)
def test_a_table_is_in_one_hall_and_those_without_a_place_in_the_last(table, name):
    assert name_of_hall(read_halls(TWO), table) == name


def test_without_halls_no_table_is_in_one():
    assert read_halls([]) == ()
    assert (hall_of((), 1), name_of_hall((), 1), with_hall("", "Table 1")) == (None, "", "Table 1")


@pytest.mark.parametrize(
    "stored",
    [
        {},
        "Sal A",
        [{}],
        ["Sal A"],
        [{"name": "Sal A", "place": "", "tables": 0}],
        [{"name": "Sal A", "place": "", "tables": True}],
        [{"name": "Sal A", "place": "", "tables": "3"}],
        [{"name": "Sal A", "place": None, "tables": 3}],
        [{"name": "", "place": "", "tables": 3}],
        [{"name": "x" * (LONGEST_NAME + 1), "place": "", "tables": 3}],
        [{"name": "Sal A", "place": "", "tables": 3}, {"name": "sal a", "place": "", "tables": 3}],
        [{"name": f"Sal {number}", "place": "", "tables": 1} for number in range(MOST_HALLS + 1)],
    ],
)
def test_what_no_desk_has_set_up_is_refused(stored):
    with pytest.raises(ValueError, match=re.escape(str(stored))):
        read_halls(stored)
