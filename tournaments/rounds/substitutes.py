"""Somebody plays on for a player who leaves in the middle of a round: each has the tokens of their own deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible, needed_reason
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down_at
from tournaments.entries.entering import withdraw
from tournaments.ledger.seating import share_out
from tournaments.ledger.table_actions import held_at_play, write_change
from tournaments.models import Entry, FormerSeat, Seat, Table

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account


def free_to_play(table: Table) -> list[Entry]:
    """Who is here and has no seat in the round: those who sat in it before come last."""
    entries = table.round.tournament.entries.playing().exclude(seats__round=table.round)
    sat = set(table.round.former_seats.values_list("entry", flat=True))
    found = entries.select_related("player", "club", "tournament__host").order_by("number")
    return sorted(found, key=lambda entry: (entry.pk in sat, entry.number))


def first_deal_for(table: Table, position: int) -> int:
    """The first deal from which somebody else may play at a position: that of whoever sits there now."""
    before = table.former_seats.filter(position=position).order_by("through").last()
    return before.through + 1 if before else 1


@transaction.atomic
def play_on_for(  # noqa: PLR0913 - a seat, who, from when, why, by whom
    table: Table,
    position: int,
    newcomer: Entry,
    *,
    deal: int,
    leaves: bool,
    reason: str,
    account: Account,
    now: datetime,
) -> Table:
    """Let `newcomer` have a seat from a deal on; who `leaves` takes no part in the rounds to come.

    The deals before count for who sat there, those from `deal` on for the substitute. Raises NotPossible.
    """
    locked(table.round.tournament)
    table = held_at_play(table, account)
    reason = needed_reason(reason)
    seat = table.seats.select_related("entry__player").filter(position=position).first()
    if seat is None:
        raise NotPossible(_("There is no such seat at this table."), "first")
    if newcomer not in free_to_play(table):
        text = _("%(name)s is not here, or already has a seat in this round.")
        raise NotPossible(text % {"name": newcomer}, "newcomer")
    if not first_deal_for(table, position) <= deal <= table.deals:
        said = {"name": seat.entry, "first": first_deal_for(table, position), "deals": table.deals}
        raise NotPossible(_("%(name)s plays deals %(first)d to %(deals)d.") % said, "deal")
    left = seat.entry
    FormerSeat.objects.create(table=table, round=table.round, position=position, entry=left, through=deal - 1)
    Seat.objects.filter(pk=seat.pk).update(entry=newcomer, agreed_at=None)
    change = {"deal": deal, "seat": position, "left": left.number, "came": newcomer.number}
    write_change(table, change, reason=reason, account=account, now=now)
    share_out(table)
    text = gettext_noop(
        "Round {round}, table {table}: {newcomer} plays for {player} from deal {deal} on: {reason}"
    )
    write_down_at(table, account, text, now=now, newcomer=newcomer, player=left, deal=deal, reason=reason)
    if leaves and left.status == Entry.Status.PRESENT:
        withdraw(left, reason=reason, account=account, now=now)
    return table


def is_newest_there(table: Table, place: int) -> bool:
    """Whether the change in that place of the table's list is a substitute, who still sits there as they came."""
    turns = table.turns
    if not 0 <= place < len(turns) or not {"left", "came"} <= turns[place].keys():
        return False
    seat = turns[place]["seat"]
    return not any(
        change.get("back") == place or change.get("seat") == seat or "insert" in change
        for change in turns[place + 1 :]
    )


@transaction.atomic
def take_substitute_back(table: Table, place: int, *, reason: str, account: Account, now: datetime) -> Table:
    """Let who left have their seat and all its deals again, as if nobody had come."""
    locked(table.round.tournament)
    table = held_at_play(table, account)
    reason = needed_reason(reason)
    if not is_newest_there(table, place):
        raise NotPossible(_("This has already been undone, or something was changed after it."))
    change = table.turns[place]
    former = table.former_seats.filter(position=change["seat"]).order_by("pk").last()
    seat = table.seats.select_related("entry__player").get(position=change["seat"])
    if former is None or table.round.seats.filter(entry=former.entry_id).exists():
        raise NotPossible(_("The player who left already has a seat in this round again."))
    came, left = seat.entry, Entry.objects.select_related("player").get(pk=former.entry_id)
    former.delete()
    Seat.objects.filter(pk=seat.pk).update(entry=left, agreed_at=None)
    write_change(table, {"back": place}, reason=reason, account=account, now=now)
    share_out(table)
    text = gettext_noop("Round {round}, table {table}: undid that {newcomer} plays for {player}: {reason}")
    write_down_at(table, account, text, now=now, newcomer=came, player=left, reason=reason)
    return table
