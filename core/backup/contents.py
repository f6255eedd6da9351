"""The contents of a database, by which a backup is verified: counted rows, and the version that wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.db import DatabaseError, connection
from django.db.backends.utils import CursorWrapper

from core.data_hooks import counted_tables, data_hooks
from core.database import of_a_newer_program
from core.errors import BackupError

MIGRATIONS = "django_migrations"
Counts = dict[str, int]


@dataclass(frozen=True)
class Contents:
    """The contents of a backup: rows of each counted table, and the migrations (app, name) applied to it."""

    counts: Counts
    migrations: frozenset[tuple[str, str]]

    def __str__(self) -> str:
        return data_hooks().describe(self.counts)


def counted_now() -> Counts:
    """The contents of the database in use. Raises `BackupError` if it cannot be counted."""
    try:
        with connection.cursor() as cursor:
            return {table: _count(cursor, table) for table in counted_tables()}
    except DatabaseError as error:
        connection.close()
        raise BackupError(f"The database cannot be read: {error}") from error


def holds_data() -> bool:
    """Whether there is anything to keep, in a database of this version or of an earlier one."""
    root = data_hooks().root._meta.db_table
    with connection.cursor() as cursor:
        return root in connection.introspection.table_names(cursor) and _count(cursor, root) > 0


def _count(cursor: CursorWrapper, table: str) -> int:
    cursor.execute(f'SELECT count(*) FROM "{table}"')
    return int(cursor.fetchone()[0])


def refuse_incomplete(backup: Counts, before: Counts, after: Counts) -> None:
    """Raise `BackupError` if the backup holds fewer or more rows than the database did while it was written."""
    for table in counted_tables():
        least, most = sorted((before[table], after[table]))
        if not least <= backup[table] <= most:
            raise BackupError(
                f"The backup has {backup[table]} rows in {table}, but the database has {after[table]}."
            )


def refuse_unusable(file: Path, contents: Contents) -> None:
    """Raise `BackupError` for a backup that is empty, or of a newer version."""
    if not contents.counts[data_hooks().root._meta.db_table]:
        raise BackupError(f"{file} is empty: {data_hooks().lacking}.")
    if name := of_a_newer_program(contents.migrations):
        raise BackupError(f"{file} was made by a newer version of Spadille ({name}). Upgrade this one first.")
