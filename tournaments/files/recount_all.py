"""Recounting many tournaments: on every core of the machine, where there is much to count."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from typing import NamedTuple

from django.db import connection

from tournaments.files.recount import differences, notices
from tournaments.models import Tournament
from tournaments.running.beside import begin

# Reports; fewer are counted sooner than a process has begun.
MANY = 20_000
AT_ONCE = 8  # tournaments that a process is given


class Recounted(NamedTuple):
    """What a recount of a tournament found, in English."""

    differences: list[str]
    notices: list[str]


def recount(code: str, most: int | None = None) -> Recounted:
    """At most so many differences; all unless told."""
    tournament = Tournament.objects.get(code=code)
    found = [str(difference) for difference in islice(differences(tournament), most)]
    return Recounted(found, [str(notice) for notice in notices(tournament)])


def recount_all(
    codes: Sequence[str], *, reports: int, most: int | None = None
) -> Generator[Recounted, None, None]:
    """Each tournament in the order of its code; `reports` is how many all of them have.

    The other processes read the database by themselves, so what the caller has not stored yet they do not see. They
    end with this one, and when the caller has seen enough. Raises `BrokenProcessPool` where one of them was killed.
    """
    one = partial(recount, most=most)
    if reports < MANY:
        yield from map(one, codes)
        return
    pool = ProcessPoolExecutor(
        len(os.sched_getaffinity(0)),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=begin,
        initargs=(str(connection.settings_dict["NAME"]),),
    )
    try:
        yield from pool.map(one, codes, chunksize=AT_ONCE)
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)
