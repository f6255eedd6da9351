"""Processes that end with the one that started them."""

from __future__ import annotations

import ctypes
import signal

PR_SET_PDEATHSIG = 1  # of Linux's prctl


def end_with_parent() -> None:
    """Let the kernel stop this process when the one that started it has been killed.

    Else those that are left keep the port, and go on without anybody who starts them anew.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
