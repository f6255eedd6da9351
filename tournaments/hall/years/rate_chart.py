"""Shares as bars with their intervals, from 0 to 100 per cent. Plain numbers in and out.

All is placed in per cent of the plot, so that letters keep their size; its height is so many lines of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.people.person_statistics import Rate

# Of more rows so many are drawn: a phone has room for no more.
MOST_DRAWN = 24
# Letters high: a row with the name above its bar.
ROW = 2.9
# Where in a row stand the foot of the name's letters, the bar, and the bar's middle; and how high the bar is.
NAME, TOP, HIGH = 0.38, 0.5, 0.34
MARKS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: everything in per cent of the plot; `low` and `high` are the ends of the interval."""

    name: str
    rate: Rate
    foot: float
    top: float
    thick: float
    middle: float
    width: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RateChart:
    """`height` is in letters; `left_out` rows are in the table alone."""

    bars: Sequence[Bar]
    height: float
    left_out: int
    marks: Sequence[int] = MARKS


def rate_chart(rows: Sequence[tuple[str, Rate]]) -> RateChart | None:
    """The first rows drawn; None where there are none."""
    drawn = rows[:MOST_DRAWN]
    if not drawn:
        return None
    each = 100 / len(drawn)
    return RateChart(
        [_bar(name, rate, index * each, each) for index, (name, rate) in enumerate(drawn)],
        round(ROW * len(drawn), 1),
        len(rows) - len(drawn),
    )


def _bar(name: str, rate: Rate, begins: float, each: float) -> Bar:
    low, high = rate.interval
    return Bar(
        name,
        rate,
        foot=round(begins + NAME * each, 2),
        top=round(begins + TOP * each, 2),
        thick=round(HIGH * each, 2),
        middle=round(begins + (TOP + HIGH / 2) * each, 2),
        width=round(100 * (rate.share or 0), 1),
        low=round(100 * low, 1),
        high=round(100 * high, 1),
    )
