"""A table's list of changes of dealers and seats: the one place where something is put to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.log_messages import name_of
from tournaments.changes.locks import held_tables, hold
from tournaments.changes.versions import announce
from tournaments.ledger.sums import move_turns
from tournaments.models import SeatChange, Table

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account
    from scoring.seats import Change


def held_at_play(table: Table, account: Account | None) -> Table:
    """The table, held, if it is open; a captain changes nothing at one that was ended."""
    hold(table.round.tournament_id)
    table = held_tables().get(pk=table.pk)
    if not table.is_open:
        raise NotPossible(_("The round is not running."))
    if table.ended_early_at is not None and account is None:
        raise NotPossible(_("The organiser has ended this table."))
    return table


def write_change(
    table: Table, change: Change, *, reason: str, account: Account | None, now: datetime
) -> None:
    """Put a change at the end of the table's list, where nothing is ever altered; the caller holds the table."""
    before = table.turns
    table.turns = [*before, dict(change)]
    table.version += 1
    SeatChange.objects.create(
        table=table,
        sequence=len(table.turns),
        change=dict(change),
        reason=reason,
        author=name_of(account),
        changed_at=now,
    )
    table.save(update_fields=["turns", "version"])
    announce(table.round.tournament_id)
    move_turns(table, before)
