"""Comparability of results from tables of three and of four. Plain numbers in and out.

A player at a table of three is dealt cards in every deal, at a table of four in three deals of four. Where the
number of deals does not even that out, tokens can be averaged, or those from tables of three multiplied by a
factor.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

Amount = int | Fraction

LONGEST_FACTOR = 9
MOST, LEAST = Fraction(10), Fraction(1, 10)


def read_factor(text: str) -> Fraction:
    """A factor as people write it: "3/4", "0,75" or "0.75". Raises ValueError, also for what is out of all reason."""
    plain = re.sub(r"\s+", "", text).replace(",", ".")
    if len(plain) > LONGEST_FACTOR or not re.fullmatch(r"[0-9]+(/[0-9]+|\.[0-9]+)?", plain):
        raise ValueError(f"no factor: {text}")
    try:
        factor = Fraction(plain)
    except ZeroDivisionError:
        raise ValueError(f"no factor: {text}") from None
    if not LEAST <= factor <= MOST:
        raise ValueError(f"no factor: {text}")
    return factor


def plain_factor(factor: Fraction) -> str:
    """The factor as text, stored and shown: "3/4"."""
    return f"{factor.numerator}/{factor.denominator}" if factor.denominator > 1 else str(factor.numerator)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The value by which players are ranked: "sum", "average" or "factor" (applied to tokens from tables of three).

    `least_share` for averages: players with fewer deals than this percentage of the maximum rank after all others;
    0 requires none.
    """

    kind: str = "sum"
    factor: Fraction = Fraction(1)
    least_share: int = 0

    def result(self, *, tokens: int, at_three: int, rulings: int, deals: int) -> Amount:
        """A player's result: an exact number, int when sums are compared.

        `at_three` is the part of `tokens` from tables of three, `deals` the number of deals that the player was
        dealt.
        """
        if self.kind == "average":
            return Fraction(tokens + rulings, deals) if deals else Fraction(rulings)
        if self.kind == "factor":
            return tokens - at_three + at_three * self.factor + rulings
        return tokens + rulings

    def is_enough(self, deals: int, most: int) -> bool:
        """Whether a number of deals is enough for a place; `most` is the maximum of all players."""
        return self.kind != "average" or 100 * deals >= self.least_share * most
