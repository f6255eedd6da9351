"""What is played in the demo: deals by bots, reported one by one, each at its own time."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from tournaments.demo.rehearsal import results
from tournaments.demo.strengths import strength_of
from tournaments.ledger import Author, Submission, agree, record
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import seating_at
from tournaments.lifecycle.playing import close_round, start_round

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from random import Random

    from clubs.models import Account
    from tournaments.models import Round, Table

DEAL_TAKES = timedelta(minutes=3, seconds=20)


def play_whole(round_: Round, account: Account, start: datetime, random: Random, takes: timedelta) -> None:
    """Play a round from its start to its close."""
    round_ = start_round(round_, account=account, now=start)
    for table in round_.tables.select_related("round__tournament"):
        play(table, table.deals, start, random)
        for seat in table.seats.all():
            agree(seat, now=start + takes)
    close_round(round_, account=account, now=start + takes)


def play(table: Table, deals: int, start: datetime, random: Random) -> None:
    """Report the first deals of a table, each at its own time."""
    rulebook = rulebook_of(table.round.tournament)
    strengths = strengths_at(table)
    seed = random.randrange(10**6)
    played = results(
        rulebook,
        len(strengths),
        deals,
        seed=seed,
        first_dealer=table.first_dealer,
        in_pairs=table.round.tournament.hands_taken_over,
        strengths=strengths,
    )
    report_all(table, played, start, random)


def strengths_at(table: Table) -> list[float]:
    """How well each plays who sits there, by position."""
    seats = table.seats.select_related("entry__player").order_by("position")
    return [strength_of(seat.entry.player.name) for seat in seats]


def report_all(table: Table, played: Iterable[dict[str, Any]], start: datetime, random: Random) -> None:
    moment = start
    for deal, result in enumerate(played, start=1):
        moment += DEAL_TAKES * random.uniform(0.7, 1.25)
        _report(table, deal, 0, result, "", moment, random)


def correct(table: Table, deal: int, random: Random, now: datetime) -> None:
    seating = seating_at(table, table.seats.count(), deal)
    result = {"contract": "solo", "declarer": seating.forehand, "trump": "H", "outcome": "won"}
    _report(table, deal, 1, result, "Forkert spilfører", now, random)


def _report(
    table: Table, deal: int, base: int, result: dict[str, object], reason: str, now: datetime, random: Random
) -> None:
    key = UUID(int=random.getrandbits(128), version=4)
    submission = Submission(key=key, deal=deal, base=base, result=result, made_at=now, reason=reason)
    answer = record(table, [submission], Author("captain"), now=now)[0]
    if answer.status != "accepted":
        raise RuntimeError(f"the rules refuse what was played by them: {result}: {answer}")
