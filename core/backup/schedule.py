"""Scheduled backups: make one when something changed, and thin out old ones.

Retained are all of the last day, one a day for a month, and one a month for ever; always the newest, and those made
by hand.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from core.backup.backups import back_up, mark_of_now, size_now
from core.backup.folder import OLD, backups_folder, backups_in
from core.errors import BackupError
from core.files import write_atomically

if TYPE_CHECKING:
    from core.backup.folder import Backup


logger = logging.getLogger(__name__)

LAST = ".last.json"


@dataclass(frozen=True)
class Last:
    """The outcome of the last scheduled backup: its file, and the mark and size of the database then."""

    at: str = ""
    file: str = ""
    mark: str = ""
    problem: str = ""
    # Bytes of the database then.
    size: int = 0

    def is_of_late(self, now: datetime) -> bool:
        return bool(self.at) and now - datetime.fromisoformat(self.at) < OLD


def last() -> Last:
    with suppress(OSError, ValueError, TypeError):
        return Last(**json.loads((backups_folder() / LAST).read_text("utf-8")))
    return Last()


def back_up_what_changed(
    *, now: datetime, keep: int | None = None, folder: Path | None = None
) -> Path | None:
    """Make a scheduled backup; None if nothing changed since the last one. Raises `BackupError`."""
    folder = folder or backups_folder()
    before = last()
    try:
        mark, size = mark_of_now(), size_now()
        if mark and mark == before.mark and (folder / before.file).is_file():
            made = None
        else:
            made = back_up(folder, now=now, by_hand=False)
    except BackupError as problem:
        _note(Last(now.isoformat(), before.file, before.mark, str(problem), before.size))
        raise
    _note(Last(now.isoformat(), made.name if made else before.file, mark, size=size))
    if keep is None:
        thin(folder, now)
    else:
        for backup in [one for one in backups_in(folder) if not one.by_hand][: -max(keep, 1)]:
            backup.path.unlink(missing_ok=True)
    return made


def thin(folder: Path, now: datetime) -> None:
    how = Thinning(settings.BACKUP_DAYS, settings.BACKUP_MONTHS)
    for backup in superfluous(backups_in(folder), how, now):
        backup.path.unlink(missing_ok=True)


def _note(came_to: Last) -> None:
    folder = backups_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(folder / LAST, json.dumps(asdict(came_to)).encode())
    except OSError:
        logger.exception("The result of the backup cannot be stored")


ALL_OF = timedelta(days=1)
MONTHS = 12


@dataclass(frozen=True)
class Thinning:
    """The retention: days for which the newest of each day remains, months for that of each month; 0: for ever."""

    days: int
    months: int


def superfluous(backups: Sequence[Backup], how: Thinning, now: datetime) -> list[Backup]:
    """The backups to delete, given oldest first; days are in local time."""
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
