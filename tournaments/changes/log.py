"""The log of actions, and how logged actions are undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from clubs.models import Account, Actor
from core.errors import NotPossible
from core.log_messages import log_fields
from tournaments.changes.chain import append
from tournaments.changes.push_messages import queue_messages
from tournaments.changes.versions import announce, announce_beside
from tournaments.models import LogEntry, Round, Table, Tournament

# Every step an organiser takes is written down in words, in the transaction that takes it.

# Changes of these models may alter a player's next seat or what is closed.
SAT_OR_STATED = (Tournament, Round, Table)


@transaction.atomic(savepoint=False)
def write_down(
    tournament: Tournament,
    account: Actor | None,
    text: str,
    *,
    now: datetime,
    about: Iterable[Model] = (),
    **params: object,
) -> LogEntry:
    """Log `text`, an English sentence marked with gettext_noop whose {placeholders} `params` fill, and announce it.

    The line is chained, with the things that the step was `about` as they stand now: whatever was decided of them is
    stored already, what was removed is passed as it was.
    """
    announce(tournament.pk)
    announce_beside([tournament.pk])
    written = LogEntry.objects.create(tournament=tournament, **log_fields(account, text, params, now))
    things = [*about]
    append(tournament.pk, [written, *things], now=now)
    if any(isinstance(thing, SAT_OR_STATED) for thing in things):
        queue_messages(tournament, now=now)
    return written


@transaction.atomic
def write_down_each(
    tournament: Tournament,
    account: Account | None,
    text: str,
    lines: Sequence[Mapping[str, object]],
    *,
    now: datetime,
    about: Iterable[Model] = (),
) -> None:
    """Log `text` for each of `lines`, which say what fills its {placeholders}, and chain them together."""
    if lines:
        announce(tournament.pk)
        announce_beside([tournament.pk])
        written = LogEntry.objects.bulk_create(
            LogEntry(tournament=tournament, **log_fields(account, text, params, now)) for params in lines
        )
        append(tournament.pk, [*written, *about], now=now)


def write_down_at(
    table: Table,
    account: Account | None,
    text: str,
    *,
    now: datetime,
    about: Iterable[Model] = (),
    **params: object,
) -> LogEntry:
    """Log what was done at a table, and chain the table; `text` names it by {round} and {table}."""
    return write_down(
        table.round.tournament,
        account,
        text,
        now=now,
        about=[table, *about],
        round=table.round.number,
        table=table.number,
        **params,
    )


# Undo of a batch action at the desk; rows that changed again since are left as they are and named.

NAMED = 4  # most names listed in the message


@dataclass(slots=True)
class Undone:
    """Result of an undo: `count` rows were restored; those changed since then, by name, were not.

    `finished`: the tournament is finished meanwhile, which is the reason for some of them.
    """

    count: int = 0
    stands: list[str] = field(default_factory=list)
    finished: bool = False

    @property
    def message(self) -> str:
        """Raises NotPossible where nothing was taken back."""
        names = ", ".join(self.stands[:NAMED]) + (" …" if len(self.stands) > NAMED else "")
        if not self.count and not names:
            raise NotPossible(_("It has already been undone."))
        if not names:
            return _("It has been undone.")
        if not self.count:
            nothing = (
                _("Nothing was undone: the tournament is finished, so later changes are kept (%(names)s).")
                if self.finished
                else _("Nothing was undone: later changes are kept (%(names)s).")
            )
            raise NotPossible(nothing % {"names": names})
        but_for = (
            _("Undone, except for %(names)s: the tournament is finished, so later changes are kept.")
            if self.finished
            else _("Undone, except for %(names)s: later changes are kept.")
        )
        return but_for % {"names": names}
