"""Having the database note what changes: put up when a book is begun, taken down when nothing is to follow it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import connection, transaction

from core.journal.models import (
    CHANGED,
    TRIGGER,
    ChangedRow,
    JournalState,
    journal_functions,
    journal_triggers,
)

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

AS_OF_NOW = {"sqlite": "BEGIN", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


def state() -> JournalState:
    """The state of the journal; created with a name for this installation at the first call."""
    return JournalState.objects.get_or_create(pk=1, defaults={"installation": uuid4().hex})[0]


def put_up() -> None:
    """Install the triggers; PostgreSQL waits for running transactions."""
    there = _there(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for sentence in journal_functions():
                cursor.execute(sentence)
        for name, sentence in journal_triggers(connection).items():
            if name not in there:
                cursor.execute(sentence)


def are_up() -> bool:
    """Whether all triggers are installed: a table that was rebuilt has lost its own."""
    return journal_triggers(connection).keys() <= _there(connection).keys()


def take_down() -> None:
    """Remove the triggers; the next writer begins a new book."""
    there = _there(connection)
    with connection.cursor() as cursor:
        for name, table in there.items():
            of_table = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{of_table}")
    if there:
        begin_anew()


def begin_anew(*, forgets: bool = False) -> None:
    """Let the next writer begin a new book, and drop the recorded changes: that book contains them."""
    with transaction.atomic():
        JournalState.objects.update(book="", **({"forgets": True} if forgets else {}))
        ChangedRow.objects.all().delete()


@contextmanager
def as_of_now() -> Iterator[None]:
    """Run all queries within the block in one snapshot."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(AS_OF_NOW[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")


def _there(database: BaseDatabaseWrapper) -> dict[str, str]:
    """The installed triggers, with their tables."""
    sql = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE %s"
    if database.vendor == "postgresql":
        sql = "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE tgenabled IN ('O', 'A') AND tgname LIKE %s"
    with database.cursor() as cursor:
        cursor.execute(sql, [f"{TRIGGER}%"])
        return dict(cursor.fetchall())


def is_there() -> bool:
    """Whether this database has the tables of the journal: an older version has not."""
    return CHANGED in connection.introspection.table_names()
