"""How the program stands on its machine, in figures: for who looks after it, on a page and by `/metrics`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count, Max

from clubs.letter_models import Letter
from core.jobs.models import Job
from core.journal import status
from core.journal.status import JournalStatus as Journal
from tournaments.changes.push_messages import have_failed_since, tally
from tournaments.models import PushMessage, Report, Round, Table


@dataclass(frozen=True)
class Condition:
    """Bytes, seconds, and how many of each there are now."""

    database: int
    disk_free: int
    disk_all: int
    # Seconds since the last backup; None where there is none.
    backup_age: float | None
    backup_problem: str
    # Seconds that the journal is behind; None where none is written, or asked for.
    journal_behind: float | None
    # How many reports were ever stored; about so many, and never fewer.
    reports: int
    last_report: datetime | None
    tables_playing: int
    jobs: Mapping[str, int]
    letters: Mapping[str, int]
    # What phones of evenings that are on are to be told, and how such messages ever ended.
    pushes: Mapping[str, int]
    pushes_ended: Mapping[str, int]
    pushes_fail: bool  # whether some did not come through in the last day


def condition(now: datetime) -> Condition:
    """Each figure by one question that no year makes longer."""
    disk = shutil.disk_usage(settings.DATA_DIR)
    backup = status.storage_status(now)
    newest = Report.objects.aggregate(number=Max("pk"))["number"] or 0
    return Condition(
        database=_database_bytes(),
        disk_free=disk.free,
        disk_all=disk.total,
        backup_age=(now - backup.backup.at).total_seconds() if backup.backup else None,
        backup_problem=backup.problem,
        journal_behind=_behind(backup.journal, now),
        reports=newest,
        last_report=Report.objects.filter(pk=newest).values_list("recorded_at", flat=True).first(),
        tables_playing=Table.objects.filter(round__state=Round.State.RUNNING).count(),
        jobs=_by_state(Job),
        letters=_by_state(Letter),
        pushes=_by_state(PushMessage, subscription__p256dh=""),  # nobody waits for what nobody can be told
        pushes_ended=tally(),
        pushes_fail=have_failed_since(now - timedelta(days=1)),
    )


def _behind(journal: Journal | None, now: datetime) -> float | None:
    if journal is None or (journal.problem and journal.since is None):
        return None
    return (now - journal.since).total_seconds() if journal.since else 0.0


def _by_state(model: Any, **left_out: str) -> dict[str, int]:
    counted = model.objects.exclude(**left_out).order_by().values_list("state").annotate(number=Count("*"))
    return dict.fromkeys(model.State.values, 0) | dict(counted)


def _database_bytes() -> int:
    """What it takes on its disk, with the log that is written before it."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])


FIGURES: Mapping[str, tuple[str, Callable[[Condition], float | None]]] = {
    "spadille_database_bytes": ("What the database takes on its disk.", lambda now: now.database),
    "spadille_disk_free_bytes": ("Free on the disk of the data folder.", lambda now: now.disk_free),
    "spadille_backup_age_seconds": ("Since the last backup.", lambda now: now.backup_age),
    "spadille_backup_failed": (
        "1 where the last backup could not be made.",
        lambda now: bool(now.backup_problem),
    ),
    "spadille_journal_behind_seconds": ("Behind what is stored.", lambda now: now.journal_behind),
    "spadille_tables_playing": ("Tables of rounds that are running.", lambda now: now.tables_playing),
}
