"""Who goes on from a stage of groups to the next, and into which group. Plain numbers in and out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from tournaments.domain.comparison import Amount

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

T = TypeVar("T")


class Way(StrEnum):
    """By what somebody goes on: a place in the group, or among the next best of all groups."""

    GROUP = "group"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody in a group (a player's or a team's key), with what places go by: the greater tuple first.

    `lot` tells apart those who are equal in it, at the line too.
    """

    key: int
    score: tuple[Amount, ...]
    rank: int
    lot: int = 0


@dataclass(frozen=True, slots=True)
class Qualified:
    """Who goes on, from which group (counted from 0) and how; `seed` is the place in the line, from 1."""

    contender: Contender
    group: int
    way: Way
    seed: int


def qualified(
    groups: Sequence[Sequence[Contender]], each: int, next_best: int, out: Collection[int] = ()
) -> list[Qualified]:
    """The best `each` of every group and the `next_best` of the others, best seed first.

    Who is `out` (does not take part in the next stage) is passed over: the next in line of the group, or of all,
    moves up.
    Winners of groups are seeded before those in second place, and these before the next best.
    """
    lines = [
        sorted((one for one in group if one.key not in out), key=lambda one: (one.rank, -one.lot))
        for group in groups
    ]
    by_group = [
        (place, one, number, Way.GROUP)
        for number, line in enumerate(lines)
        for place, one in enumerate(line[:each])
    ]
    others = [(one, number) for number, line in enumerate(lines) for one in line[each:]]
    others.sort(key=lambda pair: (pair[0].score, -pair[0].rank, pair[0].lot), reverse=True)
    by_next = [(each, one, number, Way.NEXT) for one, number in others[:next_best]]
    by_group.sort(key=lambda found: (-found[0], found[1].score, found[1].lot), reverse=True)
    return [
        Qualified(one, number, way, seed)
        for seed, (_place, one, number, way) in enumerate([*by_group, *by_next], start=1)
    ]


def snake(line: Sequence[T], groups: int) -> list[list[T]]:
    """A line in groups, there and back: 1 2 3 / 6 5 4 / 7 8 9."""
    dealt: list[list[T]] = [[] for _group in range(groups)]
    for index, one in enumerate(line):
        row, place = divmod(index, groups)
        dealt[groups - 1 - place if row % 2 else place].append(one)
    return dealt


def taken_along(total: Amount, per_cent: int) -> int:
    """So many per cent of a total, in hundredths; what is no whole number of them is rounded half away from 0."""
    hundredths = Fraction(total) * per_cent
    rounded = int(abs(hundredths) + Fraction(1, 2))
    return rounded if hundredths >= 0 else -rounded
