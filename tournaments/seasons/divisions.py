"""The divisions of the next season: promoted, relegated, declined, moved up instead. Pure values in and out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum


class Move(Enum):
    """How a team got into its division."""

    STAYS = "stays"
    UP = "up"
    # Another one declined, stays away, or has too many teams of its club above.
    UP_INSTEAD = "up instead"
    DOWN = "down"
    # No team was promoted into its place.
    SAVED = "saved"


@dataclass(frozen=True, slots=True)
class Places:
    """The new divisions from the first on, each as its teams in order, and how each team came there.

    `crowded` are clubs that have more teams in a division than they may, with the division: only promotions are kept
    from it.
    """

    divisions: Sequence[Sequence[int]]
    moves: Mapping[int, Move]
    crowded: Sequence[tuple[int, int]] = ()


@dataclass
class _Division:
    stay: list[int]
    down: list[int] = field(default_factory=list)
    up: list[int] = field(default_factory=list)
    saved: list[int] = field(default_factory=list)


def next_divisions(
    ranked: Sequence[Sequence[int]],
    clubs: Mapping[int, int | None],
    *,
    promoted: int,
    relegated: int,
    away: Collection[int] = (),
    declined: Collection[int] = (),
    most_of_club: int = 0,
) -> Places:
    """Return the divisions of the next season from the final places of this one, teams by number.

    `away` play no more: their place is kept by the best of those to be relegated, else by the next below. `declined` do
    not go up: the next goes instead. With `most_of_club` nobody goes up where the club has so many; 0 for no limit.
    """
    found = [_Division([team for team in division if team not in away]) for division in ranked]
    lost = [sum(team in away for team in division) for division in ranked]
    for number, division in enumerate(found[:-1]):
        count = min(max(relegated - lost[number], 0), max(len(division.stay) - 1, 0))
        split = len(division.stay) - count
        division.stay, division.down = division.stay[:split], division.stay[split:]
    moves: dict[int, Move] = {}
    for number in range(1, len(found)):
        above, below = found[number - 1], found[number]
        wanted = promoted + max(lost[number - 1] - relegated, 0)
        came_down = found[number - 2].down if number > 1 else []
        of_club = Counter(clubs.get(team) for team in (*above.stay, *above.saved, *came_down))
        skipped = False
        for team in list(below.stay):
            if len(above.up) == wanted:
                break
            club = clubs.get(team)
            is_full = most_of_club and club is not None and of_club[club] >= most_of_club
            if team in declined or is_full:
                skipped = True
                continue
            of_club[club] += 1
            above.up.append(team)
            below.stay.remove(team)
            is_next = skipped or len(above.up) > promoted
            moves[team] = Move.UP_INSTEAD if is_next else Move.UP
        lacking = min(wanted - len(above.up), len(above.down))
        above.saved, above.down = above.down[:lacking], above.down[lacking:]
    divisions = []
    for number, division in enumerate(found):
        came_down = found[number - 1].down if number else []
        moves |= dict.fromkeys(came_down, Move.DOWN)
        moves |= dict.fromkeys(division.stay, Move.STAYS)
        moves |= dict.fromkeys(division.saved, Move.SAVED)
        divisions.append([*came_down, *division.stay, *division.saved, *division.up])
    # An empty division is none.
    return Places([one for one in divisions if one], moves, _crowded(divisions, clubs, most_of_club))


def _crowded(
    divisions: Sequence[Sequence[int]], clubs: Mapping[int, int | None], most: int
) -> list[tuple[int, int]]:
    found = []
    for number, teams in enumerate(divisions, 1):
        counted = Counter(club for team in teams if (club := clubs.get(team)) is not None)
        found += [(club, number) for club, count in counted.items() if most and count > most]
    return found
