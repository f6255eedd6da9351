"""What something costs when nothing is kept of it: seconds of a core, in a process that has just been forked.

So everything is loaded that is the same for all data, and nothing that was worked out of it is there, in no memory and
no cache; whatever it changes in the database is taken back.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import traceback
from collections.abc import Callable

from django.core.cache import caches
from django.db import connections, transaction
from django.urls import get_resolver

from core.processes import settle_garbage

# What takes longer than this is measured once.
LONG = 2.0
TIMES = 3


def settle_down() -> None:
    """Read all the program and never look through it for garbage again: `core.serving.options` does so too."""
    _ = get_resolver().url_patterns
    settle_garbage()


def cpu() -> float:
    """Seconds of a core that this process and those it has waited for have used."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def cold(do: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """The median of a few times; `before` is done first in each process, and is not measured."""
    taken = [_once(do, before)]
    while taken[0] < LONG and len(taken) < TIMES:
        taken.append(_once(do, before))
    return statistics.median(taken)


def _once(do: Callable[[], object], before: Callable[[], object]) -> float:
    connections.close_all()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.write(writing, repr(_measured(do, before)).encode())
            status = 0
        except Exception:  # noqa: BLE001 - told here, since nobody is behind a child that was forked
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as told:
        seconds = told.read()
    _child, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError("what was to be measured has failed")
    return float(seconds)


def _measured(do: Callable[[], object], before: Callable[[], object]) -> float:
    with transaction.atomic():
        _clear_caches()
        before()
        _clear_caches()  # it may be the same page
        begun = cpu()
        do()
        taken = cpu() - begun
        transaction.set_rollback(True)
    return taken


def _clear_caches() -> None:
    for name in caches:
        caches[name].clear()
