"""The database as each test finds it: empty, and with the same next key in every table.

Django's own command tells every table to be empty, has all be written that migrations write, and lets keys run on: what
one test has made could not be written again for the next (`tests.tape`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from django.db import connection, connections, transaction
from django.test import TestCase, TransactionTestCase

from core.journal.models import CHANGED
from tests.factories import drop_trigger
from tests.tape import next_keys
from tournaments.models.append_only import protect_reports, triggers, unprotected

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper


def empty_after_tests() -> None:
    """Let tests with real transactions, and whoever flushes, empty the database in this way."""

    def teardown(_case: TransactionTestCase) -> None:
        empty(connections["default"])

    TransactionTestCase._fixture_teardown = teardown
    # Of the class: a browser's event loop gives this thread a connection of its own.
    type(connection.ops).execute_sql_flush = lambda ops, _statements: empty(ops.connection)
    _tables(connection.vendor)  # known before any test works on a database in which they are not yet
    if connection.vendor == "postgresql":
        # A new connection would first have to learn of every table.
        TransactionTestCase._should_reload_connections = lambda _case: False
        beginnings = dict(next_keys())
        for kind in (TransactionTestCase, TestCase):
            kind._fixture_setup = _from_the_beginning(kind._fixture_setup.__func__, beginnings)


def empty(of: BaseDatabaseWrapper) -> None:
    """Delete all rows; for that alone reports may be deleted, which are protected again whatever a test did to that."""
    asked = (f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")" for name in _tables(of.vendor))
    with transaction.atomic(of.alias), of.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        # What follows changes, where a test has that done, notes these as well.
        filled = [*(name for (name,) in cursor.fetchall() if name != CHANGED), CHANGED]
        if of.vendor == "postgresql":
            _empty_on_postgresql(cursor, filled)
        else:
            _empty_on_sqlite(cursor, filled)
    if any(unprotected(of)):
        protect_reports(of.alias)


@cache
def _tables(_vendor: str) -> list[str]:
    return connection.introspection.django_table_names(only_existing=True, include_views=False)


def _empty_on_postgresql(cursor: CursorWrapper, filled: list[str]) -> None:
    """It writes a new file for every table that it truncates: ten times as long as deleting few rows."""
    deletes = "".join(f'DELETE FROM "{name}";' for name in filled)
    # No trigger and no reference is asked.
    cursor.execute(f"SET session_replication_role = replica; {deletes} SET session_replication_role = origin")
    cursor.execute("SELECT pg_advisory_unlock_all()")


def _empty_on_sqlite(cursor: CursorWrapper, filled: list[str]) -> None:
    for trigger in triggers(cursor.db).values():
        if trigger.table in filled:
            drop_trigger(cursor, trigger.name)
    for name in filled:
        cursor.execute(f'DELETE FROM "{name}"')
    cursor.execute(f"DELETE FROM sqlite_sequence WHERE name IN ({', '.join(['%s'] * len(filled))})", filled)


def _from_the_beginning(setup: Callable[[Any], None], beginnings: dict[str, int | None]) -> Any:
    """PostgreSQL takes no key back with the transaction that took it."""

    def begun(kind: Any) -> None:
        moved = [name for name, last in next_keys() if last != beginnings.get(name)]
        if moved:
            back = ((name, beginnings.get(name)) for name in moved)
            told = (f"setval('{name}', {last or 1}, {last is not None})" for name, last in back)
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT {', '.join(told)}")
        setup(kind)

    return classmethod(begun)
