"""What a process that counts beside another does first; nothing here needs the program to be read before."""

from __future__ import annotations

import gc
import signal

import django
from django.conf import settings

from tournaments.running.system import end_with_parent


def begin(database: str) -> None:
    """Read the program, and use the database of this name. Ctrl-C is for the first process, which ends the others."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    gc.freeze()
    # What is counted here has few circles: looking for them 700 things at a time takes a tenth of the time.
    gc.set_threshold(100_000, 20, 20)
