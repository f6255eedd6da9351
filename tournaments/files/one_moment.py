"""Reading much at one moment, whatever is reported meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def at_one_moment() -> Iterator[None]:
    """What is read here is as it was when the reading began, whatever is reported meanwhile; who writes does not wait.

    By itself, since SQLite's transactions are begun here for writing. Inside of another it is that one's moment.
    """
    if connection.in_atomic_block:
        yield
        return
    kind = " ISOLATION LEVEL REPEATABLE READ READ ONLY" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"BEGIN{kind}")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
