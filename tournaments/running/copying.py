"""Processes for pages that are copied off one that has read the program, where the system can do that."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from typing import Any

from granian.server.mp import WorkerProcess

ORIGINAL = "tournaments.running.original"
BURIED_AFTER = 0.5  # seconds


class Copy(ForkServerProcess):
    """A process that is copied off `ORIGINAL`, which is begun where it is not there."""

    def wait(self) -> int | None:
        """Its exit status, once it has ended."""
        self.join()
        return self.exitcode

    def start(self) -> None:
        multiprocessing.set_forkserver_preload([ORIGINAL])
        try:
            super().start()
        except (OSError, EOFError):
            # It was killed, and those copied off it have ended with it: before the system tells that it is gone.
            time.sleep(BURIED_AFTER)
            super().start()


def copied_off(process: WorkerProcess, target: Callable[..., None], args: tuple[Any, ...]) -> None:
    """What Granian asks for a process for pages."""
    process.inner = Copy(name="granian-worker", target=target, args=args)
