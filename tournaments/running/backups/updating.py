"""Data as they were before a newer program changed them: kept until it has brought all of them up to date.

Migrations are stored one by one, so an update that fails, or is killed, leaves data between two versions, and whatever
starts the program starts it again and again. What is between two versions is not kept, since no program can use it; and
nothing that was kept before makes way until an update has come to its end.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tournaments.running.backups import back_up, drop_old
from tournaments.running.backups.files import backups_folder
from tournaments.running.backups.problems import BackupProblem
from tournaments.running.on_disk import write_whole

# In a folder of the backups that no timer clears.
BEFORE_UPDATE, UPDATES_KEPT = "before-update", 5
BEGUN = ".begun.json"
Names = frozenset[tuple[str, str]]  # of migrations: app and name


@dataclass(frozen=True)
class _Begun:
    """An update: backups made for it, the oldest first; migrations there were when it began, and those to come."""

    files: list[str]
    before: Names
    planned: Names

    def is_half_done(self, applied: Names) -> bool:
        """Whether data that have been through these are between two versions."""
        done = self.planned & applied
        return self.before <= applied and bool(done) and done != self.planned


def folder_of_updates() -> Path:
    return backups_folder() / BEFORE_UPDATE


def keep_as_they_were(
    applied: Collection[tuple[str, str]], planned: Collection[tuple[str, str]], *, now: datetime
) -> tuple[Path, bool]:
    """A backup of data before these migrations change them, and whether they have begun to before.

    Raises `BackupProblem`, in words.
    """
    folder, begun = folder_of_updates(), _begun()
    if begun and begun.is_half_done(frozenset(applied)) and (kept := folder / begun.files[-1]).is_file():
        return kept, True
    made = back_up(folder, now=now, by_hand=False)
    first, *others = [*(begun.files if begun else []), made.name]
    # Each try that changes nothing keeps the same once more: the first and the newest hold all of them.
    for name in others[: -(UPDATES_KEPT - 1)]:
        (folder / name).unlink(missing_ok=True)
    told = {
        "files": [first, *others[-(UPDATES_KEPT - 1) :]],
        "before": sorted(applied),
        "planned": sorted(planned),
    }
    try:
        write_whole(folder / BEGUN, json.dumps(told).encode())
    except OSError as error:
        raise BackupProblem(f"{folder}: {error.strerror or error}") from error
    return made, False


def all_are_up_to_date() -> None:
    """The update has come to its end: of what was kept before it and earlier ones the newest stay."""
    folder = folder_of_updates()
    if (folder / BEGUN).exists():
        drop_old(folder, UPDATES_KEPT)
        (folder / BEGUN).unlink()


def _begun() -> _Begun | None:
    """None where none is under way; what cannot be read says nothing, and one backup more is made."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        told = json.loads((folder_of_updates() / BEGUN).read_text("utf-8"))
        before, planned = (
            frozenset((str(app), str(name)) for app, name in told[key]) for key in ("before", "planned")
        )
        if files := [Path(name).name for name in told["files"]]:
            return _Begun(files, before, planned)
    return None
