"""Backups before an upgrade: data as they were before a newer version migrated them, until all migrations succeeded.

Migrations are stored one by one, so an update that fails, or is killed, leaves data between two versions, and whatever
starts the program starts it again and again. Data between two versions are not backed up, since no program can use
them; and no earlier backup is deleted until an update is complete.

A program that fits data between two versions may be used all the same, and its data are backed up too: so they count
as unused only while no start was completed there and nothing was reported or logged.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from django.db import connection
from django.db.models import Max

from core.backup.backups import back_up, drop_old
from core.backup.folder import backups_folder
from core.data_hooks import data_hooks
from core.errors import BackupError
from core.files import write_atomically

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
