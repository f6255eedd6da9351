"""Geometry of the charts on public pages: curves, bars, the race, rates, years; pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Protocol

from tournaments.domain.comparison import Amount
from tournaments.domain.terms import contract_name

if TYPE_CHECKING:
    from tournaments.people.person_statistics import Rate


# Sums over the deals as lines: where these and their letters go. Plain numbers in and out.
#
# Letters and grid are placed in per cent of the plot, so that they keep their size on phones and with large letters;
# the lines lie in a box of 1000 by 1000 that is stretched over it.

BOX = 1000
# At most so many steps of tokens between the lowest and the highest line; so many rounds are named.
STEPS, MOST_NAMED = 6, 8


@dataclass(frozen=True, slots=True)
class Mark:
    """A place along an axis, in per cent, and what is written there: tokens, or a round's number."""

    position: float
    value: int


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps deals and tokens to the plot, given the tokens of its lowest and highest line."""

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

    def point(self, deal: int, amount: Amount) -> tuple[float, float]:
        """The point of a deal and an amount, in per cent of the plot."""
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
        """The SVG path of the area between `lows` and `highs`; "" for none."""
        there = [(self.x(deal), self.y(amount)) for deal, amount in enumerate(highs)]
        back = [(self.x(deal), self.y(amount)) for deal, amount in enumerate(lows)][::-1]
        return f"M{' '.join(f'{x} {y}' for x, y in there + back)}z" if there else ""


@dataclass(frozen=True, slots=True)
class Curve:
    """Template data of a curve, and the tokens for its text; `tip` is its end, in per cent."""

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
    """The curve of `totals`: the tokens before the first deal and after each; `zero` is the starting value.

    `either_way` has the uncertainty of each, drawn as a band around the line. `deals_by_round` has the number of
    deals of each round, as (round's number, deals). Raises ValueError if there are no deals, or if the numbers do
    not match.
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
        tip=scale.point(deals, totals[-1]),
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


# Bars of games won and lost, by contract: the same on a player's page and in an evening's story.


class Won(Protocol):
    """Games of one contract, and how many of them were won."""

    deals: int
    won: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A contract's bar; the widths of won and lost are in per cent of the longest."""

    name: str
    deals: int
    won: int
    won_width: float
    lost_width: float


def bars(contracts: Mapping[str, Won]) -> list[Bar]:
    longest = max((games.deals for games in contracts.values()), default=1)

    def width(games: int) -> float:
        return round(100 * games / longest, 1)

    return [
        Bar(contract_name(name), games.deals, games.won, width(games.won), width(games.deals - games.won))
        for name, games in contracts.items()
    ]


# The race as a drawing: everybody's line, a few of them to be followed. Plain numbers in and out.

# So many points all the thin lines have together at most, and so many a line that is followed.
THIN_POINTS, FOLLOWED_POINTS = 4000, 500


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line, and where it ends, in per cent."""

    path: str
    last: Amount
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Chart:
    levels: list[Mark]
    rounds: list[Mark]
    ends: list[float]
    zero: float
    lines: dict[int, Line]


def chart(
    lines: Mapping[int, Sequence[Amount]], ends: Mapping[int, int], followed: Collection[int]
) -> Chart | None:
    """The lines of all, by player; None where nothing is played. `ends` has the step at which each round ends."""
    steps = max(ends.values(), default=0)
    if not steps or not lines:
        return None
    lowest = min(min(line) for line in lines.values())
    highest = max(max(line) for line in lines.values())
    scale = Scale.over(steps, min(lowest, 0), max(highest, 0))
    every = -(-len(lines) * steps // THIN_POINTS)
    followed_every = -(-steps // FOLLOWED_POINTS)
    return Chart(
        levels=scale.levels(),
        rounds=scale.rounds(list(ends.items())),
        ends=[scale.x(end) / 10 for end in list(ends.values())[:-1]],
        zero=scale.y(0) / 10,
        lines={
            player: Line(
                scale.path(line, followed_every if player in followed else every),
                line[-1],
                scale.point(len(line) - 1, line[-1]),
            )
            for player, line in lines.items()
        },
    )


# Shares as bars with their intervals, from 0 to 100 per cent. Plain numbers in and out.
#
# All is placed in per cent of the plot, so that letters keep their size; its height is so many lines of them.

# At most this many rows are rendered: a phone has room for no more.
MOST_DRAWN = 24
# Letters high: a row with the name above its bar.
ROW = 2.9
# Where in a row stand the foot of the name's letters, the bar, and the bar's middle; and how high the bar is.
NAME, TOP, HIGH = 0.38, 0.5, 0.34
MARKS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class RateBar:
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

    bars: Sequence[RateBar]
    height: float
    left_out: int
    marks: Sequence[int] = MARKS


def rate_chart(rows: Sequence[tuple[str, Rate]]) -> RateChart | None:
    """Render the first rows; None where there are none."""
    drawn = rows[:MOST_DRAWN]
    if not drawn:
        return None
    each = 100 / len(drawn)
    return RateChart(
        [_bar(name, rate, index * each, each) for index, (name, rate) in enumerate(drawn)],
        round(ROW * len(drawn), 1),
        len(rows) - len(drawn),
    )


def _bar(name: str, rate: Rate, begins: float, each: float) -> RateBar:
    low, high = rate.interval
    return RateBar(
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


# Years side by side: a column for each, of one amount or of several on each other. Plain numbers in and out.
#
# All is placed in per cent of the plot, so that letters keep their size.

# Of a year's room so much is its column; and so many years have their name below it, on a phone every other.
WIDE, YEARS_NAMED = 0.72, 10


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
    position: float


@dataclass(frozen=True, slots=True)
class YearChart:
    columns: Sequence[Column]
    width: float
    levels: Sequence[Level]


def year_chart(years: Sequence[tuple[int, Sequence[float]]]) -> YearChart | None:
    """A chart of amounts by year; a missing year is a gap. None without data."""
    highest = max((round(sum(amounts), 6) for _year, amounts in years), default=0)
    if not highest:
        return None
    first, last = years[0][0], years[-1][0]
    each = 100 / (last - first + 1)
    every = ceil((last - first + 1) / YEARS_NAMED)
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
