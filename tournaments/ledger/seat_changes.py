"""The dealer is moved, two change seats, a forgotten deal is put in: everything after it is told again.

Reports are only ever added: each deal that comes to something else gets a new version, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible, needed_reason
from scoring.seats import changes_in_force
from tournaments.changes.log import write_down_at
from tournaments.ledger.changing import held_at_play, write_change
from tournaments.ledger.outlook import Outlook
from tournaments.ledger.recording import Author, recount
from tournaments.ledger.submissions import Submission
from tournaments.models import Flag

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clubs.models import Account
    from scoring.seats import Change
    from tournaments.ledger.outlook import Line
    from tournaments.models import Table

# What becomes of a deal that the rules do not allow any more: open again, or its tokens as they were, by a ruling.
TAKE_BACK, KEEP = "back", "keep"


@transaction.atomic
def change_seats(
    table: Table,
    change: Change,
    *,
    seen: str,
    resolved: Mapping[int, str],
    reason: str,
    account: Account | None,
    now: datetime,
) -> Outlook:
    """Change who deals, who sits where, or which deal is which, and tell every deal after it again.

    `seen` is the mark of the outlook that was looked at. `resolved` says what becomes of each deal that the rules do
    not allow any more; it has the number after the last where a deal falls out. Without an account it is the captain.
    """
    table = held_at_play(table, account)
    outlook = Outlook(table, change)
    if seen != outlook.seen:
        raise NotPossible(_("The sheet has changed meanwhile. Look at it again."), "seen")
    reason = needed_reason(reason)
    _refuse_unresolved(outlook, resolved, by_captain=account is None)
    write_change(table, change, reason=reason, account=account, now=now)
    if outlook.moves:
        _move_along(table, outlook, now=now)
    submissions = [_told_again(line, resolved, reason) for line in outlook.stored_anew]
    author = Author("desk" if account else "captain", account)
    if submissions:
        recount(table, submissions, author, now=now)
    text, params = _said(outlook)
    write_down_at(table, account, text, now=now, **params, reason=reason)
    return outlook


def _refuse_unresolved(outlook: Outlook, resolved: Mapping[int, str], *, by_captain: bool) -> None:
    allowed = (TAKE_BACK,) if by_captain else (TAKE_BACK, KEEP)
    for line in outlook.impossible:
        if resolved.get(line.deal) not in allowed:
            text = _("Say what becomes of deal %(deal)d, which the rules do not allow any more.")
            raise NotPossible(text % {"deal": line.deal}, f"deal_{line.deal}")
    beyond = outlook.table.deals + 1
    if outlook.falls_out and resolved.get(beyond) != TAKE_BACK:
        text = _("Deal %(deal)d would move beyond the end. Say that it does not count.")
        raise NotPossible(text % {"deal": outlook.table.deals}, f"deal_{beyond}")


def _told_again(line: Line, resolved: Mapping[int, str], reason: str) -> Submission:
    """The report of a deal as it stands after the change."""
    result: dict[str, Any] | None = line.judged.result if line.judged else None
    if line.is_impossible and line.source is not None and resolved[line.deal] == KEEP:
        result = {"ruled": list(line.source.tokens)}
    base = line.was.revision if line.was else 0
    return Submission(key=uuid4(), deal=line.deal, base=base, result=result, reason=reason)


def _move_along(table: Table, outlook: Outlook, *, now: datetime) -> None:
    """What hangs on the numbers of later deals: open marks and calls, and until when somebody sat who left."""
    by, first = outlook.moves, outlook.first + (outlook.moves < 0)
    waiting = table.flags.filter(settled_at=None)
    waiting.filter(deal__gte=first).update(deal=F("deal") + by)
    # A deal beyond the end is none of this table's any more: a call is still one, a mark is past with its deal.
    gone = waiting.filter(deal__gt=table.deals)
    gone.filter(kind=Flag.Kind.CALL).update(deal=None)
    gone.update(settled_at=now)
    came = [change for change in changes_in_force(table.turns) if "left" in change and "came" in change]
    for change, former in zip(came, table.former_seats.order_by("pk"), strict=True):
        former.through = change["deal"] - 1
        former.save(update_fields=["through"])


def _said(outlook: Outlook) -> tuple[str, dict[str, Any]]:
    """The line of the log."""
    change = outlook.change
    meant = outlook.table.turns[change["back"]] if "back" in change else change
    seats = outlook.table.seats.select_related("entry__player")
    who = {seat.position: seat.entry for seat in seats}
    if "swap" in meant:
        one, other = (who[position] for position in meant["swap"])
        text = SWAP_TAKEN_BACK if "back" in change else SWAPPED
        return text, {"deal": outlook.first, "one": one, "other": other}
    if "dealer" in meant:
        text = DEALER_TAKEN_BACK if "back" in change else DEALER_MOVED
        return text, {"deal": outlook.first, "player": who[meant["dealer"]]}
    return (PUT_IN if outlook.moves > 0 else TAKEN_OUT), {"deal": outlook.first}


DEALER_MOVED = gettext_noop("Round {round}, table {table}: {player} deals from deal {deal} on: {reason}")
SWAPPED = gettext_noop(
    "Round {round}, table {table}: {one} and {other} change seats from deal {deal} on: {reason}"
)
PUT_IN = gettext_noop(
    "Round {round}, table {table}: put a forgotten deal in as deal {deal}, the later ones move up: {reason}"
)
TAKEN_OUT = gettext_noop(
    "Round {round}, table {table}: took deal {deal} out, the later ones move down: {reason}"
)
DEALER_TAKEN_BACK = gettext_noop(
    "Round {round}, table {table}: took back that {player} deals from deal {deal} on: {reason}"
)
SWAP_TAKEN_BACK = gettext_noop(
    "Round {round}, table {table}: took back that {one} and {other} change seats from deal {deal} on: {reason}"
)
