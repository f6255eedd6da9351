"""What the desk tells of backups and of the journal: whether what is stored is safe."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.running.backups.files import Backup, backups_folder, newest
from tournaments.running.backups.room import Room, room_for
from tournaments.running.backups.timer import last
from tournaments.running.journal import told as journal


@dataclass(frozen=True)
class Told:
    """What the desk tells of them."""

    backup: Backup | None
    # Whether nothing has changed since, as the timer found not long ago.
    holds_all: bool
    problem: str
    room: Room
    # None where none is asked for.
    journal: journal.Told | None

    @property
    def is_old(self) -> bool:
        """Whether an organiser should be told that it is about time."""
        return self.backup is None or (self.backup.is_old and not self.holds_all)


def told(now: datetime) -> Told:
    before, backup = last(), newest()
    late = before.is_of_late(now)
    holds_all = late and backup is not None and backup.path.name == before.file and not before.problem
    return Told(
        backup,
        holds_all,
        before.problem if late else "",
        room_for(backups_folder(), before.size),
        journal.told(now),
    )
