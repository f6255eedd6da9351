"""The first steps of a computing child process; nothing here needs Django to be set up before."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable

import django
from django.conf import settings

from core.platform import end_with_parent


def settle_garbage() -> None:
    """Exclude existing objects from garbage collection, and collect later ones rarely.

    Queried rows have no reference cycles: searching for some among each 700 takes up to a sixth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def begin(database: str) -> None:
    """Set Django up with the database of this name. Ctrl-C is handled by the parent, which ends its children."""
    begin_copied()
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    settle_garbage()


def begin_copied() -> None:
    """The first steps of a process forked from one that has imported the program and closed its database."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def begin_parts(begun: Callable[..., None], *told: str) -> None:
    """One of these, for work in parts that looks for garbage behind each (`settle_garbage`), never in the middle of it.

    Whose work does not, would grow to its end.
    """
    begun(*told)
    gc.disable()
