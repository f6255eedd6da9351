"""Every step an organiser takes is written down in words, in the transaction that takes it."""

from datetime import datetime

from clubs.models import Account
from tournaments.live import announce
from tournaments.models import LogEntry, Table, Tournament
from tournaments.told import stored


def write_down(
    tournament: Tournament, account: Account | None, text: str, *, now: datetime, **params: object
) -> LogEntry:
    """Log `text`, an English sentence marked with gettext_noop whose {placeholders} `params` fill, and announce it."""
    announce(tournament.pk)
    return LogEntry.objects.create(
        tournament=tournament,
        at=now,
        account=account,
        author=name_of(account),
        text=text,
        params={name: stored(value) for name, value in params.items()},
    )


def write_down_at(
    table: Table, account: Account | None, text: str, *, now: datetime, **params: object
) -> LogEntry:
    """Log what was done at a table; `text` names it by {round} and {table}."""
    return write_down(
        table.round.tournament,
        account,
        text,
        now=now,
        round=table.round.number,
        table=table.number,
        **params,
    )


def name_of(account: Account | None) -> str:
    return str(account)[:150] if account else ""
