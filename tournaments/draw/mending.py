"""Rounds for those who have not all met yet: as many of their meetings as can be had, and no more rounds than needed.

Where somebody came or went, no formula says who meets whom. The meetings that are left are laid on rounds, one after
another, so that nobody plays twice in one. Where both have a round free, but not the same, two rounds change places
along a chain of opponents until they have (Kempe); where that does not help, another meeting gives way and is laid
anew. First meetings come before second ones. Of plans with as many meetings the one with the evenest byes is taken.

`fewest_missing` counts how many meetings no plan can have.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

Ends = frozenset[int]

# Moves in search of a plan, besides some for each meeting; the search ends where there is nothing left to gain.
MOVES = 6000
MOVES_A_MEETING = 20
# Moves without better byes where no more meetings can be had, divided by the meetings: large draws stay quick.
PATIENCE = 300_000
STRICT = 0.9  # how often a first meeting is laid before a second one
SUBSETS_UP_TO = 11  # among so many every odd number of teams is counted on its own


def fewest_missing(unmet: Mapping[Ends, int], turns: Mapping[int, int], most: int) -> int:
    """Return how many of these meetings cannot be had, whatever is drawn: a bound, not always the truth.

    `unmet` says how often two have still to meet, `turns` in how many rounds a team can play, `most` how many meetings
    all the rounds have room for. Three things are counted: the room; the teams with more meetings left than rounds,
    two of whom lose one together only where they have one left; and odd numbers of teams, of whom one is always over.
    """
    left: Counter[int] = Counter()
    for ends, times in unmet.items():
        left.update(dict.fromkeys(ends, times))
    over = {team: left[team] - turns[team] for team in left if left[team] > turns[team]}
    among: Counter[int] = Counter()
    for ends, times in unmet.items():
        if ends <= over.keys():
            among.update(dict.fromkeys(ends, times))
    together = sum(min(lost, among[team]) for team, lost in over.items()) // 2
    return max(sum(unmet.values()) - most, sum(over.values()) - together, _odd_ones_out(unmet, turns), 0)


def _odd_ones_out(unmet: Mapping[Ends, int], turns: Mapping[int, int]) -> int:
    """The meetings among some odd number of teams that their rounds have no room for."""
    teams = sorted({team for ends in unmet for team in ends})
    if len(teams) > SUBSETS_UP_TO:
        return 0
    worst = 0
    for size in range(3, len(teams) + 1, 2):
        for some in combinations(teams, size):
            among = sum(unmet.get(frozenset(two), 0) for two in combinations(some, 2))
            room = max(turns[team] for team in some) * (size // 2)
            worst = max(worst, among - room)
    return worst


def mended(
    teams: Sequence[int],
    rounds: int,
    met: Mapping[Ends, int],
    *,
    meetings: int,
    byes: int,
    had_byes: Mapping[int, int],
    rng: Random,
) -> list[list[tuple[int, int]]]:
    """Return up to `rounds` rounds of meetings until all have met `meetings` times; `byes` are free each round.

    `met` says how often two have met, `had_byes` who has had how many byes. Home and away are not decided here.
    """
    wanted = [
        (*pair, level)
        for pair in combinations(teams, 2)
        for level in range(met.get(frozenset(pair), 0) + 1, meetings + 1)
    ]
    room = (len(teams) - byes) // 2
    if not wanted or room < 1 or rounds < 1:
        return []
    busiest = max(Counter(team for one, other, _level in wanted for team in (one, other)).values())
    found = None
    for fewer in range(min(rounds, max(busiest, ceil(len(wanted) / room))), rounds + 1):
        found = _Search(teams, wanted, fewer, room, had_byes)
        found.seek(rng)
        if not found.missing:
            break
    return found.days() if found else []


class _Search:
    """Meetings laid on rounds; `wanted` are two teams and which meeting of theirs it is, 1 the first."""

    def __init__(
        self,
        teams: Sequence[int],
        wanted: Sequence[tuple[int, int, int]],
        rounds: int,
        room: int,
        had_byes: Mapping[int, int],
    ) -> None:
        self.wanted, self.rounds, self.room = wanted, rounds, room
        self.laid: list[int | None] = [None] * len(wanted)  # by meeting: its round
        self.missing = dict.fromkeys(range(len(wanted)))
        self.missing_of = Counter(level for _one, _other, level in wanted)
        self.at: dict[int, list[int | None]] = {team: [None] * rounds for team in teams}
        self.byes = {team: rounds + had_byes.get(team, 0) for team in teams}
        self.unevenness = sum(byes * byes for byes in self.byes.values())

    def seek(self, rng: Random) -> None:
        """Lay as many meetings as can be had, byes as even as can be; the best plan on the way is kept."""
        unmet = Counter(frozenset((one, other)) for one, other, _level in self.wanted)
        lost = fewest_missing(unmet, dict.fromkeys(self.at, self.rounds), self.rounds * self.room)
        best, kept, teams = self._worth(), list(self.laid), list(self.at)
        waited, patience = 0, PATIENCE // len(self.wanted)
        for _move in range(MOVES + MOVES_A_MEETING * len(self.wanted)):
            enough = len(self.missing) <= lost and (waited > patience or self._byes_are_even())
            if enough or not self.missing:
                break
            open_ = list(self.missing)
            first = min(self.wanted[meeting][2] for meeting in open_)
            if rng.random() < STRICT:
                open_ = [meeting for meeting in open_ if self.wanted[meeting][2] == first]
            self._move(rng.choice(open_), rng)
            if self.rounds > 1:
                self._exchange(rng.choice(teams), *rng.sample(range(self.rounds), 2))
            waited += 1
            if (worth := self._worth()) > best:
                best, kept, waited = worth, list(self.laid), 0
        self._lay_as(kept)
        self._even_out()

    def days(self) -> list[list[tuple[int, int]]]:
        """The rounds that have a meeting: those with the most first meetings, then with the most meetings, first."""
        days: list[list[tuple[int, int, int]]] = [[] for _round in range(self.rounds)]
        for meeting, round_ in enumerate(self.laid):
            if round_ is not None:
                days[round_].append(self.wanted[meeting])
        last = max(self.missing_of) + 1
        days.sort(key=lambda day: [*sorted(level for _one, _other, level in day), last])
        return [[(one, other) for one, other, _level in day] for day in days if day]

    def _worth(self) -> tuple[int, ...]:
        """More is better: first meetings, then second ones…, then byes shared evenly."""
        return (*(-self.missing_of[level] for level in sorted(self.missing_of)), -self.unevenness)

    def _byes_are_even(self) -> bool:
        return max(self.byes.values()) - min(self.byes.values()) <= 1

    def _move(self, meeting: int, rng: Random) -> None:
        """Lay a meeting: where both are free, or can be made so, or in the place of another that is no better."""
        one, other, _level = self.wanted[meeting]
        mine = [round_ for round_, taken in enumerate(self.at[one]) if taken is None]
        theirs = [round_ for round_, taken in enumerate(self.at[other]) if taken is None]
        if mine and theirs and not self._is_full():
            if both := sorted(set(mine) & set(theirs)):
                self._lay(meeting, rng.choice(both))
                return
            ours = rng.choice(mine)
            if one not in self._exchange(other, ours, rng.choice(theirs)):
                self._lay(meeting, ours)
                return
        ways = [(other, round_) for round_ in mine] + [(one, round_) for round_ in theirs]
        if ways:
            self._push(meeting, *rng.choice(ways), rng)

    def _push(self, meeting: int, team: int, round_: int, rng: Random) -> None:
        """Lay a meeting where its other team is free and `team` is not; nothing where a better one stands there."""
        standing = self.at[team][round_]
        if standing is None and self._is_full():
            standing = rng.choice([at for at, laid in enumerate(self.laid) if laid is not None])
        if standing is not None:
            if self.wanted[standing][2] < self.wanted[meeting][2]:
                return
            self._lift(standing)
        if all(self.at[team][round_] is None for team in self.wanted[meeting][:2]):
            self._lay(meeting, round_)

    def _is_full(self) -> bool:
        return len(self.wanted) - len(self.missing) >= self.rounds * self.room

    def _lay(self, meeting: int, round_: int) -> None:
        self.laid[meeting] = round_
        del self.missing[meeting]
        self._book(meeting, round_, meeting, -1)

    def _lift(self, meeting: int) -> None:
        round_ = self.laid[meeting]
        if round_ is not None:
            self.laid[meeting] = None
            self.missing[meeting] = None
            self._book(meeting, round_, None, 1)

    def _book(self, meeting: int, round_: int, taken: int | None, byes: int) -> None:
        one, other, level = self.wanted[meeting]
        self.missing_of[level] += byes
        for team in (one, other):
            self.at[team][round_] = taken
            self.unevenness += 2 * byes * self.byes[team] + 1
            self.byes[team] += byes

    def _exchange(self, start: int, first: int, second: int) -> set[int]:
        """Change two rounds along the chain of meetings in them that `start` is in; return who is in it."""
        chain, teams = self._chain(start, first, second)
        if teams[-1] != start or len(teams) == 1:  # no ring: the other way too
            more, others = self._chain(start, second, first)
            chain, teams = chain + more, teams + others
        for meeting, _new in chain:
            self._lift(meeting)
        for meeting, new in chain:
            self._lay(meeting, new)
        return set(teams)

    def _chain(self, start: int, first: int, second: int) -> tuple[list[tuple[int, int]], list[int]]:
        """The meetings one after another, `start`'s in the first round to begin with, each with its new round.

        It ends where somebody has no meeting in the other round, or with `start` again.
        """
        chain, teams = [], [start]
        round_, next_ = first, second
        while (meeting := self.at[teams[-1]][round_]) is not None:
            chain.append((meeting, next_))
            one, other, _level = self.wanted[meeting]
            teams.append(other if teams[-1] == one else one)
            if teams[-1] == start:
                break
            round_, next_ = next_, round_
        return chain, teams

    def _lay_as(self, laid: Sequence[int | None]) -> None:
        for meeting in range(len(self.wanted)):
            self._lift(meeting)
        for meeting, round_ in enumerate(laid):
            if round_ is not None:
                self._lay(meeting, round_)

    def _even_out(self) -> None:
        """Move meetings out of rounds that have more than there is room for, along chains of two rounds."""
        while True:
            sizes = Counter({round_: self.laid.count(round_) for round_ in range(self.rounds)})
            (fullest, most), *_others = sizes.most_common()
            if most <= self.room:
                return
            emptiest = sizes.most_common()[-1][0]
            for (
                team
            ) in self.at:  # of the chains that begin so, one has an end in the fuller round at both ends
                if self.at[team][fullest] is not None and self.at[team][emptiest] is None:
                    self._exchange(team, fullest, emptiest)
                    if self.laid.count(fullest) < most:
                        break
                    self._exchange(team, emptiest, fullest)
