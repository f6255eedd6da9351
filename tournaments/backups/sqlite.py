"""A backup of SQLite: a copy as of one moment, made by SQLite itself."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tournaments.backups.problems import BackupProblem

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = "sqlite3"
MAGIC = b"SQLite format 3\0"
BUSY = 20.0  # seconds


def write(told: dict[str, Any], target: Path) -> None:
    try:
        with closing(_open(told["NAME"])) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
            _refuse_damaged(copy)
    except sqlite3.Error as error:
        raise BackupProblem(f"SQLite cannot copy the database: {error}") from error
    with target.open("rb") as written:
        os.fsync(written.fileno())


def check(file: Path) -> None:
    """Refuse a file that is no whole backup of ours."""
    with file.open("rb") as opened:
        if opened.read(len(MAGIC)) != MAGIC:
            raise BackupProblem(f"{file} is no backup of SQLite.")
    try:
        with closing(_open(file)) as backup:
            _refuse_damaged(backup)
            backup.execute("SELECT count(*) FROM tournaments_report")
    except sqlite3.Error as error:
        raise BackupProblem(f"{file} cannot be read: {error}") from error


def restore(told: dict[str, Any], file: Path) -> None:
    """Copy the backup over the database: all of it or nothing, since SQLite itself writes it as one change."""
    try:
        with closing(_open(file)) as backup, closing(sqlite3.connect(told["NAME"], timeout=BUSY)) as live:
            backup.backup(live)
            live.execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error as error:
        raise BackupProblem(f"SQLite cannot write the database: {error}") from error


def put_away(told: dict[str, Any], target: Path) -> None:
    """Move a database that cannot be copied, being damaged, out of the way as it is."""
    name = str(told["NAME"])
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(name + suffix):  # noqa: PTH110 - a name with a suffix
            os.replace(name + suffix, f"{target}{suffix}")  # noqa: PTH105


def _open(file: object) -> sqlite3.Connection:
    """For reading only: a wrong name makes no empty database."""
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=BUSY)


def _refuse_damaged(database: sqlite3.Connection) -> None:
    (said,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise BackupProblem(f"The database is damaged: {said}")
