"""What is played on an evening, a function a format: each makes its tournament in memory, from set-up to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any

from clubs.models import Club, Player
from core.text import CODE_LETTERS
from tests.bench.years.event import DEAL_TAKES, Event
from tests.bench.years.people import People
from tests.bench.years.pool import DEALS, Pool
from tournaments.boards.dealing import fingerprint, sequences
from tournaments.boards.folders import PUBLISHED
from tournaments.draw.meetings import next_meetings, rounds_to_meet
from tournaments.draw.planner import plan
from tournaments.draw.tables import seated_in_pairs
from tournaments.ledger.queries import sizes_of_tables
from tournaments.models import BoardSet, Entry, Round, Season, Stage, Team, Tournament

BREAK = timedelta(minutes=15)
# Evenings on boards are played with so many sets of cards in turn: the same results serve them all.
BOARD_SEEDS = 3


@dataclass
class Making:
    """What all evenings share: the people, the deals that have been played, the codes that are taken."""

    people: People
    seed: int
    variety: int = DEALS
    pools: dict[tuple[object, ...], Pool] = field(default_factory=dict)
    codes: set[str] = field(default_factory=set)

    def pool(self, tournament: Tournament, players: int) -> Pool:
        key = tournament.rulebook, players, tournament.hands_taken_over
        if key not in self.pools:
            self.pools[key] = Pool(
                tournament, players, self.seed, self.variety, strengths=self.people.is_changing
            )
        return self.pools[key]

    def code(self, random: Random) -> str:
        """A code that no tournament and no table has."""
        while (code := "".join(random.choices(CODE_LETTERS, k=6))) in self.codes:
            pass
        self.codes.add(code)
        return code


@dataclass
class Evening:
    """What is to be made: who holds it, when, how many take part, for how many rounds; `played` of them are over."""

    host: Club
    begins: datetime
    players: int
    rounds: int
    fields: dict[str, Any]
    season: Season | None = None
    stage: Stage | None = None
    played: int | None = None
    # Who takes part, where it is decided, and what they bring along.
    who: Sequence[Player] = ()
    carried: Sequence[int] = ()


Format = Callable[[Making, Evening, Random], Event]


def individual(making: Making, evening: Evening, random: Random) -> Event:
    """Everybody for themselves, by any rulebook, at tables as the draw makes them."""
    event = _begin(making, evening, random, rounds_planned=evening.rounds)
    entries = event.enter(_with_clubs(making, evening, random))
    for entry, carried in zip(entries, evening.carried, strict=False):
        entry.carried = carried
    event.set_up()
    seed = random.randrange(10**6)
    drawn = _plan(len(entries), evening.rounds, sizes_of_tables(event.tournament), seed % 2)
    for number, tables in enumerate(drawn, start=1):
        seated = [([entries[player] for player in table], None) for table in tables]
        event.seat(number, seated, _codes(making, random), seed)
    _lay_out(event, seed)
    event.drawn(seed)
    return _play(making, evening, event, random)


def pairs(making: Making, evening: Evening, random: Random) -> Event:
    """Pairs of club-mates, all against all."""
    return _meeting(making, evening, random, size=2)


def teams(making: Making, evening: Evening, random: Random) -> Event:
    """Teams of four, all against all, a match at two tables."""
    return _meeting(making, evening, random, size=4)


def _meeting(making: Making, evening: Evening, random: Random, *, size: int) -> Event:
    count = evening.players // size
    event = _begin(making, evening, random, rounds_planned=rounds_to_meet(count))
    entries = event.enter(_with_clubs(making, evening, random))
    sides: dict[int, list[Entry]] = {}
    by_number: dict[int, Team] = {}
    for number in range(1, count + 1):
        team = event.add(Team(tournament=event.tournament, number=number, name=f"Hold {number}"))
        by_number[number], sides[number] = team, entries[(number - 1) * size : number * size]
        for entry in sides[number]:
            entry.team = team
    event.set_up()
    seed = random.randrange(10**6)
    ways = event.tournament.format_row.ways
    had: dict[tuple[int, int], int] = {}
    for number, day in enumerate(
        next_meetings(list(sides), event.tournament.rounds_planned, seed=seed), start=1
    ):
        byes = [(by_number[team], None) for team in day.byes]
        meetings = [(by_number[home], by_number[away]) for home, away in day.matches]
        matches = event.meet(number, [*meetings, *byes], seed)
        seated, met = [], []
        for match, (home, away) in zip(matches, day.matches, strict=False):
            for index, (ours, theirs) in enumerate(ways[(number - 1) % len(ways)]):
                two = (
                    tuple(sides[home][place].number for place in ours),
                    tuple(sides[away][place].number for place in theirs),
                )
                seated.append(two[::-1] if index else two)
                met.append(match)
        (tables,) = seated_in_pairs([seated], had)
        sitting = [
            ([entries[player - 1] for player in table], match)
            for table, match in zip(tables, met, strict=True)
        ]
        event.seat(number, sitting, _codes(making, random), seed)
    event.drawn(seed)
    return _play(making, evening, event, random)


def _begin(making: Making, evening: Evening, random: Random, **fields: Any) -> Event:
    return Event(
        making.people.account,
        evening.begins - timedelta(days=3),
        random,
        host=evening.host,
        code=making.code(random),
        date=evening.begins.date(),
        place=f"{evening.host.town} Forsamlingshus",
        season=evening.season,
        stage=evening.stage,
        **fields,
        **evening.fields,
    )


def _with_clubs(making: Making, evening: Evening, random: Random) -> Iterator[tuple[Player, Club | None]]:
    players = evening.who or making.people.drawn(evening.host, evening.players, random, evening.begins.date())
    for player in players:
        yield player, making.people.club_of.get(player)


@lru_cache(maxsize=512)
def _plan(
    players: int, rounds: int, seats: tuple[int, ...], seed: int
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return plan(players, rounds, seed=seed, seats=seats).rounds


def _codes(making: Making, random: Random) -> Iterator[str]:
    while True:
        yield making.code(random)


def _lay_out(event: Event, seed: int) -> None:
    """Say which folder each deal is played with, and publish the fingerprint of the cards, where boards are played."""
    tournament = event.tournament
    for round_ in event.made[Round] if tournament.boards else ():
        tables = event.tables(round_)
        orders = sequences([table.deals for table in tables], tournament.board_sets, 4)
        for table, order in zip(tables, orders, strict=True):
            table.folders = list(order)
        cards = f"years-{seed % BOARD_SEEDS}-{round_.number}"
        dealt = event.add(
            BoardSet(tournament=tournament, round_number=round_.number, seed=cards, dealt_at=event.now)
        )
        event.step(PUBLISHED, dealt, round=round_.number, fingerprint=fingerprint(cards))


def _play(making: Making, evening: Evening, event: Event, random: Random) -> Event:
    """Play the rounds that are to be played, and finish where they are all; a round that is begun is half played."""
    event.now = evening.begins
    rounds = event.made[Round]
    played = len(rounds) if evening.played is None else evening.played
    for round_ in rounds[: played + (evening.played is not None)]:
        event.start(round_)
        tables = event.tables(round_)
        for table in tables:
            _play_table(making, event, table, random, whole=round_.number <= played)
        event.now += DEAL_TAKES * max(table.deals for table in tables) + BREAK
        if round_.number <= played:
            event.close(round_)
            if random.random() < 0.05:
                entry = random.choice(event.made[Entry])
                event.penalise(entry, round_, -1, "Meldte farven før spillet var vundet")
    if played == len(rounds):
        event.finish()
    return event


def _play_table(making: Making, event: Event, table: Any, random: Random, *, whole: bool) -> None:
    sitting = event.sitting[table.round.number, table.number]
    skills = [making.people.skill_on(entry.player, event.tournament.date) for entry in sitting]
    cards = next((one.seed for one in event.made[BoardSet] if one.round_number == table.round.number), "")
    pool = making.pool(event.tournament, len(sitting))
    played = pool.dealt(skills, table.deals, random, table.folders, cards)
    event.play(table, played if whole else played[: random.randint(table.deals // 3, table.deals // 2)])
