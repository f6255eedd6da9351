"""How a process for pages ends: without taking Python apart while others still run it."""

from __future__ import annotations

import atexit
import logging
import os
import sys


def end_at_once() -> None:
    """Let this process, when it is done, end without taking Python apart.

    The server's own threads may just then hand something over to Python. One that is refused, because Python is being
    taken apart, is torn out of code of Rust's that must not be left so: "panic in a function that cannot unwind", and
    the process is aborted. All that was answered is stored by then, and what was said is said here.
    """
    atexit.register(_end)


def _end() -> None:
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
