"""Every step an organiser takes is written down in words, in the transaction that takes it."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Model

from clubs.models import Account
from tournaments.chain import append
from tournaments.models import LogEntry, Table, Tournament
from tournaments.steps.live import announce
from tournaments.values.told import stored


@transaction.atomic
def write_down(
    tournament: Tournament,
    account: Account | None,
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
    line = LogEntry.objects.create(
        tournament=tournament,
        at=now,
        account=account,
        author=name_of(account),
        text=text,
        params={name: stored(value) for name, value in params.items()},
    )
    append(tournament.pk, [line, *about], now=now)
    return line


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


def name_of(account: Account | None) -> str:
    return str(account)[:150] if account else ""
