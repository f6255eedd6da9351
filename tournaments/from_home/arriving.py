"""Checking in by one's own link: at the desk or the door, and by oneself where that is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import NotPossible
from tournaments.entries.entering import check_in
from tournaments.from_home.parties import entry_of

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account
    from tournaments.models import Application, Entry


def why_not_here(application: Application, now: datetime) -> str:
    """Why somebody cannot check in by themselves, in words; "" where they can."""
    tournament = application.tournament
    if not tournament.from_home.own_check_in:
        return _("Check in at the desk: show your QR code there.")
    if tournament.date != timezone.localdate(now):
        return _("You can only check in on the day.")
    if tournament.is_called_off or tournament.is_finished:
        return _("The tournament is no longer taking place.")
    return ""


@transaction.atomic
def arrive(
    application: Application, *, account: Account | None, now: datetime, by_themselves: bool = False
) -> Entry:
    """They are here. Raises NotPossible for who has no place, and where they may not say so by themselves."""
    if by_themselves and (problem := why_not_here(application, now)):
        raise NotPossible(problem)
    entry = entry_of(application)
    if entry is None:
        raise NotPossible(_("%(name)s has no place: see entries from home.") % {"name": application})
    return check_in(entry, present=True, account=account, now=now)
