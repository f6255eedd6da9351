"""Somebody who comes late sits down as the fourth at tables of three: no other seat changes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.boards.folders import lay_out
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down, write_down_at
from tournaments.domain.log_values import CAME_LATE
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.ledger.queries import NAMED_SEATS, sizes_of_tables
from tournaments.ledger.table_actions import held_at_play, write_change
from tournaments.models import Entry, Round, Seat, Table
from tournaments.rounds.drawing import laid_out
from tournaments.rounds.planning import groups_of, kept_apart, mark_changed, seats_drawn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.models import Tournament


def has_chairs_for_late(tournament: Tournament) -> bool:
    """Whether every round that is drawn and has not started has a table of three where a fourth may sit."""
    rounds = tournament.rounds.filter(state=Round.State.DRAWN)
    return (
        _has_fourth_chairs(tournament)
        and rounds.exists()
        and all(_of_three(round_).exists() for round_ in rounds)
    )


def _has_fourth_chairs(tournament: Tournament) -> bool:
    """Whether a table of three is one of four with an empty chair, on which anybody may sit."""
    return {SMALL_TABLE, CHAIRS} <= set(sizes_of_tables(tournament))


@transaction.atomic
def sit_at_threes(entry: Entry, *, account: Account, now: datetime) -> list[Table]:
    """Seat a late arrival in every round that is drawn and has not started; return the tables.

    Each round it is the table where they meet the fewest whom they have met, or who are better kept apart.
    """
    tournament = locked(entry.tournament)
    entry = tournament.entries.select_related("player").get(pk=entry.pk)
    if entry.status != Entry.Status.PRESENT:
        raise NotPossible(_("%(name)s is not checked in.") % {"name": entry})
    rounds = list(tournament.rounds.filter(state=Round.State.DRAWN).order_by("number"))
    if entry.seats.filter(round__in=rounds).exists():
        raise NotPossible(_("%(name)s already has a seat.") % {"name": entry})
    if not has_chairs_for_late(tournament):
        raise NotPossible(
            _("Not every round has a table of three. Draw again to seat %(name)s.") % {"name": entry}
        )
    tables = [_sit_down(tournament, round_, entry) for round_ in rounds]
    write_down(
        tournament,
        account,
        CAME_LATE,
        now=now,
        about=laid_out(tournament),
        player=entry,
        rounds=len(tables),
    )
    return tables


def tables_waiting(round_: Round, entry: Entry) -> list[Table]:
    """The tables of three in a running round at which nothing is reported, the best for a late arrival first."""
    tournament = round_.tournament
    if not round_.is_running or not _has_fourth_chairs(tournament):
        return []
    if tournament.boards and tournament.board_sets:
        return []  # folders are on their way from table to table
    price = PriceOfSeat(tournament, entry.number)
    waiting = _of_three(round_).filter(reports_count=0, ended_early_at=None)
    prices = {
        table: price.of(list(table.seats.values_list("entry__number", flat=True)))
        for table in waiting.prefetch_related(NAMED_SEATS)
    }
    return sorted(prices, key=lambda table: (prices[table], table.number))


def why_no_chair(round_: Round) -> str:
    """Why nobody who comes now can be the fourth at a table of a running round."""
    tournament = round_.tournament
    if not _has_fourth_chairs(tournament) or not _of_three(round_).exists():
        return _("There is no free chair in this round: all tables are full.")
    if not _of_three(round_).filter(reports_count=0, ended_early_at=None).exists():
        return _("No table of three can take a fourth: all have started.")
    return _("The folders move from table to table, so no table can play more deals than planned.")


def without_seat(round_: Round) -> list[Entry]:
    """Who is here and neither sits in the round nor has sat in it: who came late, or has a bye."""
    if round_.tournament.in_teams:
        return []
    there = round_.tournament.entries.playing().exclude(seats__round=round_)
    return list(there.exclude(former_seats__round=round_).select_related("player").order_by("number"))


@transaction.atomic
def sit_down_late(table: Table, entry: Entry, *, account: Account, now: datetime) -> Table:
    """Let a late arrival be the fourth at a table of three whose round runs and which has not reported a deal."""
    locked(table.round.tournament)
    table = held_at_play(table, account)
    entry = table.round.tournament.entries.select_related("player").get(pk=entry.pk)
    if entry.status != Entry.Status.PRESENT:
        raise NotPossible(_("%(name)s is not checked in.") % {"name": entry})
    if entry not in without_seat(table.round):
        raise NotPossible(_("%(name)s already has a seat.") % {"name": entry})
    if table not in tables_waiting(table.round, entry):
        raise NotPossible(_("Table %(number)d has started, or is full.") % {"number": table.number})
    Seat.objects.create(table=table, round=table.round, position=SMALL_TABLE, entry=entry)
    _fit(table, CHAIRS)
    change = {"deal": 1, "seat": SMALL_TABLE, "came": entry.number}
    write_change(table, change, reason="", account=account, now=now)
    text = gettext_noop("Round {round}, table {table}: {player} arrived late and is the fourth")
    write_down_at(table, account, text, now=now, player=entry)
    return table


@transaction.atomic
def get_up(table: Table, *, account: Account, now: datetime) -> Table:
    """Take back that somebody sat down late, while nothing is reported at the table."""
    locked(table.round.tournament)
    table = held_at_play(table, account)
    seat = table.seats.select_related("entry__player").filter(position=SMALL_TABLE).first()
    if not came_late(table) or seat is None:
        raise NotPossible(_("No one arrived late at this table, or it has started."))
    seat.delete()
    _fit(table, SMALL_TABLE)
    change = {"deal": 1, "seat": SMALL_TABLE, "left": seat.entry.number}
    write_change(table, change, reason="", account=account, now=now)
    text = gettext_noop("Round {round}, table {table}: {player} was removed again before the first deal")
    write_down_at(table, account, text, now=now, player=seat.entry)
    return table


def came_late(table: Table) -> bool:
    """Whether the fourth came late and can still get up again: nothing else was changed or reported since."""
    newest = table.turns[-1] if table.turns else {}
    return "came" in newest and "left" not in newest and not table.reports_count


def _fit(table: Table, players: int) -> None:
    """The deals, and the folders, of a table that has so many players now."""
    table.deals = table.round.tournament.deals_for(players)
    if table.folders:
        table.folders = list(range(1, table.deals + 1))
    table.save(update_fields=["deals", "folders"])


def _of_three(round_: Round) -> QuerySet[Table]:
    return round_.tables.annotate(seated=Count("seats")).filter(seated=SMALL_TABLE)


def smallest_change(entry: Entry) -> list[Table]:
    """The tables of three at which `sit_at_threes` would seat a late arrival, in the order of the rounds."""
    tournament = entry.tournament
    rounds = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number")
    price = PriceOfSeat(tournament, entry.number)
    return [_cheapest(round_, price) for round_ in rounds]


def _cheapest(round_: Round, price: PriceOfSeat) -> Table:
    """The table of three where they meet the fewest whom they have met, or who are better kept apart."""
    seated = _of_three(round_).prefetch_related("seats__entry")
    tables = {table: [seat.entry.number for seat in table.seats.all()] for table in seated}
    return min(tables, key=lambda table: (price.of(tables[table]), table.number))


def _sit_down(tournament: Tournament, round_: Round, entry: Entry) -> Table:
    table = _cheapest(round_, PriceOfSeat(tournament, entry.number))
    Seat.objects.create(table=table, round=round_, position=SMALL_TABLE, entry=entry)
    table.deals = tournament.deals_for(CHAIRS)
    table.save(update_fields=["deals"])
    mark_changed(tournament, [round_])
    lay_out(round_)
    return table


class PriceOfSeat:
    """What it costs to sit down with others: strict wishes, meetings, other wishes, club-mates, in this order."""

    def __init__(self, tournament: Tournament, number: int) -> None:
        self.number = number
        self.met = Counter(
            frozenset(pair)
            for round_ in (*seats_drawn(tournament, started=True), *seats_drawn(tournament, started=False))
            for table in round_
            for pair in combinations(table, 2)
        )
        self.apart = kept_apart(tournament)
        self.clubs = groups_of(tournament)
        self.club = self.clubs.get(number)

    def of(self, others: Sequence[int]) -> tuple[int, int, int, int]:
        wishes = Counter(
            wish.strict
            for wish in self.apart
            for other in others
            if self.number in wish.players and other in wish.players
        )
        met = sum(self.met[frozenset((self.number, other))] for other in others)
        mates = sum(self.club is not None and self.clubs.get(other) == self.club for other in others)
        return wishes[True], met, wishes[False], mates
