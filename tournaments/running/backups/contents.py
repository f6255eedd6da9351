"""What is in a database, by which a backup is known to hold it: rows counted, and the version that wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.db import DatabaseError, connection
from django.db.backends.utils import CursorWrapper

from clubs.models import Account, Club
from core.database import of_a_newer_program
from tournaments.models import Report, Table, Tournament
from tournaments.running.backups.problems import BackupProblem

# What no step of the program takes away again while a backup is written, so that it can be counted before and after.
COUNTED = tuple(model._meta.db_table for model in (Club, Account, Tournament, Table, Report))
MIGRATIONS = "django_migrations"
Counts = dict[str, int]


@dataclass(frozen=True)
class Contents:
    """What a backup holds: rows of each table of `COUNTED`, and every migration (app and name) it has been through."""

    counts: Counts
    migrations: frozenset[tuple[str, str]]

    def __str__(self) -> str:
        tournaments, reports = (self.counts[model._meta.db_table] for model in (Tournament, Report))
        return f"{tournaments} tournament(s), {reports} report(s)"


def counted_now() -> Counts:
    """What the database in use holds. Raises `BackupProblem` where it cannot be counted."""
    try:
        with connection.cursor() as cursor:
            return {table: _count(cursor, table) for table in COUNTED}
    except DatabaseError as error:
        connection.close()
        raise BackupProblem(f"The database cannot be counted: {error}") from error


def holds_a_club() -> bool:
    """Whether there is anything to be kept: a club, in a database of this version or of an earlier one."""
    club = Club._meta.db_table
    with connection.cursor() as cursor:
        return club in connection.introspection.table_names(cursor) and _count(cursor, club) > 0


def _count(cursor: CursorWrapper, table: str) -> int:
    cursor.execute(f'SELECT count(*) FROM "{table}"')
    return int(cursor.fetchone()[0])


def refuse_incomplete(backup: Counts, before: Counts, after: Counts) -> None:
    """Refuse a backup that holds less or more than the database did while it was written."""
    for table in COUNTED:
        least, most = sorted((before[table], after[table]))
        if not least <= backup[table] <= most:
            raise BackupProblem(
                f"What was written holds {backup[table]} rows of {table}, the database {after[table]}."
            )


def refuse_unusable(file: Path, contents: Contents) -> None:
    """Refuse to put in the place of anything what holds nothing, or what this version may not be able to read."""
    if not contents.counts[Club._meta.db_table]:
        raise BackupProblem(f"{file} is empty: there is no club in it.")
    if name := of_a_newer_program(contents.migrations):
        raise BackupProblem(f"{file} was made by a newer Spadille ({name}). Bring this one up to date first.")
