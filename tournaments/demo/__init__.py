"""Demo union: three clubs, 48 players, and tournaments of every format, finished, running or to come.

Made by the same functions as real ones, with past dates. The same seed gives the same union.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from clubs.models import Account, Affiliation, Club, Gives, MemberCount, Membership, Player, Role
from clubs.register import choose_main_club, give_numbers, invite_club, keep_count, request_transfer
from tournaments.boards.folders import cards_of
from tournaments.changes.chain import append
from tournaments.demo.play import (
    CLUBS,
    DEAL_TAKES,
    POSITIONS,
    UNION,
    correct,
    enter_demo_people,
    members_of,
    play,
    play_whole,
    report_all,
    results_on_boards,
    strengths_at,
)
from tournaments.domain.halls import stored_halls
from tournaments.entries import teams
from tournaments.entries.erasing import propose_erasures
from tournaments.entries.merging import merge
from tournaments.entries.teams import database_clock
from tournaments.ledger import agree, raise_flag
from tournaments.ledger.queries import rulebook_of
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.fixtures import add_wish
from tournaments.lifecycle.home_matches import (
    agree_to_result,
    give_own_days,
    propose_days,
    score_of,
    start_match,
)
from tournaments.lifecycle.objections import Subject, decide_objection, make_objection
from tournaments.lifecycle.officials import give
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import penalise, postpone, set_dates
from tournaments.lifecycle.team_entries import (
    EnteredTeam,
    accept_entry,
    enter_team,
    set_deadline,
)
from tournaments.models import BoardSet, Championship, Match, Round, Season, Table, Team, Tournament
from tournaments.models.club import usual_votes
from tournaments.models.leagues import ProposedDay
from tournaments.people import points_lists
from tournaments.seasons import championships, quotas
from tournaments.seasons import season as seasons
from tournaments.seasons.dues import Fees, charges_of, make_statements, store_fees, tick_paid
from tournaments.seasons.points import Rule
from tournaments.seasons.year import store_notes

if TYPE_CHECKING:
    from tournaments.models import Entry


SEED = 1724
USERNAME, PASSWORD = "alice", "spadille-demo"


@dataclass(frozen=True)
class Demo:
    """The demo's links and passwords for a visitor."""

    username: str
    password: str
    running: Tournament
    table: Table


@transaction.atomic
def make_demo(now: datetime) -> Demo:
    """Fill an empty database. `now` is the middle of the running round."""
    random = Random(SEED)
    shown = {"shows_achievements": True}
    union = Club.objects.create(name=UNION[0], slug=UNION[1], town=UNION[2], neighbours_km=50, **shown)
    clubs = [
        Club.objects.create(name=name, slug=slug, town=town, position=POSITIONS[slug], **shown)
        for name, slug, town in CLUBS
    ]
    for club in clubs:
        joined = (now - timedelta(days=3 * 365)).date()
        Affiliation.objects.create(club=club, union=union, joined=joined, gives=Gives.EVERYTHING)
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
    _teams_entered(members, union, account, now)
    pokal(members[20:36], union, account, now)
    crocodile(members[2::6], clubs[2], account, now)
    _register(union, clubs, account, now)
    _hand_over(union, account, now)
    _points_lists(union, account, now)
    _quotas(union, members[20][0], account, now)
    _what_clashes(members, clubs[2], account, now)
    table = Table.objects.select_related("round__tournament").get(
        round__tournament=running, round__state=Round.State.RUNNING, number=1
    )
    return Demo(USERNAME, PASSWORD, running, table)


def _register(union: Club, clubs: list[Club], account: Account, now: datetime) -> None:
    """The union's numbers, a count, a transfer that waits for an answer, and people who are in two lists."""
    give_numbers(union, account=account, now=now)
    counted = keep_count(union, (now - timedelta(days=30)).date(), account=account, now=now)
    _statements(counted, account, now)
    last = Membership.objects.select_related("player", "club").filter(club=clubs[1]).order_by("pk").last()
    day = (now + timedelta(days=30)).date()
    if last:
        asked_at = now - timedelta(days=2)
        request_transfer(last, clubs[0], day=day, number=None, account=account, now=asked_at)
    first = Membership.objects.select_related("player").filter(club=clubs[0]).order_by("pk").first()
    if first:
        Player.objects.filter(pk=first.player_id).update(phone="20 30 40 50")
        twice = Player.objects.create(name=first.player.name, phone="+45 2030 4050")
        joined = (now - timedelta(days=20)).date()
        Membership.objects.create(player=twice, club=clubs[2], joined=joined)
    _memberships_of_years(union, clubs, account, now)


def _memberships_of_years(union: Club, clubs: list[Club], account: Account, now: datetime) -> None:
    """Create an undoable merge, a member of two clubs, a person proposed for erasure, a second union's invitation."""
    of_club = Membership.objects.select_related("player").order_by("pk")
    (_first, second, third) = of_club.filter(club=clubs[2])[:3]
    joined = (now - timedelta(days=400)).date()
    twice = Player.objects.create(name=second.player.name)
    Membership.objects.create(player=twice, club=clubs[0], joined=joined)
    merge(second.player, twice, desk=union, account=account, now=now - timedelta(days=3))
    Membership.objects.create(player=third.player, club=clubs[1], joined=joined)
    choose_main_club(third.player, clubs[1], joined, desk=union, account=account, now=now)
    long_ago = (now - timedelta(days=6 * 365)).date()
    former = Player.objects.create(name="Holger Ravn")
    Membership.objects.create(
        player=former, club=clubs[0], joined=long_ago - timedelta(days=3650), left=long_ago
    )
    propose_erasures(now)
    national = Club.objects.create(name="Dansk L'Hombre-Union", slug="dansk", town="Vejle")
    invite_club(national, clubs[0].name, account=account, now=now - timedelta(days=4))


def _hand_over(club: Club, account: Account, now: datetime) -> None:
    notes = {
        "keys": "Forsamlingshuset: Egon Møller\nSkabet: Tove Dahl",
        "things": "Kort og jetoner i skabet, kassen hos kassereren",
        "backup": "USB-nøgle i kassen",
        "more": "",
    }
    store_notes(club, notes, account=account, now=now)


def _statements(counted: MemberCount, account: Account, now: datetime) -> None:
    """Make the union's statements to its clubs by a count: one is paid, one has been reminded."""
    fees = {
        "per_member": 7500, "least": 50000, "per_team": 20000, "votes": usual_votes(), "days": 14,
        "pay_to": "Reg. 1234, konto 5678901",
    }  # fmt: skip
    store_fees(counted.union, fees, account=account, now=now)
    charges = charges_of(counted, Fees(7500, 50000, 20000, usual_votes()))
    make_statements(counted, charges, account=account, now=now - timedelta(days=20))
    first, second = counted.statements.select_related("union", "club").order_by("number")[:2]
    tick_paid(first, paid=True, account=account, now=now - timedelta(days=8))
    # Without an email to the club there is no reminder: what one leaves behind is set here.
    second.reminders, second.reminded_at = 1, now - timedelta(days=2)
    second.save(update_fields=["reminders", "reminded_at"])


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
    """A finished tournament: three rounds of 27 players a fortnight ago, with a correction and a penalty."""
    morning = (now - timedelta(days=14)).replace(hour=8, minute=0, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=union, name="Unionsmesterskab", date=morning.date(), place="Brædstrup Forsamlingshus", rounds_planned=3,
        tie_breaks=["best_round", "games_won", "lot"], stake=25, entry_fee=7500,
        halls=stored_halls([("Store sal", "Brædstrup Forsamlingshus", 4), ("Skolen", "Skolegade 3", 3)]),
    )  # fmt: skip
    enter_demo_people(tournament, members[:27], account, morning)
    draw(tournament, seed=random.randrange(10**6), account=account, now=morning)
    for number in (1, 2, 3):
        start = morning + timedelta(hours=2.75 * (number - 1))
        play_whole(tournament.rounds.get(number=number), account, start, random, timedelta(hours=2.5))
    penalise(
        tournament.entries.get(number=14), tokens=-1, reason="Meldte farven før spillet var vundet",
        round_=tournament.rounds.get(number=2), account=account, now=morning + timedelta(hours=5),
    )  # fmt: skip
    # Bob has a role in no club: he organised this one.
    bob = Account.objects.create_user(username="bob", password=PASSWORD, first_name="Bob", last_name="Demo")
    give(tournament, bob, Role.Kind.ORGANISER, account=account, now=morning - timedelta(days=7))
    return finish(tournament, account=account, now=morning + timedelta(hours=9))


def _running(
    members: list[tuple[Player, Club]], host: Club, account: Account, random: Random, now: datetime
) -> Tournament:
    """An evening with its first round half reported, one table calling and one deal corrected."""
    start = now - 21 * DEAL_TAKES
    tournament = Tournament.objects.create(
        host=host, name="Efterårsturnering", date=now.date(), place="Skovby Kro", rounds_planned=3,
        tie_breaks=["best_round", "games_won"], stake=25, entry_fee=5000,
        halls=stored_halls([("Salen", "", 4), ("Krostuen", "", 2)]),
    )  # fmt: skip
    enter_demo_people(tournament, members[8:31], account, start)
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


def _points_lists(union: Club, account: Account, now: datetime) -> None:
    """The union's points list, published a week ago and today."""
    rule = Rule(
        tables={
            "evening": [(8, [10, 8, 6, 5, 4, 3, 2, 1])],
            "union": [(8, [21, 18, 15, 12, 9, 6, 3])],
            "teams": [(4, [8, 5, 3, 1])],
        },
        weights={"union": Fraction(3, 2)},
        steps=[(12, Fraction(1)), (24, Fraction(2, 3)), (36, Fraction(1, 3))],
        best_of=10,
    )
    points_lists.store_rule(union, rule, account=account, now=now)
    for published in (now - timedelta(days=7), now):
        points_lists.publish(union, timezone.localdate(published), account=account, now=published)


def _being_set_up(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    tournament = Tournament.objects.create(
        host=host, name="Juleturnering", date=now.date() + timedelta(days=20), place="Brædstrup Forsamlingshus",
        rulebook="rasle", rounds_planned=2, stake=10, entry_fee=5000, draw_mode=Tournament.DrawMode.BY_ROUND,
    )  # fmt: skip
    enter_demo_people(tournament, members[1::3], account, now, here=False)
    append(tournament.pk, [tournament], now=now)


def _what_clashes(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """Two evenings that clash in the union's year.

    One has a player of Juleturnering on its day, one is on Boxing Day.
    """
    boxing_day = now.date().replace(month=12, day=26)
    if boxing_day <= now.date():
        boxing_day = boxing_day.replace(year=now.year + 1)
    evenings: tuple[tuple[str, date, list[tuple[Player, Club]]], ...] = (
        ("Begynderaften", now.date() + timedelta(days=20), members[1:5]),
        ("Anden juledag", boxing_day, []),
    )
    for name, day, some in evenings:
        tournament = Tournament.objects.create(
            host=host, name=name, date=day, place="Juelsminde Hallen", rounds_planned=2
        )
        enter_demo_people(tournament, some, account, now, here=False)
        append(tournament.pk, [tournament], now=now)


def _quotas(union: Club, invited: Player, account: Account, now: datetime) -> None:
    """Set quotas for the next championship: one player by hand, each club's best, and the best of the points list."""
    championship = championships.store(
        Championship(host=union),
        {"name": "Unionsmesterskabet", "date": (now + timedelta(days=30)).date()},
        [{"name": "Finale", "groups": 1, "sessions": 3, "deals": 20}],
        account=account,
        now=now,
    )
    newest = union.published_lists.first()
    number = str(union.numbers_given.get(player=invited).number)
    stage = championship.stages.get()
    of_list: dict[str, Any] = {"source": "list", "published": newest}
    chosen = [
        {"source": "hand", "places": 1},
        {**of_list, "places": 1, "each_club": True},
        {**of_list, "places": 4},
    ]
    quotas.store_quotas(stage, chosen, [number], account=account, now=now)
    first = quotas.QualifiedTable(stage).going[-1]
    quotas.record_answer(stage, first.player, "no", account=account, now=now)


# The other formats in the demo: pairs, boards, teams of four over months, a championship, a crocodile session.

TEAMS = ("Skovby 1", "Skovby 2", "Brædstrup", "Sømærke")
AT_HOME = ("Skovby Forsamlingshus", "Skovby Forsamlingshus", "Brædstrup Hallen", "Sømærke Kro")


def makkerpar(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """An evening of six pairs three days ago: all meet all in five rounds of eight deals."""
    random = Random(SEED)
    evening = (now - timedelta(days=3)).replace(hour=18, minute=30, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=host, name="Makkerpar", date=evening.date(), place="Brædstrup Forsamlingshus", format="pairs",
        deals_per_round=8, entry_fee=5000, prize_shares=[50, 30],
    )  # fmt: skip
    enter_demo_people(tournament, members, account, evening)
    teams.put_together(tournament, account=account, now=evening)
    teams.plan_all_meetings(tournament, account=account, now=evening)
    tournament.refresh_from_db()
    for round_ in draw(tournament, seed=SEED, account=account, now=evening):
        start = evening + timedelta(minutes=36 * (round_.number - 1))
        play_whole(round_, account, start, random, timedelta(minutes=35))
    finish(tournament, account=account, now=evening + timedelta(hours=3))


def on_boards(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """An evening a week ago: four tables that shared a set of twenty folders."""
    random = Random(SEED)
    evening = (now - timedelta(days=7)).replace(hour=18, minute=0, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=host, name="Kortmappeaften", date=evening.date(), place="Juelsminde Hallen", rounds_planned=1,
        deals_per_round=20, deals_at_three=16, boards=True, board_sets=1,
    )  # fmt: skip
    enter_demo_people(tournament, members[16:32], account, evening)
    board_set = BoardSet.objects.create(
        tournament=tournament, round_number=1, seed=f"demo-{SEED}", dealt_at=evening
    )
    append(tournament.pk, [board_set], now=evening)
    draw(tournament, seed=random.randrange(10**6), account=account, now=evening)
    round_ = start_round(tournament.rounds.get(number=1), account=account, now=evening)
    cards = [(folder.hands, folder.talon) for folder in cards_of(board_set)]
    rulebook = rulebook_of(tournament)
    for table in round_.tables.select_related("round__tournament"):
        order = [cards[folder - 1] for folder in table.folders]
        strengths = strengths_at(table)
        played = results_on_boards(
            rulebook, len(strengths), order, seed=SEED + table.number, strengths=strengths
        )
        report_all(table, played, evening, random)
        for seat in table.seats.all():
            agree(seat, now=evening + timedelta(hours=1.6))
    close_round(round_, account=account, now=evening + timedelta(hours=1.7))
    finish(tournament, account=account, now=evening + timedelta(hours=2))


def holdturnering(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """A season of four teams, home and away: three matches played since three months ago, three to come.

    `members` are those of the three clubs by turns.
    """
    random = Random(SEED)
    first = (now - timedelta(days=80)).replace(hour=18, minute=30, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=host, name="Holdturnering", date=first.date(), place="Hos hjemmeholdet", format="teams", meetings=2,
        deals_per_round=8, promoted=1, relegated=1, up_limit=2, alike_journeys=True,
    )  # fmt: skip
    skovby, braedstrup, soemaerke = (members[club::3] for club in range(3))
    of_teams = (skovby[:5], skovby[5:9], braedstrup[:5], soemaerke[:4])
    for name, place, some in zip(TEAMS, AT_HOME, of_teams, strict=True):
        enter_demo_people(tournament, some, account, first)
        four, reserves = _last_entered(tournament, some)
        lineup = teams.Lineup(name, some[0][1], place=place, members=four, reserves=reserves)
        teams.make_team(tournament, lineup, account=account, now=first)
    teams.plan_all_meetings(tournament, account=account, now=first)
    tournament.refresh_from_db()
    drawn = draw(tournament, seed=SEED, account=account, now=first)
    evenings = {round_.number: first + timedelta(weeks=4 * (round_.number - 1)) for round_ in drawn}
    days = {number: evening.date() for number, evening in evenings.items()}
    set_dates(tournament, days, account=account, now=first)
    for round_ in tournament.rounds.filter(number__lte=2).order_by("number"):
        play_whole(round_, account, evenings[round_.number], random, timedelta(minutes=40))
    # From the third round on teams play at home, each match on a day of its own.
    give_own_days(tournament, account=account, now=evenings[2] + timedelta(days=1))
    for match in Match.objects.filter(round__tournament=tournament, round__number=3).order_by("number"):
        _play_at_home(match, evenings[3], random)
    (match, other) = Match.objects.filter(round__tournament=tournament, round__number=4).order_by("number")
    day = evenings[4].date() + timedelta(days=2)
    postpone(match, day, begins_at=time(19), account=account, now=now)
    asked_at = now - timedelta(hours=5)
    proposed = [ProposedDay(day + timedelta(days=days), time(18, 30)) for days in (5, 7)]
    away = Team.objects.select_related("tournament").get(away_matches=other)
    propose_days(other, away, proposed, reason="To af os er bortrejst", now=asked_at)
    _objections(tournament, account, now)


def _play_at_home(match: Match, start: datetime, random: Random) -> None:
    """Play a match from its start by the home team's link to the result that both captains agree to."""
    match = start_match(match, team=match.home, account=None, now=start)
    for table in match.tables.select_related("round__tournament", "match"):
        play(table, table.deals, start, random)
    for team in filter(None, (match.home, match.away)):
        agree_to_result(match, team, seen=score_of(match).tokens, now=start + timedelta(minutes=40))


def _objections(tournament: Tournament, account: Account, now: datetime) -> None:
    """One that is decided, and one that is open and holds the standings back."""
    first, second = tournament.teams.order_by("number")[2:4]
    of_round = Subject("line_up", round_number=1)
    decided = make_objection(
        tournament, second, of_round, words="Skovby 1 stillede med en reserve fra Skovby 2.", account=None,
        now=now - timedelta(days=70),
    )  # fmt: skip
    answer = "Reserven stod på Skovby 1s egen liste."
    decide_objection(decided, upheld=False, answer=answer, account=account, now=now - timedelta(days=68))
    deal = Subject("deal", round_number=3, table_number=3, deal_number=5)
    make_objection(
        tournament, first, deal, words="Spillet blev vundet med fem stik, ikke tabt.", account=None,
        now=now - timedelta(days=2),
    )  # fmt: skip


def _teams_entered(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """Next season's tournament of teams: clubs enter theirs for two more weeks, two wait and one is accepted."""
    day = (now + timedelta(days=60)).date()
    tournament = Tournament.objects.create(
        host=host, name="Næste sæsons holdturnering", date=day, place="Hos hjemmeholdet", format="teams",
        meetings=2,
    )  # fmt: skip
    until = max(now, database_clock()) + timedelta(days=14)
    by: dict[str, Any] = {"account": account, "now": now}
    set_deadline(tournament, teams_until=until, most_of_club=1, **by)
    for club, (name, place) in enumerate(zip(TEAMS[1:], AT_HOME[1:], strict=True)):
        some = members[club::3][:5]
        players = [player for player, _club in some]
        entered = EnteredTeam(name, place, players[0], players[:4], players[4:])
        entry = enter_team(tournament, some[0][1], entered, **by)
    team = accept_entry(entry, division=1, **by)
    week = day + timedelta(days=14)
    add_wish(tournament, team, day=week, **by)
    add_wish(tournament, team, day=week + timedelta(days=14), is_hard=True, **by)


def _last_entered(tournament: Tournament, some: list[tuple[Player, Club]]) -> tuple[list[Entry], list[Entry]]:
    """The entries of these players: four, and the reserves."""
    found = list(tournament.entries.order_by("-number")[: len(some)])[::-1]
    return found[:4], found[4:]


def pokal(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """A championship of two groups, played ten days ago, with its final in a week."""
    random = Random(SEED)
    evening = (now - timedelta(days=10)).replace(hour=18, minute=30, second=0, microsecond=0)
    championship = championships.store(
        Championship(host=host),
        {"name": "Unionspokalen", "date": evening.date()},
        [
            {"name": "Grupper", "groups": 2, "sessions": 1, "deals": 8, "each": 2},
            {"name": "Finale", "groups": 1, "sessions": 2, "deals": 20, "carried": 50},
        ],
        account=account,
        now=now,
    )
    hosting = next(club for _player, club in members if club.slug == "braedstrup")
    groups = []
    for letter, some in (("A", members[:8]), ("B", members[8:16])):
        group = Tournament.objects.create(
            host=host, name=f"Unionspokalen, gruppe {letter}", date=evening.date(), place="Brædstrup Forsamlingshus",
            rounds_planned=1, deals_per_round=8, deals_at_three=6, tie_breaks=["best_round", "lot"], held_by=hosting,
        )  # fmt: skip
        enter_demo_people(group, some, account, evening)
        (round_,) = draw(group, seed=SEED, account=account, now=evening)
        play_whole(round_, account, evening, random, timedelta(minutes=40))
        group.refresh_from_db()
        groups.append(finish(group, account=account, now=evening + timedelta(hours=1)))
    championships.choose_groups(championship, [group.code for group in groups], account=account, now=now)
    championships.make_next(
        championship.stages.get(number=1),
        day=now.date() + timedelta(days=7),
        out=(),
        account=account,
        now=now,
    )


def crocodile(members: list[tuple[Player, Club]], host: Club, account: Account, now: datetime) -> None:
    """A session at tables of three five days ago: two rounds of six deals."""
    random = Random(SEED)
    evening = (now - timedelta(days=5)).replace(hour=19, minute=0, second=0, microsecond=0)
    tournament = Tournament.objects.create(
        host=host, name="Krokodille", date=evening.date(), place="Juelsminde Hallen", rulebook="crocodile",
        rounds_planned=2, deals_at_three=6,
    )  # fmt: skip
    enter_demo_people(tournament, members, account, evening)
    for round_ in draw(tournament, seed=SEED, account=account, now=evening):
        start = evening + timedelta(minutes=40 * (round_.number - 1))
        play_whole(round_, account, start, random, timedelta(minutes=35))
    finish(tournament, account=account, now=evening + timedelta(hours=2))
