"""Makes each Python that finds this on its path poorer by what Linux alone has: as on a system that is none.

Locks are asked for as of Windows; the module that answers keeps them by what this system has.
"""

import errno
import fcntl
import os
import signal
import subprocess  # noqa: F401 - it looks for Windows' module as it is read, and would take ours for it
import sys
from types import ModuleType

for name in (
    "fork",
    "forkpty",
    "setpgrp",
    "setsid",
    "nice",
    "sched_getaffinity",
    "pidfd_open",
    "O_DIRECTORY",
):
    delattr(os, name)
for name in ("pthread_sigmask", "pidfd_send_signal"):
    delattr(signal, name)
del errno.EDQUOT
for name in ("fcntl", "resource", "pwd", "grp", "termios", "syslog"):
    sys.modules[name] = None

msvcrt = ModuleType("msvcrt")
msvcrt.LK_NBLCK = 2


def locking(file: int, mode: int, length: int) -> None:
    assert (mode, length) == (msvcrt.LK_NBLCK, 1)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


msvcrt.locking = locking
sys.modules["msvcrt"] = msvcrt
