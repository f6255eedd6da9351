"""A job's process: copied off the one that begins it, or where no process can be copied, a command of its own."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn, Protocol

from django.conf import settings

from core import platform

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NICE = 10
# Where memory runs out, a job is to go before what serves pages: from -1000 to 1000.
FIRST_TO_GO = "500"


class Process(Protocol):
    """A process at work."""

    def exit_status(self) -> int | None:
        """Its exit status; None while it is there."""

    def ask_to_end(self) -> None: ...

    def kill(self) -> None: ...

    def wait(self) -> None:
        """Wait until the process has ended."""


class Copied:
    """A forked process: starts at once, and shares unchanged memory."""

    def __init__(self, work: Callable[[], None]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        stops = (signal.SIGTERM, signal.SIGINT)
        # Until each of the two has its own way of being stopped, neither is.
        signal.pthread_sigmask(signal.SIG_BLOCK, stops)
        self.number = os.fork()
        if not self.number:
            _be_a_copy(work, stops)
        self.handle = os.pidfd_open(self.number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, stops)

    def exit_status(self) -> int | None:
        if not select.select([self.handle], [], [], 0)[0]:
            return None
        return self._status()

    def ask_to_end(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGTERM)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def wait(self) -> None:
        self._status()

    def _status(self) -> int:
        _number, status = os.waitpid(self.number, 0)
        os.close(self.handle)
        return os.waitstatus_to_exitcode(status)


class Begun:
    """A new process: imports the program itself, which takes a second."""

    def __init__(self, *asked: str) -> None:
        command = [sys.executable, "manage.py", "jobs", *asked]
        self.process = platform.begin(command, cwd=settings.BASE_DIR, apart=True)

    def exit_status(self) -> int | None:
        return self.process.poll()

    def ask_to_end(self) -> None:
        self.process.terminate()

    def kill(self) -> None:
        self.process.kill()

    def wait(self) -> None:
        self.process.wait()


def begin_on(job: int, work: Callable[[int], None]) -> Process:
    """A process that does `work` on the job with this primary key."""
    return begin(lambda: work(job), "--do", str(job))


def begin(work: Callable[[], None], *asked: str) -> Process:
    """A child process that runs `work`, or `manage.py jobs` with these arguments."""
    return Copied(work) if platform.COPIES else Begun(*asked)


def wait_for_one(processes: Sequence[Process], seconds: float) -> None:
    """Wait until one of them has ended, or so many seconds."""
    if platform.COPIES:
        handles = [process.handle for process in processes if isinstance(process, Copied)]
        select.select(handles, [], [], seconds)
    else:
        time.sleep(seconds)


def stand_behind() -> None:
    """Prepare a job's process: it ends with its parent, has low priority, and is killed first without memory."""
    platform.end_with_parent()
    platform.step_back(NICE)
    platform.be_first_to_go(FIRST_TO_GO)


def _be_a_copy(work: Callable[[], None], stops: tuple[signal.Signals, ...]) -> NoReturn:
    status = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, stops)
        stand_behind()
        work()
        status = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
