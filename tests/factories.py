"""Things that tests stand on, made through the same doors as real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model, QuerySet
from django.test import Client
from django.utils import timezone

from clubs.models import Account, Affiliation, Club, Gives, Membership, Player, Role
from core.sql import prepared_query
from tests.tape import recorder
from tournaments.changes.chain import append
from tournaments.changes.chain_contents import FROM_TOURNAMENT
from tournaments.entries import entering
from tournaments.ledger import Answer, Author, Submission, record
from tournaments.ledger.scoresheet import score_sheet
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.models import Championship, Entry, Round, Seat, Stage, Table, Tournament
from tournaments.models.append_only import protect_reports, triggers

NAMES = (
    "Anna Holm",
    "Bo Krogh",
    "Carl Dam",
    "Dora Friis",
    "Erik Lund",
    "Fie Munk",
    "Gert Skov",
    "Hanne Toft",
)


def drop_trigger(cursor: CursorWrapper, name: str) -> None:
    """Take a trigger away, as somebody would who means to change reports or the chain unseen."""
    of_table = f" ON {triggers(cursor.db)[name].table}" if cursor.db.vendor == "postgresql" else ""
    cursor.execute(f"DROP TRIGGER IF EXISTS {name}{of_table}")


@contextmanager
def tampering() -> Iterator[CursorWrapper]:
    """For changing the database by hand, with the triggers out of the way and put up again behind one."""
    connection.check_constraints()  # PostgreSQL: those that wait for the end of the transaction
    with connection.cursor() as cursor:
        for name in triggers(connection):
            drop_trigger(cursor, name)
        yield cursor
    connection.check_constraints()
    protect_reports()


def decide_as_it_stands(tournament: Tournament) -> None:
    """Chain what a test has changed behind the program's back."""
    rows = (
        apps.get_model("tournaments", name)._default_manager.filter(**{path: tournament})
        for name, path in FROM_TOURNAMENT.items()
    )
    append(tournament.pk, [tournament, *(thing for things in rows for thing in things)], now=timezone.now())


def player_name(index: int) -> str:
    return NAMES[index] if index < len(NAMES) else f"Spiller {index + 1}"


def make_club(name: str = "Stilling", union: Club | None = None, **fields: Any) -> Club:
    slug = name.lower().replace(" ", "-")
    club = Club.objects.create(name=name, slug=slug, shows_achievements=True, **fields)
    if union:
        affiliate(club, union)
    return club


def affiliate(club: Club, union: Club, gives: str = Gives.EVERYTHING, **fields: Any) -> Affiliation:
    """Let a club belong to a union since last year."""
    joined = timezone.localdate() - timedelta(days=365)
    return Affiliation.objects.create(club=club, union=union, joined=joined, gives=gives, **fields)


def make_account(username: str, club: Club | None = None, kind: str = Role.Kind.ORGANISER) -> Account:
    account = Account.objects.create_user(
        username=username, password="a long password", first_name=username.title(), made_by=club
    )
    if club:
        Role.objects.create(account=account, club=club, kind=kind)
    return account


def browser_of(account: Account) -> Client:
    """A browser in which this account is signed in."""
    browser = Client()
    browser.force_login(account)
    return browser


def make_player(
    name: str, club: Club | None = None, number: int | None = None, pk: int | None = None
) -> Player:
    """A player, and the membership; both with this primary key, where an address is to have it."""
    player = Player.objects.create(pk=pk, name=name)
    if club:
        Membership.objects.create(pk=pk, player=player, club=club, number=number, joined=date(2020, 1, 1))
    return player


def make_tournament(
    players: int = 8,
    rounds_planned: int = 1,
    *,
    club: Club | None = None,
    account: Account | None = None,
    started: bool = True,
    drawn: bool = True,
    **fields: Any,
) -> Tournament:
    """A tournament of today with its players checked in, drawn, its first round started; `fields` say otherwise."""
    club = club or Club.objects.first() or make_club()
    account = account or Account.objects.filter(roles__club=club).first() or make_account("organiser", club)
    fields = {"name": "Efterårsturnering", "date": timezone.localdate(), "draw_seed": None} | fields

    def make() -> int:
        now = timezone.now()
        tournament = Tournament.objects.create(host=club, rounds_planned=rounds_planned, **fields)
        append(tournament.pk, [tournament, *enter_all(tournament, players, club)], now=now)
        if drawn and players:
            draw(tournament, seed=7, account=account, now=now)
            if started:
                start_round(first_round(tournament), account=account, now=now)
        return tournament.pk

    rows = [value for value in fields.values() if isinstance(value, Model)]
    what = players, rounds_planned, started, drawn, sorted(fields.items())
    (tournament,) = _tournament(recorder.played(what, [club, account, *rows], make))
    tournament.host = club
    return tournament


def made_once(what: str, rows: Iterable[Model], make: Callable[[], Tournament]) -> Tournament:
    """The tournament that `make` makes of these rows; after the first time written again as it was then.

    `what` tells it from what other makers make. It must do the same each time: see `tests.tape`.
    """
    (tournament,) = _tournament(recorder.played(what, rows, lambda: make().pk))
    return tournament


def stage(name: str, **fields: int) -> dict[str, Any]:
    """A stage of a championship, as it is typed."""
    usual = {"groups": 1, "sessions": 1, "deals": 4, "carried": 0, "each": 0, "next_best": 0}
    return {"name": name} | usual | fields


TO_THE_FINAL = [
    stage("Grupper", groups=2, each=2, next_best=2),
    stage("Semifinale", groups=2, carried=50, each=2),
    stage("Finale", carried=100),
]


def make_championship(host: Club, stages: list[dict[str, Any]] = TO_THE_FINAL) -> Championship:
    made = Championship.objects.create(host=host, name="DM 2026", date=date(2026, 9, 5))
    Stage.objects.bulk_create(
        Stage(championship=made, number=number, **one) for number, one in enumerate(stages, start=1)
    )
    return made


def enter_all(tournament: Tournament, players: int, club: Club) -> list[Entry]:
    """Enter and check in so many members of a club in one stroke: most tests begin only after the door."""
    made = Player.objects.bulk_create([Player(name=player_name(index)) for index in range(players)])
    Membership.objects.bulk_create(
        Membership(player=player, club=club, number=number, joined=date(2020, 1, 1))
        for number, player in enumerate(made, start=1)
    )
    return Entry.objects.bulk_create(
        Entry(tournament=tournament, player=player, club=club, number=number, status=Entry.Status.PRESENT)
        for number, player in enumerate(made, start=1)
    )


def newcomer(tournament: Tournament, by: dict[str, Any], name: str = "Ulla Vest") -> Entry:
    """A guest who comes in by the door."""
    entry = entering.enter(tournament, make_player(name), club=None, **by)
    return entering.check_in(entry, present=True, **by)


def first_round(tournament: Tournament) -> Round:
    (first,) = _first_round(tournament.pk)
    first.tournament = tournament
    return first


def first_table(tournament: Tournament) -> Table:
    (first,) = _first_table(tournament.pk)
    return first


# Thousands of tests begin with these.


@prepared_query
def _tournament(key: int) -> QuerySet[Tournament]:
    return Tournament.objects.filter(pk=key)


@prepared_query
def _first_round(tournament: int) -> QuerySet[Round]:
    return Round.objects.filter(tournament=tournament, number=1)


@prepared_query
def _tables(tournament: int) -> QuerySet[Table]:
    return Table.objects.filter(round__tournament=tournament).select_related("round__tournament")


@prepared_query
def _with_host(table: int) -> QuerySet[Table]:
    return Table.objects.filter(pk=table).select_related("round__tournament__host")


@prepared_query
def _seats(table: int) -> QuerySet[Seat]:
    return Seat.objects.filter(table=table).order_by("position")


@prepared_query
def _first_table(tournament: int) -> QuerySet[Table]:
    tables = Table.objects.filter(round__tournament=tournament, round__number=1, number=1)
    return tables.select_related("round__tournament")


def tables_of(tournament: Tournament) -> list[Table]:
    return _tables(tournament.pk)


def table_of(tournament: Tournament, players: int) -> Table:
    """A table of so many in the first round."""
    tables = Table.objects.filter(round=first_round(tournament)).select_related("round__tournament", "match")
    return next(table for table in tables if table.seats.count() == players)


def won(declarer: int) -> dict[str, Any]:
    """A report of a game in hearts that its declarer has won."""
    return {"contract": "simple_game", "declarer": declarer, "trump": "H", "outcome": "won"}


def report(
    table: Table,
    deal: int,
    result: dict[str, Any] | None = None,
    *,
    author: Author | None = None,
    now: datetime | None = None,
    **fields: Any,
) -> Answer:
    """Report a deal at a table as its captain; all passed, unless told otherwise."""
    submission = Submission(
        key=fields.pop("key", uuid4()),
        deal=deal,
        base=fields.pop("base", 0),
        result={"all_passed": True} if result is None else result,
        **fields,
    )
    return record(table, [submission], author or Author("captain"), now=now or timezone.now())[0]


def play_out(table: Table, *, agreed: bool = False) -> None:
    """Report every deal of a table: the forehand wins a game in hearts each time."""
    recorder.played(("played out", agreed), rows_at(table), lambda: _play_out(table, agreed=agreed))


def rows_at(table: Table) -> list[Model]:
    """What is stored of a table before it is played, with its tournament and club: all that its results go by."""
    (stored,) = _with_host(table.pk)
    return [
        stored.round.tournament.host,
        stored.round.tournament,
        stored.round,
        stored,
        *_seats(table.pk),
    ]


def _play_out(table: Table, *, agreed: bool) -> int:
    players = table.seats.count()
    submissions = [
        Submission(
            key=uuid4(),
            deal=line.number,
            base=0,
            result={
                "contract": "simple_game",
                "declarer": (line.dealer + 1) % players,
                "trump": "H",
                "outcome": "won",
            },
        )
        for line in score_sheet(table).lines
    ]
    answers = record(table, submissions, Author("captain"), now=timezone.now())
    assert {answer.status for answer in answers} == {"accepted"}
    if agreed:
        table.seats.update(agreed_at=timezone.now())
    return table.pk
