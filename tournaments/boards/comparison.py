"""Every result against the same cards elsewhere, so that skill shows beside luck.

A *part* is what one player got in one deal. Its **datum** is the mean of what the players in the same seat of the same
folder got at the other tables, where the seat is forehand, middlehand, the dealer or the fourth player. Its
**difference** is the player's own tokens less the datum. With nobody to compare with there is neither.

A player's **duplicate score** is the sum of their differences. That of a pair or a team is the sum of its players'.
All of it is exact; in one seat of one folder the differences add up to 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Part:
    """What a player got in a deal. `cards` and `seat` tell apart what may be compared: only where both are the same."""

    cards: Hashable
    seat: Hashable
    player: int
    table: Hashable
    tokens: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A part with the mean of the others, who are `others` players."""

    part: Part
    others: int
    datum: Fraction

    @property
    def difference(self) -> Fraction:
        return self.part.tokens - self.datum


@dataclass(frozen=True, slots=True)
class Score:
    """The sum of the differences of `deals` deals."""

    deals: int
    difference: Fraction

    def __add__(self, other: Score) -> Score:
        return Score(self.deals + other.deals, self.difference + other.difference)


def compare(parts: Iterable[Part]) -> list[Compared]:
    """Each part with its datum, in the order given; those that stand alone are left out."""
    parts = list(parts)
    tokens: dict[tuple[Hashable, Hashable], list[int]] = defaultdict(list)
    for part in parts:
        tokens[part.cards, part.seat].append(part.tokens)
    compared = []
    for part in parts:
        same = tokens[part.cards, part.seat]
        others = len(same) - 1
        if others:
            compared.append(Compared(part, others, Fraction(sum(same) - part.tokens, others)))
    return compared
