"""How our processes end: with the one that started them, and without taking Python apart while others still run it."""

from __future__ import annotations

import atexit
import ctypes
import logging
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # of Linux's prctl


def end_with_parent() -> None:
    """Let the kernel stop this process when the one that started it has been killed.

    Else those that are left keep the port, and go on without anybody who starts them anew.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


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
