"""A job in the making: telling how far it is, and keeping what is made.

Every step is one UPDATE that holds only while the job is still this worker's: whoever was taken for dead, and is not,
changes nothing any more.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from django.db.models import F
from django.utils import timezone

from clubs.jobs.models import Job, jobs_folder
from core.files import put_in_place

if TYPE_CHECKING:
    from django.db.models import QuerySet

# How often it is written down how far a job is; a write waits for the disk.
TOLD_EVERY = 0.4  # seconds


class NoLonger(Exception):  # noqa: N818 - says what happened
    """The job is to be stopped, or somebody else's by now."""


class Work:
    """A job in the making, as the one who does it has it."""

    def __init__(self, job: Job, folder: Path) -> None:
        self.job = job
        self.folder = folder
        self.told = 0.0

    def tell(self, done: int, total: int | None = None) -> None:
        """Say how far it is. Raises `NoLonger` where it is to be stopped."""
        now = time.monotonic()
        finished = done == (self.job.total if total is None else total)
        if total is None and not finished and now - self.told < TOLD_EVERY:
            return
        self.told = now
        if total is not None:
            self.job.total = total
        self.still_mine(done=done, total=self.job.total)

    def still_mine(self, **values: object) -> None:
        """Write something down; in a transaction, that all of it holds only if nobody has stopped it meanwhile."""
        unstopped = mine(self.job).filter(stop_asked_by="")
        if not unstopped.update(beats=F("beats") + 1, touched_at=timezone.now(), **values):
            raise NoLonger

    def keep(self, made: Path, ending: str) -> str:
        """Put what was made where it is kept; its name there."""
        name = f"{self.job.pk}-{self.job.kind}.{ending}"
        put_in_place(made, jobs_folder() / name)
        return name


def mine(job: Job) -> QuerySet[Job]:
    """The job in the database, as long as it is this worker's."""
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, worker=job.worker)
