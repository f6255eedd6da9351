"""The folder of backups: names by time, age, and room on the disk."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import count
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from core.backup import archive
from core.errors import BackupError

OLD = timedelta(days=1)
STAMP = "%Y%m%dT%H%M%SZ"
BY_HAND = "-by-hand"
# Older ones are the database's own backup alone, and do not say who made them.
NAME = re.compile(
    rf"spadille-(?P<at>\d{{8}}T\d{{6}}Z)(?P<by_hand>{BY_HAND})?(?:-(?P<count>\d+))?\.(?:sqlite3|pgdump|zip)"
)
UNFINISHED = ".spadille-"


@dataclass(frozen=True)
class Backup:
    path: Path
    at: datetime

    @property
    def is_old(self) -> bool:
        """Whether it is too old."""
        return timezone.now() - self.at > OLD

    @cached_property
    def by_hand(self) -> bool:
        """Whether a person made it: by its name, or in older versions by the files in it."""
        named = NAME.fullmatch(self.path.name)
        return bool(named and named["by_hand"]) or archive.has_pictures(self.path)

    @property
    def size(self) -> int:
        """The size in bytes; 0 if it was deleted meanwhile."""
        return self.path.stat().st_size if self.path.exists() else 0


def backups_folder() -> Path:
    return Path(settings.DATA_DIR) / "backups"


def backups_in(folder: Path) -> list[Backup]:
    """The backups in a folder, oldest first; other files are ignored."""
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    named = [(path, found) for path in paths if (found := NAME.fullmatch(path.name))]
    named.sort(key=lambda one: (one[1]["at"], int(one[1]["count"] or 1)))  # of one second: as they were made
    return [Backup(path, datetime.strptime(found["at"], STAMP).replace(tzinfo=UTC)) for path, found in named]


def newest() -> Backup | None:
    """The newest backup in the data folder."""
    return next(reversed(backups_in(backups_folder())), None)


def free_name(folder: Path, now: datetime, *, by_hand: bool) -> Path:
    return next(path for path in _names(folder, now, BY_HAND if by_hand else "") if not path.exists())


def _names(folder: Path, now: datetime, made: str) -> Iterator[Path]:
    stem = f"spadille-{now.astimezone(UTC).strftime(STAMP)}{made}"
    yield folder / f"{stem}.{archive.SUFFIX}"
    for number in count(2):
        yield folder / f"{stem}-{number}.{archive.SUFFIX}"


logger = logging.getLogger(__name__)

MEGABYTE = 1 << 20
# What a backup leaves free in any case, for reports and what comes with them.
RESERVE = 256 * MEGABYTE
# A warning is shown where there is room for fewer backups than this, or less than this space.
FEW = 20
LEAST_TOLD = 1024 * MEGABYTE


@dataclass(frozen=True)
class Room:
    """Free bytes in the folder of backups, and what the next backup needs while it is made and afterwards."""

    free: int
    needed: int
    kept: int

    @property
    def is_short(self) -> bool:
        """Whether the next backup cannot be made."""
        return self.free < self.needed + RESERVE

    @property
    def runs_out(self) -> bool:
        """Whether space will soon be short."""
        return self.free < max(LEAST_TOLD, self.needed + RESERVE + FEW * self.kept)

    @property
    def words(self) -> str:
        """A warning for the page; "" while there is enough space."""
        if self.is_short:
            said = _("The disk of this machine is nearly full (%(free)d MB left): no backup can be made.")
        elif self.runs_out:
            said = _("This machine’s disk is filling up: %(free)d MB left. Make room soon.")
        else:
            return ""
        return said % {"free": self.free // MEGABYTE}


def room_for(folder: Path, size: int, pictures: int = 0) -> Room:
    """The space in a folder for a backup of a database of `size` bytes, which needs that much while it is packed.

    `pictures`: bytes of files packed with it.
    """
    there = next(place for place in (folder, *folder.parents) if place.exists())
    last = next((backup.size for backup in reversed(backups_in(backups_folder()))), 0)
    kept = min(last or size, size)
    return Room(shutil.disk_usage(there).free, size + kept + kept // 4 + pictures, kept)


def make_room(folder: Path, size: int, pictures: int = 0) -> None:
    """Delete the oldest scheduled backups until the next one fits, never the newest. Raises `BackupError`."""
    oldest = _may_make_way(folder)
    while (room := room_for(folder, size, pictures)).is_short:
        backup = next(oldest, None)
        if backup is None:
            raise BackupError(
                f"{folder}: the disk has {room.free // MEGABYTE} MB left. A backup needs "
                f"{room.needed // MEGABYTE} MB, and {RESERVE // MEGABYTE} MB are reserved for reports."
            )
        logger.warning(
            "The disk is nearly full: deleting the backup %s to make room for a new one", backup.path.name
        )
        backup.path.unlink(missing_ok=True)
    if room.runs_out:
        logger.warning("The disk is filling up: %d MB left in the backup folder", room.free // MEGABYTE)


def _may_make_way(folder: Path) -> Iterator[Backup]:
    """Scheduled backups that may be deleted, oldest first; none in other folders."""
    if folder == backups_folder():
        yield from [backup for backup in backups_in(folder)[:-1] if not backup.by_hand]
