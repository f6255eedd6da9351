"""Who changed what in a club: written down in words, in the transaction that changes it."""

from django.utils import timezone

from clubs.models import Account, Club, ClubLogEntry


def write_down(club: Club, account: Account | None, text: str, **params: object) -> ClubLogEntry:
    """Log `text`, an English sentence marked with gettext_noop whose {placeholders} `params` fill.

    `account` is None for what was done at the server itself.
    """
    return ClubLogEntry.objects.create(
        club=club,
        at=timezone.now(),
        account=account,
        author=str(account)[:150] if account else "",
        text=text,
        params={name: value if isinstance(value, int) else str(value) for name, value in params.items()},
    )


def forget_name(name: str, instead: str, clubs: list[Club]) -> None:
    """Put other words for the name of somebody who is to be forgotten."""
    for line in ClubLogEntry.objects.filter(club__in=clubs):
        kept = {key: instead if value == name else value for key, value in line.params.items()}
        if kept != line.params:
            ClubLogEntry.objects.filter(pk=line.pk).update(params=kept)
