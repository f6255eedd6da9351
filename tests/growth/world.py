"""A union in one of two sizes: everything that a page may show, and much that it does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.utils import timezone

from clubs.models import Account, Club, Player
from tests.bench.years.event import Event, store
from tests.bench.years.formats import Evening, Making, individual, teams
from tests.bench.years.people import make_people
from tests.growth.around import (
    around_the_club,
    around_the_evening,
    entered_teams,
    erased,
    from_home,
    points_lists_of,
)
from tournaments.models import (
    Award,
    Championship,
    Entry,
    Match,
    QualifierQuestion,
    Quota,
    Season,
    Stage,
    Table,
    Team,
    TeamEntryLink,
)
from tournaments.people.club_years import keep_what_is_lacking
from tournaments.seasons.qualified import link_for
from tournaments.seasons.results import count_what_is_lacking


@dataclass(frozen=True)
class Size:
    """How much there is of each: all of it grows, whatever a page shows.

    `members` are those of each club, `evenings` those that each has held. `players` are those of the tournaments that
    are asked for, `deals` those at a table of theirs. `lines` are a log's, `things` whatever else is listed: rulings,
    late reports, calls, photographs, seasons, championships, roles, rules of a club's own.
    """

    clubs: int
    members: int
    evenings: int
    players: int
    deals: int
    lines: int
    things: int

    @property
    def tables(self) -> int:
        return self.players // 4

    @property
    def dealt(self) -> int:
        """All deals of a round."""
        return self.tables * self.deals

    @property
    def matches(self) -> int:
        """Those of teams of four that all meet once."""
        return self.tables * (self.tables - 1) // 2

    @property
    def erased(self) -> int:
        """One at a table of the tournament that is over, as long as there are tables."""
        return min(self.things, self.tables)

    @property
    def played(self) -> int:
        """Evenings with their players: what a season or a rating is counted from."""
        return EACH * self.evenings


# Players of an evening that is none of those asked for.
EACH = 8
# Both with a complete hand of nine evenings' cards, of which more is told than of one that is not.
SMALL = Size(clubs=2, members=24, evenings=10, players=16, deals=4, lines=8, things=3)
LARGE = Size(clubs=6, members=400, evenings=40, players=32, deals=6, lines=200, things=9)


@dataclass
class World:
    """What addresses are filled in with: a tournament of each kind, and the keys of what is asked for by its key."""

    size: Size
    account: Account
    club: Club
    regulars: list[Player]
    tournaments: dict[str, Event] = field(default_factory=dict)
    # By how names of addresses begin.
    keys: dict[str, int] = field(default_factory=dict)

    def filled(self, name: str, address: str, kind: str) -> str:
        """An address of the tournament of this kind, with what it leaves open."""
        event = self.tournaments[kind]
        links = event.made[Team] if name.startswith("team") else event.made[Table]
        if name in OF_A_MATCH:  # a match is its own teams' alone
            links = [one.home for one in event.made[Match] if one.number == one.round.number == 1]
        secret = links[0].secret if links else "none"
        if name in ("team_entries", "team_entry"):
            secret = TeamEntryLink.objects.get(tournament__code=event.tournament.code).secret
        if name == "qualified_answer":
            secret = link_for(*QualifierQuestion.objects.values_list("stage", "player").get()).split("/")[-2]
        begins = [key for key in self.keys if name.startswith(key)]
        keys: dict[str, Any] = dict.fromkeys(PKS, self.keys[max(begins, key=len)] if begins else 0)
        keys["other"] = self.keys["other"]
        # The dearer of a list and of cards for the door; payments have a list.
        keys["paper"] = "cards" if name == "desk_list_print" else "list"
        sheet_or_file = "blank" if name == "desk_print_ask" else "csv"
        # Clubs are compared on their union's page, and a points list is a union's.
        of_union = name == "hall_clubs" or name.startswith(("hall_points", "club_points", "api_club_points"))
        club = self.club.unions.get() if of_union else self.club
        return address.format(
            code=event.tournament.code, slug=club.slug, secret=secret, kind=sheet_or_file, **keys
        )


OF_A_MATCH = "team_match_day", "team_match_pdf", "team_result", "team_start_match"
PKS = "pk", "kept", "flag", "award", "penalty"
LEFT_OPEN = (*PKS, "other", "kind", "paper")


def make_world(size: Size, seed: int) -> World:
    """Made in memory and stored at once; the same size and seed give the same world."""
    now, random = timezone.now(), Random(seed)
    people = make_people(size.clubs, size.clubs * size.members, random, evenly=True)
    people.skill = dict.fromkeys(people.skill, 1.0)
    making = Making(people, seed, variety=1)
    club = people.clubs[0]
    world = World(size, people.account, club, people.members[club][:EACH])
    anna = world.regulars[0]
    world.keys["member"] = anna.memberships.get().pk
    world.keys |= dict.fromkeys(("hall_person", "person", "api_person"), anna.pk)
    world.keys["other"] = world.regulars[1].pk
    season = _season(world, now, anna)
    stages = _championship(world, now, season)
    events = []
    for host in people.clubs:
        own = host == world.club
        for number in range(size.evenings):
            begins = now - timedelta(days=7 * number + 7)
            stage = stages[0] if own and number < GROUPS else None
            regulars = people.members[host][:EACH]
            asked = {"season": season if own else None, "stage": stage, "who": regulars}
            events.append(_event(making, random, host, begins, **asked))
    world.tournaments = _asked_for(making, world, now, random)
    store([*events, *world.tournaments.values()])
    around_the_club(world, now)
    around_the_evening(world, now)
    erased(world, now)
    from_home(world, now)
    entered_teams(world, now)
    count_what_is_lacking()
    keep_what_is_lacking()
    points_lists_of(world, now)
    return world


GROUPS = 2


def _event(making: Making, random: Random, host: Club, begins: datetime, **asked: Any) -> Event:
    """An evening; of few players and four deals at one round, and played to its end, unless asked otherwise."""
    play = asked.pop("play", individual)
    of_evening = {name: asked.pop(name) for name in ("season", "stage", "played", "who") if name in asked}
    players, rounds = asked.pop("players", EACH), asked.pop("rounds", 1)
    fields = {"name": "Klubaften", "deals_per_round": 4, "deals_at_three": 3} | asked
    return play(making, Evening(host, begins, players, rounds, fields, **of_evening), random)


def _asked_for(making: Making, world: World, now: datetime, random: Random) -> dict[str, Event]:
    """The tournaments whose pages are asked for."""
    size, club = world.size, world.club
    asked: dict[str, Any] = {
        "players": size.players, "deals_per_round": size.deals, "stake": 25, "entry_fee": 5000,
        "prize_shares": [50, 30], "tie_breaks": ["best_round", "games_won", "lot"],
    }  # fmt: skip
    made = {
        "evening": _event(making, random, club, now, **asked, rounds=2, played=0),
        "over": _event(making, random, club, now, **asked),
        "boards": _event(making, random, club, now, **asked, boards=True),
        "teams": _event(making, random, club, now, **asked, play=teams, format="teams", played=0),
        "coming": Event(
            world.account,
            now,
            random,
            host=club,
            code=making.code(random),
            name="Julefrokost",
            date=now.date(),
        ),
    }
    coming = made["coming"]
    who = making.people.members[club][: size.players]
    coming.enter([(player, club) for player in who], status=Entry.Status.ENTERED, fee_paid=False)
    coming.set_up()
    return made


def _season(world: World, now: datetime, winner: Player) -> Season:
    first, last = now.date() - timedelta(days=400), now.date()
    seasons = Season.objects.bulk_create(
        Season(host=world.club, name=f"Sæson {number}", starts=first, ends=last)
        for number in range(world.size.things)
    )
    Award.objects.bulk_create(
        Award(season=seasons[0], title=f"Pokal {number}", player=winner, number=number)
        for number in range(1, world.size.things + 1)
    )
    world.keys |= dict.fromkeys(
        ("hall_season", "club_season", "api_season", "api_season_deals"), seasons[0].pk
    )
    return seasons[0]


def _championship(world: World, now: datetime, season: Season) -> list[Stage]:
    made = Championship.objects.bulk_create(
        Championship(host=world.club, name=f"Mesterskab {number}", date=now.date() - timedelta(days=400))
        for number in range(world.size.things)
    )
    pages = ("hall_championship", "club_championship", "club_qualified", "api_championship")
    world.keys |= dict.fromkeys(pages, made[0].pk)
    stages = Stage.objects.bulk_create(
        [
            Stage(championship=made[0], number=1, name="Grupper", groups=GROUPS, sessions=1, deals=4, each=2),
            Stage(championship=made[0], number=2, name="Finale", sessions=1, deals=4),
        ]
    )
    Quota.objects.create(stage=stages[0], number=1, source="season", season=season, places=EACH // 2)
    QualifierQuestion.objects.create(
        stage=stages[0], player=world.regulars[0], until=now.date(), asked_at=now
    )
    return stages
