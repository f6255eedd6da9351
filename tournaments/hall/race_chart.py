"""The race as a drawing: where lines, letters and ends go. Plain numbers in and out.

Letters and grid are placed in per cent of the plot, so that they keep their size on phones and with large letters; the
lines lie in a box of 1000 by 1000 that is stretched over it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor

from tournaments.hall.curve import levels
from tournaments.values.comparing import Amount

BOX = 1000
# So many points all the thin lines have together at most, and so many a line that is followed.
THIN_POINTS, FOLLOWED_POINTS = 6000, 500
MOST_NAMED = 8  # rounds


@dataclass(frozen=True, slots=True)
class Mark:
    """A place along an axis, in per cent, and what is written there: tokens, or a round's number."""

    at: float
    value: int


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line, and where it ends, in per cent."""

    player: int
    path: str
    last: Amount
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Chart:
    levels: list[Mark]
    rounds: list[Mark]
    ends: list[float]
    zero: float
    thin: list[Line]
    followed: list[Line]


def chart(
    lines: Mapping[int, Sequence[Amount]], ends: Mapping[int, int], followed: Collection[int]
) -> Chart | None:
    """The lines of all, by player; None where nothing is played. `ends` has the step at which each round ends."""
    steps = max(ends.values(), default=0)
    if not steps or not lines:
        return None
    lowest = min(min(line) for line in lines.values())
    highest = max(max(line) for line in lines.values())
    bottom, top, step = levels(floor(min(lowest, 0)), ceil(max(highest, 0)))
    scale = Scale(steps, bottom, top)
    every = -(-len(lines) * steps // THIN_POINTS)
    followed_every = -(-steps // FOLLOWED_POINTS)
    begins = [0, *list(ends.values())[:-1]]
    named = -(-len(ends) // MOST_NAMED)
    return Chart(
        levels=[Mark(scale.y(amount) / 10, amount) for amount in range(bottom, top + 1, step)],
        rounds=[
            Mark((scale.x(begin) + scale.x(end)) / 20, number)
            for index, (begin, (number, end)) in enumerate(zip(begins, ends.items(), strict=True))
            if index % named == 0
        ],
        ends=[scale.x(end) / 10 for end in begins[1:]],
        zero=scale.y(0) / 10,
        thin=[scale.line(player, line, every) for player, line in lines.items() if player not in followed],
        followed=[scale.line(player, lines[player], followed_every) for player in followed],
    )


@dataclass(frozen=True, slots=True)
class Scale:
    """From steps and tokens to the box."""

    steps: int
    bottom: int
    top: int

    def x(self, step: int) -> int:
        return round(BOX * step / self.steps)

    def y(self, amount: Amount) -> int:
        return round(BOX * (self.top - amount) / (self.top - self.bottom))

    def line(self, player: int, sums: Sequence[Amount], every: int) -> Line:
        """A line through every so many-th step, and its last."""
        last = len(sums) - 1
        points = [(self.x(step), self.y(sums[step])) for step in (*range(0, last, every), last)]
        return Line(player, path_of(points), sums[-1], (points[-1][0] / 10, points[-1][1] / 10))


def path_of(points: Sequence[tuple[int, int]]) -> str:
    """The way through these points in as few letters as it takes: each says how far it is from the one before."""
    (x, y), path = points[0], ""
    for right, down in points[1:]:
        path += f" {right - x}{'' if down < y else ' '}{down - y}"
        x, y = right, down
    return f"M{points[0][0]} {points[0][1]}" + (f"l{path[1:]}" if path else "h0")
