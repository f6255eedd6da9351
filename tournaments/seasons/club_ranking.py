"""Clubs ranked by their best players: of a tournament, a season or a published points list. No database."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.domain.comparison import Amount


class Scored(NamedTuple):
    """A player's result for a club, by the club's name."""

    club: str
    name: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class RankedClub:
    """A club with the results that count, the best first; `place` is 0 if it has fewer than count."""

    place: int
    shared: bool
    club: str
    total: Amount
    best: Sequence[Scored]
    # How many of its players have a result.
    players: int


def rank_clubs(results: Iterable[Scored], count: int) -> list[RankedClub]:
    """The clubs by the sum of their best `count` results; those that have fewer follow without a place.

    Clubs with the same sum share the place; they are in the order of their names.
    """
    of: dict[str, list[Scored]] = defaultdict(list)
    for one in results:
        if one.club:
            of[one.club].append(one)
    found = []
    for club, scored in of.items():
        scored.sort(key=lambda one: (-one.amount, one.name))
        best = scored[:count]
        found.append(
            (len(best) == count, sum((Fraction(one.amount) for one in best), Fraction()), club, best)
        )
    found.sort(key=lambda one: (not one[0], -len(one[3]), -one[1], one[2]))
    sums = [total for is_whole, total, _club, _best in found if is_whole]
    return [
        RankedClub(
            sums.index(total) + 1 if is_whole else 0,
            is_whole and sums.count(total) > 1,
            club,
            int(total) if all(isinstance(one.amount, int) for one in best) else total,
            best,
            len(of[club]),
        )
        for is_whole, total, club, best in found
    ]
