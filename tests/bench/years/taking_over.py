"""Made years in another database: every row of an SQLite file, copied into an empty PostgreSQL as it stands."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection

AT_A_TIME = 10_000  # rows
# Written anew by `prepare`, and by each database for itself.
LEFT_OUT = {"django_migrations"}


def take_over(file: Path, tell: Callable[[str], object]) -> None:
    """Fill the database that Django uses, whose tables are there, with what the file has.

    What SQLite keeps as text or number PostgreSQL reads as what it is: moments in UTC, 0 and 1, JSON, keys.
    """
    source = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    tables = [model._meta.db_table for model in models if model._meta.db_table not in LEFT_OUT]
    connection.ensure_connection()
    with connection.connection.cursor() as cursor:
        cursor.execute("SET TIME ZONE 'UTC'")
        # Neither triggers nor keys: it is all there, or nothing.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")
        for table in tables:
            _copy(source, cursor, table)
        cursor.execute("SET session_replication_role = DEFAULT")
        for reset in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(reset)
        cursor.execute("ANALYZE")
    connection.close()
    source.close()
    tell(f"{len(tables)} tables taken over from {file}")


def _copy(source: sqlite3.Connection, cursor: Any, table: str) -> None:
    rows = source.execute(f"SELECT * FROM {table}")
    columns = ", ".join(f'"{column}"' for column, *_rest in rows.description)
    with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for row in _each(rows):
            copy.write_row(row)


def _each(rows: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
    while some := rows.fetchmany(AT_A_TIME):
        yield from some
