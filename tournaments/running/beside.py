"""What a process that counts beside another does first; nothing here needs the program to be read before."""

from __future__ import annotations

import gc
import signal

import django
from django.conf import settings

from tournaments.running.system import end_with_parent


def settle_garbage() -> None:
    """Never look through what is there now for garbage again, and seldom through what comes.

    Rows that are read and counted have no circles: looking for some among each 700 takes up to a sixth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def begin(database: str) -> None:
    """Read the program, and use the database of this name. Ctrl-C is for the first process, which ends the others."""
    begin_copied()
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    settle_garbage()


def begin_copied() -> None:
    """The same for a copy of a process that has read the program, and has closed its database.

    It looks for garbage where its work says so (`settle_garbage`), never in the middle of it.
    """
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
