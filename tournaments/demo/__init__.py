"""A union to look at: three clubs, 48 players, and something of every format, played, begun or to come.

Made through the same doors as real ones, with the clock turned back for what lies in the past. The same seed gives the
same union.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.db import transaction

from clubs.models import Account, Club, Player, Role
from tournaments.changes.chain import append
from tournaments.demo.formats import crocodile, holdturnering, makkerpar, on_boards, pokal
from tournaments.demo.people import CLUBS, UNION, enter_all, members_of
from tournaments.demo.playing import DEAL_TAKES, correct, play, play_whole
from tournaments.ledger import raise_flag
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import start_round
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Round, Season, Table, Tournament
from tournaments.seasons import season as seasons

SEED = 1724
USERNAME, PASSWORD = "alice", "spadille-demo"


@dataclass(frozen=True)
class Demo:
    """What a visitor needs to look around."""

    username: str
    password: str
    running: Tournament
    table: Table


@transaction.atomic
def make_demo(now: datetime) -> Demo:
    """Fill an empty database. `now` is the middle of the running round."""
    random = Random(SEED)
    union = Club.objects.create(name=UNION[0], slug=UNION[1], town=UNION[2])
    clubs = [Club.objects.create(name=name, slug=slug, town=town, union=union) for name, slug, town in CLUBS]
    account = Account.objects.create_user(
        username=USERNAME, password=PASSWORD, first_name="Alice", last_name="Demo"
    )
    Role.objects.create(account=account, club=union, kind=Role.Kind.ORGANISER)
    members = members_of(clubs, random)
    _finished(members, union, account, random, now)
    running = _running(members, clubs[0], account, random, now)
    _being_set_up(members, clubs[1], account, now)
    on_boards(members, clubs[2], account, now)
    makkerpar(members[32:44], clubs[1], account, now)
    _season(union, account, now)
    holdturnering(members, union, account, now)
    pokal(members[20:36], union, account, now)
    crocodile(members[2::6], clubs[2], account, now)
    table = Table.objects.select_related("round__tournament").get(
        round__tournament=running, round__state=Round.State.RUNNING, number=1
    )
    return Demo(USERNAME, PASSWORD, running, table)


def demo_now() -> Demo | None:
    """The demo that is in the database already; None in an empty one."""
    table = (
        Table.objects.filter(round__state=Round.State.RUNNING)
        .select_related("round__tournament")
        .order_by("number")
        .first()
    )
    return Demo(USERNAME, PASSWORD, table.round.tournament, table) if table else None


def _finished(
    members: list[tuple[Player, Club]], union: Club, account: Account, random: Random, now: datetime
) -> Tournament:
    """Three rounds of 27 players a fortnight ago, with a correction and a penalty."""
    morning = (now - timedelta(days=14)).replace(hour=8, minute=0, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=union, name="Unionsmesterskab", date=morning.date(), place="Brædstrup Forsamlingshus", rounds_planned=3,
        tie_breaks=["best_round", "games_won", "lot"], stake=25, entry_fee=7500,
    )  # fmt: skip
    enter_all(tournament, members[:27], account, morning)
    draw(tournament, seed=random.randrange(10**6), account=account, now=morning)
    for number in (1, 2, 3):
        start = morning + timedelta(hours=2.75 * (number - 1))
        play_whole(tournament.rounds.get(number=number), account, start, random, timedelta(hours=2.5))
    penalise(
        tournament.entries.get(number=14), tokens=-1, reason="Meldte farven før spillet var vundet",
        round_=tournament.rounds.get(number=2), account=account, now=morning + timedelta(hours=5),
    )  # fmt: skip
    return finish(tournament, account=account, now=morning + timedelta(hours=9))


def _running(
    members: list[tuple[Player, Club]], host: Club, account: Account, random: Random, now: datetime
) -> Tournament:
    """An evening with its first round half reported, one table calling and one deal corrected."""
    start = now - 21 * DEAL_TAKES
    tournament = Tournament.objects.create(
        host=host, name="Efterårsturnering", date=now.date(), place="Skovby Kro", rounds_planned=3,
        tie_breaks=["best_round", "games_won"], stake=25, entry_fee=5000,
    )  # fmt: skip
    enter_all(tournament, members[8:31], account, start)
    draw(tournament, seed=random.randrange(10**6), account=account, now=start)
    round_: Round = start_round(tournament.rounds.get(number=1), account=account, now=start)
    for table in round_.tables.select_related("round__tournament"):
        play(table, random.randint(17, 21), start, random)
    second, third = round_.tables.select_related("round__tournament").order_by("number")[1:3]
    raise_flag(second, "call", deal=None, words="Talonen har kun 12 kort", now=now - timedelta(minutes=2))
    raise_flag(third, "later", deal=12, words="Var det tourné?", now=now - timedelta(minutes=9))
    correct(third, 5, random, now - timedelta(minutes=11))
    return tournament


def _season(union: Club, account: Account, now: datetime) -> None:
    """The union's season, with all that is played in it."""
    half_a_year = timedelta(days=182)
    values = {
        "name": f"Sæson {now.year}",
        "starts": now.date() - half_a_year,
        "ends": now.date() + half_a_year,
        "best_of": 2,
    }
    season = seasons.store(Season(host=union, version=0), values, account=account, now=now)
    evenings = [tournament.code for tournament in seasons.evenings_for(season)]
    seasons.choose_evenings(season, evenings, account=account, now=now)


def _being_set_up(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    tournament = Tournament.objects.create(
        host=host, name="Juleturnering", date=now.date() + timedelta(days=20), place="Brædstrup Forsamlingshus",
        rulebook="rasle", rounds_planned=2, stake=10, entry_fee=5000, draw_mode=Tournament.DrawMode.BY_ROUND,
    )  # fmt: skip
    enter_all(tournament, members[1::3], account, now, here=False)
    append(tournament.pk, [tournament], now=now)
