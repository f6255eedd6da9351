"""The history of a club or a union: its years put together."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tournaments.people.kept_years import years
from tournaments.people.years import FIELDS, AtHost, Own, Year
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clubs.models import Club
    from tournaments.people.span import Span

RUN, EVENINGS = "run", "evenings"


class Record(NamedTuple):
    """What somebody holds: `kind`, how much, whose, and at which evening (an entry's primary key), the first who did.

    A run, and most evenings, are over many: their `entry` is the newest.
    """

    kind: str
    value: int
    player: int
    entry: int
    shared_by: int = 1


class Attendance(NamedTuple):
    """A year: how many evenings, different people, and people an evening."""

    year: int
    evenings: int
    people: int
    each: float


class Fame(NamedTuple):
    """A person in the hall of fame: wins, evenings that are over, tokens and deals at all of them."""

    player: int
    wins: int
    evenings: int
    tokens: int
    deals: int


class Milestone(NamedTuple):
    """What somebody is about to reach: their 500th deal (`what`: DEAL or EVENING) on an evening to come."""

    player: int
    what: str
    number: int
    now: int


# Deals and evenings that are worth a word.
DEAL, EVENING = "deal", "evening"
ROUND_DEALS = (100, 250, 500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10_000)
ROUND_EVENINGS = (10, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000)


@dataclass(frozen=True, slots=True)
class History:
    """The years in their order, and each person over all of them, as far as they may be told of."""

    years: Sequence[Year]
    own: Mapping[int, Own]

    def records(self) -> list[Record]:
        """In the order of FIELDS, then the longest run and most evenings; none that is of nothing."""
        found = []
        for kind in FIELDS:
            held = [year.best[kind] for year in self.years if kind in year.best]
            if held:
                value = max(best.value for best in held)
                first = next(best for best in held if best.value == value)
                shared = sum(best.shared_by for best in held if best.value == value)
                found.append(Record(kind, value, first.player, first.entry, shared))
        runs = {player: own.longest_run for player, own in self.own.items()}
        evenings = {player: own.evenings for player, own in self.own.items()}
        return found + _most(RUN, runs, self.own) + _most(EVENINGS, evenings, self.own)

    def attendance(self) -> list[Attendance]:
        return [
            Attendance(year.year, year.evenings, year.people, year.chairs / year.evenings)
            for year in self.years
        ]

    def hall_of_fame(self, most: int = 20) -> list[Fame]:
        """Who has won the most evenings; equal ones by tokens."""
        won = [
            Fame(player, own.wins, own.finished, own.tokens, own.deals)
            for player, own in self.own.items()
            if own.wins
        ]
        return sorted(won, key=lambda one: (-one.wins, -one.tokens, one.player))[:most]

    def contracts(self) -> dict[str, Declared]:
        """What games of each contract came to, the most played first."""
        found: dict[str, Declared] = {}
        for year in self.years:
            for name, line in year.contracts.items():
                whole = found.setdefault(name, Declared())
                for field in ("deals", "tokens", "won", "bete", "kodille"):
                    setattr(whole, field, getattr(whole, field) + getattr(line, field))
        return dict(sorted(found.items(), key=lambda item: (-item[1].deals, item[0])))

    def hosts(self) -> dict[int, dict[int, AtHost]]:
        """Host -> year -> its share of that year."""
        found: dict[int, dict[int, AtHost]] = defaultdict(dict)
        for year in self.years:
            for host, share in year.hosts.items():
                found[host][year.year] = share
        return found

    def milestones(self, players: Iterable[int], deals: int) -> list[Milestone]:
        """Which round numbers these players reach on their next evening, of so many deals; the greatest first."""
        found = []
        for player in players:
            own = self.own.get(player)
            if own is None:
                continue
            for what, now, more, numbers in (
                (DEAL, own.deals, deals, ROUND_DEALS),
                (EVENING, own.evenings, 1, ROUND_EVENINGS),
            ):
                found += [
                    Milestone(player, what, number, now) for number in numbers if now < number <= now + more
                ]
        return sorted(found, key=lambda one: (-one.number, one.player, one.what))


def history(around: Club, span: Span | None = None) -> History:
    return History(*years(around, span))


def _most(kind: str, values: dict[int, int], own: Mapping[int, Own]) -> list[Record]:
    """Who has the most; of equal ones who is known longest."""
    value, player = max(((value, -player) for player, value in values.items()), default=(0, 0))
    if not value:
        return []
    shared = sum(other == value for other in values.values())
    return [Record(kind, value, -player, own[-player].entry, shared)]
