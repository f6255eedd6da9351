"""Recounting many tournaments: on every core of the machine, where there is much to count."""

from __future__ import annotations

import multiprocessing
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from django.db import connection, connections
from django.db.models import Sum

from core.platform import cores, may_copy
from core.serving.child_process import begin, begin_copied, begin_parts, settle_garbage
from core.sql import key_set, snapshot
from tournaments.changes.register import orphans, register_differences, register_notices
from tournaments.files.kept_recount import Part, parts_of_ratings, parts_of_years
from tournaments.files.recount import Recount, Recounted
from tournaments.models import Tournament

# Reports; fewer are counted sooner than a process has begun.
MANY = 20_000
# So many tournaments are read at once, or as many as have so many reports.
AT_ONCE, REPORTS_AT_ONCE = 320, 40_000


def recount_all(
    keys: Sequence[int], *, reports: int, most: int | None = None, kept: bool = False
) -> Generator[Recounted, None, None]:
    """Each tournament in the order of these primary keys; `reports` is how many all of them have.

    Behind them, if asked for, the parts of what is `kept` of many together. The other processes read the database by
    themselves, so what the caller has not stored yet they do not see. They end with this one, and when the caller has
    seen enough. Raises `BrokenProcessPool` where one of them was killed.
    """
    ratings, years = (parts_of_ratings(), parts_of_years()) if kept else ([], [])
    if reports < MANY:
        yield from one_after_the_other(keys, most)
        yield from (_checked(part, most) for part in (*ratings, *years))
        return
    # Also where there is less: some for each process.
    parts = list(_parts(keys, min(REPORTS_AT_ONCE, reports // (2 * cores()))))
    pool = _processes()
    try:
        # What takes longest first, what is done soonest last: so all processes end together.
        rated = [pool.submit(_checked_here, part, most) for part in ratings]
        found = pool.map(partial(_recount_here, most=most), parts)
        counted = [pool.submit(_checked_here, part, most) for part in years]
        for recounted in found:
            yield from recounted
        for waiting in (*rated, *counted):
            yield waiting.result()
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _checked(part: Part, most: int | None) -> Recounted:
    return Recounted(part()[:most], [])


def _checked_here(part: Part, most: int | None) -> Recounted:
    """As `_checked`, in a process that does nothing else."""
    try:
        return _checked(part, most)
    finally:
        settle_garbage()


def _recount_here(keys: Sequence[int], most: int | None) -> list[Recounted]:
    """As `recount`, in a process that does nothing else."""
    try:
        return recount(keys, most)
    finally:
        settle_garbage()


def _processes() -> ProcessPoolExecutor:
    """One for each core: copies of this one, where that can be, since to read the program takes each nearly a second.

    A database that is open cannot be copied: two would write to one file's locks, or to one server.
    """
    if may_copy() and not connection.in_atomic_block:
        connections.close_all()
        settle_garbage()
        return ProcessPoolExecutor(cores(), multiprocessing.get_context("fork"), begin_parts, (begin_copied,))
    database = str(connection.settings_dict["NAME"])
    return ProcessPoolExecutor(cores(), multiprocessing.get_context("spawn"), begin_parts, (begin, database))


def one_after_the_other(keys: Sequence[int], most: int | None = None) -> Iterator[Recounted]:
    """The same in this process."""
    for some in _parts(keys):
        yield from recount(some, most)


def recount(keys: Sequence[int], most: int | None = None) -> list[Recounted]:
    """Some tournaments, as they are at one moment."""
    with snapshot():
        return list(Recount(keys).recounted(most))


def check_register() -> Recounted:
    """The register, and rows that point to nothing, as they are at one moment: somebody may be writing."""
    with snapshot():
        return Recounted([*orphans(), *register_differences()], list(register_notices()))


def _parts(keys: Sequence[int], most: int = REPORTS_AT_ONCE) -> Iterator[list[int]]:
    """So many tournaments, or `most` reports, at a time; one that has more is by itself."""
    counted = Tournament.objects.filter(pk__in=key_set(keys)).order_by()
    reports = dict(counted.values_list("pk").annotate(Sum("rounds__tables__reports_count")))
    part: list[int] = []
    there = 0
    for key in keys:
        more = reports.get(key) or 0
        if part and (len(part) == AT_ONCE or there + more > most):
            yield part
            part, there = [], 0
        part.append(key)
        there += more
    if part:
        yield part
