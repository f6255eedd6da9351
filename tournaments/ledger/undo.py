"""Undo of one press of a button at the desk that settled, signed or set aside rows.

The time of the press identifies it: every row that it changed carries it, rows changed again since do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.changes.locks import held_tables, hold
from tournaments.changes.log import Undone, write_down_at
from tournaments.ledger.late_reports import wait_again
from tournaments.ledger.table_actions import changed, words_for_log
from tournaments.models import Flag, KeptReport, Seat

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account
    from tournaments.models import Table, Tournament


@transaction.atomic
def take_settling_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Calls, differences and marks that were settled `at` a moment wait again, those of tables that are still open."""
    hold(tournament.pk)
    settled = Flag.objects.filter(table__round__tournament=tournament, settled_at=at).exclude(settled_by="")
    undone = Undone()
    for flag in settled.order_by("pk"):
        table = held_tables().get(pk=flag.table_id)
        if not table.is_open:
            undone.stands.append(_table_link(table))
            continue
        flag.settled_at, flag.settled_by = None, ""
        flag.save(update_fields=["settled_at", "settled_by"])
        changed(table)
        text = gettext_noop("Round {round}, table {table}: “{words}” is waiting again")
        write_down_at(table, account, text, now=now, words=words_for_log(flag))
        undone.count += 1
    return undone


@transaction.atomic
def take_yeses_back(tournament: Tournament, at: datetime, **_by: object) -> Undone:
    """Undo the signatures made `at` a moment, at tables that are still open. Signatures are not in the log."""
    hold(tournament.pk)
    signed = Seat.objects.filter(table__round__tournament=tournament, agreed_at=at).order_by()
    undone = Undone()
    for table in held_tables().filter(pk__in=signed.values("table")).order_by("round__number", "number"):
        if table.is_open:
            undone.count += table.seats.filter(agreed_at=at).update(agreed_at=None)
            changed(table)
        else:
            undone.stands.append(_table_link(table))
    return undone


@transaction.atomic
def take_setting_aside_back(
    tournament: Tournament, at: datetime, *, account: Account, now: datetime
) -> Undone:
    """Late reports that were set aside `at` a moment wait again."""
    hold(tournament.pk)
    decided = KeptReport.objects.filter(table__round__tournament=tournament, decided_at=at)
    aside = list(decided.filter(state=KeptReport.State.SET_ASIDE).select_related("table__round__tournament"))
    for kept in aside:
        wait_again(kept, account, now=now)
    return Undone(len(aside))


def _table_link(table: Table) -> str:
    return _("table %(number)d of round %(round)d") % {"number": table.number, "round": table.round.number}
