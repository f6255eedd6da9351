"""Version numbers by which waiting pages notice a change: each change of a tournament raises its version.

A thousand phones poll every second; most get a response from `tournaments.changes.response_cache`. `Versions` gives it
the newest version, and queries the database so rarely that rendering pages takes a small share of a process at most.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.db.models import BigIntegerField, Case, ExpressionWrapper, F, Max, Sum, When
from django.utils import timezone

from core.serving.hub import Version, ring_on_commit
from core.sql import Statement, execute_batch
from tournaments.models import Round, Table, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse

    from core.serving.hub import Topic


# Response header: how long the response may be shared. For everyone with the same request until the tournament
# (primary key) has a newer version than this; for a whole page (PAGE) only for visitors without own cookies (OWN).
HEADER = "X-Holds-For"
PAGE = "page"
# Cookies by which a page may have something in it that is its visitor's alone: a message that waits to be shown.
OWN = (settings.SESSION_COOKIE_NAME, "messages")
# Key in a request's environment: the version of the tournament that phones are shown meanwhile, even if a newer one
# exists.
TOLD = "spadille.told"

MOST_KEYS = 500  # of one query

# Seconds for which a cached version counts as the newest. Drawing the pages of a version may take a sixth of a
# process's time; a page of a thousand players takes long enough for that to matter.
SOONEST, LATEST = 0.25, 1.5
PAUSE = 5  # for each second of drawing
KEPT = 60  # seconds in the cache; the value itself has its own expiry


ANNOUNCE = """
    UPDATE tournaments_tournament SET version = version + 1, results_kept = FALSE, is_rated = FALSE WHERE id = %s"""

STORED = "SELECT version FROM tournaments_tournament WHERE id = %s"


def announce(tournament_id: int) -> None:
    """Raise a tournament's version, inside the transaction that changes something, so both become visible together.

    Marks the materialized results (`models.kept`) as outdated. In a group of reports that happens at its end.
    """
    if (put_off := announced_later.get()) is not None:
        put_off.add(tournament_id)
    else:
        execute_batch(announcing(tournament_id))


# The tournaments whose versions are raised at the end of a group of reports (`ledger.recording`); None outside of one.
announced_later: ContextVar[set[int] | None] = ContextVar("announced_later", default=None)


def announcing(tournament_id: int) -> Statement:
    """The statement of `announce`, to be executed in a batch with others."""
    ring_on_commit(str(tournament_id))
    # With every report and every step: in SQL, as in `locks.share`.
    return Statement(ANNOUNCE, [tournament_id])


def read_versions(topics: Collection[Topic]) -> dict[Topic, Version]:
    """Versions of tournaments ("t", by code) and of tables in play ("c", by their captain's secret).

    A bell names them by the tournament's primary key. Tables of team matches have none: their versions do not cover
    the match.
    """
    codes = [key for kind, key in topics if kind == "t"]
    secrets = [key for kind, key in topics if kind == "c"]
    found: dict[Topic, Version] = {}
    for part in batches(codes):
        rows = Tournament.objects.filter(code__in=part).values_list("code", "version", "pk")
        found |= {("t", code): Version(version, str(key)) for code, version, key in rows}
    in_play = Case(When(round__state=Round.State.RUNNING, match=None, then="version"), default=0)
    for part in batches(secrets):
        tables = Table.objects.filter(secret__in=part).order_by()
        for secret, version, key in tables.values_list("secret", in_play, "round__tournament"):
            found["c", secret] = Version(version, str(key))
    return found


def batches(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[place : place + MOST_KEYS] for place in range(0, len(keys), MOST_KEYS))


# So long after their day evenings are looked at by very many.
RECENT = timedelta(days=7)


def announce_beside(tournaments: Collection[int]) -> None:
    """Raise the versions of the hosts' other recent tournaments: their pages show which records have been broken.

    Runs after commit, in transactions of its own, so that no one who holds one tournament's lock waits for another.
    Pages of evenings that are not recent check for themselves (`hall.story`).
    """
    transaction.on_commit(partial(_announce_beside, tuple(tournaments)))


def _announce_beside(tournaments: Collection[int]) -> None:
    hosts = Tournament.objects.filter(pk__in=tournaments).order_by().values("host")
    begun = Tournament.objects.filter(state__in=[Tournament.State.RUNNING, Tournament.State.FINISHED])
    beside = begun.filter(host__in=hosts, date__gte=timezone.localdate() - RECENT).exclude(pk__in=tournaments)
    beside.update(version=F("version") + 1)


# Primes: of two tournaments no versions below the first make the same number; and what numbers are squared in.
APART, MODULUS = 1_000_003, 2_147_483_647


def print_of_versions(to: str = "") -> Sum:
    """Aggregate that changes whenever one of many tournaments changes or joins or leaves.

    `to` is the lookup prefix.

    A plain sum of versions would not change where one tournament replaces another, or one rises as the other falls
    away.
    """
    said = (F(f"{to}pk") * APART + F(f"{to}version")) % MODULUS
    number = ExpressionWrapper(said, output_field=BigIntegerField())
    return Sum(ExpressionWrapper(number * number % MODULUS, output_field=BigIntegerField()), default=0)


def mark_shared(answer: HttpResponse, tournament_id: int, version: int, what: str = "") -> None:
    """Allow the response to be shared; it must hold nothing of the visitor but the language.

    `what` is PAGE for a whole page.
    """
    answer.headers[HEADER] = f"{tournament_id} {version} {what}".rstrip()


@dataclass(slots=True)
class _Known:
    version: int
    until: float
    drawing: float = 0.0

    def holds(self, now: float) -> bool:
        """Whether the version is still current; expires at once where the clock has jumped."""
        return now < self.until <= now + LATEST


class Versions:
    """Cache of the newest version of each tournament, one per process.

    Processes that share a cache switch to a version at the same time, so that each version is rendered once for
    all.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives seconds."""
        self.clock = clock
        self.known: dict[int, _Known] = {}

    def newest(self, tournament_id: int) -> int | None:
        """Return the version to be shown; None where the database does not say."""
        known, now = self.known.get(tournament_id), self.clock()
        if known and known.holds(now):
            return known.version
        version, until = cache.get(_key(tournament_id), (0, 0.0))
        elsewhere = _Known(version, until, known.drawing if known else 0.0)
        if elsewhere.holds(now):
            self.known[tournament_id] = elsewhere
            return elsewhere.version
        stored = self.read_version(tournament_id)
        if stored is not None:
            self._learn(tournament_id, stored)
        return stored

    def read_version(self, tournament_id: int) -> int | None:
        """The version as it is this moment; None where the database does not say."""
        try:
            # Runs with every cached page: in SQL, as in `announce`.
            with connection.cursor() as cursor:
                cursor.execute(STORED, [tournament_id])
                told = cursor.fetchone()
        except DatabaseError:
            return None
        return told[0] if told else None

    def record_cost(self, tournament_id: int, seconds: float) -> None:
        """Record the cost of computing a response."""
        if known := self.known.get(tournament_id):
            known.drawing += seconds

    def follow(self, tournament_id: int, version: int) -> None:
        """Take over a version that another process has read, so that each version is rendered once."""
        known = self.known.get(tournament_id)
        if version > (known.version if known else 0):
            self._learn(tournament_id, version)

    def _learn(self, tournament_id: int, version: int) -> None:
        before = self.known.get(tournament_id)
        pause = min(LATEST, max(SOONEST, PAUSE * before.drawing)) if before else SOONEST
        known = self.known[tournament_id] = _Known(version, self.clock() + pause)
        cache.set(_key(tournament_id), (version, known.until), KEPT)


def _key(tournament_id: int) -> str:
    return f"told:{tournament_id}"


# A restore raises every version by this, so that no phone, screen or cache takes its old state for current.
# More than any number of changes between two restores.
VERSIONS_APART = 1_000_000


def restored_since(table: Table, version: int) -> bool:
    """Whether a backup was restored since a client saw this version of a table."""
    return version > table.version or table.version - version > VERSIONS_APART // 2


def newest_version() -> int:
    """The highest version that any client can have seen; read before a restore."""
    highest = (model.objects.aggregate(highest=Max("version"))["highest"] for model in (Tournament, Table))
    return max((version or 0 for version in highest), default=0)


@transaction.atomic
def jump_versions(seen: int) -> None:
    """Let every page and phone see, after a restore, that what they knew may not be there any more.

    `seen` is the newest version before it. The same backup restored twice begins at another version each time.
    """
    jump = VERSIONS_APART * (seen // VERSIONS_APART + 1)
    Tournament.objects.update(version=F("version") % VERSIONS_APART + jump)
    Table.objects.update(version=F("version") % VERSIONS_APART + jump)
