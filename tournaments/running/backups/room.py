"""Room on the disk: a backup is begun only where it fits and enough stays free for what it is made of."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from tournaments.running.backups.files import Backup, backups_folder, backups_in
from tournaments.running.backups.problems import BackupProblem

logger = logging.getLogger(__name__)

MEGABYTE = 1 << 20
# What a backup leaves free in any case, for reports and what comes with them.
RESERVE = 256 * MEGABYTE
# From here on one is told: room for so many backups more.
FEW = 20
LEAST_TOLD = 1024 * MEGABYTE


@dataclass(frozen=True)
class Room:
    """Bytes free where backups are made, and what the next one takes while it is made and when it is there."""

    free: int
    needed: int
    kept: int

    @property
    def is_short(self) -> bool:
        """Whether the next backup cannot be made."""
        return self.free < self.needed + RESERVE

    @property
    def runs_out(self) -> bool:
        """Whether somebody should make room soon."""
        return self.free < max(LEAST_TOLD, self.needed + RESERVE + FEW * self.kept)

    @property
    def words(self) -> str:
        """What the desk says of it; "" while there is room."""
        if self.is_short:
            said = _("The disk of this machine is nearly full (%(free)d MB left): no backup can be made.")
        elif self.runs_out:
            said = _("The disk of this machine is filling up: %(free)d MB left. Make room soon.")
        else:
            return ""
        return said % {"free": self.free // MEGABYTE}


def room_for(folder: Path, size: int, pictures: int = 0) -> Room:
    """The room in a folder for a backup of a database of `size` bytes, which lies there whole while it is packed.

    `pictures`: bytes of photographs that go in with it.
    """
    there = next(place for place in (folder, *folder.parents) if place.exists())
    last = next((backup.size for backup in reversed(backups_in(backups_folder()))), 0)
    kept = min(last or size, size)
    return Room(shutil.disk_usage(there).free, size + kept + kept // 4 + pictures, kept)


def make_room(folder: Path, size: int, pictures: int = 0) -> None:
    """Let a backup fit: of the timer's the oldest make way for it, never the newest. Raises `BackupProblem`."""
    oldest = _may_make_way(folder)
    while (room := room_for(folder, size, pictures)).is_short:
        backup = next(oldest, None)
        if backup is None:
            raise BackupProblem(
                f"{folder}: the disk has {room.free // MEGABYTE} MB left; a backup takes"
                f" {room.needed // MEGABYTE} MB, and {RESERVE // MEGABYTE} MB stay free for reports."
            )
        logger.warning("The disk is nearly full: the backup %s makes way for a new one", backup.path.name)
        backup.path.unlink(missing_ok=True)
    if room.runs_out:
        logger.warning("The disk fills up: %d MB are left where backups are made", room.free // MEGABYTE)


def _may_make_way(folder: Path) -> Iterator[Backup]:
    """The timer's own in its folder, the oldest first, but for the newest; of folders elsewhere none."""
    if folder == backups_folder():
        yield from [backup for backup in backups_in(folder)[:-1] if not backup.by_hand]
