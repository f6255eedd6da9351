"""The race as a drawing: everybody's line, a few of them to be followed. Plain numbers in and out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tournaments.domain.comparison import Amount
from tournaments.hall.curve import Mark, Scale

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
                scale.at(len(line) - 1, line[-1]),
            )
            for player, line in lines.items()
        },
    )
