"""Who is kept apart: club-mates, and those who wish not to share a table.

When not all can be had, it gives way in this order, the first first:

1. neighbourhood in the standings, where a round is drawn by them
2. club-mates apart, in later rounds before early ones
3. a wish that is not strict
4. nobody meets anybody twice
5. a strict wish: only where the players are too few to be kept apart

That everybody sits once a round, at tables of the right sizes, and at one of three as often as the others give or
take one, never gives way. Where the fewest repeats are chosen instead, the even share of tables of three gives way
after neighbourhood. Seats and first deals cost nothing, because they are shared out when the tables are known.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tournaments.draw.tables import Groups, Round, group_of, in_fours

Pair = tuple[int, int]  # the smaller number first


@dataclass(frozen=True, slots=True)
class Apart:
    """Two or more players who do not want to share a table; strictly, or only if it costs no repeat."""

    players: tuple[int, ...]
    strict: bool = False


@dataclass(frozen=True)
class KeptApart:
    """Everything that keeps players apart, for numbers 0 and up; others are people who have left."""

    clubs: Sequence[Hashable | None]
    wishes: Mapping[Pair, bool] = field(default_factory=dict)  # whether strict

    @property
    def has_mates(self) -> bool:
        """Tell whether any two players are of one club."""
        return any(size > 1 for club, size in Counter(self.clubs).items() if club is not None)

    @property
    def asks_nothing(self) -> bool:
        return not self.wishes and not self.has_mates

    @property
    def in_fours(self) -> list[int]:
        """The players team by team where all clubs have four and nobody wishes anything else; else nobody."""
        return [] if self.wishes else in_fours(self.clubs)

    def are_mates(self, p: int, q: int) -> bool:
        return self.clubs[p] is not None and self.clubs[p] == self.clubs[q]


def kept_apart(players: Sequence[int], groups: Groups | None, apart: Sequence[Apart]) -> KeptApart:
    """Return what keeps these players apart, each called by their place in the list."""
    number = {player: index for index, player in enumerate(players)}
    here = {
        _pair(number[p], number[q]): strict
        for (p, q), strict in wished_pairs(apart).items()
        if p in number and q in number
    }
    return KeptApart([group_of(groups, player) for player in players], dict(sorted(here.items())))


def wished_pairs(apart: Sequence[Apart]) -> dict[Pair, bool]:
    """Return every pair that is to be kept apart, and whether strictly; a strict wish beats another."""
    pairs: dict[Pair, bool] = {}
    for wish in apart:
        for p, q in combinations(sorted(set(wish.players)), 2):
            pairs[p, q] = pairs.get((p, q), False) or wish.strict
    return pairs


def broken_wishes(rounds: Sequence[Round], wishes: Mapping[Pair, bool]) -> list[tuple[int, int, int, bool]]:
    """Return the round (from 1), the two players and whether strict, for every wish that a table breaks."""
    return [
        (number, p, q, wishes[p, q])
        for number, tables in enumerate(rounds, start=1)
        for table in tables
        for p, q in combinations(sorted(table), 2)
        if (p, q) in wishes
    ]


def _pair(p: int, q: int) -> Pair:
    return (min(p, q), max(p, q))
