"""A club removes a season or a championship, and puts it back: a state, with a line in the club's log for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import write_down
from core.errors import NotPossible
from tournaments.models import Season, Tournament

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account, Club
    from tournaments.models import Championship

LINES = {
    (True, True): gettext_noop("Removed the season “{season}”"),
    (True, False): gettext_noop("Restored the season “{season}”"),
    (False, True): gettext_noop("Removed the championship “{championship}”"),
    (False, False): gettext_noop("Restored the championship “{championship}”"),
}


def removed_of(club: Club, model: type[Season | Championship]) -> QuerySet[Season | Championship]:
    """A club's seasons, or championships, that are removed; the last one first."""
    return model.with_removed.filter(host=club, removed_at__isnull=False).order_by("-removed_at")


def remove(thing: Season | Championship, *, account: Account, now: datetime) -> None:
    """Let it be shown and counted nowhere; its tournaments stay what they are, each by itself."""
    _set(thing, now, account=account, now=now)


def put_back(thing: Season | Championship, *, account: Account, now: datetime) -> None:
    """Let it be as it was, with those of its tournaments that are in no other by now.

    Raises NotPossible where another has its name by now.
    """
    if type(thing).objects.filter(host=thing.host_id, name=thing.name).exists():
        raise NotPossible(
            _("Another one is now called “%(name)s”. Change that name, then restore this one.")
            % {"name": thing}
        )
    _set(thing, None, account=account, now=now)


@transaction.atomic
def _set(
    thing: Season | Championship, removed_at: datetime | None, *, account: Account, now: datetime
) -> None:
    thing.removed_at = removed_at
    thing.save(update_fields=["removed_at"])
    is_season = isinstance(thing, Season)
    mine = {"season": thing} if is_season else {"stage__championship": thing}
    # Their pages say what they belong to.
    Tournament.objects.filter(**mine).update(version=F("version") + 1)
    word = "season" if is_season else "championship"
    write_down(thing.host, account, LINES[is_season, removed_at is not None], now=now, **{word: thing})
