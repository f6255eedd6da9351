"""A tournament in memory with all that is stored of it: its steps are chained as they are taken, by the chain itself.

Nothing is asked of the database: hundreds of tournaments are stored at once afterwards (`store`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import models, transaction

from core.log_messages import log_fields
from scoring import ENGINE_VERSION
from tournaments.changes.chain import ending, model_here, next_link, seal_table
from tournaments.changes.chain_contents import content_of, name_of, unchanged_table
from tournaments.domain.outcomes import declarer_of
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.report_chain import put_at_end
from tournaments.lifecycle.rulings import RULED
from tournaments.models import (
    BoardSet,
    ChainLink,
    Deal,
    Entry,
    LogEntry,
    Match,
    Penalty,
    Report,
    Round,
    Seat,
    Table,
    Team,
    Tournament,
)

if TYPE_CHECKING:
    from clubs.models import Account, Club, Player
    from tests.bench.years.pool import Told

# What is stored, in the order in which one thing may name another.
STORED = (
    Tournament,
    Team,
    Entry,
    Round,
    Match,
    Table,
    Seat,
    BoardSet,
    Report,
    Deal,
    Penalty,
    LogEntry,
    ChainLink,
)
DEAL_TAKES = timedelta(minutes=3, seconds=20)
CORRECTED = 0.01


class Event:
    """A tournament that is made, drawn, played and finished in memory."""

    def __init__(self, account: Account, now: datetime, random: Random, **fields: Any) -> None:
        self.account, self.now, self.random = account, now, random
        self.tournament = Tournament(**fields)
        self.made: dict[type[models.Model], list[Any]] = defaultdict(list)
        # By round and table: who sits there, their seats.
        self.sitting: dict[tuple[int, int], list[Entry]] = {}
        self.seats: dict[tuple[int, int], list[Seat]] = {}
        self.made[Tournament].append(self.tournament)

    def add(self, thing: Any) -> Any:
        self.made[type(thing)].append(thing)
        return thing

    def step(self, text: str, *about: Any, **params: object) -> None:
        """Write a line of the log, and the link of the chain with what the step was about."""
        written = self.add(
            LogEntry(tournament=self.tournament, **log_fields(self.account, text, params, self.now))
        )
        things = {name_of(thing, self._place(thing)): self._content(thing) for thing in (written, *about)}
        end = self.tournament.code, self.tournament.chain_count, self.tournament.chain_head
        link = self.add(next_link(model_here, end, things, self.now))
        link.tournament = self.tournament
        vars(self.tournament).update(ending(self.tournament.code, link.number, link.hash))
        self.tournament.version += 1

    def _place(self, thing: models.Model) -> int:
        """The newest of its kind: rulings and log lines are told apart by their place."""
        return len(self.made[type(thing)])

    def _content(self, thing: models.Model) -> dict[str, Any]:
        if isinstance(thing, Table):
            return content_of(thing, unchanged_table([entry.number for entry in self.sitting[_at(thing)]]))
        return content_of(thing)

    def enter(self, players: Iterable[tuple[Player, Club | None]], **fields: Any) -> list[Entry]:
        """Enter these players of these clubs, checked in, the fee paid."""
        fields = {"status": Entry.Status.PRESENT, "fee_paid": True} | fields
        entries = [
            Entry(tournament=self.tournament, player=player, club=club, number=number, **fields)
            for number, (player, club) in enumerate(players, start=1)
        ]
        shown = Counter(entry.plain_name.casefold() for entry in entries)
        for entry in entries:
            entry.has_namesake = shown[entry.plain_name.casefold()] > 1
        self.made[Entry] += entries
        return entries

    def set_up(self) -> None:
        """Chain the set-up with pairs or teams and everybody who is entered."""
        self.step("Set the tournament up", self.tournament, *self.made[Team], *self.made[Entry])

    def seat(
        self,
        number: int,
        seated: Sequence[tuple[Sequence[Entry], Match | None]],
        codes: Iterable[str],
        seed: int,
    ) -> Round:
        """A drawn round: who sits at each table, and the match that is played there."""
        round_ = self._round(number, seed)
        for place, ((sitting, match), code) in enumerate(zip(seated, codes, strict=False), start=1):
            deals = self.tournament.deals_for(len(sitting))
            table = self.add(Table(round=round_, number=place, match=match, deals=deals, code=code))
            self.sitting[_at(table)] = list(sitting)
            self.seats[_at(table)] = [
                self.add(Seat(table=table, round=round_, position=position, entry=entry))
                for position, entry in enumerate(sitting)
            ]
        return round_

    def _round(self, number: int, seed: int) -> Round:
        for round_ in self.made[Round]:
            if round_.number == number:
                return round_
        return self.add(Round(tournament=self.tournament, number=number, seed=seed))

    def meet(self, number: int, meetings: Sequence[tuple[Team, Team | None]], seed: int) -> list[Match]:
        """The matches of a round, before its tables are seated; nobody on the other side is a bye."""
        round_ = self._round(number, seed)
        return [
            self.add(Match(round=round_, number=place, home=home, away=away))
            for place, (home, away) in enumerate(meetings, start=1)
        ]

    def drawn(self, seed: int) -> None:
        self.tournament.draw_seed = seed
        rounds = self.made[Round]
        about = [self.tournament, *rounds, *self.made[Match], *self.made[Table]]
        if self.tournament.in_teams:
            self.step(
                "Drew the matches of {rounds} round(s) with seed {seed}",
                *about,
                rounds=len(rounds),
                seed=seed,
            )
        else:
            text = "Drew {rounds} round(s) for {players} players with seed {seed}"
            self.step(text, *about, rounds=len(rounds), players=len(self.made[Entry]), seed=seed)

    def tables(self, round_: Round) -> list[Table]:
        return [table for table in self.made[Table] if table.round is round_]

    def start(self, round_: Round) -> None:
        tournament = self.tournament
        if not tournament.rules_frozen:
            tournament.options = dict(rulebook_of(tournament).options)
            tournament.rules_version = ENGINE_VERSION
            tournament.state = Tournament.State.RUNNING
            tournament.started_at = self.now
        round_.state, round_.started_at = Round.State.RUNNING, self.now
        tables = self.tables(round_)
        self.step("Started round {round}", tournament, round_, *tables, round=round_.number)
        for table in tables:
            table.seal = seal_table(table)

    def play(self, table: Table, played: Sequence[Told]) -> None:
        """Report these deals, each at its time; one in a hundred is corrected. Seals where the reports end."""
        moment = self.now
        tokens = [0] * len(self.sitting[_at(table)])
        for number, told in enumerate(played, start=1):
            moment += DEAL_TAKES
            report = self._report(table, number, 1, told, moment)
            if self.random.random() < CORRECTED and not rulebook_of(self.tournament).pool:
                told = self.random.choice([other for other in played if other.dealer == told.dealer])  # noqa: PLW2901
                if told.judged.result != report.result:
                    report = self._report(table, number, 2, told, moment, reason="typed_wrong")
            self.add(Deal(table=table, number=number, current=report))
            tokens = [sum(both) for both in zip(tokens, report.tokens, strict=True)]
        table.version += len(played)
        table.last_report_at = moment
        table.seal = seal_table(table)
        for seat, won in zip(self.seats[_at(table)], tokens, strict=True):
            seat.tokens = won

    def _report(
        self, table: Table, deal: int, revision: int, told: Told, at: datetime, reason: str = ""
    ) -> Report:
        judged = told.judged
        report = Report(
            table=table,
            deal_number=deal,
            revision=revision,
            key=UUID(int=self.random.getrandbits(128), version=4),
            result=judged.result,
            dealer=told.dealer,
            outcome=str(judged.outcome),
            contract=(judged.result or {}).get("contract", ""),
            declarer=declarer_of(judged.result),
            tokens=list(judged.tokens),
            parts=list(judged.parts),
            source=Report.Source.CAPTAIN,
            reason=reason,
            made_at=at,
            recorded_at=at,
        )
        put_at_end(report, table)
        return self.add(report)

    def close(self, round_: Round) -> None:
        """Everybody says yes to their sheet, and the round is over."""
        tables = self.tables(round_)
        for table in tables:
            for seat in self.seats[_at(table)]:
                seat.agreed_at = self.now
        round_.state, round_.closed_at = Round.State.CLOSED, self.now
        self.step("Closed round {round}", round_, *tables, round=round_.number)

    def penalise(self, entry: Entry, round_: Round, tokens: int, reason: str) -> None:
        ruling = self.add(
            Penalty(
                tournament=self.tournament, entry=entry, round=round_, tokens=tokens, reason=reason,
                ruled_by=str(self.account), ruled_at=self.now,
            )
        )  # fmt: skip
        self.step(RULED, ruling, player=entry, tokens=f"{tokens:+d}", reason=reason)

    def finish(self) -> None:
        self.tournament.state, self.tournament.finished_at = Tournament.State.FINISHED, self.now
        self.step("Finished the tournament", self.tournament)

    def total(self, entry: Entry) -> int:
        return sum(seat.tokens for seat in self.made[Seat] if seat.entry is entry)


def _at(table: Table) -> tuple[int, int]:
    return table.round.number, table.number


@transaction.atomic
def store(events: Sequence[Event]) -> None:
    """Store all of these tournaments."""
    for model in STORED:
        model._default_manager.bulk_create([thing for event in events for thing in event.made[model]])
