"""Backups of the entire database: written while it is in use or before an upgrade, stored in a folder, restored.

A backup is one file, named by its time. SQLite's backup API and PostgreSQL's pg_dump both write a snapshot, while
reports are stored and without blocking them. Photographs of slips are in the same file, except in scheduled backups,
which are on the same disk as the photographs.

A written backup is read back and its rows are counted before the file gets its name; it contains the SHA-256 of each
part. Before a restore changes anything the backup is opened, checked and counted.

Migrations are stored one by one, so an update that fails, or is killed, leaves data between two versions, and whatever
starts the program starts it again and again. Data between two versions are not backed up, since no program can use
them; and no earlier backup is deleted until an update is complete.

A program that fits data between two versions may be used all the same, and its data are backed up too: so they count
as unused only while no start was completed there and nothing was reported or logged.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Collection
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Max

from core.backup import archive, postgresql, sqlite
from core.backup.archive import Contents, counted_now, refuse_incomplete, refuse_unusable
from core.backup.folder import UNFINISHED, backups_folder, backups_in, free_name, make_room
from core.data_hooks import data_hooks
from core.errors import BackupError
from core.files import exclusive_lock, move_into_place, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


KINDS: tuple[ModuleType, ...] = (sqlite, postgresql)
ABANDONED = timedelta(hours=6)
PATIENCE = 1800.0  # seconds for another backup on this machine to come to an end


def back_up(
    folder: Path,
    *,
    now: datetime,
    keep: int | None = None,
    by_hand: bool = True,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
) -> Path:
    """Write a backup into a folder, and delete the oldest beyond `keep`. Raises `BackupError` with a message.

    The file gets its name only after it was flushed to disk and read back. Photographs are included if it is made
    `by_hand`. `tell` is a callback with the number of bytes written so far and in all.
    """
    try:
        with exclusive_lock("backup", settings.DATA_DIR, PATIENCE):
            target = _write_backup(folder, now, tell, by_hand=by_hand)
        if keep is not None:
            drop_old(folder, keep)
    except TimeoutError as error:
        raise BackupError("Another backup is still being made. Try again when it is done.") from error
    except OSError as error:
        raise BackupError(f"{folder}: {error.strerror or error}") from error
    return target


def _write_backup(folder: Path, now: datetime, tell: Callable[[int, int], None], *, by_hand: bool) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _clear_abandoned(folder)
    pictures = archive.pictures() if by_hand else []
    size = size_now()
    of_pictures = sum(picture.stat().st_size for picture in pictures if picture.exists())
    make_room(folder, size, of_pictures)
    total, done = size + of_pictures, 0

    def more(written: int) -> None:
        nonlocal done
        done = min(done + written, total)
        tell(done, total)

    target = free_name(folder, now, by_hand=by_hand)
    with _unfinished(target) as packed, _unfinished(target.with_suffix(".database")) as database:
        before = counted_now()
        tell(0, total)
        kind_here().write(connection.settings_dict, database)
        refuse_incomplete(kind_here().contents(database).counts, before, counted_now())
        archive.pack(database, pictures, packed, pressed=kind_here().PRESSED, tell=more)
        move_into_place(packed, target)
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


def _clear_abandoned(folder: Path) -> None:
    """Remove what a backup that was killed had begun; in a folder that other machines may use, only when it is old."""
    latest = time.time() - (0 if folder == backups_folder() else ABANDONED.total_seconds())
    for path in folder.glob(f"{UNFINISHED}*.part*"):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime <= latest:
                path.unlink()


def drop_old(folder: Path, keep: int) -> None:
    """Delete the oldest backups beyond `keep`; in the folder of scheduled backups only those made by hand."""
    here = [backup for backup in backups_in(folder) if backup.by_hand or folder != backups_folder()]
    for backup in here[: -max(keep, 1)]:
        backup.path.unlink(missing_ok=True)


def mark_of_now() -> str:
    """A value that changes whenever something is written; "" if it cannot be read."""
    try:
        return str(kind_here().mark(connection))
    except (DatabaseError, OSError):
        connection.close()
        return ""


def size_now() -> int:
    """The size of a copy of the database in bytes. Raises `BackupError` if the database does not respond."""
    try:
        return int(kind_here().size(connection))
    except DatabaseError as error:
        connection.close()
        raise BackupError(f"The database is not answering: {error}") from error


def kind_here() -> ModuleType:
    """The backend for the database in use: copy, empty, restore."""
    return sqlite if connection.vendor == "sqlite" else postgresql


@dataclass(frozen=True)
class Opened:
    """A backup that was checked, unpacked and is ready to restore."""

    file: Path
    database: Path
    contents: Contents


@contextmanager
def open_backup(file: Path) -> Iterator[Opened]:
    """Open and check a backup completely, without side effects.

    Raises `BackupError` if it is damaged, changed, empty, foreign, or of a newer version.
    """
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    try:
        with archive.unpacked(file, settings.DATA_DIR) as database:
            _refuse_foreign(file, database)
            contents = kind_here().contents(database)
            refuse_unusable(file, contents)
            yield Opened(file, database, contents)
    except OSError as error:
        raise BackupError(f"{file}: {error.strerror or error}") from error


def _refuse_foreign(file: Path, database: Path) -> None:
    with database.open("rb") as begun:
        start = begun.read(max(len(kind.MAGIC) for kind in KINDS))
    if not start:
        raise BackupError(f"{file} is empty.")
    written_by = next((kind for kind in KINDS if start.startswith(kind.MAGIC)), None)
    if written_by is None:
        raise BackupError(f"{file} is not a Spadille backup.")
    if written_by is not kind_here():
        raise BackupError(
            f"{file} was made on {written_by.NAME}, but this Spadille uses {kind_here().NAME}. Export each "
            f"tournament there and import it here."
        )


def restore(backup: Opened) -> None:
    """Replace the database by a backup; the caller has exclusive use of it.

    Missing photographs are restored, none is deleted. The caller has backed up the old data, and migrates afterwards.
    Raises `BackupError` without changing anything.
    """
    try:
        archive.put_pictures_back(backup.file)
        connection.close()
        kind_here().restore(connection.settings_dict, backup.database)
    except OSError as error:
        raise BackupError(f"{backup.file}: {error.strerror or error}") from error


# In a folder of the backups that no timer clears.
BEFORE_UPDATE, UPDATES_KEPT = "before-update", 5
BEGUN = ".begun.json"
logger = logging.getLogger(__name__)

Names = frozenset[tuple[str, str]]  # of migrations: app and name


@dataclass(frozen=True)
class _Begun:
    """An upgrade: backups made for it, oldest first; migrations applied when it began, and those to come.

    `newest` are the newest keys of what people write; None if the program was used since, or that is unknown.
    """

    files: list[str]
    before: Names
    planned: Names
    newest: list[int] | None

    def is_half_done(self, applied: Names) -> bool:
        """Whether the data is between two versions and has not been used there."""
        done = self.planned & applied
        is_between = self.before <= applied and bool(done) and done != self.planned
        return is_between and self.newest == _newest()

    def note(self) -> None:
        told = {
            "files": self.files,
            "before": sorted(self.before),
            "planned": sorted(self.planned),
            "newest": self.newest,
        }
        write_atomically(folder_of_updates() / BEGUN, json.dumps(told).encode())


def folder_of_updates() -> Path:
    return backups_folder() / BEFORE_UPDATE


def keep_as_they_were(
    applied: Collection[tuple[str, str]], planned: Collection[tuple[str, str]], *, now: datetime
) -> tuple[Path, bool]:
    """A backup of the data before an upgrade, and whether the upgrade had begun before.

    Raises `BackupError`.
    """
    folder, begun = folder_of_updates(), _begun()
    if begun and begun.is_half_done(frozenset(applied)) and (kept := folder / begun.files[-1]).is_file():
        return kept, True
    made = back_up(folder, now=now, by_hand=False)
    first, *others = [*(begun.files if begun else []), made.name]
    # Attempts without a change store the same data again: the first and the newest backup are enough.
    older, newer = others[: -(UPDATES_KEPT - 1)], others[-(UPDATES_KEPT - 1) :]
    try:
        _Begun([first, *newer], frozenset(applied), frozenset(planned), _newest()).note()
        for name in older:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise BackupError(f"{folder}: {error.strerror or error}") from error
    return made, False


def fit_this_program(applied: Collection[tuple[str, str]]) -> None:
    """Record that the data with these migrations can be used.

    After a completed upgrade only the newest of its backups remain. An upgrade that another version left unfinished
    is not completed: its backup lacks what is stored from now on.
    """
    folder, begun = folder_of_updates(), _begun()
    try:
        if begun and not begun.planned <= frozenset(applied):
            replace(begun, newest=None).note()
        elif (folder / BEGUN).exists():
            drop_old(folder, UPDATES_KEPT)
            (folder / BEGUN).unlink()
    except OSError as error:
        logger.warning("%s: %s", folder, error.strerror or error)


def _newest() -> list[int]:
    """The newest keys of what people write and no migration does, in data of any version; 0 for none."""
    there = connection.introspection.table_names()
    return [
        model._base_manager.aggregate(newest=Max("pk"))["newest"] or 0 if model._meta.db_table in there else 0
        for model in data_hooks().written
    ]


def _begun() -> _Begun | None:
    """The upgrade under way, or None; an unreadable record counts as none, which costs one more backup."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        told = json.loads((folder_of_updates() / BEGUN).read_text("utf-8"))
        before, planned = (
            frozenset((str(app), str(name)) for app, name in told[key]) for key in ("before", "planned")
        )
        if files := [Path(name).name for name in told["files"]]:
            return _Begun(files, before, planned, told.get("newest"))
    return None
