"""Moments as PostgreSQL tells them, read as Django reads them, in a tenth of the time.

Django's reader takes them apart by a pattern, in Python, and puts its own time zone in place of the connection's. That
is UTC too, and Python reads what PostgreSQL writes by itself: a tournament and a table have a dozen of them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from psycopg.abc import Buffer, Loader


def read_sooner(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Receiver of a connection that has just been made."""
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
