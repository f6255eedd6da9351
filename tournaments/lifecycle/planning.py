"""Input of the draw's planner from a tournament (history, clubs, wishes), the plan, and prices of alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.draw import quality as plan_quality
from tournaments.draw import tables as draw_tables
from tournaments.draw.planner import Plan, plan_next, prices_of_even_threes
from tournaments.draw.quality import Quality
from tournaments.draw.swiss import plan_as_given, plan_by_lot, plan_by_standings
from tournaments.draw.tables import CHAIRS, SMALL_TABLE, THREE_AND_FOUR, Apart, SmallTable
from tournaments.ledger.queries import sizes_of_tables
from tournaments.models import Entry, Round, Seat, Tournament
from tournaments.standings.players import standings

if TYPE_CHECKING:
    from collections.abc import Collection


# Input of the planner: history, clubs and wishes; the plan, and the prices of alternatives.


def seats_drawn(tournament: Tournament, *, started: bool) -> list[tuple[tuple[int, ...], ...]]:
    """The rounds' tables as entry numbers in seat order: those that have started, or those that have not."""
    rounds: dict[int, dict[tuple[int, int | None], list[int]]] = {}
    seats = Seat.objects.filter(round__tournament=tournament)
    drawn = Round.State.DRAWN
    seats = seats.exclude(round__state=drawn) if started else seats.filter(round__state=drawn)
    rows = seats.order_by("round__number", "table__number", "position")
    columns = ("round__number", "table__number", "table__empty_chair", "entry__number")
    for round_number, table, empty, number in rows.values_list(*columns):
        rounds.setdefault(round_number, {}).setdefault((table, empty), []).append(number)
    return [
        tuple(
            tuple(seated) if empty is None or len(seated) != SMALL_TABLE else SmallTable(seated, empty)
            for (_table, empty), seated in tables.items()
        )
        for tables in rounds.values()
    ]


def groups_of(tournament: Tournament) -> dict[int, int]:
    """Entry number -> club, for entries with one: players of a club are separated."""
    with_club = tournament.entries.exclude(club=None)
    return {number: club for number, club in with_club.values_list("number", "club_id") if club is not None}


def kept_apart(tournament: Tournament) -> list[Apart]:
    """The wishes of players not to share a table, by entry numbers."""
    return [Apart(tuple(wish["entries"]), wish["strict"]) for wish in tournament.not_together]


def mark_changed(tournament: Tournament, changed: Collection[Round]) -> None:
    """Store that the seats of these rounds are no longer as drawn; the price of the draw no longer holds then."""
    Round.objects.filter(pk__in=[round_.pk for round_ in changed]).update(swapped=True)
    for round_ in changed:
        round_.swapped = True
    if tournament.draw_prices:
        tournament.draw_prices = {}
        tournament.save(update_fields=["draw_prices"])


def draw_quality(tournament: Tournament) -> Quality | None:
    """The quality of the seating of all rounds so far, drawn ones included; None before the first draw."""
    rounds = seats_drawn(tournament, started=True) + seats_drawn(tournament, started=False)
    if not rounds:
        return None
    seats, apart = sizes_of_tables(tournament), kept_apart(tournament)
    return plan_quality.quality(rounds, groups_of(tournament), seats=seats, apart=apart)


def ranking_of(tournament: Tournament, present: Sequence[int]) -> list[int]:
    """Entry numbers of those present in the order of the standings, the leader first."""
    places = {row.number: place for place, row in enumerate(standings(tournament).rows)}
    return sorted(present, key=places.__getitem__)


def shares_threes(tournament: Tournament, present: int) -> bool:
    """Whether an even share of tables of three is an option: only some sit at them, and the draw avoids repeats."""
    modes = Tournament.DrawMode
    planned = tournament.draw_mode in (modes.WHOLE, modes.BY_ROUND, modes.STANDINGS)
    mixed = not tournament.in_teams and sizes_of_tables(tournament) == THREE_AND_FOUR
    at_three = SMALL_TABLE * (-present % CHAIRS)
    return planned and mixed and 0 < at_three < present


@dataclass(frozen=True)
class Asked:
    """Parameters of a draw: present players, number of rounds, seed, tables fixed by hand, table sizes."""

    tournament: Tournament
    present: Sequence[int]
    rounds: int
    seed: int
    given: Sequence[draw_tables.Round]
    seats: tuple[int, ...]
    ranking: Sequence[int]
    even_threes: bool

    def plan(self) -> Plan:
        """Return the rounds to come by the tournament's way of drawing; raises DrawError."""
        tournament = self.tournament
        history = seats_drawn(tournament, started=True)
        groups, apart = groups_of(tournament), kept_apart(tournament)
        modes = Tournament.DrawMode
        if tournament.draw_mode == modes.BY_HAND:
            return plan_as_given(
                self.given, self.present, history=history, groups=groups, seats=self.seats, apart=apart
            )
        if tournament.draw_mode == modes.LOT:
            return plan_by_lot(
                self.present,
                self.rounds,
                seed=self.seed,
                history=history,
                groups=groups,
                seats=self.seats,
                apart=apart,
            )
        if self.ranking:
            return plan_by_standings(
                self.ranking,
                seed=self.seed,
                history=history,
                groups=groups,
                seats=self.seats,
                apart=apart,
                even_threes=self.even_threes,
            )
        return plan_next(
            self.present,
            self.rounds,
            seed=self.seed,
            groups=groups,
            history=history,
            total=tournament.rounds_planned,
            seats=self.seats,
            apart=apart,
            even_threes=self.even_threes,
        )

    def prices(self, plan: Plan) -> dict[str, dict[str, object]]:
        """Return what the event costs by either rule, as JSON; {} where both cost the same.

        The other rule is planned only where it can differ: a plan at the bound, or an even one, is the best of both.
        """
        if not shares_threes(self.tournament, len(self.present)):
            return {}
        quality = plan.quality
        best = quality.repeats <= quality.bound if self.even_threes else _is_even(quality)
        if best:
            return {}
        other = replace(self, even_threes=not self.even_threes).plan().quality
        even, fewest = (quality, other) if self.even_threes else (other, quality)
        if fewest.repeats >= even.repeats:
            return {}
        return {"even": price(even), "fewest": price(fewest)}


def price(quality: Quality) -> dict[str, object]:
    """Return repeats and visits to tables of three as JSON."""
    return {"repeats": quality.repeats, "threes": list(quality.tables_of_three)}


def prices_before(tournament: Tournament, present: int) -> dict[str, dict[str, object]]:
    """Return the prices of both rules for an event of which no round has started; {} where they are not known."""
    started = tournament.rounds.exclude(state=Round.State.DRAWN)
    if tournament.draw_mode == Tournament.DrawMode.STANDINGS or started.exists():
        return {}
    known = prices_of_even_threes(present, tournament.rounds_planned)
    return {"even": price(known[0]), "fewest": price(known[1])} if known else {}


def _is_even(quality: Quality) -> bool:
    fewest, most = quality.tables_of_three
    return most - fewest <= 1


# Wishes not to share a table: families, couples, and others who requested it.


@transaction.atomic
def keep_apart(
    tournament: Tournament, entries: Sequence[Entry], *, strict: bool, account: Account, now: datetime
) -> None:
    """Keep these players from sharing a table in rounds drawn from now on; strictly, or if it costs no repeat."""
    tournament = locked(tournament)
    numbers = sorted({entry.number for entry in entries})
    if len(numbers) < 2:  # it takes two
        raise NotPossible(_("Choose two different players."), "second")
    wishes = [wish for wish in tournament.not_together if wish["entries"] != numbers]
    _store(tournament, [*wishes, {"entries": numbers, "strict": strict}])
    text = (
        gettext_noop("Never at the same table: {players}")
        if strict
        else gettext_noop("Not at the same table: {players}")
    )
    write_down(tournament, account, text, now=now, about=[tournament], players=_names(tournament, numbers))


@transaction.atomic
def let_meet(tournament: Tournament, numbers: Sequence[int], *, account: Account, now: datetime) -> None:
    """Forget a wish, named by its players' numbers; forgetting twice is forgetting once."""
    tournament = locked(tournament)
    left = [wish for wish in tournament.not_together if wish["entries"] != list(numbers)]
    if len(left) < len(tournament.not_together):
        _store(tournament, left)
        text = gettext_noop("May share a table again: {players}")
        write_down(
            tournament, account, text, now=now, about=[tournament], players=_names(tournament, numbers)
        )


def _store(tournament: Tournament, wishes: list[dict[str, object]]) -> None:
    tournament.not_together = wishes
    tournament.save(update_fields=["not_together"])


def _names(tournament: Tournament, numbers: Sequence[int]) -> str:
    found = tournament.entries.filter(number__in=numbers).select_related("player")
    return ", ".join(entry.player.name for entry in found)
