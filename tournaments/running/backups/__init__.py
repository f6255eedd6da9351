"""Backups of the whole database: taken while it is in use, kept in a folder, taken in again.

A backup is one file, named by its time. SQLite copies itself page by page as of one moment; PostgreSQL's pg_dump
writes a snapshot. Both may run while reports come in, and neither keeps anybody waiting. Where photographs of slips are
kept, they are in the same file, unless they are left out: the timer's backups lie beside them on the same disk.

Whatever is written is opened and counted before it gets its name, and has the SHA-256 of all that is in it; what is to
be restored is opened, checked and counted before anything else is touched.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Max
from django.utils import timezone

from tournaments.models import Table, Tournament
from tournaments.running.backups import archive, postgresql, sqlite
from tournaments.running.backups.contents import Contents, counted_now, refuse_incomplete, refuse_unusable
from tournaments.running.backups.problems import BackupProblem
from tournaments.running.on_disk import put_in_place

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Backup",
    "BackupProblem",
    "Opened",
    "back_up",
    "backups_folder",
    "backups_in",
    "drop_old",
    "newest",
    "newest_version",
    "opened",
    "restore",
    "restored_since",
    "tell_apart",
]

OLD = timedelta(days=1)
STAMP = "%Y%m%dT%H%M%SZ"
# Older ones are the database's own backup alone.
NAME = re.compile(r"spadille-(?P<at>\d{8}T\d{6}Z)(?:-\d+)?\.(?:sqlite3|pgdump|zip)")
KINDS: tuple[ModuleType, ...] = (sqlite, postgresql)
# After a restore every version number jumps by this, so that no phone, screen or cache takes what it knew for what is
# there now. Between two restores nobody makes as many changes.
VERSIONS_APART = 1_000_000


@dataclass(frozen=True)
class Backup:
    path: Path
    at: datetime

    @property
    def is_old(self) -> bool:
        """Whether an organiser should be told that it is about time."""
        return timezone.now() - self.at > OLD


def backups_folder() -> Path:
    return settings.DATA_DIR / "backups"


def backups_in(folder: Path) -> list[Backup]:
    """The backups of a folder, oldest first; what else lies there is left alone."""
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    named = ((path, NAME.fullmatch(path.name)) for path in paths)
    return [Backup(path, datetime.strptime(m["at"], STAMP).replace(tzinfo=UTC)) for path, m in named if m]


def newest() -> Backup | None:
    """The newest backup in the data folder."""
    return max(backups_in(backups_folder()), key=lambda backup: backup.at, default=None)


def back_up(folder: Path, *, now: datetime, keep: int | None = None, photographs: bool = True) -> Path:
    """Write a backup into a folder, and drop the oldest beyond `keep`. Raises `BackupProblem`, in words.

    A file is there under its name only when it is whole, on the disk, and was read back.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        pictures = archive.pictures() if photographs else []
        target = next(path for path in _names(folder, now) if not path.exists())
        with _unfinished(target) as packed, _unfinished(target.with_suffix(".database")) as database:
            before = counted_now()
            _kind().write(connection.settings_dict, database)
            refuse_incomplete(_kind().contents(database).counts, before, counted_now())
            archive.pack(database, pictures, packed)
            put_in_place(packed, target)
        if keep is not None:
            drop_old(folder, keep)
    except OSError as error:
        raise BackupProblem(f"{folder}: {error.strerror or error}") from error
    return target


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A file to write, gone afterwards unless it was given its name."""
    path = target.with_name(f".{target.name}.part")
    path.unlink(missing_ok=True)
    try:
        path.touch(mode=0o600)  # it holds e-mails, captains' links, and what passwords were made into
        yield path
    finally:
        path.unlink(missing_ok=True)


def _names(folder: Path, now: datetime) -> Iterator[Path]:
    stem = f"spadille-{now.astimezone(UTC).strftime(STAMP)}"
    yield folder / f"{stem}.{archive.SUFFIX}"
    for number in count(2):
        yield folder / f"{stem}-{number}.{archive.SUFFIX}"


def drop_old(folder: Path, keep: int) -> None:
    for backup in backups_in(folder)[: -max(keep, 1)]:
        backup.path.unlink(missing_ok=True)


def _kind() -> ModuleType:
    return sqlite if connection.vendor == "sqlite" else postgresql


@dataclass(frozen=True)
class Opened:
    """A backup that was found to be whole and ours, laid ready to be restored."""

    file: Path
    database: Path
    contents: Contents


@contextmanager
def opened(file: Path) -> Iterator[Opened]:
    """Open a backup and look through all of it, touching nothing else.

    Raises `BackupProblem`, in words, where it is damaged, changed, empty, foreign, or of a newer Spadille.
    """
    if not file.is_file():
        raise BackupProblem(f"There is no file {file}.")
    try:
        with archive.unpacked(file, settings.DATA_DIR) as database:
            _refuse_foreign(file, database)
            contents = _kind().contents(database)
            refuse_unusable(file, contents)
            yield Opened(file, database, contents)
    except OSError as error:
        raise BackupProblem(f"{file}: {error.strerror or error}") from error


def _refuse_foreign(file: Path, database: Path) -> None:
    with database.open("rb") as begun:
        start = begun.read(max(len(kind.MAGIC) for kind in KINDS))
    if not start:
        raise BackupProblem(f"{file} is empty.")
    written_by = next((kind for kind in KINDS if start.startswith(kind.MAGIC)), None)
    if written_by is None:
        raise BackupProblem(f"{file} is no backup of Spadille.")
    if written_by is not _kind():
        raise BackupProblem(
            f"{file} was written by {written_by.NAME}, and this Spadille is kept in {_kind().NAME}."
            " Export its tournaments there, one by one, and import them here."
        )


def restore(backup: Opened) -> None:
    """Put a backup in the place of all that the database holds. Nobody else may use it meanwhile.

    Its photographs are put where they are missing; none is taken away. The caller has kept the old aside, and migrates
    afterwards. Raises `BackupProblem` with nothing changed.
    """
    try:
        archive.put_pictures_back(backup.file)
        connection.close()
        _kind().restore(connection.settings_dict, backup.database)
    except OSError as error:
        raise BackupProblem(f"{backup.file}: {error.strerror or error}") from error


def restored_since(table: Table, version: int) -> bool:
    """Whether a backup has been restored since somebody saw this version of a table."""
    return version > table.version or table.version - version > VERSIONS_APART // 2


def newest_version() -> int:
    """The highest version that any page or phone can have seen: to be asked before a restore."""
    highest = (model.objects.aggregate(highest=Max("version"))["highest"] for model in (Tournament, Table))
    return max((version or 0 for version in highest), default=0)


@transaction.atomic
def tell_apart(seen: int) -> None:
    """Let every page and phone see, after a restore, that what they knew may not be there any more.

    `seen` is the newest version before it. The same backup restored twice begins at another version each time.
    """
    jump = VERSIONS_APART * (seen // VERSIONS_APART + 1)
    Tournament.objects.update(version=F("version") % VERSIONS_APART + jump)
    Table.objects.update(version=F("version") % VERSIONS_APART + jump)
