"""The curve of a person's sum of tokens over the years: by deal, evening or month."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from django.utils.formats import date_format

from tournaments.hall.charts import MOST_NAMED, Mark, Scale

if TYPE_CHECKING:
    from tournaments.people.person import Curve

DEAL, EVENING, MONTH = "deal", "evening", "month"
STEPS = (DEAL, EVENING, MONTH)
# A line has at most so many points, its table so many rows, and so many years are divided by lines.
MOST_POINTS, MOST_ROWS, MOST_LINES = 500, 60, 12


class Row(NamedTuple):
    """A line of the table: until when, what it brought, and the sum then."""

    until: str
    tokens: int
    total: int


@dataclass(frozen=True, slots=True)
class SumsCurve:
    """Template context of the curve; positions are in per cent. `by` is the chosen one of the `steps`."""

    by: str
    steps: int
    path: str
    levels: list[Mark]
    years: list[Mark]
    ends: list[float]
    zero: float
    tip: tuple[float, float]
    highest: int
    lowest: int
    last: int
    rows: list[Row]


def sums_curve(curve: Curve, by: str) -> SumsCurve | None:
    """The curve by one of STEPS; None without data."""
    days, totals = STEPS_OF[by](curve)
    if not days:
        return None
    scale = Scale.over(len(days), min(totals), max(totals))
    begins = _begins(days)
    ends = [*(at for _year, at in begins[1:]), len(days)]
    middles = [
        Mark((scale.x(begin) + scale.x(end)) / 20, year)
        for (year, begin), end in zip(begins, ends, strict=True)
    ]
    return SumsCurve(
        by,
        len(days),
        path=scale.path(totals, -(-len(days) // MOST_POINTS)),
        levels=scale.levels(),
        years=middles[:: -(-len(middles) // MOST_NAMED)],
        ends=[scale.x(at) / 10 for _year, at in begins[1:]] if len(begins) <= MOST_LINES else [],
        zero=scale.y(0) / 10,
        tip=scale.point(len(days), totals[-1]),
        highest=max(totals),
        lowest=min(totals),
        last=totals[-1],
        rows=_rows(days, totals),
    )


def _begins(days: Sequence[date]) -> list[tuple[int, int]]:
    """Each year with the step before which it begins."""
    found: dict[int, int] = {}
    for at, day in enumerate(days):
        found.setdefault(day.year, at)
    return list(found.items())


def _by_deal(curve: Curve) -> tuple[list[date], list[int]]:
    return curve.days, curve.by_deal


def _by_evening(curve: Curve) -> tuple[list[date], list[int]]:
    return [day for day, _total in curve.by_evening], [0, *(total for _day, total in curve.by_evening)]


def _by_month(curve: Curve) -> tuple[list[date], list[int]]:
    months = curve.by_month
    return [date(one.year, one.month, 1) for one in months], [0, *(one.total for one in months)]


STEPS_OF: dict[str, Callable[[Curve], tuple[list[date], list[int]]]] = {
    DEAL: _by_deal,
    EVENING: _by_evening,
    MONTH: _by_month,
}


PERIODS: tuple[tuple[Callable[[date], Hashable], str], ...] = (
    (lambda day: day, "SHORT_DATE_FORMAT"),
    (lambda day: (day.year, day.month), "YEAR_MONTH_FORMAT"),
    (lambda day: day.year, "Y"),
)


def _rows(days: Sequence[date], totals: Sequence[int]) -> list[Row]:
    """Sums in a readable number of rows: by day, else by month, else by year."""
    parts = [(_ends(days, key), form) for key, form in PERIODS]
    ends, form = next((part for part in parts if len(part[0]) <= MOST_ROWS), parts[-1])
    sums = [totals[0], *(totals[at] for at in ends)]
    return [
        Row(date_format(days[at - 1], form), total - before, total)
        for at, before, total in zip(ends, sums, sums[1:], strict=False)
    ]


def _ends(days: Sequence[date], key: Callable[[date], Hashable]) -> list[int]:
    """The steps after which another day (or month, or year) begins."""
    found, at = [], 0
    for _key, same in groupby(days, key):
        at += sum(1 for _day in same)
        found.append(at)
    return found
