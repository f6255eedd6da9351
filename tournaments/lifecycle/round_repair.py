"""Repairs tables after a withdrawal in rounds that have not started, without changing other tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.boards.folders import lay_out
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.draw.even_threes import visits_of
from tournaments.draw.tables import CHAIRS, SMALL_TABLE, THREE_AND_FOUR
from tournaments.ledger.queries import sizes_of_tables
from tournaments.lifecycle.drawing import laid_out
from tournaments.lifecycle.planning import mark_changed, seats_drawn
from tournaments.lifecycle.seat_changes import PriceOfSeat
from tournaments.models import Entry, Round, Seat, Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from clubs.models import Account
    from tournaments.models import Tournament


def can_mend(tournament: Tournament, gone: Entry) -> bool:
    """Whether each of their tables in rounds not started can be repaired alone, or with one other table."""
    if tournament.in_teams or sizes_of_tables(tournament) != THREE_AND_FOUR:
        return False
    left = _tables_left(gone)
    return bool(left) and all(
        len(seats) == CHAIRS or (len(seats) == SMALL_TABLE and _may_give(table, gone))
        for table, seats in left.items()
    )


@transaction.atomic
def mend_tables(gone: Entry, *, account: Account, now: datetime) -> list[Table]:
    """Remove a withdrawn player from rounds not started; returns the tables that changed.

    A table of four continues as one of three with an empty chair. At a table of three the chair is taken by a
    player from a table of four of that round, which continues as one of three: the player with the lowest cost by
    the draw's rule.
    """
    tournament = locked(gone.tournament)
    gone = tournament.entries.select_related("player").get(pk=gone.pk)
    if gone.status == Entry.Status.PRESENT:
        raise NotPossible(_("%(name)s is still here; withdraw them first.") % {"name": gone})
    if not _tables_left(gone):
        raise NotPossible(_("The draw has changed in the meantime; check it again."))
    if not can_mend(tournament, gone):
        text = _("The table that %(name)s left cannot be rearranged on its own. Draw again.")
        raise NotPossible(text % {"name": gone})
    changed: list[Table] = []
    for table, seats in _tables_left(gone).items():
        changed += _mend(tournament, table, seats, gone)
        mark_changed(tournament, [table.round])
        lay_out(table.round)
    text = gettext_noop(
        "{player} left: rearranged the tables of {rounds} rounds; everyone else sits as drawn"
    )
    rounds = len({table.round_id for table in changed})
    write_down(tournament, account, text, now=now, about=laid_out(tournament), player=gone, rounds=rounds)
    return sorted(changed, key=lambda table: (table.round.number, table.number))


def _tables_left(gone: Entry) -> dict[Table, list[Seat]]:
    """The tables at which they have a seat in rounds not started, each with its seats by position."""
    tables = Table.objects.filter(seats__entry=gone, round__state=Round.State.DRAWN).order_by("round__number")
    seats = "seats__entry__player"
    return {
        table: list(table.seats.all())
        for table in tables.select_related("round__tournament").prefetch_related(seats)
    }


def _may_give(table: Table, gone: Entry) -> list[Seat]:
    """The seats at tables of four of the round whose players are here."""
    seats = Seat.objects.filter(round=table.round).exclude(table=table).select_related("entry", "table")
    by_table: dict[int, list[Seat]] = {}
    for seat in seats:
        by_table.setdefault(seat.table_id, []).append(seat)
    present = Entry.Status.PRESENT
    return [
        seat
        for there in by_table.values()
        if len(there) == CHAIRS and all(seat.entry.status == present for seat in there)
        for seat in there
        if seat.entry != gone
    ]


def _mend(tournament: Tournament, table: Table, seats: Sequence[Seat], gone: Entry) -> list[Table]:
    (theirs,) = (seat for seat in seats if seat.entry_id == gone.pk)
    if len(seats) == CHAIRS:
        _leave(tournament, theirs)
        return [table]
    others = [seat.entry.number for seat in seats if seat != theirs]
    mover = _cheapest(tournament, _may_give(table, gone), others)
    moves, position = mover.entry, theirs.position
    mover.table.round = table.round
    _leave(tournament, mover)
    theirs.delete()
    Seat.objects.create(table=table, round=table.round, position=position, entry=moves)
    return [table, mover.table]


def _cheapest(tournament: Tournament, seats: Sequence[Seat], others: Sequence[int]) -> Seat:
    """Return the seat whose player moves to these two at the lowest price; all at their own table then sit at three."""
    visits = visits_of([*seats_drawn(tournament, started=True), *seats_drawn(tournament, started=False)])
    at_table: dict[int, list[int]] = {}
    for seat in seats:
        at_table.setdefault(seat.table_id, []).append(seat.entry.number)

    def price(seat: Seat) -> tuple[int, ...]:
        strict, met, wish, mates = PriceOfSeat(tournament, seat.entry.number).price_with(others)
        threes = sum(visits[number] for number in at_table[seat.table_id])
        by_rule = (threes, met) if tournament.even_threes else (met, threes)
        return strict, *by_rule, wish, mates, seat.table.number, seat.position

    return min(seats, key=price)


def _leave(tournament: Tournament, seat: Seat) -> None:
    """Empty a chair at a table of four: those behind it move up a position, and it is the empty one."""
    table, position = seat.table, seat.position
    seat.delete()
    behind = list(table.seats.filter(position__gt=position).order_by("position"))
    for other in behind:  # one after another: no two may have one position, not for a moment
        other.position -= 1
        other.save(update_fields=["position"])
    table.empty_chair = position
    table.deals = tournament.deals_for(SMALL_TABLE)
    table.save(update_fields=["empty_chair", "deals"])
