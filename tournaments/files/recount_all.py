"""Recounting many tournaments: on every core of the machine, where there is much to count."""

from __future__ import annotations

import multiprocessing
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial

from django.db import connection, connections
from django.db.models import Sum

from tournaments.files.recount import Recount, Recounted
from tournaments.models import Tournament
from tournaments.models.among import among
from tournaments.running.beside import begin, begin_copied, settle_garbage
from tournaments.running.system import cores, may_copy

# Reports; fewer are counted sooner than a process has begun.
MANY = 20_000
# So many tournaments are read at once, or as many as have so many reports.
AT_ONCE, REPORTS_AT_ONCE = 160, 20_000


def recount_all(
    keys: Sequence[int], *, reports: int, most: int | None = None
) -> Generator[Recounted, None, None]:
    """Each tournament in the order of these primary keys; `reports` is how many all of them have.

    The other processes read the database by themselves, so what the caller has not stored yet they do not see. They
    end with this one, and when the caller has seen enough. Raises `BrokenProcessPool` where one of them was killed.
    """
    if reports < MANY:
        yield from one_after_the_other(keys, most)
        return
    parts = list(_parts(keys))
    pool = _processes()
    try:
        for recounted in pool.map(partial(recount, most=most), parts):
            yield from recounted
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _processes() -> ProcessPoolExecutor:
    """One for each core: copies of this one, where that can be, since to read the program takes each nearly a second.

    A database that is open cannot be copied: two would write to one file's locks, or to one server.
    """
    if may_copy() and not connection.in_atomic_block:
        connections.close_all()
        settle_garbage()
        return ProcessPoolExecutor(cores(), multiprocessing.get_context("fork"), begin_copied)
    database = str(connection.settings_dict["NAME"])
    return ProcessPoolExecutor(cores(), multiprocessing.get_context("spawn"), begin, (database,))


def one_after_the_other(keys: Sequence[int], most: int | None = None) -> Iterator[Recounted]:
    """The same in this process."""
    for some in _parts(keys):
        yield from recount(some, most)


def recount(keys: Sequence[int], most: int | None = None) -> list[Recounted]:
    """Some tournaments, as they are at one moment."""
    with _at_one_moment():
        return list(Recount(keys).recounted(most))


@contextmanager
def _at_one_moment() -> Iterator[None]:
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


def _parts(keys: Sequence[int]) -> Iterator[list[int]]:
    """So many tournaments, or so many reports, at a time."""
    for first in range(0, len(keys), AT_ONCE):
        some = keys[first : first + AT_ONCE]
        counted = Tournament.objects.filter(pk__in=among(some)).order_by()
        reports = dict(counted.values_list("pk").annotate(Sum("rounds__tables__reports_count")))
        part: list[int] = []
        for key in some:
            part.append(key)
            if sum(reports.get(one) or 0 for one in part) >= REPORTS_AT_ONCE:
                yield part
                part = []
        if part:
            yield part
