"""News: which topic has which version, for all streams and long polls; bells tell the other processes.

A topic is a kind and a key, such as a tournament by its code. For all waiting requests, one query reads the versions of
topics when a bell rings, at most every `SOONEST` seconds: of 120 tables it takes 4 ms. It reads those topics that the
bell names, or all: where the bell names nothing, and every `SELDOM`, or `RARELY` where the bell misses nothing.

A bell may ring without a change, and listeners also poll now and then, so that a lost notification delays an update
and loses none. Its name is a group of topics, such as a tournament with its tables.

- Redis: publish and subscribe.
- PostgreSQL without Redis: LISTEN and NOTIFY.
- SQLite: `PRAGMA data_version`, which changes with each commit of any process, and names nothing.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, close_old_connections, connection, transaction

logger = logging.getLogger(__name__)

CHANNEL = "spadille"
# Seconds between two looks at SQLite, and before a bell that is broken is mended.
LOOK_EVERY, MEND_AFTER = 0.1, 2.0
# Seconds that a listening connection waits before it checks whether there are still listeners.
WAIT = 5.0
# What Django adds to a connection of its own.
OF_DJANGO = ("cursor_factory", "context", "prepare_threshold", "autocommit")


def ring_on_commit(group: str) -> None:
    """Ring for all processes once the transaction is committed, where no commit is heard by itself.

    `group` names the topics that it changes.
    """
    if has_redis():
        transaction.on_commit(partial(_publish, group))
    elif connection.vendor == "postgresql":
        transaction.on_commit(partial(_notify, group))


def has_redis() -> bool:
    return hasattr(cache, "publish")


def _publish(group: str) -> None:
    redis: Any = cache
    redis.publish(CHANNEL, group)


def _notify(group: str) -> None:
    with suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, group])


class Bell:
    """Calls `ring` from a thread of its own whenever something may have been stored, while `is_wanted`.

    Its argument is the group of topics that may have changed; "": any.
    """

    def __init__(self, ring: Callable[[str], object], is_wanted: Callable[[], bool]) -> None:
        self.ring, self.is_wanted = ring, is_wanted
        self.thread: threading.Thread | None = None
        self.resting = threading.Event()
        self.hears_all = False  # whether no change can be missed, as long as it listens

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
                self.ring("")  # notifications from before listening
                while self.is_wanted():
                    if told := messages.get_message(ignore_subscribe_messages=True, timeout=WAIT):
                        self.ring(told["data"].decode())
        except RedisError as error:
            raise OSError(str(error)) from error

    def _hear_notify(self) -> None:
        import psycopg  # noqa: PLC0415 - where there is such a database

        told = connection.get_connection_params()
        known = {name: value for name, value in told.items() if name not in OF_DJANGO}
        try:
            with psycopg.connect(**known, autocommit=True) as listening:
                listening.execute(f"LISTEN {CHANNEL}")
                self.ring("")
                while self.is_wanted():
                    for note in listening.notifies(timeout=WAIT, stop_after=1):
                        self.ring(note.payload)
        except psycopg.Error as error:
            raise OSError(str(error)) from error

    def _hear_commits(self) -> None:
        try:
            with connection.cursor() as cursor:
                before, self.hears_all = None, True
                while self.is_wanted():
                    cursor.execute("PRAGMA data_version")
                    (version,) = cursor.fetchone()
                    if version != before:
                        before = version
                        self.ring("")
                    self.resting.wait(LOOK_EVERY)
        finally:
            self.hears_all = False
            connection.close()


def is_postgresql() -> bool:
    return str(settings.DATABASES["default"]["ENGINE"]).endswith("postgresql")


Topic = tuple[str, str]


class Version(NamedTuple):
    """A topic's version, 0 if there is no such topic, and the group by which a bell names it; "": none."""

    number: int = 0
    group: str = ""


# Reads the versions of topics; unknown topics are missing in its result.
ReadVersions = Callable[[Collection[Topic]], Mapping[Topic, Version]]

SOONEST, SELDOM, RARELY = 0.05, 1.5, 15.0
# Seconds for which a topic is watched after a request for it: phones poll every four. So many topics at most.
LEASE, MOST_LEASES = 12.0, 5000


@dataclass(slots=True, eq=False)
class Watched:
    """A topic, the newest version known, who waits for it, and what is set at the next version."""

    version: int = -1  # not queried yet
    group: str = ""
    watchers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """The topics that requests of this process wait for."""

    def __init__(
        self, read_versions: ReadVersions, *, soonest: float = SOONEST, seldom: float = SELDOM
    ) -> None:
        self.read_versions, self.soonest, self.seldom = read_versions, soonest, seldom
        self.watched: dict[Topic, Watched] = {}
        # The watched topics by their groups, those that belong to none or to one not known yet under "".
        self.grouped: defaultdict[str, set[Topic]] = defaultdict(set)
        self.rung_for: set[str] = set()
        self.bell = Bell(self._ring, lambda: bool(self.watched))
        self.thread = ThreadPoolExecutor(1, "news")
        self.loop: asyncio.AbstractEventLoop | None = None
        self.rung = asyncio.Event()
        self.reading: asyncio.Task[None] | None = None
        self.leases: dict[Topic, asyncio.TimerHandle] = {}
        self.closed = False

    @contextmanager
    def watching(self, topic: Topic) -> Iterator[Watched]:
        """Watch a topic; the version of a new one is queried soon."""
        watched = self._take(topic)
        try:
            yield watched
        finally:
            self._leave(topic, watched)

    def _take(self, topic: Topic) -> Watched:
        watched = self.watched.setdefault(topic, Watched())
        watched.watchers += 1
        if watched.version < 0:
            self.grouped[""].add(topic)
        self._begin()
        if watched.version < 0:
            self.rung.set()
        return watched

    def _leave(self, topic: Topic, watched: Watched) -> None:
        watched.watchers -= 1
        if not watched.watchers and self.watched.get(topic) is watched:
            del self.watched[topic]
            self._ungroup(topic, watched.group)

    def _ungroup(self, topic: Topic, group: str) -> None:
        self.grouped[group].discard(topic)
        if not self.grouped[group]:
            del self.grouped[group]

    async def newer(self, watched: Watched, than: int, seconds: float) -> bool:
        """Wait until there is another version than this one, or so many seconds; whether there is."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while watched.version in (-1, than) and not self.closed:
                    await watched.changed.wait()
        return watched.version not in (-1, than)

    async def wait(self, topic: Topic, version: int, seconds: float) -> None:
        """Wait until a topic has a newer version than this one, or so many seconds."""
        with self.watching(topic) as watched, suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while watched.version <= version and not self.closed:
                    await watched.changed.wait()

    def known(self, topic: Topic) -> int | None:
        """The version of a watched topic, else None."""
        watched = self.watched.get(topic)
        return watched.version if watched and watched.version >= 0 else None

    def lease(self, topic: Topic, seconds: float = LEASE) -> None:
        """Watch a topic for so long from now on, for clients that poll it."""
        loop = asyncio.get_running_loop()
        if topic in self.leases:
            self.leases[topic].cancel()
        elif len(self.leases) >= MOST_LEASES:
            return
        else:
            self._take(topic)
        self.leases[topic] = loop.call_later(seconds, self._end_lease, topic)

    def _end_lease(self, topic: Topic) -> None:
        del self.leases[topic]
        self._leave(topic, self.watched[topic])

    def close(self) -> None:
        """Wake all who wait, for good: the process is to stop."""
        self.closed = True
        self._tell(list(self.watched.values()))

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        if self.loop is not loop:
            self.loop, self.rung, self.reading = loop, asyncio.Event(), None
        if self.reading is None or self.reading.done():
            self.reading = loop.create_task(self._read_again_and_again())
        self.bell.listen()

    def _ring(self, group: str = "") -> None:
        """Called by the bell's thread."""
        loop = self.loop
        if loop is not None:
            with suppress(RuntimeError):  # it is closed already
                loop.call_soon_threadsafe(self._rang, group)

    def _rang(self, group: str) -> None:
        self.rung_for.add(group)
        self.rung.set()

    async def _read_again_and_again(self) -> None:
        loop = asyncio.get_running_loop()
        all_read = loop.time()
        while self.watched and not self.closed:
            all_due = all_read + (RARELY if self.bell.hears_all else self.seldom)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(all_due):
                    await self.rung.wait()
            self.rung.clear()
            groups, self.rung_for = self.rung_for, set()
            if "" in groups or loop.time() >= all_due:
                topics, all_read = list(self.watched), loop.time()
            else:
                topics = [topic for group in ("", *groups) for topic in self.grouped.get(group, ())]
            if topics:
                with suppress(DatabaseError):  # it is away for a moment
                    self._note(topics, await loop.run_in_executor(self.thread, self._read, topics))
                await asyncio.sleep(self.soonest)

    def _read(self, topics: Collection[Topic]) -> Mapping[Topic, Version]:
        close_old_connections()
        return self.read_versions(topics)

    def _note(self, topics: Collection[Topic], versions: Mapping[Topic, Version]) -> None:
        changed = []
        for topic in topics:
            watched, (number, group) = self.watched.get(topic), versions.get(topic, Version())
            if watched is None:
                continue
            if watched.group != group:
                self._ungroup(topic, watched.group)
                watched.group = group
                self.grouped[group].add(topic)
            if watched.version != number:
                watched.version = number
                changed.append(watched)
        self._tell(changed)

    def _tell(self, changed: Collection[Watched]) -> None:
        for watched in changed:
            event, watched.changed = watched.changed, asyncio.Event()
            event.set()
