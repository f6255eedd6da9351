"""The database at start: wait until it responds, one upgrade at a time; and how its connections are used: no request
closes one within a transaction, and timestamps are parsed fast.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import CommandError
from django.core.signals import request_finished, request_started
from django.db import DatabaseError, OperationalError, close_old_connections, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from core.files import exclusive_lock

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from psycopg.abc import Buffer, Loader


PATIENCE = 60.0  # seconds for a database to come up, or to let go of what a killed process held
LONGEST_UPDATE = 600.0  # seconds
LOOK_AGAIN = 0.25
# SQLite's SQLITE_BUSY, SQLITE_LOCKED and SQLITE_PROTOCOL: processes that end, or begin, have its log between them.
PASSING_CODES = (5, 6, 15)
LOW_BYTE = 0xFF  # an extended code has the plain one in it
# PostgreSQL's messages for errors that no retry mends.
LASTING = ("authentication failed", "no password supplied", "does not exist", "no pg_hba.conf entry")
UPDATE_LOCK = 0x53504144  # any number that no other program locks in this database


def wait_until_it_answers() -> None:
    """Wait while the database starts or recovers, and say so once at the terminal.

    Raises `OperationalError` after a minute, or at once if waiting cannot help.
    """
    until = 0.0
    while True:
        try:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT count(*) FROM sqlite_master" if connection.vendor == "sqlite" else "SELECT 1"
                )
        except OperationalError as error:
            connection.close()
            if not will_pass(error) or (until and time.monotonic() >= until):
                raise
            if not until:
                until = time.monotonic() + PATIENCE
                first = str(error).strip().partition("\n")[0]
                sys.stderr.write(f"The database is not answering yet ({first}). Waiting …\n")
            time.sleep(LOOK_AGAIN)
        else:
            return


def will_pass(error: OperationalError) -> bool:
    """Whether the same statement may succeed in a moment."""
    if connection.vendor == "sqlite":
        return getattr(error.__cause__, "sqlite_errorcode", 0) & LOW_BYTE in PASSING_CODES
    return not any(words in str(error) for words in LASTING)


def refuse_empty_folder() -> None:
    """Exit with a message if the data folder has no database, as when the wrong one is named; it stays empty.

    The same for a format that only a newer version parses.
    """
    if _has_database():
        wait_until_it_answers()
    if not _has_database() or not MigrationRecorder(connection).has_table():
        raise CommandError(
            f"There is no Spadille data in {settings.DATA_DIR}. Name the data folder: SPADILLE_DATA=data/club"
        )
    refuse_newer_data()


def refuse_newer_data() -> None:
    """Exit with a message if a newer version has changed these data, which this one would misread or damage."""
    if name := of_a_newer_program(MigrationRecorder(connection).applied_migrations()):
        raise CommandError(
            f"These data come from a newer version of Spadille ({name}). Install that version, or restore "
            f"the backup that it made when it upgraded them."
        )


def of_a_newer_program(applied: Iterable[tuple[str, str]]) -> str | None:
    """The first of these migrations (app, name) that only a newer version has, by number; None if there is none.

    An older one than the newest here may be missing: it was squashed.
    """
    newest = {
        app.label: max(
            filter(_is_numbered, (one.name for one in iter_modules([f"{app.path}/migrations"]))), default=""
        )
        for app in apps.get_app_configs()
    }
    return min((name for app, name in applied if newest.get(app) and name > newest[app]), default=None)


def _is_numbered(name: str) -> bool:
    return name[:1].isdigit()


def _has_database() -> bool:
    """Whether there is a database to query: SQLite would create an empty one."""
    name = str(connection.settings_dict["NAME"])
    return connection.vendor != "sqlite" or not Path(name).is_absolute() or Path(name).exists()


@contextmanager
def nobody_else_updates() -> Iterator[None]:
    """Hold the lock of upgrades against other starts on this data folder or database. Raises `TimeoutError`."""
    with exclusive_lock("prepare", settings.DATA_DIR, LONGEST_UPDATE):
        if connection.vendor == "sqlite":
            yield
            return
        _lock_database()
        try:
            yield
        finally:
            with suppress(DatabaseError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [UPDATE_LOCK])


def _lock_database() -> None:
    until = time.monotonic() + LONGEST_UPDATE
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [UPDATE_LOCK])
            if cursor.fetchone()[0]:
                return
        if time.monotonic() >= until:
            raise TimeoutError
        time.sleep(LOOK_AGAIN)


@contextmanager
def whole_or_not_at_all() -> Iterator[None]:
    """Create a new database in one transaction: a first start that is killed leaves nothing behind.

    A migration is applied before it is recorded, and in between the database would have no version.
    """
    # SQLite changes tables only with foreign key checks disabled, which must be set before a transaction begins.
    with connection.constraint_checks_disabled(), transaction.atomic():
        yield


def keep_transactions_open() -> None:
    """Let requests that are handled within a transaction leave its connection open; Django itself would close it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
        signal.connect(_close_outside_transactions)


def _close_outside_transactions(**_signal: Any) -> None:
    if not connection.in_atomic_block:
        close_old_connections()


def read_sooner(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Install the fast parser of timestamps on a new PostgreSQL connection (signal receiver)."""
    if connection.vendor == "postgresql" and connection.timezone is UTC:
        connection.connection.adapters.register_loader("timestamptz", _reader())


@cache
def _reader() -> type[Loader]:
    from psycopg.adapt import Loader  # noqa: PLC0415 - where there is such a database

    class Moments(Loader):
        # By this Django knows that its own reader would give the same.
        timezone = UTC

        def load(self, data: Buffer) -> datetime:
            moment = datetime.fromisoformat(bytes(data).decode())
            return moment if moment.tzinfo is UTC else moment.astimezone(UTC)

    return Moments
