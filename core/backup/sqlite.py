"""A backup of SQLite: a copy as of one moment, made by SQLite itself."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.backup.archive import MIGRATIONS, Contents
from core.data_hooks import counted_tables
from core.errors import BackupError

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

NAME = "SQLite"
SUFFIX = "sqlite3"
PRESSED = False
MAGIC = b"SQLite format 3\0"
PARTS = ("", "-wal", "-shm")  # what the files of one database end in
BUSY = 20.0  # seconds


def size(database: BaseDatabaseWrapper) -> int:
    """The size of a copy in bytes."""
    return sum(status.st_size for status in _files(database))


def mark(database: BaseDatabaseWrapper) -> str:
    """A value that changes with every write: SQLite appends to its log, or writes into the database."""
    return " ".join(f"{file.st_ino}:{file.st_size}:{file.st_mtime_ns}" for file in _files(database))


def _files(database: BaseDatabaseWrapper) -> list[os.stat_result]:
    """The database, and its WAL file if that is not empty: each reader creates and deletes an empty one."""
    name = str(database.settings_dict["NAME"])
    found = [Path(name + suffix).stat() for suffix in ("", "-wal") if Path(name + suffix).exists()]
    return [status for status in found if status.st_size]


def write(told: dict[str, Any], target: Path) -> None:
    try:
        with closing(_open(told["NAME"])) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log
    except sqlite3.Error as error:
        raise BackupError(f"SQLite cannot copy the database: {error}") from error


def contents(file: Path) -> Contents:
    """The contents of a backup. Raises `BackupError` if it is damaged or foreign."""
    try:
        with closing(_open(file)) as backup:
            _refuse_damaged(backup)
            counts = {
                table: backup.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
                for table in counted_tables()
            }
            migrations = backup.execute(f"SELECT app, name FROM {MIGRATIONS}").fetchall()
    except sqlite3.Error as error:
        raise BackupError(f"{file} is not a Spadille database: {error}") from error
    return Contents(counts, frozenset(migrations))


def restore(told: dict[str, Any], file: Path) -> None:
    """Copy the backup over the database, as one change of SQLite: all of it or nothing."""
    try:
        with closing(_open(file)) as backup, closing(sqlite3.connect(told["NAME"], timeout=BUSY)) as live:
            backup.backup(live)
            live.execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error as error:
        raise BackupError(f"SQLite cannot write the database: {error}") from error


def empty(database: BaseDatabaseWrapper) -> None:
    """Delete all tables; the caller has exclusive use of the database."""
    database.close()
    for suffix in PARTS:
        Path(f"{database.settings_dict['NAME']}{suffix}").unlink(missing_ok=True)


def put_away(told: dict[str, Any], target: Path) -> None:
    """Move a database aside that is too damaged to copy."""
    _move(str(told["NAME"]), str(target))


def take_back(told: dict[str, Any], target: Path) -> None:
    """Move back what `put_away` moved, replacing what was begun there since."""
    for suffix in PARTS:
        Path(f"{told['NAME']}{suffix}").unlink(missing_ok=True)
    _move(str(target), str(told["NAME"]))


def _move(source: str, target: str) -> None:
    for suffix in PARTS:
        if os.path.exists(source + suffix):  # noqa: PTH110 - a name with a suffix
            os.replace(source + suffix, target + suffix)  # noqa: PTH105


def _open(file: str | Path) -> sqlite3.Connection:
    """Open read-only, so that a wrong name creates no empty database.

    In a URI # and ? would end the name, and another, new database would be opened instead.
    """
    return sqlite3.connect(f"{Path(file).absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY)


def _refuse_damaged(database: sqlite3.Connection) -> None:
    (said,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise BackupError(f"The database is damaged: {said}")
