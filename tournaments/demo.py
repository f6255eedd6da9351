"""A union to look at: three clubs, 48 players, two finished tournaments, one of them on boards, one in the middle of a
round, one being set up.

Made through the same doors as real ones, with the clock turned back for what lies in the past. The same seed gives the
same union.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from django.db import transaction

from clubs.models import Account, Club, Membership, Player, Role
from scoring.seats import Seating, dealer_of
from tournaments import entries, rounds, seasons, teaming
from tournaments.folders import cards_of
from tournaments.ledger import Author, Submission, agree, raise_flag, record
from tournaments.models import BoardSet, Round, Season, Table, Tournament
from tournaments.queries import rulebook_of
from tournaments.rehearsal import results, results_on_boards

SEED = 1724
USERNAME, PASSWORD = "alice", "spadille-demo"
DEAL_TAKES = timedelta(minutes=3, seconds=20)

UNION = ("Østjysk L'Hombre-Union", "oestjysk", "Aarhus")
CLUBS = (
    ("Skovby L'Hombreklub", "skovby", "Skovby"),
    ("Brædstrup Kortlaug", "braedstrup", "Brædstrup"),
    ("L'Hombreklubben Sømærke", "soemaerke", "Juelsminde"),
)
FIRST_NAMES = [
    "Anna",
    "Bent",
    "Carl",
    "Dorthe",
    "Erik",
    "Grethe",
    "Hans",
    "Inger",
    "Jens",
    "Karen",
    "Lars",
    "Mette",
    "Niels",
    "Orla",
    "Poul",
    "Ruth",
    "Svend",
    "Tove",
    "Ulla",
    "Viggo",
    "Aage",
    "Birthe",
    "Egon",
    "Else",
    "Frede",
    "Gerda",
    "Henning",
    "Jytte",
    "Kaj",
    "Lis",
    "Mogens",
    "Nanna",
    "Ove",
    "Preben",
    "Rigmor",
    "Søren",
    "Thyra",
    "Verner",
    "Åse",
    "Børge",
    "Ditte",
    "Ejnar",
    "Gudrun",
    "Helge",
    "Kirsten",
    "Knud",
    "Lilian",
    "Margit",
]
LAST_NAMES = [
    "Andersen",
    "Bak",
    "Christensen",
    "Dahl",
    "Eriksen",
    "Frandsen",
    "Greve",
    "Holm",
    "Iversen",
    "Juhl",
    "Kjær",
    "Lund",
    "Møller",
    "Nørgaard",
    "Overgaard",
    "Pedersen",
    "Riis",
    "Skov",
    "Thomsen",
    "Vestergaard",
    "Winther",
    "Østergaard",
    "Aagaard",
    "Bjerre",
]


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
    members = _members(clubs, random)
    _finished(members, union, account, random, now)
    running = _running(members, clubs[0], account, random, now)
    _being_set_up(members, clubs[1], account, now)
    _on_boards(members, clubs[2], account, now)
    _makkerpar(members[32:44], clubs[1], account, now)
    _season(union, account, now)
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


def _members(clubs: list[Club], random: Random) -> list[tuple[Player, Club]]:
    last_names = random.sample(LAST_NAMES * 2, len(FIRST_NAMES))
    members = []
    for index, (first, last) in enumerate(zip(FIRST_NAMES, last_names, strict=True)):
        club = clubs[index % len(clubs)]
        player = Player.objects.create(name=f"{first} {last}")
        joined = date(random.randint(1985, 2025), random.randint(1, 12), random.randint(1, 28))
        Membership.objects.create(player=player, club=club, number=index // len(clubs) + 1, joined=joined)
        members.append((player, club))
    return members


def _entered(
    tournament: Tournament,
    members: list[tuple[Player, Club]],
    account: Account,
    now: datetime,
    *,
    here: bool = True,
) -> None:
    for player, club in members:
        entry = entries.enter(tournament, player, club=club, account=account, now=now)
        if here:
            entries.check_in(entry, present=True, account=account, now=now)
            entries.mark_paid(entry, paid=True, account=account, now=now)


def _finished(
    members: list[tuple[Player, Club]], union: Club, account: Account, random: Random, now: datetime
) -> Tournament:
    """Three rounds of 27 players a fortnight ago, with a correction and a penalty."""
    morning = (now - timedelta(days=14)).replace(hour=8, minute=0, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=union, name="Unionsmesterskab", date=morning.date(), place="Brædstrup Forsamlingshus", rounds_planned=3,
        tie_breaks=["best_round", "games_won", "lot"], stake=25, entry_fee=7500,
    )  # fmt: skip
    _entered(tournament, members[:27], account, morning)
    rounds.draw(tournament, seed=random.randrange(10**6), account=account, now=morning)
    for number in (1, 2, 3):
        start = morning + timedelta(hours=2.75 * (number - 1))
        round_ = rounds.start_round(tournament.rounds.get(number=number), account=account, now=start)
        for table in round_.tables.select_related("round__tournament"):
            _play(table, table.deals, start, random)
            for seat in table.seats.all():
                agree(seat, now=start + timedelta(hours=2.5))
        rounds.close_round(round_, account=account, now=start + timedelta(hours=2.6))
    rounds.penalise(
        tournament.entries.get(number=14), tokens=-1, reason="Meldte farven før spillet var vundet",
        round_=tournament.rounds.get(number=2), account=account, now=morning + timedelta(hours=5),
    )  # fmt: skip
    return rounds.finish(tournament, account=account, now=morning + timedelta(hours=9))


def _running(
    members: list[tuple[Player, Club]], host: Club, account: Account, random: Random, now: datetime
) -> Tournament:
    """An evening with its first round half reported, one table calling and one deal corrected."""
    start = now - 21 * DEAL_TAKES
    tournament = Tournament.objects.create(
        host=host, name="Efterårsturnering", date=now.date(), place="Skovby Kro", rounds_planned=3,
        tie_breaks=["best_round", "games_won"], stake=25, entry_fee=5000,
    )  # fmt: skip
    _entered(tournament, members[8:31], account, start)
    rounds.draw(tournament, seed=random.randrange(10**6), account=account, now=start)
    round_: Round = rounds.start_round(tournament.rounds.get(number=1), account=account, now=start)
    for table in round_.tables.select_related("round__tournament"):
        _play(table, random.randint(17, 21), start, random)
    second, third = round_.tables.select_related("round__tournament").order_by("number")[1:3]
    raise_flag(second, "call", deal=None, words="Talonen har kun 12 kort", now=now - timedelta(minutes=2))
    raise_flag(third, "later", deal=12, words="Var det tourné?", now=now - timedelta(minutes=9))
    _correct(third, 5, random, now - timedelta(minutes=11))
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
    season = seasons.store(Season(host=union, version=0), values, account)
    evenings = [tournament.code for tournament in seasons.evenings_for(season)]
    seasons.choose_evenings(season, evenings, account)


def _being_set_up(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    tournament = Tournament.objects.create(
        host=host, name="Juleturnering", date=now.date() + timedelta(days=20), place="Brædstrup Forsamlingshus",
        rulebook="rasle", rounds_planned=2, stake=10, entry_fee=5000, draw_mode=Tournament.DrawMode.BY_ROUND,
    )  # fmt: skip
    _entered(tournament, members[1::3], account, now, here=False)


def _makkerpar(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """An evening of six pairs three days ago: all meet all in five rounds of eight deals."""
    random = Random(SEED)
    evening = (now - timedelta(days=3)).replace(hour=18, minute=30, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=host, name="Makkerpar", date=evening.date(), place="Brædstrup Forsamlingshus", format="pairs",
        deals_per_round=8, entry_fee=5000, prize_shares=[50, 30],
    )  # fmt: skip
    _entered(tournament, members, account, evening)
    teaming.put_together(tournament, account=account, now=evening)
    teaming.plan_all_meetings(tournament, account=account, now=evening)
    tournament.refresh_from_db()
    for round_ in rounds.draw(tournament, seed=SEED, account=account, now=evening):
        start = evening + timedelta(minutes=36 * (round_.number - 1))
        rounds.start_round(round_, account=account, now=start)
        for table in round_.tables.select_related("round__tournament"):
            _play(table, table.deals, start, random)
            for seat in table.seats.all():
                agree(seat, now=start + timedelta(minutes=35))
        rounds.close_round(round_, account=account, now=start + timedelta(minutes=35))
    rounds.finish(tournament, account=account, now=evening + timedelta(hours=3))


def _on_boards(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """An evening a week ago: four tables that shared a set of twenty folders."""
    random = Random(SEED)
    evening = (now - timedelta(days=7)).replace(hour=18, minute=0, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=host, name="Kortmappeaften", date=evening.date(), place="Juelsminde Hallen", rounds_planned=1,
        deals_per_round=20, deals_at_three=16, boards=True, board_sets=1,
    )  # fmt: skip
    _entered(tournament, members[16:32], account, evening)
    board_set = BoardSet.objects.create(
        tournament=tournament, round_number=1, seed=f"demo-{SEED}", dealt_at=evening
    )
    rounds.draw(tournament, seed=random.randrange(10**6), account=account, now=evening)
    round_ = rounds.start_round(tournament.rounds.get(number=1), account=account, now=evening)
    cards = [(folder.hands, folder.talon) for folder in cards_of(board_set)]
    rulebook = rulebook_of(tournament)
    for table in round_.tables.select_related("round__tournament"):
        order = [cards[folder - 1] for folder in table.folders]
        played = results_on_boards(rulebook, table.seats.count(), order, seed=SEED + table.number)
        _report_all(table, played, evening, random)
        for seat in table.seats.all():
            agree(seat, now=evening + timedelta(hours=1.6))
    rounds.close_round(round_, account=account, now=evening + timedelta(hours=1.7))
    rounds.finish(tournament, account=account, now=evening + timedelta(hours=2))


def _play(table: Table, deals: int, start: datetime, random: Random) -> None:
    """Report the first deals of a table, each at its own time."""
    rulebook = rulebook_of(table.round.tournament)
    players = table.seats.count()
    seed = random.randrange(10**6)
    played = results(
        rulebook,
        players,
        deals,
        seed=seed,
        first_dealer=table.first_dealer,
        in_pairs=table.round.tournament.in_pairs,
    )
    _report_all(table, played, start, random)


def _report_all(table: Table, played: Iterable[dict[str, Any]], start: datetime, random: Random) -> None:
    moment = start
    for deal, result in enumerate(played, start=1):
        moment += DEAL_TAKES * random.uniform(0.7, 1.25)
        _report(table, deal, 0, result, "", moment, random)


def _correct(table: Table, deal: int, random: Random, now: datetime) -> None:
    players = table.seats.count()
    seating = Seating(players=players, dealer=dealer_of(deal, players, table.first_dealer))
    result = {"contract": "solo", "declarer": seating.forehand, "trump": "H", "outcome": "won"}
    _report(table, deal, 1, result, "Forkert melder", now, random)


def _report(
    table: Table, deal: int, base: int, result: dict[str, object], reason: str, now: datetime, random: Random
) -> None:
    key = UUID(int=random.getrandbits(128), version=4)
    submission = Submission(key=key, deal=deal, base=base, result=result, made_at=now, reason=reason)
    answer = record(table, [submission], Author("captain"), now=now)[0]
    if answer.status != "accepted":
        raise RuntimeError(f"the rules refuse what was played by them: {result}: {answer}")
