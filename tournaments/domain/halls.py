"""The halls that one tournament is played in: its tables are numbered through all of them, hall by hall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_HALLS, MOST_TABLES = 16, 500
LONGEST_NAME, LONGEST_PLACE = 30, 120


@dataclass(frozen=True, slots=True)
class Hall:
    """A hall with the numbers of its tables, from `first` to `last`; the last hall has all that are more, too."""

    number: int
    name: str
    place: str
    first: int
    last: int
    is_last: bool

    @property
    def tables(self) -> int:
        return self.last - self.first + 1

    def has(self, table: int) -> bool:
        return self.first <= table and (self.is_last or table <= self.last)


def read_halls(stored: object) -> tuple[Hall, ...]:
    """Halls as they are stored: `[{"name": "Sal A", "place": "Søndergade 5", "tables": 12}, …]`.

    There are no gaps between their tables and none is in two halls: each hall begins where the one before ends.
    Raises ValueError for what no desk has set up.
    """
    if not isinstance(stored, list) or len(stored) > MOST_HALLS:
        raise ValueError(stored)
    found: list[Hall] = []
    for number, one in enumerate(stored, start=1):
        if not isinstance(one, dict) or one.keys() != {"name", "place", "tables"}:
            raise ValueError(stored)
        name, place, tables = one["name"], one["place"], one["tables"]
        if not (isinstance(name, str) and isinstance(place, str)):
            raise ValueError(stored)  # noqa: TRY004 - a value of the file that is wrong, as any other
        if type(tables) is not int or not 1 <= tables <= MOST_TABLES:
            raise ValueError(stored)
        if not 0 < len(name) <= LONGEST_NAME or len(place) > LONGEST_PLACE:
            raise ValueError(stored)
        first = found[-1].last + 1 if found else 1
        found.append(Hall(number, name, place, first, first + tables - 1, is_last=number == len(stored)))
    if len({hall.name.casefold() for hall in found}) < len(found):
        raise ValueError(stored)
    return tuple(found)


def stored_halls(halls: Iterable[tuple[str, str, int]]) -> list[dict[str, Any]]:
    """Names, places and counts of tables as they are stored."""
    return [{"name": name, "place": place, "tables": tables} for name, place, tables in halls]


def hall_of(halls: Sequence[Hall], table: int) -> Hall | None:
    """The hall of a table; None where there are no halls."""
    return next((hall for hall in halls if hall.has(table)), None)


def name_of_hall(halls: Sequence[Hall], table: int) -> str:
    """The name of a table's hall; "" where there are no halls."""
    hall = hall_of(halls, table)
    return hall.name if hall else ""


def with_hall(name: str, said: str) -> str:
    """Add the name of the hall to a table's text such as "Table 14, A": "Hall B: Table 14, A"."""
    return f"{name}: {said}" if name else said


def find_hall(halls: Sequence[Hall], asked: str | None) -> Hall | None:
    """The hall whose number an address or form asks for; None for all of them."""
    return next((hall for hall in halls if str(hall.number) == asked), None)
