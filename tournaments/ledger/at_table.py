"""What a table does besides reporting deals and calling the desk: say who deals first, agree to the sheet."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible
from tournaments.changes.locks import held_tables, hold
from tournaments.changes.log import write_down_at
from tournaments.changes.versions import announce
from tournaments.ledger.changing import write_change
from tournaments.ledger.sitting import turns_at
from tournaments.ledger.tables import count_reported
from tournaments.models import Seat, Table


def running(table: Table) -> Table:
    """The table, locked, if it is open."""
    hold(table.round.tournament_id)
    table = held_tables().get(pk=table.pk)
    if not table.is_open:
        raise NotPossible(_("The round is not running."))
    return table


def changed(table: Table) -> None:
    table.version += 1
    table.save(update_fields=["version"])
    announce(table.round.tournament_id)


@transaction.atomic
def set_first_dealer(table: Table, position: int, *, now: datetime, account: Account | None = None) -> Table:
    """Let another seat deal first. Only while no deal has been reported: afterwards every deal would change."""
    table = running(table)
    seats = {seat.position: seat for seat in table.seats.select_related("entry__player")}
    if position not in seats:
        raise NotPossible(_("There is no such seat at this table."), "first_dealer")
    if position == turns_at(table, len(seats)).dealer(1):
        return table
    if table.folders:
        raise NotPossible(_("The folders say who deals: A deals the first."), "first_dealer")
    if table.reports_count:
        raise NotPossible(_("Deals have been reported already; ask the organiser."), "first_dealer")
    write_change(table, {"deal": 1, "dealer": position}, reason="", account=account, now=now)
    write_down_at(
        table,
        account,
        gettext_noop("Round {round}, table {table}: {player} deals first"),
        now=now,
        player=seats[position].entry,
    )
    return table


@transaction.atomic
def agree(seat: Seat, *, now: datetime) -> Seat:
    """A player's yes to the finished sheet, as `seat` was read from it. Any later correction takes it back."""
    table = running(seat.table)
    if not Seat.objects.filter(pk=seat.pk, tokens=seat.tokens).exists():
        raise NotPossible(_("The sheet has changed meanwhile. Look at it again."), "tokens")
    if count_reported(table) < table.deals and table.ended_early_at is None:
        raise NotPossible(_("Not every deal has been reported yet."))
    if Seat.objects.filter(pk=seat.pk, agreed_at=None).update(agreed_at=now):
        changed(table)
    seat.refresh_from_db()
    return seat


@transaction.atomic
def disagree(seat: Seat) -> Seat:
    """Take a yes back, given by mistake or in another player's name."""
    table = running(seat.table)
    if Seat.objects.filter(pk=seat.pk).exclude(agreed_at=None).update(agreed_at=None):
        changed(table)
    seat.refresh_from_db()
    return seat
