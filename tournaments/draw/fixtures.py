"""Plan in which week each round of a schedule is played and who is at home, by wishes of the teams.

Numbers in, numbers out. A schedule's rounds go to weeks, and all meetings of two teams change their ground together, so
that each has as many matches at home against the other as before. The same schedule, wishes and seed give the same
plan.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from tournaments.draw.meetings import Matchday

# How many changes are tried, and how readily a change for the worse is accepted: from the first to the last.
TRIES, HOT, COLD = 14_000, 40.0, 0.3
# What it costs not to grant a wish, to have a team three times running at home or away, two teams meet again soon, and
# a team at home two times more or less than away.
HARD, SOFT, THREE_RUNNING, REMATCH, UNEVEN = 1000, 20, 1, 4, 6
# What a team's breaks cost where journeys are to be alike, times their square: so they are few, and even.
BREAKS = 1
# Two teams do not meet again within so many weeks.
WEEKS_BETWEEN = 3
# So many journeys more than the team with the fewest, and breaks more than the average, a team may have where they are
# to be alike; and how much more a team's own wish costs then, so that it comes before them.
MORE_AWAY, MORE_BREAKS, OWN_FIRST = 1, 2, 10


@dataclass(frozen=True, slots=True)
class NotAtHome:
    """A team wishes not to be at home in a week, counted from 0."""

    team: int
    week: int
    is_hard: bool = False


@dataclass(frozen=True, slots=True)
class Apart:
    """Two teams wish not to be at home in the same week: they share a hall."""

    one: int
    other: int
    is_hard: bool = False


@dataclass(frozen=True, slots=True)
class JourneysAlike:
    """All teams wish for as many journeys as the others, and for matches at home and away by turns; a soft wish.

    Journeys are counted; how long they are has no influence on the plan.
    """


Wish = NotAtHome | Apart | JourneysAlike


@dataclass(frozen=True, slots=True)
class Journeys:
    """How often a team is away, and how often it is at home or away two matches running (a break)."""

    team: int
    away: int
    breaks: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A wish that the plan does not grant, and in which weeks."""

    wish: NotAtHome | Apart
    weeks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fixtures:
    """The rounds in the order of their weeks, and the wishes that are not granted, hard ones first."""

    days: tuple[Matchday, ...]
    refused: tuple[Refused, ...]


def plan_fixtures(days: Sequence[Matchday], wishes: Sequence[Wish], *, seed: int) -> Fixtures:
    """Return the schedule with its rounds reordered and grounds exchanged, so that most wishes are granted."""
    if not wishes or not days:
        return Fixtures(tuple(days), ())
    best = _Search(days, wishes, Random(seed)).best()
    return Fixtures(best, refused_in(best, wishes))


def refused_in(days: Sequence[Matchday], wishes: Iterable[Wish]) -> tuple[Refused, ...]:
    """The wishes that a schedule does not grant, hard ones first, each with its weeks."""
    at_home = [{home for home, _away in day.matches} for day in days]
    found = []
    for wish in wishes:
        if isinstance(wish, JourneysAlike):  # `unlike_journeys` names the teams
            continue
        if isinstance(wish, NotAtHome):
            weeks = [wish.week] if wish.week in range(len(days)) and wish.team in at_home[wish.week] else []
        else:
            weeks = [week for week, here in enumerate(at_home) if {wish.one, wish.other} <= here]
        if weeks:
            found.append(Refused(wish, tuple(weeks)))
    return tuple(sorted(found, key=lambda refused: not refused.wish.is_hard))


def journeys_of(days: Sequence[Matchday]) -> list[Journeys]:
    """Each team's journeys and breaks in a schedule, by team; a bye in between is no break."""
    at_home = [{home for home, _away in day.matches} for day in days]
    away = [{away for _home, away in day.matches} for day in days]
    running = [one & other for sides in (at_home, away) for one, other in pairwise(sides)]
    return [
        Journeys(team, sum(team in one for one in away), sum(team in one for one in running))
        for team in sorted(set().union(*at_home, *away))
    ]


def unlike_journeys(days: Sequence[Matchday]) -> list[Journeys]:
    """The teams that travel oftener, or have more breaks, than teams with alike journeys may."""
    found = journeys_of(days)
    if not found:
        return []
    most_away = min(one.away for one in found) + MORE_AWAY
    most_breaks = sum(one.breaks for one in found) / len(found) + MORE_BREAKS
    return [one for one in found if one.away > most_away or one.breaks > most_breaks]


class _Search:
    """Simulated annealing on two kinds of changes: two rounds exchange weeks, two teams exchange grounds.

    Teams are bits of a number: who is at home in a week is one number, so that a week's cost is a few operations.
    """

    def __init__(self, days: Sequence[Matchday], wishes: Sequence[Wish], random: Random) -> None:
        self.days, self.random = list(days), random
        teams = sorted({team for day in days for pair in day.matches for team in pair})
        self.bit = {team: 1 << place for place, team in enumerate(teams)}
        # Round -> who is at home in it, and who plays.
        self.home = [sum(self.bit[home] for home, _away in day.matches) for day in days]
        self.plays = [sum(self.bit[team] for pair in day.matches for team in pair) for day in days]
        self.order = list(range(len(days)))  # week -> round
        self.pairs: dict[frozenset[int], list[int]] = defaultdict(list)
        for number, day in enumerate(days):
            for pair in day.matches:
                self.pairs[frozenset(pair)].append(number)
        self.both = [(self._bits(pair), rounds) for pair, rounds in self.pairs.items()]
        # Whether exchanging grounds changes how often a team is at home.
        self.is_uneven = any(len(rounds) % 2 for rounds in self.pairs.values())
        self.flipped = [False] * len(self.both)
        self.avoid: dict[bool, list[int]] = {hard: [0] * len(days) for hard in (True, False)}
        self.apart: list[tuple[int, int]] = []
        self.is_alike = any(isinstance(wish, JourneysAlike) for wish in wishes)
        self.soft = SOFT * OWN_FIRST if self.is_alike else SOFT
        for wish in wishes:
            if isinstance(wish, JourneysAlike):
                continue
            price = HARD if wish.is_hard else self.soft
            if isinstance(wish, Apart):
                mask = self.bit.get(wish.one, 0) | self.bit.get(wish.other, 0)
                if mask.bit_count() > 1:
                    self.apart.append((mask, price))
            elif 0 <= wish.week < len(days):
                self.avoid[wish.is_hard][wish.week] |= self.bit.get(wish.team, 0)

    def _bits(self, pair: Iterable[int]) -> int:
        return sum(self.bit[team] for team in pair)

    def best(self) -> tuple[Matchday, ...]:
        cost = self._cost()
        best, kept = cost, (list(self.order), list(self.flipped))
        for step in range(TRIES):
            if not best:
                break
            undo = self._change()
            now = self._cost()
            heat = HOT * (COLD / HOT) ** (step / TRIES)
            if now <= cost or self.random.random() < math.exp((cost - now) / heat):
                cost = now
                if now < best:
                    best, kept = now, (list(self.order), list(self.flipped))
            else:
                undo()
        return self._to_matchdays(*kept)

    def _change(self) -> Callable[[], None]:
        """Make one change, and return what undoes it."""
        if len(self.order) > 1 and self.random.random() < 1 / 3:
            one, other = self.random.sample(range(len(self.order)), 2)
            self._swap(one, other)
            return lambda: self._swap(one, other)
        place = self.random.randrange(len(self.both))
        self._flip(place)
        return lambda: self._flip(place)

    def _swap(self, one: int, other: int) -> None:
        self.order[one], self.order[other] = self.order[other], self.order[one]

    def _flip(self, place: int) -> None:
        bits, rounds = self.both[place]
        self.flipped[place] = not self.flipped[place]
        for number in rounds:
            self.home[number] ^= bits

    def _uneven(self, home: Sequence[int], plays: Sequence[int]) -> int:
        """The cost of teams that are at home more or less often than away."""
        cost = 0
        for bit in self.bit.values():
            at_home = sum(1 for here in home if here & bit)
            matches = sum(1 for playing in plays if playing & bit)
            cost += UNEVEN * max(abs(2 * at_home - matches) - 1, 0)
        return cost

    def _cost(self) -> int:
        home = [self.home[number] for number in self.order]
        plays = [self.plays[number] for number in self.order]
        hard, soft, cost = self.avoid[True], self.avoid[False], 0
        for week, here in enumerate(home):
            cost += HARD * (here & hard[week]).bit_count() + self.soft * (here & soft[week]).bit_count()
            for mask, price in self.apart:
                if here & mask == mask:
                    cost += price
            if week > 1:
                running = here & home[week - 1] & home[week - 2]
                away = [plays[week - back] & ~home[week - back] for back in range(3)]
                cost += THREE_RUNNING * (running.bit_count() + (away[0] & away[1] & away[2]).bit_count())
        if self.is_alike:
            cost += BREAKS * _squares(home, plays)
        week_of = [0] * len(self.order)
        for week, number in enumerate(self.order):
            week_of[number] = week
        if self.is_uneven:
            cost += self._uneven(home, plays)
        for _bits, rounds in self.both:
            if len(rounds) > 1 and abs(week_of[rounds[0]] - week_of[rounds[1]]) < WEEKS_BETWEEN:
                cost += REMATCH
        return cost

    def _to_matchdays(self, order: Sequence[int], flipped: Sequence[bool]) -> tuple[Matchday, ...]:
        turned = {pair for pair, is_turned in zip(self.pairs, flipped, strict=True) if is_turned}
        found = []
        for number in order:
            day = self.days[number]
            matches = tuple(pair[::-1] if frozenset(pair) in turned else pair for pair in day.matches)
            found.append(Matchday(matches, day.byes))
        return tuple(found)


def _squares(home: Sequence[int], plays: Sequence[int]) -> int:
    """The sum over all teams of their breaks squared; a team is a bit of each week's number.

    Breaks are counted for all teams at once: `planes[n]` has the teams whose count has the binary digit n.
    """
    planes: list[int] = []
    for week in range(1, len(home)):
        carry = plays[week] & plays[week - 1] & ~(home[week] ^ home[week - 1])
        for place, plane in enumerate(planes):
            planes[place], carry = plane ^ carry, plane & carry
        if carry:
            planes.append(carry)
    return sum(
        (one & other).bit_count() << (first + second)
        for first, one in enumerate(planes)
        for second, other in enumerate(planes)
    )
