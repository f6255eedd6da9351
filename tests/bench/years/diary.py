"""What was played when in the union's years: which club, which format, how many took part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any, NamedTuple

from clubs.models import Club
from tests.bench.years.formats import Evening, Format, individual, pairs, teams
from tests.bench.years.people import People
from tournaments.models import Season

LAST_DAY = date(2026, 11, 22)
YEARS = 20
# A union's own evenings in a hundred: they are one season, the longest there is.
OF_UNION = 0.04


class Kind(NamedTuple):
    """A kind of evening, how many in a thousand are played so, and what its tournament is."""

    share: int
    play: Format
    name: str
    players: tuple[int, ...]
    # Rounds and deals that are usual together.
    rounds: tuple[tuple[int, int], ...]
    fields: dict[str, Any]


USUAL = ((1, 40), (2, 20), (3, 14), (4, 10))
PLAYERS = (8, 11, 12, 12, 14, 15, 16, 16, 19, 20, 24)
KINDS = (
    Kind(560, individual, "Klubaften", PLAYERS, USUAL, {"tie_breaks": ["best_round", "games_won", "lot"]}),
    Kind(80, individual, "Turnering", PLAYERS, USUAL, {"stake": 25, "entry_fee": 5000, "prize_shares": [50, 30, 20]}),
    Kind(80, individual, "Rasleaften", PLAYERS, USUAL, {"rulebook": "rasle"}),
    Kind(20, individual, "La Bete", PLAYERS, USUAL, {"rulebook": "la_bete"}),
    Kind(60, individual, "Kortmappeaften", (8, 12, 16), ((1, 20), (2, 20)), {"boards": True}),
    Kind(70, pairs, "Makkerpar", (8, 12, 14, 16), ((0, 8),), {"format": "pairs"}),
    Kind(45, teams, "Holdturnering", (12, 16, 20), ((0, 8),), {"format": "teams", "takes_over": True}),
    Kind(40, individual, "Crocodile", (6, 9, 12), ((2, 12), (3, 12)), {"rulebook": "crocodile"}),
    Kind(15, individual, "Renegado", (8, 12), ((2, 12),), {"rulebook": "renegado"}),
    Kind(10, individual, "Pot L'Hombre", (8, 12), ((2, 12),), {"rulebook": "pot"}),
    Kind(10, individual, "Ombre for to", (6, 8), ((3, 12),), {"rulebook": "ombre_two"}),
    Kind(5, individual, "Ombre for fem", (10, 15), ((2, 15),), {"rulebook": "ombre_five"}),
    Kind(5, individual, "Begynderaften", (6, 9), ((2, 12),), {"rulebook": "ombre_intro"}),
)  # fmt: skip


def evenings(people: People, count: int, random: Random) -> Iterator[tuple[Kind, Evening]]:
    """So many evenings, the earliest first; the newest are to come, or being played."""
    seasons = _Seasons(people)
    days = sorted(random.randrange(365 * YEARS) for _evening in range(count))
    weights = [len(people.members[club]) for club in people.clubs]
    for index, day in enumerate(days):
        own = random.random() < OF_UNION
        host = people.union if own else random.choices(people.clubs, weights)[0]
        # At least one of each kind, in the order of their shares, before chance decides.
        kind = KINDS[index] if index < len(KINDS) else random.choices(KINDS, [one.share for one in KINDS])[0]
        if own and index >= len(KINDS):
            kind = KINDS[0]
        on = LAST_DAY - timedelta(days=365 * YEARS - day)
        evening = _evening(kind, host, on, random)
        evening.season = seasons.of(host, on)
        yield kind, _not_over(evening, index - count, random)


def _evening(kind: Kind, host: Club, on: date, random: Random) -> Evening:
    rounds, deals = random.choice(kind.rounds)
    deals_at_three = max(3, deals * 3 // 4 // 3 * 3) if kind.fields.get("rulebook") != "crocodile" else deals
    fields = {"name": kind.name, "deals_per_round": deals, "deals_at_three": deals_at_three} | kind.fields
    begins = datetime.combine(on, time(17, 30), tzinfo=UTC)
    return Evening(host, begins, random.choice(kind.players), rounds, fields)


def _not_over(evening: Evening, before_end: int, random: Random) -> Evening:
    """The newest evenings are played today, and the last of them is drawn and begins tomorrow."""
    if before_end < -4:
        return evening
    begins = datetime.combine(LAST_DAY, time(12, 0), tzinfo=UTC)
    return replace(evening, begins=begins, played=random.randrange(max(evening.rounds, 1)))


class _Seasons:
    """Each club has a season a year; the union's goes on through all of them."""

    def __init__(self, people: People) -> None:
        self.union = people.union
        self.made: dict[tuple[int, int], Season] = {}

    def of(self, host: Club, on: date) -> Season:
        year = 0 if host == self.union else on.year
        if (host.pk, year) not in self.made:
            first = date(LAST_DAY.year - YEARS - 1, 1, 1) if not year else date(year, 1, 1)
            last = date(LAST_DAY.year, 12, 31) if not year else date(year, 12, 31)
            self.made[host.pk, year] = Season.objects.create(
                host=host,
                name=f"Sæson {year}" if year else "Unionsserien",
                starts=first,
                ends=last,
                best_of=0 if not year else 10,
                least_evenings=0 if not year else 2,
            )
        return self.made[host.pk, year]
