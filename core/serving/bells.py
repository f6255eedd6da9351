"""Bells: notify the worker processes that something was stored, by whichever process.

A bell has no payload: a listener queries the versions that it needs. It may ring without a change, and listeners also
poll now and then, so that a lost notification delays an update and loses none.

- Redis: publish and subscribe. - PostgreSQL without Redis: LISTEN and NOTIFY. - SQLite: `PRAGMA data_version`, which
  changes with each commit of any process.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction

logger = logging.getLogger(__name__)

CHANNEL = "spadille"
# Seconds between two looks at SQLite, and before a bell that is broken is mended.
LOOK_EVERY, MEND_AFTER = 0.1, 2.0
# Seconds that a listening connection waits before it checks whether there are still listeners.
WAIT = 5.0
# What Django adds to a connection of its own.
OF_DJANGO = ("cursor_factory", "context", "prepare_threshold", "autocommit")


def ring_on_commit() -> None:
    """Ring for all processes once the transaction is committed, where no commit is heard by itself."""
    if has_redis():
        transaction.on_commit(_publish)
    elif connection.vendor == "postgresql":
        transaction.on_commit(_notify)


def has_redis() -> bool:
    return hasattr(cache, "publish")


def _publish() -> None:
    redis: Any = cache
    redis.publish(CHANNEL)


def _notify() -> None:
    with suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute(f"NOTIFY {CHANNEL}")


class Bell:
    """Calls `ring` from a thread of its own whenever something may have been stored, while `is_wanted`."""

    def __init__(self, ring: Callable[[], object], is_wanted: Callable[[], bool]) -> None:
        self.ring, self.is_wanted = ring, is_wanted
        self.thread: threading.Thread | None = None
        self.resting = threading.Event()

    def listen(self) -> None:
        """Begin to listen, unless that is done already."""
        if self.thread is None or not self.thread.is_alive():
            self.thread = threading.Thread(target=self._listen, name="bell", daemon=True)
            self.thread.start()

    def _listen(self) -> None:
        hear = (
            self._hear_redis if has_redis() else self._hear_notify if is_postgresql() else self._hear_commits
        )
        while self.is_wanted():
            try:
                hear()
            except (OSError, DatabaseError) as error:
                logger.info("Notifications are delayed: %s", error)
                self.resting.wait(MEND_AFTER)

    def _hear_redis(self) -> None:
        from redis.exceptions import RedisError  # noqa: PLC0415 - where there is one

        redis: Any = cache
        try:
            with closing(redis.listener(CHANNEL)) as messages:
                self.ring()  # notifications from before listening
                while self.is_wanted():
                    if messages.get_message(ignore_subscribe_messages=True, timeout=WAIT):
                        self.ring()
        except RedisError as error:
            raise OSError(str(error)) from error

    def _hear_notify(self) -> None:
        import psycopg  # noqa: PLC0415 - where there is such a database

        told = connection.get_connection_params()
        known = {name: value for name, value in told.items() if name not in OF_DJANGO}
        try:
            with psycopg.connect(**known, autocommit=True) as listening:
                listening.execute(f"LISTEN {CHANNEL}")
                self.ring()
                while self.is_wanted():
                    for _notify in listening.notifies(timeout=WAIT, stop_after=1):
                        self.ring()
        except psycopg.Error as error:
            raise OSError(str(error)) from error

    def _hear_commits(self) -> None:
        try:
            with connection.cursor() as cursor:
                before = None
                while self.is_wanted():
                    cursor.execute("PRAGMA data_version")
                    (version,) = cursor.fetchone()
                    if version != before:
                        before = version
                        self.ring()
                    self.resting.wait(LOOK_EVERY)
        finally:
            connection.close()


def is_postgresql() -> bool:
    return str(settings.DATABASES["default"]["ENGINE"]).endswith("postgresql")
