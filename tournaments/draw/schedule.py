"""A season's schedule: which teams meet in which round, who is at home, and who has a bye.

The rounds are the circle's (`constructions`): all meet once. Where teams are to have a bye on purpose, so that there
are substitutes to be had, the circle is made for so many more: whoever would meet one of those has a bye, and each
team has as many byes as any other. The rounds in which those meet each other come last, since fewer have a bye then.
Who is at home takes turns as in the circle; where a team would be at home two matches more or less than away, matches
along a chain of opponents are turned until nobody is. In a double round robin the second half repeats the first with
home and away exchanged.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tournaments.draw.constructions import circle
from tournaments.draw.tables import DrawError, _

Meeting = tuple[int, int]


@dataclass(frozen=True)
class Matchday:
    """A round of a schedule: who meets whom, the home team first, and who has a bye; teams count from 0."""

    matches: tuple[Meeting, ...]
    byes: tuple[int, ...] = ()


def schedule(
    teams: int, *, meetings: int = 1, byes: int = 0, rounds: int | None = None
) -> tuple[Matchday, ...]:
    """Return the rounds in which `teams` teams all meet `meetings` times (1 or 2), or the first `rounds` of them.

    At least `byes` teams have a bye each round, but for those in the last rounds; one more where numbers ask for it.
    Home and away are even within one. Raises DrawError "too_few_pairs" for less than two teams,
    "too_many_byes" where fewer than two would be left to play.
    """
    if teams < 2:  # noqa: PLR2004 - it takes two
        raise DrawError("too_few_pairs", _("It takes at least two to play against each other."))
    if byes > teams - 2:
        text = _("With {byes} byes a round, {teams} teams leave nobody to play.")
        raise DrawError("too_many_byes", text, byes=byes, teams=teams)
    places = teams + byes + (teams + byes) % 2
    half = [tuple(pair for pair in pairs if max(pair) < teams) for pairs in circle(places)]
    half.sort(key=len)
    once = balanced(half if rounds is None else half[:rounds])
    mirrored = [tuple((away, home) for home, away in matches) for matches in once]
    found = [*once, *mirrored][:rounds] if meetings > 1 else once
    return tuple(Matchday(matches, _without(matches, teams)) for matches in found)


def _without(matches: Sequence[Meeting], teams: int) -> tuple[int, ...]:
    playing = {team for pair in matches for team in pair}
    return tuple(team for team in range(teams) if team not in playing)


def balanced(
    rounds: Sequence[Sequence[Meeting]], at_home: Mapping[int, int] | None = None
) -> list[tuple[Meeting, ...]]:
    """Return the same meetings, nobody at home two times more or less than away, as far as turning them goes.

    `at_home` says how many times more than away somebody has been at home before.
    """
    guests: dict[int, Counter[int]] = defaultdict(Counter)
    surplus = Counter(at_home or {})
    for home, away in (pair for matches in rounds for pair in matches):
        guests[home][away] += 1
        surplus.update({home: 1})
        surplus.subtract({away: 1})
    # A plain season ends with somebody too often away; after others have gone nobody else needs to be.
    below = 0 if at_home is None else max(surplus.values(), default=0)
    while chain := _chain(guests, surplus, below):
        for home, away in pairwise(chain):
            guests[home][away] -= 1
            guests[away][home] += 1
        surplus[chain[0]] -= 2
        surplus[chain[-1]] += 2
    return [tuple(_turned(pair, guests) for pair in matches) for matches in rounds]


def _turned(pair: Meeting, guests: Mapping[int, Counter[int]]) -> Meeting:
    """The meeting with one of the homes that it is to have; each is used once."""
    home, away = pair if guests[pair[0]][pair[1]] else pair[::-1]
    guests[home][away] -= 1
    return home, away


def _chain(guests: Mapping[int, Counter[int]], surplus: Mapping[int, int], below: int) -> list[int]:
    """Teams of which each has the next one as a guest, from too often at home to too often away; else nothing.

    The last one is at home less than `below` times more than away.
    """
    for start in sorted(surplus, key=lambda team: (-surplus[team], team)):
        came_from = {start: start}
        waiting = deque([start])
        while waiting:
            team = waiting.popleft()
            if surplus[team] < below and surplus[start] - surplus[team] > 2:  # noqa: PLR2004 - one more, one less
                chain = [team]
                while chain[-1] != start:
                    chain.append(came_from[chain[-1]])
                return chain[::-1]
            for guest in sorted(guest for guest, times in guests[team].items() if times):
                if guest not in came_from:
                    came_from[guest] = team
                    waiting.append(guest)
    return []
