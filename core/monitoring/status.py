"""`/health/`, and figures of the machine for a page and for `/metrics`: disk, database, backups, journal, jobs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.models import Count
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.backup.folder import RESERVE
from core.jobs.models import Job
from core.journal.status import JournalStatus, storage_status


@dataclass(frozen=True)
class MachineStatus:
    """Sizes in bytes, ages in seconds, and the number of jobs by state."""

    database: int
    disk_free: int
    disk_all: int
    # Seconds since the last backup; None where there is none.
    backup_age: float | None
    backup_problem: str
    # Seconds that the journal is behind; None where none is written, or configured.
    journal_behind: float | None
    jobs: Mapping[str, int]


def machine_status(now: datetime) -> MachineStatus:
    """The figures of the machine, each by one query, whose cost does not grow over the years."""
    disk = shutil.disk_usage(settings.DATA_DIR)
    storage = storage_status(now)
    return MachineStatus(
        database=_database_bytes(),
        disk_free=disk.free,
        disk_all=disk.total,
        backup_age=(now - storage.backup.at).total_seconds() if storage.backup else None,
        backup_problem=storage.problem,
        journal_behind=_seconds_behind(storage.journal, now),
        jobs=count_by_state(Job),
    )


def count_by_state(model: Any, **left_out: str) -> dict[str, int]:
    """The number of rows in each state of a model, except those with the values `left_out`."""
    counted = model.objects.exclude(**left_out).order_by().values_list("state").annotate(number=Count("*"))
    return dict.fromkeys(model.State.values, 0) | dict(counted)


def _seconds_behind(journal: JournalStatus | None, now: datetime) -> float | None:
    if journal is None or (journal.problem and journal.since is None):
        return None
    return (now - journal.since).total_seconds() if journal.since else 0.0


def _database_bytes() -> int:
    """The size of the database on its disk, including the write-ahead log."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])


# Metrics without labels: name -> (help, value of a status, None where there is none).
FIGURES: Mapping[str, tuple[str, Callable[[MachineStatus], float | None]]] = {
    "spadille_database_bytes": ("What the database takes on its disk.", lambda now: now.database),
    "spadille_disk_free_bytes": ("Free on the disk of the data folder.", lambda now: now.disk_free),
    "spadille_backup_age_seconds": ("Since the last backup.", lambda now: now.backup_age),
    "spadille_backup_failed": (
        "1 where the last backup could not be made.",
        lambda now: bool(now.backup_problem),
    ),
    "spadille_journal_behind_seconds": ("Behind what is stored.", lambda now: now.journal_behind),
}


@require_safe
@never_cache
def health(_request: HttpRequest) -> JsonResponse:
    """200 if the database responds, else 503; a full disk or a missing cache is reported, but pages still work."""
    found = {
        "database": _database(),
        "cache": _cache(),
        "disk": "ok" if shutil.disk_usage(settings.DATA_DIR).free > RESERVE else "nearly full",
    }
    works = found["database"] == "ok"
    return JsonResponse({"status": "ok" if works else "down"} | found, status=200 if works else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM django_migrations")
    except DatabaseError:
        return "does not answer"
    return "ok"


def _cache() -> str:
    cache.set("health", "ok", 10)
    return "ok" if cache.get("health") == "ok" else "does not answer"
