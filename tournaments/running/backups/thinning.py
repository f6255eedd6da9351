"""Which backups of the timer's are kept: all of the last day, one a day for a month, one a month for ever.

Never dropped are the newest, and whatever a person has made.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from django.utils import timezone

if TYPE_CHECKING:
    from tournaments.running.backups.files import Backup

ALL_OF = timedelta(days=1)
MONTHS = 12


@dataclass(frozen=True)
class Thinning:
    """The newest of each day is kept for so many days, the newest of each month for so many months; 0: for ever."""

    days: int
    months: int


def superfluous(backups: Sequence[Backup], how: Thinning, now: datetime) -> list[Backup]:
    """What is not kept any more, of backups with the oldest first; days are those of the clock on the wall."""
    by_timer = [backup for backup in backups if not backup.by_hand]
    today = timezone.localdate(now)

    kept = {id(backup) for backup in by_timer if now - backup.at < ALL_OF}
    kept |= {id(one) for one in _newest_of_each(by_timer, _day) if (today - _day(one)).days <= how.days}
    this_month = today.year * MONTHS + today.month
    for one in _newest_of_each(by_timer, _month):
        if not how.months or this_month - _month(one) <= how.months:
            kept.add(id(one))
    kept |= {id(one) for one in backups[-1:]}
    return [backup for backup in by_timer if id(backup) not in kept]


def _month(backup: Backup) -> int:
    """Months since the year 0."""
    day = _day(backup)
    return day.year * MONTHS + day.month


def _day(backup: Backup) -> date:
    return timezone.localdate(backup.at)


def _newest_of_each(backups: Iterable[Backup], span: Callable[[Backup], Hashable]) -> Iterator[Backup]:
    for _span, of_it in groupby(backups, span):
        yield list(of_it)[-1]
