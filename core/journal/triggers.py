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
    """How far the journal is; the first who asks gives the installation its name."""
    return JournalState.objects.get_or_create(pk=1, defaults={"installation": uuid4().hex})[0]


def put_up() -> None:
    """Let every change be noted from now on; one that is under way in PostgreSQL is waited for."""
    there = _there(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for sentence in journal_functions():
                cursor.execute(sentence)
        for name, sentence in journal_triggers(connection).items():
            if name not in there:
                cursor.execute(sentence)


def are_up() -> bool:
    """Whether every change is noted: a table that was built anew has lost its triggers."""
    return journal_triggers(connection).keys() <= _there(connection).keys()


def take_down() -> None:
    """Let nothing be noted any more, and the next who follows begin a new book."""
    there = _there(connection)
    with connection.cursor() as cursor:
        for name, table in there.items():
            of_table = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{of_table}")
    if there:
        begin_anew()


def begin_anew(*, forgets: bool = False) -> None:
    """Let the next who follows begin a new book: what was noted is in that."""
    with transaction.atomic():
        JournalState.objects.update(book="", **({"forgets": True} if forgets else {}))
        ChangedRow.objects.all().delete()


@contextmanager
def as_of_now() -> Iterator[None]:
    """All that is read within is of one moment, whoever writes meanwhile."""
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
    """The journal's triggers that there are, and their tables."""
    sql = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE %s"
    if database.vendor == "postgresql":
        sql = "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE tgenabled IN ('O', 'A') AND tgname LIKE %s"
    with database.cursor() as cursor:
        cursor.execute(sql, [f"{TRIGGER}%"])
        return dict(cursor.fetchall())


def is_there() -> bool:
    """Whether this database knows of journals: one of an earlier version does not yet."""
    return CHANGED in connection.introspection.table_names()
