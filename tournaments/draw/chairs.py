"""Chairs and first deals: who had which how often.

A table has four chairs, in order of play. At a table of three one of them stays empty: another one every round,
and another one at each table of three of a round. Chair 0 deals first; where it is empty, chair 1 does. A
`SmallTable` was drawn earlier and keeps the chair that it was drawn with, whatever became of the tables beside it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations

from tournaments.draw.tables import CHAIRS, Round, SmallTable

Chairs = list[int | None]  # who sits on chairs 0 to 3 of one table


def empty_seat(round_index: int, nth: int) -> int:
    """Return the empty chair of a round's nth table of three, both counted from 0."""
    return (CHAIRS - 1 - round_index - nth) % CHAIRS


def chairs_of(tables: Round, round_index: int) -> list[tuple[int | None, ...]]:
    """Return each table as four chairs, None on the empty one, for the event's round of this index."""
    seated: list[tuple[int | None, ...]] = []
    threes = 0
    for table in tables:
        chairs: Chairs = list(table)
        if len(table) < CHAIRS:
            empty = table.empty if isinstance(table, SmallTable) else empty_seat(round_index, threes)
            chairs.insert(empty, None)
            threes += 1
        seated.append(tuple(chairs))
    return seated


def chair_counts(rounds: Sequence[Round], chairs: int = CHAIRS) -> dict[int, list[int]]:
    """Return how often every player had each chair; with other `chairs` than four no table has an empty one."""
    counts: dict[int, list[int]] = {}
    for index, tables in enumerate(rounds):
        for table in chairs_of(tables, index) if chairs == CHAIRS else tables:
            for chair, player in enumerate(table):
                if player is not None:
                    counts.setdefault(player, [0] * chairs)[chair] += 1
    return counts


def uneven_players(counts: Mapping[int, Sequence[int]]) -> int:
    """Return how many players' chairs are uneven."""
    return sum(is_uneven(chairs) for chairs in counts.values())


def is_uneven(chairs: Sequence[int]) -> bool:
    """Tell whether one chair was had at least two times more often than another."""
    return max(chairs) - min(chairs) > 1


def least_had(counts: Sequence[int]) -> int:
    """Return the chairs that somebody has had least often, as bits of a number."""
    return sum(1 << chair for chair, times in enumerate(counts) if times == min(counts))


@cache
def unmet(needs: tuple[int, ...], chairs: int) -> int:
    """Return how many of a table's players must do with a chair that they do not need, however they sit."""
    return min(
        sum(not need >> chair & 1 for need, chair in zip(needs, order, strict=True))
        for order in permutations(range(chairs), len(needs))
    )


def first_deals(rounds: Sequence[Round]) -> dict[int, int]:
    """Return how often every player dealt first."""
    deals = {player: 0 for tables in rounds for table in tables for player in table}
    for tables in rounds:
        for table in tables:
            deals[table[0]] += 1
    return deals
