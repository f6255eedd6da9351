"""What is large by itself: a club of very many members, tournaments of very many players."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from random import Random

from clubs.models import Affiliation, Club, Gives, Membership, Player
from tests.bench.years.diary import LAST_DAY
from tests.bench.years.event import Event
from tests.bench.years.formats import Evening, Making, individual
from tests.bench.years.people import name_of

LARGE, CROWD = "landsklubben", "Folkefest {players}"
# People of the large club and of crowds are told from the union's by their numbers.
FIRST = 10_000
ROUNDS, DEALS = 3, 12


def large_club(union: Club, members: int) -> Club:
    """A club of so many members, every tenth of whom has left."""
    club = Club.objects.create(name="Landsklubben", slug=LARGE, town="Fredericia")
    Affiliation.objects.create(club=club, union=union, joined=date(1980, 1, 1), gives=Gives.EVERYTHING)
    players = _people(members)
    Membership.objects.bulk_create(
        Membership(
            player=player,
            club=club,
            number=number,
            joined=date(1990 + number % 30, 1 + number % 12, 1 + number % 28),
            left=date(2025, 12, 31) if number % 10 == 0 else None,
        )
        for number, player in enumerate(players, start=1)
    )
    return club


def _people(count: int) -> list[Player]:
    return Player.objects.bulk_create(
        Player(
            name=name_of(FIRST + number),
            email=f"medlem{number}@example.org" if number % 3 else "",
            phone=f"{20_000_000 + number * 7}",
        )
        for number in range(count)
    )


def crowd(making: Making, players: int, random: Random) -> Event:
    """A tournament of the union's with so many players: one round played, the second running, the third drawn."""
    fields = {
        "name": CROWD.format(players=players), "deals_per_round": DEALS, "deals_at_three": DEALS * 3 // 4,
        "stake": 25, "entry_fee": 5000, "prize_shares": [50, 30, 20],
        "tie_breaks": ["best_round", "games_won", "lot"],
    }  # fmt: skip
    begins = datetime.combine(LAST_DAY, time(9, 0), tzinfo=UTC)
    who = _people(players)
    evening = Evening(making.people.union, begins, players, ROUNDS, fields, played=1, who=who)
    return individual(making, evening, random)
