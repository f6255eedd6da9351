"""What a table asks of the desk: the organiser is called, a deal marked for later, the mark taken back, all settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NoRoom, NotPossible
from core.log_messages import name_of, word
from core.text import tidy
from tournaments.changes.locks import held_tables, hold
from tournaments.changes.log import write_down_at
from tournaments.domain.terms import CALLS, reason_code
from tournaments.ledger.at_table import changed, running
from tournaments.models import Flag, Table

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account

WORDS_LENGTH = 200
# Of one table at the same time, and in all: nobody at a table needs more, and the desk can read no more.
MOST_OPEN_CALLS, MOST_EVER = 10, 400


@transaction.atomic
def raise_flag(
    table: Table, kind: str, *, deal: int | None, words: str, now: datetime, key: UUID | None = None
) -> Flag:
    """Call the organiser, or mark a deal to be looked at later.

    The same call twice is one flag; by its `key`, the phone's, also when the desk has settled it meanwhile. Raises
    `NoRoom` where so many wait already.
    """
    table = running(table)
    typed = tidy(words)
    words = reason_code(typed)
    if len(words) > WORDS_LENGTH:
        raise NotPossible(_("Say it in at most %(most)d letters.") % {"most": WORDS_LENGTH}, "words")
    if kind not in (Flag.Kind.CALL, Flag.Kind.LATER):
        raise NotPossible(_("Call the organiser, or mark a deal for later."), "kind")
    if deal is not None and not 1 <= deal <= table.deals:
        raise NotPossible(_("There is no deal %(deal)d at this table.") % {"deal": deal}, "deal")
    same = table.flags.filter(kind=kind, deal=deal, words__in=(words, typed))
    if key and table.flags.filter(key=key).exclude(pk__in=same).exists():
        key = uuid5(key, f"{kind} {deal} {words}")  # another call's: what it says counts
    if known := same.filter(Q(settled_at=None) | Q(key=key, key__isnull=False)).first():
        return known
    _make_room(table, kind)
    flag = Flag.objects.create(table=table, kind=kind, deal=deal, words=words, raised_at=now, key=key)
    changed(table)
    return flag


def _make_room(table: Table, kind: str) -> None:
    """Raise `NoRoom` where there is none."""
    asked = table.flags.filter(kind__in=(Flag.Kind.CALL, Flag.Kind.LATER))
    waiting = asked.filter(kind=kind, settled_at=None).count()
    most = MOST_OPEN_CALLS if kind == Flag.Kind.CALL else table.deals
    if waiting >= most or asked.count() >= MOST_EVER:
        raise NoRoom(_("Too much of this table waits for the organiser; this stays on the phone."))


@transaction.atomic
def take_mark_back(table: Table, deal: int | None, *, now: datetime) -> None:
    """A deal was marked for later by mistake, or has been looked at at the table. Twice is once."""
    table = running(table)
    if table.flags.filter(kind=Flag.Kind.LATER, deal=deal, settled_at=None).update(settled_at=now):
        changed(table)


@transaction.atomic
def take_call_back(table: Table, words: str, *, now: datetime) -> None:
    """The organiser was called with these words by mistake, or need not come any more. Twice is once."""
    table = running(table)
    typed = tidy(words)
    calls = table.flags.filter(
        kind=Flag.Kind.CALL, deal=None, words__in=(reason_code(typed), typed), settled_at=None
    )
    if calls.update(settled_at=now):
        changed(table)


def words_for_log(flag: Flag) -> str | dict[str, Any]:
    """The words of a call or mark for a line of the log: as typed, or a term that is translated when it is shown."""
    code = reason_code(flag.words)
    return word(CALLS[code]) if code in CALLS else flag.words or word(Flag.Kind(flag.kind).label)


@transaction.atomic
def settle_flag(flag: Flag, account: Account, *, now: datetime) -> Flag:
    hold(flag.table.round.tournament_id)
    table = held_tables().get(pk=flag.table_id)
    flag = Flag.objects.get(pk=flag.pk)
    flag.table = table
    if flag.settled_at is None:
        flag.settled_at = now
        flag.settled_by = name_of(account)
        flag.save(update_fields=["settled_at", "settled_by"])
        changed(flag.table)
        text = (
            gettext_noop("Round {round}, table {table}: settled “{words}”")
            if flag.deal is None
            else gettext_noop("Round {round}, table {table}, deal {deal}: settled “{words}”")
        )
        said: dict[str, Any] = {"words": words_for_log(flag)}
        if flag.deal is not None:
            said["deal"] = flag.deal
        write_down_at(flag.table, account, text, now=now, **said)
    return flag
