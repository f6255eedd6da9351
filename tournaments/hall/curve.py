"""A player's tokens over the deals as a curve: where its lines and letters go. Plain numbers in and out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, BOTTOM = 40, 352, 12, 208
# At most so many steps of tokens between the lowest and the highest line.
STEPS = 6


@dataclass(frozen=True, slots=True)
class Mark:
    """A place along an axis and what is written there: tokens, or a round's number."""

    at: float
    value: int


@dataclass(frozen=True, slots=True)
class Curve:
    """All that a template needs to draw it, in units of its view box, and the tokens to be told."""

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
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM


def curve(totals: Sequence[int], deals_by_round: Sequence[tuple[int, int]], *, zero: int = 0) -> Curve:
    """The curve of `totals`: the tokens before the first deal and after each; `zero` is where all begin.

    `deals_by_round` says how many of the deals each round had, as (round's number, deals). Raises ValueError
    where there are no deals, or others than these.
    """
    deals = len(totals) - 1
    if deals < 1 or sum(played for _number, played in deals_by_round) != deals:
        raise ValueError(f"{deals} deals and rounds of {deals_by_round}")
    floor, ceiling, step = levels(min(totals), max(totals))

    def x(deal: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * deal / deals, 1)

    def y(tokens: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (tokens - floor) / (ceiling - floor), 1)

    ends = list(accumulate(played for _number, played in deals_by_round))
    starts = [0, *ends[:-1]]
    return Curve(
        path="M" + "L".join(f"{x(deal)} {y(total)}" for deal, total in enumerate(totals)),
        levels=[Mark(y(tokens), tokens) for tokens in range(floor, ceiling + 1, step)],
        rounds=[
            Mark(round((x(start) + x(end)) / 2, 1), number)
            for (number, _played), start, end in zip(deals_by_round, starts, ends, strict=True)
        ],
        ends=[x(end) for end in ends[:-1]],
        zero=y(zero),
        tip=(x(deals), y(totals[-1])),
        deals=deals,
        highest=max(totals),
        lowest=min(totals),
        last=totals[-1],
    )


def levels(lowest: int, highest: int) -> tuple[int, int, int]:
    """The lowest line, the highest one, and the step between: 1, 2 or 5, or so many tens, or hundreds…"""
    for power in count():
        for digit in (1, 2, 5):
            step = digit * 10**power
            floor, ceiling = lowest // step * step, -(-highest // step) * step
            if ceiling - floor <= step * STEPS:
                return floor, max(ceiling, floor + step), step
    raise AssertionError("there is always a greater step")
