"""What lies around the tournaments of a world: at the club, at the running evening, and of who asks from home."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING
from uuid import uuid4

from django.contrib.auth.hashers import make_password

from clubs.lists.choice import ListTable
from clubs.member_rows import FIELDS, MemberFile
from clubs.models import (
    Account,
    ClubLogEntry,
    Letter,
    MemberImport,
    Membership,
    Player,
    Role,
    RoleOffer,
    UploadedList,
    kept_of,
)
from core.jobs.models import Job
from tests.bench.years.people import name_of
from tournaments.entries.personal_data import nameless
from tournaments.ledger import Submission
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import (
    Application,
    Championship,
    ClubRules,
    Entry,
    Flag,
    KeptReport,
    LogEntry,
    Official,
    OldEvent,
    OldPlace,
    Payment,
    Penalty,
    Photograph,
    Round,
    Season,
    Seat,
    SheetPicture,
    Table,
    TeamEntry,
    TeamEntryLink,
    TeamEntryPlayer,
    Tournament,
)
from tournaments.models.base import FromHome
from tournaments.models.ledger import photographs_folder, pieces_of
from tournaments.models.names import NAMELESS
from tournaments.paper.printing import of_round
from tournaments.people.points_lists import publish, store_rule
from tournaments.reporting.printed_sheets import layout_of
from tournaments.seasons.points import Rule

if TYPE_CHECKING:
    from datetime import datetime

    from tests.growth.world import World


def around_the_club(world: World, now: datetime) -> None:
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
    given = ListTable.read(b"Hvem;By\nAnna;Viby\n", FIELDS)
    by_world = {"club": club, "account": world.account}
    uploaded = UploadedList.put_by(given, "liste.csv", now=now, about={"joined": "2026-11-22"}, **by_world)
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
        "union_": club.affiliations.get().pk,
        "club_old": old[0].pk,
        "role_": roles[0].pk, "role_offer": offers[0].pk, "club_rules": rules[0].pk, "import_": file.pk,
        "import_columns": uploaded.pk, "club_tonight_set_up": file.pk,
    }  # fmt: skip


def entered_teams(world: World, now: datetime) -> None:
    """Teams of the club's members, entered in the tournament of teams, and the club's link there."""
    tournament = world.tournaments["teams"].tournament
    until = now + timedelta(days=1)
    Tournament.objects.filter(pk=tournament.pk).update(teams_until=until)
    TeamEntryLink.objects.create(tournament=tournament, club=world.club)
    entries = TeamEntry.objects.bulk_create(
        TeamEntry(
            tournament=tournament, club=world.club, number=number, name=f"Hold {number}", entered_at=now,
            changed_at=now,
        )
        for number in range(1, world.size.tables + 1)
    )  # fmt: skip
    TeamEntryPlayer.objects.bulk_create(
        TeamEntryPlayer(team_entry=entry, player=player, place=place, is_captain=place == 1)
        for entry in entries
        for place, player in enumerate(world.regulars[:4], 1)
    )


def points_lists_of(world: World, now: datetime) -> None:
    """The union's points list, published twice."""
    union = world.club.unions.get()
    rule = Rule({"evening": [(4, [5, 4, 3, 2, 1])]}, {}, [(36, Fraction(1))], best_of=3)
    store_rule(union, rule, account=world.account, now=now)
    for day in (now - timedelta(days=1), now):
        published, _is_new = publish(union, day.date(), account=world.account, now=now)
    world.keys |= dict.fromkeys(("hall_points", "api_points"), published.pk)


def from_home(world: World, now: datetime) -> None:
    """As many ask for a place at the evening to come as it has players."""
    coming = world.tournaments["coming"].tournament
    Tournament.objects.filter(pk=coming.pk).update(entering=FromHome(is_on=True).to_json())
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


def erased(world: World, now: datetime) -> None:
    """At tables of the tournament that is over one player each; sheets of theirs lie there.

    None of the regulars, nor of those whose own pages are asked for: there is none of who was erased.
    They are written down as erased only: done in earnest, it would take longer than everything else here.
    """
    event = world.tournaments["over"]
    firsts = {one.made[Entry][0].player_id for one in world.tournaments.values()}
    kept = firsts | {player.pk for player in world.regulars}
    at: dict[int, Seat] = {}
    for seat in event.made[Seat]:
        if seat.entry.player_id not in kept and len(at) < world.size.things:
            at.setdefault(seat.table_id, seat)
    who = Player.objects.filter(pk__in=[seat.entry.player_id for seat in at.values()])
    who.update(name=NAMELESS, email="", phone="", **kept_of(NAMELESS))
    Membership.objects.filter(player__in=who).update(left=now.date(), number=None)
    assert len(nameless()) == world.size.erased
    Photograph.objects.bulk_create(
        Photograph(table_id=table, file=f"over{table}.jpg", attached_by="Alice", attached_at=now)
        for table in at
    )
    SheetPicture.objects.bulk_create(
        SheetPicture(tournament=event.tournament, table_id=table, file=f"aside{table}.jpg", sent_at=now, state="aside")
        for table in at
    )  # fmt: skip


def around_the_evening(world: World, now: datetime) -> None:
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
        LogEntry(tournament=tournament, at=now, author="Alice", text="Set up the tournament")
        for _line in range(world.size.lines)
    )
    helpers = [role.account for role in world.club.roles.select_related("account")]
    of = (
        {"tournament": tournament},
        {"season": Season.objects.first()},
        {"championship": Championship.objects.first()},
    )
    Official.objects.bulk_create(
        Official(account=account, kind=Role.Kind.HELPER, given_by="Alice", given_at=now, **one)
        for account in [*helpers, world.account]
        for one in of
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
        "official_": world.account.officials.filter(season=None, championship=None).get().pk,
    }
