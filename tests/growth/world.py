"""A union in one of two sizes: everything that a page may show, and much that it does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

from django.contrib.auth.hashers import make_password
from django.utils import timezone

from clubs.jobs.models import Job
from clubs.member_file import MemberFile
from clubs.models import Account, Club, ClubLogEntry, Letter, MemberImport, Player, Role, RoleOffer
from tests.bench.years.event import Event, store
from tests.bench.years.formats import Evening, Making, individual, teams
from tests.bench.years.people import make_people, name_of
from tournaments.ledger import Submission
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import (
    Application,
    Award,
    Championship,
    ClubRules,
    Entry,
    Flag,
    KeptReport,
    LogEntry,
    OldEvent,
    OldPlace,
    Payment,
    Penalty,
    Photograph,
    Round,
    Season,
    SheetPicture,
    Stage,
    Table,
    Team,
    Tournament,
)
from tournaments.models.evidence import photographs_folder, pieces_of
from tournaments.paper.jobs import of_round
from tournaments.people.kept_years import keep_what_is_lacking
from tournaments.seasons.counting_anew import count_what_is_lacking
from tournaments.slip.printed import layout_of
from tournaments.values.from_home import FromHome


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
    def played(self) -> int:
        """Evenings with their players: what a season or a rating is counted from."""
        return EACH * self.evenings


# Players of an evening that is none of those asked for.
EACH = 8
SMALL = Size(clubs=2, members=24, evenings=6, players=16, deals=4, lines=8, things=3)
LARGE = Size(clubs=6, members=400, evenings=40, players=32, deals=6, lines=200, things=9)


@dataclass
class World:
    """What addresses are filled in with: a tournament of each kind, and the keys of what is asked for by its key."""

    size: Size
    account: Account
    club: Club
    tournaments: dict[str, Event] = field(default_factory=dict)
    # By how names of addresses begin.
    keys: dict[str, int] = field(default_factory=dict)

    def filled(self, name: str, address: str, kind: str) -> str:
        """An address of the tournament of this kind, with what it leaves open."""
        event = self.tournaments[kind]
        links = event.made[Team] if name.startswith("team") else event.made[Table]
        secret = links[0].secret if links else "none"
        begins = [key for key in self.keys if name.startswith(key)]
        keys = dict.fromkeys(PKS, self.keys[max(begins, key=len)] if begins else 0)
        keys["other"] = self.keys["other"]
        sheet_or_file = "blank" if name == "desk_print_ask" else "csv"
        # Clubs are compared on their union's page.
        club = self.club.union if name == "hall_clubs" else self.club
        return address.format(
            code=event.tournament.code, slug=club.slug, secret=secret, kind=sheet_or_file, **keys
        )


PKS = "pk", "kept", "flag", "award", "penalty"
LEFT_OPEN = (*PKS, "other", "kind")


def make_world(size: Size, seed: int) -> World:
    """Made in memory and stored at once; the same size and seed give the same world."""
    now, random = timezone.now(), Random(seed)
    people = make_people(size.clubs, size.clubs * size.members, random, evenly=True)
    people.skill = dict.fromkeys(people.skill, 1.0)
    making = Making(people, seed, variety=1)
    world = World(size, people.account, people.clubs[0])
    anna = people.members[world.club][0]
    world.keys["member"] = anna.memberships.get().pk
    world.keys |= dict.fromkeys(("hall_person", "person", "api_person"), anna.pk)
    world.keys["other"] = people.members[world.club][1].pk
    season = _season(world, now, anna)
    stages = _championship(world, now)
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
    _around_the_club(world, now)
    _around_the_evening(world, now)
    _from_home(world, now)
    count_what_is_lacking()
    keep_what_is_lacking()
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
    world.keys |= dict.fromkeys(("hall_season", "club_season", "api_season"), seasons[0].pk)
    return seasons[0]


def _championship(world: World, now: datetime) -> list[Stage]:
    made = Championship.objects.bulk_create(
        Championship(host=world.club, name=f"Mesterskab {number}", date=now.date() - timedelta(days=400))
        for number in range(world.size.things)
    )
    world.keys |= dict.fromkeys(("hall_championship", "club_championship", "api_championship"), made[0].pk)
    return Stage.objects.bulk_create(
        [
            Stage(championship=made[0], number=1, name="Grupper", groups=GROUPS, sessions=1, deals=4, each=2),
            Stage(championship=made[0], number=2, name="Finale", sessions=1, deals=4),
        ]
    )


def _around_the_club(world: World, now: datetime) -> None:
    """Roles, offers, own rules, an import, lines of the club's log."""
    club, things = world.club, world.size.things
    accounts = Account.objects.bulk_create(
        Account(username=f"hjælper{number}", password=make_password("x"), made_by=club)
        for number in range(2 * things)
    )
    roles = Role.objects.bulk_create(
        Role(account=account, club=club, kind=Role.Kind.HELPER) for account in accounts[:things]
    )
    offers = RoleOffer.objects.bulk_create(
        RoleOffer(account=account, club=club, kind=Role.Kind.HELPER, offered_by="Alice", offered_at=now)
        for account in accounts[things:]
    )
    rules = ClubRules.objects.bulk_create(
        ClubRules(club=club, name=f"Vore regler {number}", rulebook="union") for number in range(things)
    )
    letters = Letter.objects.bulk_create(
        Letter(kind="trial", to=f"{number}@example.dk", club=club, posted_at=now, next_try=now, until=now)
        for number in range(world.size.lines)
    )
    world.keys["club_letter"] = letters[0].pk
    lines = [(number, [name_of(number)]) for number in range(3)]
    file = MemberImport.objects.create(
        club=club, account=world.account, file_name="liste.csv", joined=now.date(), made_at=now,
        contents=MemberFile(columns=[("name", "Navn")], ignored=[], lines=lines).as_json(),
    )  # fmt: skip
    ClubLogEntry.objects.bulk_create(
        ClubLogEntry(club=club, at=now, author="Alice", text="Changed the club’s details")
        for _line in range(world.size.lines)
    )
    old = OldEvent.objects.bulk_create(
        OldEvent(host=club, kind="evening", name="Aften", year=1900 + number, entered_at=now)
        for number in range(things)
    )
    OldPlace.objects.bulk_create(OldPlace(event=one, place=1, name="Anna") for one in old)
    world.keys |= {
        "club_old": old[0].pk,
        "role_": roles[0].pk, "role_offer": offers[0].pk, "club_rules": rules[0].pk, "import_": file.pk
    }  # fmt: skip


def _from_home(world: World, now: datetime) -> None:
    """As many ask for a place at the evening to come as it has players."""
    coming = world.tournaments["coming"].tournament
    Tournament.objects.filter(pk=coming.pk).update(entering=FromHome(is_on=True).stored())
    Application.objects.bulk_create(
        Application(
            tournament=coming,
            number=number,
            typed=str(number),
            name=f"Gæst {number}",
            state=Application.State.PENDING,
            key_hash=uuid4().hex,
            asked_at=now,
        )
        for number in range(1, world.size.players + 1)
    )


def _photographed_sheets(world: World, now: datetime) -> None:
    """One that was read, and others that were of no use, some of them a captain's."""
    event, things = world.tournaments["evening"], range(world.size.things)
    tournament, table = event.tournament, event.made[Table][0]
    photographs_folder().mkdir(parents=True, exist_ok=True)
    sheet = score_sheet(table)
    layout = layout_of(sheet, 1, sheet.lines)
    lines = [
        {
            "deal": row.deal,
            "certain": False,
            "chosen": {},
            "perhaps": {},
            "why": "",
            "across": [],
            "boxes": [],
        }
        for row in layout.rows
    ]
    kept = {"layout": layout.to_json(), "lines": lines, "hand": 9, "place": 0, "press": False, "fills": False}
    name = [tournament.code, table.round.number, table.number, 1, layout.code, 1]
    read = SheetPicture.objects.create(
        tournament=tournament, table=table, photograph=table.photographs.last(), file="sheet.jpg", sent_at=now,
        state="read", sheet=name, reading=kept,
    )  # fmt: skip
    pieces_of(read.path).write_bytes(b"pieces")
    SheetPicture.objects.bulk_create(
        SheetPicture(
            tournament=tournament, captains=table, file=f"sheet{number}.jpg", sent_at=now,
            state="unreadable", why="too_dark",
        )
        for number in things
    )  # fmt: skip
    world.keys |= {
        f"{whose}_paper_{what}": read.pk
        for whose in ("desk", "captain")
        for what in ("again", "away", "pieces")
    }


def _around_the_evening(world: World, now: datetime) -> None:
    """Calls, late reports, photographs, rulings and lines of the log of the running evening; payments of one over."""
    event, things = world.tournaments["evening"], range(world.size.things)
    tournament, table = event.tournament, event.made[Table][0]
    Flag.objects.bulk_create(Flag(table=table, kind=Flag.Kind.CALL, raised_at=now) for _flag in things)
    sent = [Submission(key=uuid4(), deal=1, base=0, result={"all_passed": True}) for _kept in things]
    KeptReport.objects.bulk_create(
        KeptReport(table=table, key=one.key, item=one.to_json(), why="closed", received_at=now)
        for one in sent
    )
    Photograph.objects.bulk_create(
        Photograph(table=table, file=f"{number}.jpg", attached_by="Alice", attached_at=now)
        for number in things
    )
    photographs_folder().mkdir(parents=True, exist_ok=True)
    (photographs_folder() / "0.jpg").write_bytes(b"a picture")
    _photographed_sheets(world, now)
    Penalty.objects.bulk_create(
        Penalty(
            tournament=tournament,
            entry=event.made[Entry][0],
            tokens=-1,
            reason="Meldte",
            ruled_by="A",
            ruled_at=now,
        )
        for _ruling in things
    )
    LogEntry.objects.bulk_create(
        LogEntry(tournament=tournament, at=now, author="Alice", text="Set the tournament up")
        for _line in range(world.size.lines)
    )
    over = world.tournaments["over"]
    Payment.objects.bulk_create(
        Payment(tournament=over.tournament, number=number, payer=entry, amount=2500)
        for number, entry in enumerate(over.made[Entry], start=1)
    )
    jobs = Job.objects.bulk_create(
        Job(
            kind="sheets", thing=of_round(event.made[Round][0]), key=f"sheet {number}", language="en",
            about={"sheet": "blank", "table": None, "base_url": "http://x"}, asked_by=world.account, asked_at=now,
            state=Job.State.DONE, file="sheets.pdf", file_name="sheets.pdf",
        )
        for number in things
    )  # fmt: skip
    jobs[0].path.write_bytes(b"sheets")
    world.keys |= {
        "desk_settle_flag": Flag.objects.first().pk,
        "desk_take_in": KeptReport.objects.first().pk,
        "desk_set_aside": KeptReport.objects.first().pk,
        "desk_wait_again": KeptReport.objects.first().pk,
        "desk_cancel_penalty": Penalty.objects.filter(tournament=tournament).first().pk,
        "desk_photograph": Photograph.objects.first().pk,
        "desk_remove_photograph": Photograph.objects.first().pk,
        "desk_job": jobs[0].pk,
    }
