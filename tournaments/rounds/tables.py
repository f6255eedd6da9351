"""What the desk does with one table of a running round."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible, needed_reason
from tournaments.changes.locks import held_tables, locked
from tournaments.changes.log import write_down_at
from tournaments.models import RevokedSecret, Table
from tournaments.models.events import free_code
from tournaments.models.play import make_secret


def _locked(table: Table) -> Table:
    """The table, locked after its tournament, as every step of the desk locks."""
    locked(table.round.tournament)
    found = held_tables().filter(pk=table.pk).first()
    if found is None:
        raise NotPossible(_("The draw has changed in the meantime; check it again."))
    return found


def _running(table: Table) -> Table:
    """The table, locked, if it is open."""
    table = _locked(table)
    if not table.is_open:
        raise NotPossible(_("The round is not running."))
    return table


@transaction.atomic
def end_table_early(table: Table, *, reason: str, account: Account, now: datetime) -> Table:
    """Let a table's sheet count as it stands, incomplete or unconfirmed."""
    reason = needed_reason(reason)
    table = _running(table)
    if table.ended_early_at is None:
        table.ended_early_at = now
        table.ended_early_reason = reason
        table.version += 1
        table.save(update_fields=["ended_early_at", "ended_early_reason", "version"])
        write_down_at(
            table,
            account,
            gettext_noop("Round {round}, table {table} ended early: {reason}"),
            now=now,
            reason=reason,
        )
    return table


@transaction.atomic
def resume_table(table: Table, *, account: Account, now: datetime) -> Table:
    """Take back that a table was ended early."""
    table = _running(table)
    if table.ended_early_at is not None:
        table.ended_early_at = None
        table.ended_early_reason = ""
        table.version += 1
        table.save(update_fields=["ended_early_at", "ended_early_reason", "version"])
        write_down_at(
            table,
            account,
            gettext_noop("Round {round}, table {table} continues"),
            now=now,
        )
    return table


@transaction.atomic
def revoke_link(table: Table, *, account: Account, now: datetime) -> Table:
    """Give a table a new captain's link and code; whoever holds the old one is told that it is dead.

    What is replaced is the link that `table` was read with: who presses twice gets one new link.
    """
    seen, table = table.secret, _locked(table)
    if table.secret != seen:
        return table
    RevokedSecret.objects.create(secret=table.secret, table=table, revoked_at=now)
    table.secret = make_secret()
    table.code = free_code(Table)
    table.version += 1
    table.save(update_fields=["secret", "code", "version"])
    write_down_at(
        table,
        account,
        gettext_noop("Round {round}, table {table}: new captain’s link"),
        now=now,
    )
    return table
