"""Status of stored data for pages, metrics and `manage.py check`: the last backup, free space, and the journal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core import checks
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from core.backup.folder import Backup, Room, backups_folder, newest, room_for
from core.backup.schedule import last
from core.journal.location import SFTP
from core.journal.models import ChangedRow, JournalState
from core.journal.places import AWAY, FOREIGN, FULL, OTHER, READ_ONLY

if TYPE_CHECKING:
    from collections.abc import Sequence


# A change that is not written after this time is reported: a step takes a second.
LATE = timedelta(seconds=15)


@dataclass(frozen=True)
class JournalStatus:
    """`since`: when the oldest change not yet written was made; None if the journal is complete."""

    where: str
    since: datetime | None
    problem: str
    written_at: datetime | None

    @property
    def is_written(self) -> bool:
        return self.since is None and not self.problem

    @property
    def words(self) -> str:
        if self.is_written:
            return _("Everything saved is also in the journal: %(where)s.") % {"where": self.where}
        why = self.problem or _("It is behind.")
        if self.since is None:
            return _("The journal is not being written. %(why)s") % {"why": why}
        at = date_format(localtime(self.since), "SHORT_DATETIME_FORMAT")
        return _("The journal has not been written since %(at)s. %(why)s") % {"at": at, "why": why}

    @property
    def notice(self) -> str:
        """A warning although it is written; "" for none."""
        if self.is_written and _is_here(self.where):
            return _("The journal is on the same disk as the data and would be lost with them.")
        return ""


def journal_status(now: datetime) -> JournalStatus | None:
    """The status of the journal; None if none is configured."""
    if not settings.JOURNAL:
        return None
    state = JournalState.objects.first()
    if state is None or not state.book:
        problem = _why(state) if state and state.problem else _("It is about to start.")
        return JournalStatus(settings.JOURNAL, state.problem_since if state else None, problem, None)
    oldest = ChangedRow.objects.order_by("pk").values_list("at", flat=True).first()
    is_late = oldest is not None and now - oldest > LATE
    problem = _why(state) if state.problem else ""
    since = oldest if is_late or problem else None
    return JournalStatus(
        settings.JOURNAL, since or (state.problem_since if problem else None), problem, state.written_at
    )


def _why(state: JournalState) -> str:
    words = {
        AWAY: _(
            "%(where)s is not available. Is the stick plugged in, or the other machine on? It "
            "catches up by itself."
        ),
        FULL: _("There is no room left in %(where)s."),
        READ_ONLY: _("Spadille is not allowed to write in %(where)s."),
        FOREIGN: _("Another Spadille is writing its journal in %(where)s. Choose another folder."),
        OTHER: "%(why)s",
    }
    return words[state.problem] % {"where": settings.JOURNAL, "why": state.problem_said}


def _is_here(where: str) -> bool:
    try:
        return (
            not where.startswith(SFTP) and Path(where).stat().st_dev == Path(settings.DATA_DIR).stat().st_dev
        )
    except OSError:
        return False


@dataclass(frozen=True)
class StorageStatus:
    """The status of backups and of the journal."""

    backup: Backup | None
    # Whether nothing has changed since, as the timer found not long ago.
    holds_all: bool
    problem: str
    room: Room
    # None where no journal is configured.
    journal: JournalStatus | None

    @property
    def is_old(self) -> bool:
        """Whether a backup is overdue."""
        return self.backup is None or (self.backup.is_old and not self.holds_all)


def storage_status(now: datetime) -> StorageStatus:
    """The status of backups and of the journal now."""
    before, backup = last(), newest()
    late = before.is_of_late(now)
    holds_all = late and backup is not None and backup.path.name == before.file and not before.problem
    return StorageStatus(
        backup,
        holds_all,
        before.problem if late else "",
        room_for(backups_folder(), before.size),
        journal_status(now),
    )


@checks.register()
def check_journal(app_configs: Sequence[Any] | None, **_options: Any) -> list[checks.CheckMessage]:
    """Warn if the journal's folder does not exist: a stick may be inserted later, a misspelt name stays missing."""
    del app_configs
    where = settings.JOURNAL
    if not where or where.startswith("sftp:") or Path(where).is_dir():
        return []
    return [
        checks.Warning(
            f"JOURNAL: {where} is not there, so nothing is written to it.",
            hint="Make the folder, put the stick in, or correct the name.",
            id="spadille.W001",
        )
    ]
