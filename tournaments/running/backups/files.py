"""Backups as they lie in a folder: named by their time, and by whether a person has made them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import count
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from tournaments.running.backups import archive

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
        """Whether an organiser should be told that it is about time."""
        return timezone.now() - self.at > OLD

    @cached_property
    def by_hand(self) -> bool:
        """Whether a person has made it: its name says so, or, of an older version's, that photographs are in it."""
        named = NAME.fullmatch(self.path.name)
        return bool(named and named["by_hand"]) or archive.has_pictures(self.path)

    @property
    def size(self) -> int:
        """Bytes; 0 where it was removed meanwhile."""
        return self.path.stat().st_size if self.path.exists() else 0


def backups_folder() -> Path:
    return Path(settings.DATA_DIR) / "backups"


def backups_in(folder: Path) -> list[Backup]:
    """The backups of a folder, oldest first; what else lies there is left alone."""
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
