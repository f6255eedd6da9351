"""Who changed what in a club: written down in words, in the transaction that changes it."""

from datetime import datetime

from clubs.models import Account, Club, ClubLogEntry
from core.log_messages import line


def write_down(
    club: Club, account: Account | None, text: str, *, now: datetime, **params: object
) -> ClubLogEntry:
    """Log `text`, an English sentence marked with gettext_noop whose {placeholders} `params` fill.

    `account` is None for what was done at the server itself.
    """
    return ClubLogEntry.objects.create(club=club, **line(account, text, params, now))


def forget_name(name: str, instead: str, clubs: list[Club]) -> None:
    """Put other words for the name of somebody who is to be forgotten."""
    for written in ClubLogEntry.objects.filter(club__in=clubs):
        kept = {key: instead if value == name else value for key, value in written.params.items()}
        if kept != written.params:
            ClubLogEntry.objects.filter(pk=written.pk).update(params=kept)
