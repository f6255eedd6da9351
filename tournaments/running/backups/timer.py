"""The backup that `serve` makes every so many minutes: none where nothing has changed, and older ones thinned.

What came of it stands in a file beside the backups, from which the desk tells it (`running.safety`).
"""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from core.files import write_whole
from tournaments.running.backups import back_up, mark_of_now, size_now
from tournaments.running.backups.files import OLD, backups_folder, backups_in
from tournaments.running.backups.problems import BackupProblem
from tournaments.running.backups.thinning import Thinning, superfluous

logger = logging.getLogger(__name__)

LAST = ".last.json"


@dataclass(frozen=True)
class Last:
    """How the timer's last try came out: the backup that holds what is there, and how the database was known then."""

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
    """The timer's backup; None where the last one still holds all that is there. Raises `BackupProblem`."""
    folder = folder or backups_folder()
    before = last()
    try:
        mark, size = mark_of_now(), size_now()
        if mark and mark == before.mark and (folder / before.file).is_file():
            made = None
        else:
            made = back_up(folder, now=now, by_hand=False)
    except BackupProblem as problem:
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
        write_whole(folder / LAST, json.dumps(asdict(came_to)).encode())
    except OSError:
        logger.exception("It cannot be written down how the backup came out")
