"""Seats of pairs and of teams of four: partners face each other. Who meets whom says `meetings`.

Two teams meet at two tables: of each, two members sit at one and two at the other. A team has three ways to split,
which take turns.
"""

from collections.abc import Sequence
from itertools import permutations, product, zip_longest

from tournaments.draw.tables import Round, Table

# The ways to split a team of four: who sits at the first table, and who at the second.
SPLITS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def seated_in_pairs(
    rounds: Sequence[Sequence[tuple[tuple[int, ...], tuple[int, ...]]]],
    had: dict[tuple[int, int], int] | None = None,
) -> tuple[Round, ...]:
    """Return the rounds in seat order, everybody on a chair that they have had least often, as far as can be.

    Of each table those of seats 0 and 2 are given, and those of 1 and 3, of which there may be one fewer. `had` says
    how often who has had a chair before, by chair and player; it goes on counting.
    """
    had = {} if had is None else had
    seated = []
    for meetings in rounds:
        tables: list[Table] = []
        for two in meetings:
            ways = [_by_turns(*sides) for sides in product(*map(permutations, two))]
            best = min(ways, key=lambda way: sum(had.get(seat, 0) for seat in enumerate(way)))
            for seat in enumerate(best):
                had[seat] = had.get(seat, 0) + 1
            tables.append(best)
        seated.append(tuple(tables))
    return tuple(seated)


def _by_turns(first: Sequence[int], second: Sequence[int]) -> Table:
    """One of the first, one of the second, and so on round the table."""
    return tuple(one for two in zip_longest(first, second) for one in two if one is not None)
