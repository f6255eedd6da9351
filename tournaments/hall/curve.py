"""Sums over the deals as lines: where these and their letters go. Plain numbers in and out.

Letters and grid are placed in per cent of the plot, so that they keep their size on phones and with large letters; the
lines lie in a box of 1000 by 1000 that is stretched over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from math import ceil, floor

from tournaments.domain.comparison import Amount

BOX = 1000
# At most so many steps of tokens between the lowest and the highest line; so many rounds are named.
STEPS, MOST_NAMED = 6, 8


@dataclass(frozen=True, slots=True)
class Mark:
    """A place along an axis, in per cent, and what is written there: tokens, or a round's number."""

    at: float
    value: int


@dataclass(frozen=True, slots=True)
class Scale:
    """From deals and tokens to the box, whose lowest line and highest are at so many tokens."""

    deals: int
    bottom: int
    top: int
    step: int

    @classmethod
    def over(cls, deals: int, lowest: Amount, highest: Amount) -> Scale:
        return cls(deals, *levels(floor(lowest), ceil(highest)))

    def x(self, deal: int) -> int:
        return round(BOX * deal / self.deals)

    def y(self, amount: Amount) -> int:
        return round(BOX * (self.top - amount) / (self.top - self.bottom))

    def at(self, deal: int, amount: Amount) -> tuple[float, float]:
        """In per cent."""
        return self.x(deal) / 10, self.y(amount) / 10

    def levels(self) -> list[Mark]:
        return [Mark(self.y(amount) / 10, amount) for amount in range(self.bottom, self.top + 1, self.step)]

    def rounds(self, ends: Sequence[tuple[int, int]]) -> list[Mark]:
        """The middle of each round, given with the deal that it ends with; of many not every one is named."""
        begins = [0, *(end for _number, end in ends[:-1])]
        middles = [
            Mark((self.x(begin) + self.x(end)) / 20, number)
            for begin, (number, end) in zip(begins, ends, strict=True)
        ]
        return middles[:: -(-len(ends) // MOST_NAMED) or 1]

    def path(self, sums: Sequence[Amount], every: int = 1) -> str:
        """The way through every so many-th sum, and the last; in few letters, as steps from each to the next."""
        last = len(sums) - 1
        points = [(self.x(deal), self.y(sums[deal])) for deal in (*range(0, last, every), last)]
        (x, y), path = points[0], ""
        for right, down in points[1:]:
            path += f" {right - x}{'' if down < y else ' '}{down - y}"
            x, y = right, down
        return f"M{points[0][0]} {points[0][1]}" + (f"l{path[1:]}" if path else "h0")

    def band(self, lows: Sequence[Amount], highs: Sequence[Amount]) -> str:
        """The way around all between these; "" where there are none."""
        there = [(self.x(deal), self.y(amount)) for deal, amount in enumerate(highs)]
        back = [(self.x(deal), self.y(amount)) for deal, amount in enumerate(lows)][::-1]
        return f"M{' '.join(f'{x} {y}' for x, y in there + back)}z" if there else ""


@dataclass(frozen=True, slots=True)
class Curve:
    """All that a template needs to draw it, and the tokens to be told; `tip` is where it ends, in per cent."""

    scale: Scale
    path: str
    levels: list[Mark]
    rounds: list[Mark]
    ends: list[float]
    zero: float
    tip: tuple[float, float]
    deals: int
    highest: int
    lowest: int
    last: int
    band: str = ""


def curve(
    totals: Sequence[int],
    deals_by_round: Sequence[tuple[int, int]],
    *,
    zero: int = 0,
    either_way: Sequence[int] = (),
) -> Curve:
    """The curve of `totals`: the tokens before the first deal and after each; `zero` is where all begin.

    `either_way` says of each how far it may be off: then there is a band around the line.

    `deals_by_round` says how many of the deals each round had, as (round's number, deals). Raises ValueError
    where there are no deals, or others than these.
    """
    deals = len(totals) - 1
    if deals < 1 or sum(played for _number, played in deals_by_round) != deals:
        raise ValueError(f"{deals} deals and rounds of {deals_by_round}")
    lows = [total - off for total, off in zip(totals, either_way, strict=False)]
    highs = [total + off for total, off in zip(totals, either_way, strict=False)]
    scale = Scale.over(deals, min([*totals, *lows]), max([*totals, *highs]))
    sums = accumulate(played for _number, played in deals_by_round)
    ends = [(number, end) for (number, _played), end in zip(deals_by_round, sums, strict=True)]
    return Curve(
        scale=scale,
        path=scale.path(totals),
        levels=scale.levels(),
        rounds=scale.rounds(ends),
        ends=[scale.x(end) / 10 for _number, end in ends[:-1]],
        zero=scale.y(zero) / 10,
        tip=scale.at(deals, totals[-1]),
        deals=deals,
        highest=max(totals),
        lowest=min(totals),
        last=totals[-1],
        band=scale.band(lows, highs),
    )


def levels(lowest: int, highest: int) -> tuple[int, int, int]:
    """The lowest line, the highest one, and the step between: 1, 2 or 5, or so many tens, or hundreds…"""
    for power in count():
        for digit in (1, 2, 5):
            step = digit * 10**power
            bottom, top = lowest // step * step, -(-highest // step) * step
            if top - bottom <= step * STEPS:
                return bottom, max(top, bottom + step), step
    raise AssertionError("there is always a greater step")
