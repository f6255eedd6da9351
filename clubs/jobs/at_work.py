"""Who works at a job, and whether they still do.

A process is known by its machine, its number and when it began, so that another one of the same number is not taken
for it. On the machine itself it can be seen whether it is there; of another machine's one only hears.
"""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clubs.jobs.models import Job

# Seconds without a word from another machine after which its process is taken for dead.
LOST_AFTER = 45.0
STARTED = 19  # the field of /proc/<pid>/stat, counted after the name


@cache
def _machine() -> str:
    """This run of this machine, or of this container: numbers of processes mean nothing in another.

    Where processes cannot be looked at, as on macOS and Windows, each is a machine of its own: one hears of it.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return f"{uuid4()}/{os.getpid()}"


def myself() -> str:
    return _name(os.getpid())


def _name(process: int) -> str:
    return f"{_machine()}/{process}/{_started(process)}"


def _started(process: int) -> str:
    """When a process began, in ticks since the machine did; "" where there is none, or only its remains."""
    try:
        told = Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if told[0] in "ZX" else told[STARTED]


class Watch:
    """Finds jobs whose worker is gone; counts with its own clock, which nobody sets."""

    def __init__(self) -> None:
        self.heard: dict[int, tuple[str, int, float]] = {}

    def lost(self, jobs: Iterable[Job]) -> list[Job]:
        """Those, of jobs at work, that nobody works at any more."""
        now, heard = time.monotonic(), {}
        gone = []
        for job in jobs:
            worker, beats, since = self.heard.get(job.pk, ("", -1, now))
            if (worker, beats) != (job.worker, job.beats):
                since = now
            heard[job.pk] = (job.worker, job.beats, since)
            machine, _slash, process = job.worker.rpartition("/")[0].rpartition("/")
            if machine == _machine():
                if _name(int(process)) != job.worker:
                    gone.append(job)
            elif now - since > LOST_AFTER:
                gone.append(job)
        self.heard = heard
        return gone
