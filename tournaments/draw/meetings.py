"""Which pairs or teams meet next, after what has been played: the schedule's rounds, or a search where it broke.

As long as the teams are those that began, the schedule continues. Where one of them has left and the others are an
odd number, its opponent has a bye. Any other change (a team came late, two have left) requires new
rounds (`mended`): as many meetings as can be had of those who have not met as often as they are to, the byes shared
out. `missing_at_least` and `missing_from_the_start` count how many are missing whatever is drawn.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import ceil
from random import Random

from tournaments.draw.constructions import circle
from tournaments.draw.tables import DrawError, _

# Rounds for those who have not all met yet: as many of their meetings as can be had, and no more rounds than needed.
#
# Where a team joined or left, no formula gives the meetings. The meetings that are left are laid on rounds, one
# after another, so that no team plays twice in one. Where both have a round free, but not the same, two rounds change
# places along a chain of opponents until they have (Kempe); where that does not help, another meeting gives way and
# is laid again. First meetings come before second ones. Of plans with as many meetings the one with the evenest byes
# is taken.
#
# `fewest_missing` counts how many meetings no plan can have.

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

    `unmet` is how often two have still to meet, `turns` in how many rounds a team can play, `most` how many meetings
    all the rounds have room for. Three things are counted: the room; the teams with more meetings left than rounds,
    two of which lose one together only where they have one left; and odd numbers of teams, of which one is always over.
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

    `met` is how often two have met, `had_byes` how many byes each has had. Home and away are not decided here.
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
        """Lay as many meetings as can be had, byes as even as can be; return the best plan found."""
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
        """Lay a meeting where its other team is free and `team` is not; nothing where a better one is there already."""
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

        It ends where a team has no meeting in the other round, or with `start` again.
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


# A season's schedule: which teams meet in which round, who is at home, and who has a bye.
#
# The rounds are the circle's (`constructions`): all meet once. Where teams are to have a bye on purpose, so that
# there are substitutes to be had, the circle is made for so many more: a team that would meet one of those has a bye,
# and each team has as many byes as any other. The rounds in which those meet each other come last, since fewer have a
# bye then. Who is at home takes turns as in the circle; where a team would be at home two matches more or less than
# away, matches along a chain of opponents are turned until no team is. In a double round robin the second half repeats
# the first with home and away exchanged.

Meeting = tuple[int, int]


@dataclass(frozen=True)
class Matchday:
    """A round of a schedule: its meetings, the home team first, and the teams with a bye; teams count from 0."""

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
    if teams < 2:  # it takes two
        raise DrawError("too_few_pairs", _("At least two are needed to play against each other."))
    if byes > teams - 2:
        text = _("With {byes} byes per round, {teams} teams leave no one to play.")
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
    """Return the same meetings, turned so that, where possible, no team is at home two times more or less than away.

    `at_home` is how many times more than away each has been at home before.
    """
    guests: dict[int, Counter[int]] = defaultdict(Counter)
    surplus = Counter(at_home or {})
    for home, away in (pair for matches in rounds for pair in matches):
        guests[home][away] += 1
        surplus.update({home: 1})
        surplus.subtract({away: 1})
    # A plain season ends with one team too often away; after others have left no other team needs to be.
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
            if surplus[team] < below and surplus[start] - surplus[team] > 2:  # one more, one less
                chain = [team]
                while chain[-1] != start:
                    chain.append(came_from[chain[-1]])
                return chain[::-1]
            for guest in sorted(guest for guest, times in guests[team].items() if times):
                if guest not in came_from:
                    came_from[guest] = team
                    waiting.append(guest)
    return []


def rounds_to_meet(teams: int, meetings: int = 1, byes: int = 0) -> int:
    """The number of rounds until all have met so often, `byes` of them free each round; 0 for no teams."""
    places = teams + byes
    return meetings * (places - 1 + places % 2) if teams > 1 else 0


def next_meetings(
    teams: Sequence[int],
    rounds: int,
    *,
    meetings: int = 1,
    byes: int = 0,
    history: Sequence[Matchday] = (),
    seed: int | None = None,
) -> tuple[Matchday, ...]:
    """Return the next rounds in which `teams` meet, given by number, until all have met `meetings` times.

    `byes` of them are free each round on purpose (`schedule`). Fewer than `rounds` where all have met before.
    `history` are the rounds that have been; the schedule's places go by lot, or in the order of the numbers without a
    seed. Raises DrawError "too_few_pairs" for less than two teams, "too_many_byes".
    """
    began = sorted({*teams, *(team for day in history for team in _in(day))})
    planned = _planned(began, meetings, byes, len(history) + rounds, seed)
    if _follows(history, planned, began, teams):
        return tuple(_without_gone(day, teams) for day in planned[len(history) :])
    return _mended(teams, rounds, meetings, byes, history, Random(seed or 0))


def _in(day: Matchday) -> list[int]:
    return [*day.byes, *(team for pair in day.matches for team in pair)]


def _planned(teams: Sequence[int], meetings: int, byes: int, rounds: int, seed: int | None) -> list[Matchday]:
    """The schedule of those who began; every other time all meet, home and away are exchanged."""
    lot = list(teams) if seed is None else Random(seed).sample(teams, len(teams))
    once = schedule(len(teams), byes=byes, rounds=min(rounds, rounds_to_meet(len(teams), byes=byes)))
    days = []
    for turn in range(meetings):
        for day in once:
            matches = [(lot[one], lot[other]) for one, other in day.matches]
            turned = [pair[::-1] if turn % 2 else pair for pair in matches]
            days.append(Matchday(tuple(turned), tuple(lot[team] for team in day.byes)))
    return days[:rounds]


def _follows(
    history: Sequence[Matchday], planned: Sequence[Matchday], began: Sequence[int], teams: Sequence[int]
) -> bool:
    """Whether what was played is the schedule's beginning, and what is left of it fits those who play on."""
    gone = len(began) - len(teams)
    if gone > 1 or (gone and len(teams) % 2 == 0) or len(history) > len(planned):
        return False
    return all(_met(was) == _met(said) for was, said in zip(history, planned, strict=False))


def _met(day: Matchday) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in day.matches}


def _without_gone(day: Matchday, teams: Sequence[int]) -> Matchday:
    here = set(teams)
    matches = tuple(pair for pair in day.matches if here.issuperset(pair))
    playing = {team for pair in matches for team in pair}
    return Matchday(matches, tuple(team for team in _in(day) if team in here and team not in playing))


def _mended(
    teams: Sequence[int], rounds: int, meetings: int, byes: int, history: Sequence[Matchday], rng: Random
) -> tuple[Matchday, ...]:
    """The rounds in which most of what is left is met, home and away even with what has been."""
    lot = rng.sample(sorted(teams), len(teams))
    met = Counter(pair for day in history for pair in _met(day))
    had = Counter(team for day in history for team in day.byes)
    days = mended(lot, rounds, met, meetings=meetings, byes=byes, had_byes=had, rng=rng)
    at_home = Counter(home for day in history for home, _away in day.matches)
    at_home.subtract(away for day in history for _home, away in day.matches)
    here = {team: at_home[team] for team in teams}
    found = []
    for matches in balanced(days, here):
        playing = {team for pair in matches for team in pair}
        found.append(Matchday(matches, tuple(sorted(set(teams) - playing))))
    return tuple(found)


def missing_at_least(
    days: Sequence[Matchday],
    left: int,
    teams: Sequence[int],
    *,
    meetings: int,
    byes: int = 0,
) -> int:
    """Return how many meetings are missing in the end, whatever is drawn for the `left` rounds after these `days`.

    Counted until all `teams` have met `meetings` times, with `byes` of them free each round.
    """
    met = Counter(pair for day in days for pair in _met(day))
    unmet = {pair: meetings - met[pair] for pair in _pairs(teams) if met[pair] < meetings}
    return fewest_missing(unmet, dict.fromkeys(teams, left), left * _room(len(teams), byes))


def missing_from_the_start(
    days: Sequence[Matchday], teams: Sequence[int], *, meetings: int, byes: int = 0
) -> int:
    """Return the same for all these days as if none were drawn yet: only the teams present are known."""
    there = [set(_in(day)) & set(teams) for day in days]
    turns = {team: sum(team in some for some in there) for team in teams}
    most = sum(_room(len(some), byes) for some in there)
    return fewest_missing(dict.fromkeys(_pairs(teams), meetings), turns, most)


def _pairs(teams: Sequence[int]) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in combinations(teams, 2)]


def _room(teams: int, byes: int) -> int:
    """The most meetings at once, with so many byes."""
    return max(teams - byes, 0) // 2
