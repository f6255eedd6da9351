"""Evenings played by bots, with the same people again and again: what seasons, ratings and championships stand on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from uuid import uuid4

from django.db.models import Model
from django.utils import timezone

from clubs.models import Membership
from core.jobs.models import Job
from core.jobs.queue import run_now
from tests.factories import first_round, made_once, make_tournament, tables_of
from tournaments.boards.analysis import Makes
from tournaments.boards.dealing import Folder
from tournaments.boards.folders import cards_of
from tournaments.demo.play import results, results_on_boards
from tournaments.entries import entering
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.queries import rulebook_of
from tournaments.lifecycle import playing
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import start_round
from tournaments.models import Round, Season, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clubs.models import Account, Club, Player
    from tournaments.models import Tournament


def make_evening(
    players: Sequence[Player], club: Club, account: Account, *, rounds_planned: int = 1, **fields: Any
) -> Tournament:
    """A tournament in which these players are checked in and drawn, not started."""
    told = [value for value in fields.values() if isinstance(value, Model)]
    members = Membership.objects.filter(player__in=players).select_related("club").order_by("pk")
    return made_once(
        f"evening {rounds_planned} {sorted(fields.items())}",
        [club, account, *told, *players, *members, *(member.club for member in members)],
        lambda: _make_evening(players, club, account, rounds_planned, fields),
    )


def _make_evening(
    players: Sequence[Player], club: Club, account: Account, rounds_planned: int, fields: dict[str, Any]
) -> Tournament:
    fields = {"deals_per_round": 4, "deals_at_three": 3} | fields
    tournament = make_tournament(0, rounds_planned, club=club, account=account, **fields)
    now = timezone.now()
    for player in players:
        member = player.memberships.select_related("club").first()
        entry = entering.enter(
            tournament, player, club=member.club if member else None, account=account, now=now
        )
        entering.check_in(entry, present=True, account=account, now=now)
    draw(tournament, seed=7, account=account, now=now)
    tournament.refresh_from_db()
    return tournament


def play_evening(
    tournament: Tournament, account: Account, *, finished: bool = True, seed: int = 1
) -> Tournament:
    """Let bots play every round that is drawn, by a seed; finish the tournament unless told otherwise."""
    for round_ in tournament.rounds.order_by("number"):
        play_round(round_, account, seed=seed)
    tournament.refresh_from_db()
    if finished:
        tournament = finish(tournament, account=account, now=timezone.now())
    tournament.refresh_from_db()
    return tournament


def play_round(round_: Round, account: Account, *, seed: int = 1) -> None:
    """Let bots play a round from its start to its close."""
    now = timezone.now()
    start_round(round_, account=account, now=now)
    for table in Table.objects.filter(round=round_).select_related("round__tournament"):
        # By numbers, not keys: the same evening gives the same results whatever tests ran before.
        play_table(table, seed=1000 * seed + 100 * round_.number + table.number, now=now)
    playing.close_round(
        Round.objects.get(pk=round_.pk), account=account, now=now, force_reason="the bots agree"
    )


def play_table(table: Table, *, seed: int, now: datetime) -> None:
    players = table.seats.count()
    played = results(rulebook_of(table.round.tournament), players, table.deals, seed=seed, first_dealer=0)
    _report(table, played, now)


def _report(table: Table, results: Iterable[dict[str, Any]], now: datetime) -> None:
    submissions = [
        Submission(key=uuid4(), deal=number, base=0, result=result)
        for number, result in enumerate(results, start=1)
    ]
    answers = record(table, submissions, Author("captain"), now=now)
    assert {answer.status for answer in answers} == {"accepted"}


def play_folders(table: Table, cards: Sequence[Folder] | None = None) -> None:
    """Bots play the table's folders in their order, and the captain reports."""
    tournament = table.round.tournament
    cards = cards or cards_of(tournament.board_sets_dealt.get(round_number=table.round.number))
    order = [(cards[folder - 1].hands, cards[folder - 1].talon) for folder in table.folders]
    played = results_on_boards(rulebook_of(tournament), table.seats.count(), order, seed=table.number)
    _report(table, played, timezone.now())


def close_round(tournament: Tournament, account: Account) -> None:
    """Close the first round, whoever has not agreed."""
    playing.close_round(
        first_round(tournament), account=account, now=timezone.now(), force_reason="nobody had to agree"
    )


# What the solver finds in every folder of `play_season_with_folders`.
MAKEABLE = [
    Makes(role, contract, trump, 29, 30, exact=False)
    for role in ("FH", "MH", "BH")
    for contract, trump in (("spade_solo", ""), ("solo", "H"), ("simple_game", "D"))
]


def play_season_with_folders(club: Club, account: Account) -> Season:
    """A season of one evening with four folders at two tables; its round is closed and analysed, without the solver.

    Always the same cards: of some of its deals a line of best play is found within the solver's limit, of some not.
    """
    evening = made_once(
        "season with folders", [club, account], lambda: _play_season_with_folders(club, account)
    )
    return evening.season


def _play_season_with_folders(club: Club, account: Account) -> Tournament:
    today = timezone.localdate()
    season = Season.objects.create(
        host=club, name="Winter", starts=today - timedelta(days=400), ends=today + timedelta(days=400)
    )
    fields = {"boards": True, "board_sets": 2, "deals_per_round": 4, "deals_at_three": 3}
    with (
        patch("tournaments.models.ledger.secrets.token_hex", lambda count: "5eed" * (count // 2)),
        patch("tournaments.boards.analysis.analyse", lambda _rulebook, _folder: MAKEABLE),
        patch("tournaments.boards.analysis.find_doubts_in", lambda *_round: []),
    ):
        evening = make_tournament(8, club=club, account=account, season=season, **fields)
        for table in tables_of(evening):
            play_folders(table)
        close_round(evening, account)
        run_now(Job.objects.get(kind="folders"))
    return evening


def tokens_by_player(tournament: Tournament) -> dict[int, int]:
    """Player -> tokens, added up from the reports one by one."""
    sums: dict[int, int] = {}
    for table in Table.objects.filter(round__tournament=tournament):
        seats = table.seats.select_related("entry").order_by("position")
        reports = [deal.current for deal in table.dealt.select_related("current")]
        for seat in seats:
            won = sum(report.tokens[seat.position] for report in reports)
            sums[seat.entry.player_id] = sums.get(seat.entry.player_id, 0) + won
    return sums
