"""How the results of tables of three and of four are made comparable. Plain numbers in and out.

Whoever sits at a table of three is dealt cards in every deal, at a table of four in three deals of four. Where their
deals do not make up for that, tokens can be averaged, or those of tables of three weighed by a factor.
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
    """As it is stored and shown: "3/4"."""
    return f"{factor.numerator}/{factor.denominator}" if factor.denominator > 1 else str(factor.numerator)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What places go by: "sum", "average" or "factor" (of the tokens won at tables of three).

    `least_share` of averages: who was dealt fewer per cent of the most deals that anybody was dealt comes after all
    others; 0 asks for none.
    """

    kind: str = "sum"
    factor: Fraction = Fraction(1)
    least_share: int = 0

    def result(self, *, tokens: int, at_three: int, rulings: int, deals: int) -> Amount:
        """A player's result: an exact number, whole where sums are compared.

        `at_three` are those of the `tokens` that come from tables of three, `deals` those that the player was dealt.
        """
        if self.kind == "average":
            return Fraction(tokens + rulings, deals) if deals else Fraction(rulings)
        if self.kind == "factor":
            return tokens - at_three + at_three * self.factor + rulings
        return tokens + rulings

    def is_enough(self, deals: int, most: int) -> bool:
        """Whether so many deals are enough for a place among the others; `most`: what anybody was dealt at most."""
        return self.kind != "average" or 100 * deals >= self.least_share * most
