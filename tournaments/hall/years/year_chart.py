"""Years side by side: a column for each, of one amount or of several on each other. Plain numbers in and out.

All is placed in per cent of the plot, so that letters keep their size.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of a year's room so much is its column; and so many years have their name below it, on a phone every other.
WIDE, MOST_NAMED = 0.72, 10


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a column; `kind` is its place among the amounts, from 1."""

    top: float
    height: float
    kind: int


@dataclass(frozen=True, slots=True)
class Column:
    """A year; `name` is "" where there is no room for it."""

    year: int
    name: str
    left: float
    middle: float
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class Level:
    value: int
    at: float


@dataclass(frozen=True, slots=True)
class YearChart:
    columns: Sequence[Column]
    width: float
    levels: Sequence[Level]


def year_chart(years: Sequence[tuple[int, Sequence[float]]]) -> YearChart | None:
    """Years in their order, each with its amounts; a year that is missing has a gap. None without anything to draw."""
    highest = max((round(sum(amounts), 6) for _year, amounts in years), default=0)
    if not highest:
        return None
    first, last = years[0][0], years[-1][0]
    each = 100 / (last - first + 1)
    every = ceil((last - first + 1) / MOST_NAMED)
    top = _top(highest)
    return YearChart(
        [_column(year, amounts, (year - first) * each, each, top, named=(last - year) % every == 0)
         for year, amounts in years],
        round(WIDE * each, 2),
        [Level(value, round(100 - 100 * value / top, 2)) for value in (top, top // 2)],
    )  # fmt: skip


def _column(
    year: int, amounts: Sequence[float], left: float, each: float, top: int, *, named: bool
) -> Column:
    parts, so_far = [], 0.0
    for kind, amount in enumerate(amounts, start=1):
        height = 100 * amount / top
        so_far += height
        if amount:
            parts.append(Part(round(100 - so_far, 2), round(height, 2), kind))
    return Column(
        year,
        str(year) if named else "",
        round(left + each * (1 - WIDE) / 2, 2),
        round(left + each / 2, 2),
        parts,
    )


def _top(highest: float) -> int:
    """The next round number that is not below, of which there is half: 2, 4, 10, 12, 16, 20, 30, 100…"""
    power = 10 ** int(log10(highest)) if highest >= 1 else 1
    steps = (round(power * factor) for factor in (1, 1.2, 1.6, 2, 3, 4, 6, 8, 10))
    return max(2, next(step for step in steps if step >= highest))
