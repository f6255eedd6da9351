"""Fill the quotas of a stage from their sources. Plain values in and out, without a database."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


# So many next in line are of interest.
FOLLOWING = 3


class Reason(StrEnum):
    """Why somebody is passed over."""

    DECLINED = "declined"
    WITHDREW = "withdrew"
    EARLIER = "earlier"  # qualifies by an earlier quota


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player with their place in a source; `club` is 0 for a guest."""

    player: int
    place: int
    club: int = 0


@dataclass(frozen=True, slots=True)
class Places:
    """A quota: so many `places` for the first of a `line`, in its order, or for the first of `each_club` in it."""

    places: int
    line: Sequence[Candidate]
    each_club: bool = False


@dataclass(frozen=True, slots=True)
class Passed:
    """A candidate who would have a place, and does not take it."""

    candidate: Candidate
    reason: Reason


@dataclass(frozen=True, slots=True)
class Going:
    """A qualified player; `instead_of` is the one before them who was passed over."""

    candidate: Candidate
    instead_of: Passed | None = None


@dataclass(frozen=True, slots=True)
class Tie:
    """Candidates of one place for whom there are fewer places left: the organiser decides."""

    candidates: Sequence[Candidate]
    places: int


@dataclass(frozen=True, slots=True)
class Filled:
    """A quota as it is filled; `following` are next in line, `missing` places have nobody."""

    going: Sequence[Going]
    passed: Sequence[Passed]
    ties: Sequence[Tie]
    following: Sequence[Candidate]
    missing: int


def fill(quotas: Iterable[Places], out: Mapping[int, Reason], first: Collection[int] = ()) -> list[Filled]:
    """Fill the quotas in their order: who qualifies by two takes the first, and the second goes to the next in line.

    Players who are `out` are passed over. `first` go before those of the same place. Who is in an undecided tie gets
    no place in a later quota. The next three in line are returned, or of each club the next one.
    """
    gone, undecided, filled = dict(out), set[int](), []
    for quota in quotas:
        parts = [
            _fill(
                [one for one in line if one.player not in undecided],
                quota.places,
                gone,
                first,
                1 if quota.each_club else FOLLOWING,
            )
            for line in _lines(quota)
        ]
        found = Filled(
            sorted((one for part in parts for one in part.going), key=lambda one: one.candidate.place),
            [one for part in parts for one in part.passed],
            [one for part in parts for one in part.ties],
            [one for part in parts for one in part.following],
            sum(part.missing for part in parts),
        )
        filled.append(found)
        gone |= {one.candidate.player: Reason.EARLIER for one in found.going}
        undecided |= {one.player for tie in found.ties for one in tie.candidates}
    return filled


def _lines(quota: Places) -> list[Sequence[Candidate]]:
    """The line itself, or that of each club."""
    if not quota.each_club:
        return [quota.line]
    clubs: dict[int, list[Candidate]] = {}
    for one in quota.line:
        if one.club:
            clubs.setdefault(one.club, []).append(one)
    return list(clubs.values())


def _fill(
    line: Sequence[Candidate], places: int, gone: Mapping[int, Reason], first: Collection[int], shown: int
) -> Filled:
    room, number = places, 0
    passed: list[Passed] = []
    going: list[tuple[int, Candidate]] = []
    ties: list[Tie] = []
    following: list[Candidate] = []
    for _place, equals in groupby(line, key=lambda one: one.place):
        level = list(equals)
        free = [one for one in level if one.player not in gone]
        if room == 0:
            following += free
            continue
        passed += [Passed(one, gone[one.player]) for one in level if one.player in gone]
        number += len(level) - len(free)
        if len(free) > room:
            ahead = [one for one in free if one.player in first][:room]
            free, rest = ahead, [one for one in free if one not in ahead]
            if len(ahead) < room:
                ties.append(Tie(rest, room - len(ahead)))
                room = len(ahead)
            else:
                following += rest
        going += [(number + position, one) for position, one in enumerate(free, start=1)]
        number += len(free)
        room -= len(free)
    moved = iter(passed)
    return Filled(
        [Going(one, next(moved, None) if position > places else None) for position, one in going],
        passed,
        ties,
        following[:shown],
        room,
    )
