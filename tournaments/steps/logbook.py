"""Every step an organiser takes is written down in words, in the transaction that takes it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Model

from clubs.models import Account, Actor
from core.log_messages import line
from tournaments.chain import append
from tournaments.models import LogEntry, Round, Table, Tournament
from tournaments.push.outbox import see_what_to_tell
from tournaments.steps.live import announce, announce_beside

# What a step is about that may change where somebody sits next, or what is closed.
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
    written = LogEntry.objects.create(tournament=tournament, **line(account, text, params, now))
    things = [*about]
    append(tournament.pk, [written, *things], now=now)
    if any(isinstance(thing, SAT_OR_STATED) for thing in things):
        see_what_to_tell(tournament, now=now)
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
            LogEntry(tournament=tournament, **line(account, text, params, now)) for params in lines
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
