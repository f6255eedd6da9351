"""Doing a job: taking it so that nobody else does, telling how far it is, and how it came out.

Every step is one UPDATE that holds only while the job is still this worker's: whoever was taken for dead, and is not,
changes nothing any more.
"""

from __future__ import annotations

import errno
import logging
import shutil
import time
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext_noop

from clubs.jobs.at_work import myself
from clubs.jobs.kinds import CannotDo, Made, kind_of
from clubs.jobs.models import KEPT, Job, jobs_folder
from clubs.jobs.on_disk import put_in_place

if TYPE_CHECKING:
    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

# How often it is written down how far a job is; a write waits for the disk.
TOLD_EVERY = 0.4  # seconds
# What made its worker fall so often is given up.
MOST_TRIES = 3
MAKING = ".making-"
NO_SPACE = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))  # Windows knows no quota

UNKNOWN = gettext_noop("Something went wrong. What it was stands in the server's log.")
NO_ROOM = gettext_noop("The file could not be written. Is the disk full?")
FELL = gettext_noop("It was begun three times, and Spadille ended before it was done each time.")


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
        mine = _mine(self.job).filter(stop_asked_by="")
        if not mine.update(beats=F("beats") + 1, touched_at=timezone.now(), **values):
            raise NoLonger

    def keep(self, made: Path, ending: str) -> str:
        """Put what was made where it is kept; its name there."""
        name = f"{self.job.pk}-{self.job.kind}.{ending}"
        put_in_place(made, jobs_folder() / name)
        return name


def _mine(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, worker=job.worker)


def take(job: Job, worker: str) -> bool:
    """Take a job that waits, or that was lost, as it was seen; False where somebody else was first."""
    as_seen = Job.objects.filter(pk=job.pk, state=job.state, worker=job.worker, beats=job.beats)
    now = timezone.now()
    if job.tries >= MOST_TRIES:
        as_seen.update(state=Job.State.FAILED, error=FELL, ended_at=now)
        return False
    taken = as_seen.update(
        state=Job.State.RUNNING,
        worker=worker,
        beats=F("beats") + 1,
        tries=F("tries") + 1,
        done=0,
        begun_at=now,
        touched_at=now,
    )
    return bool(taken)


def give_back(job: Job) -> None:
    """Let a job wait for the next one who works, as when Spadille is stopped meanwhile: it did not fall by itself."""
    _mine(job).update(state=Job.State.WAITING, worker="", done=0, tries=F("tries") - 1)


def do(pk: int) -> None:
    """Do a job that this process, or the one that started it, has taken; what comes of it is written down."""
    job = Job.objects.select_related("asked_by").get(pk=pk)
    try:
        with (
            translation.override(job.language),
            TemporaryDirectory(dir=jobs_folder(), prefix=f"{MAKING}{pk}-") as folder,
        ):
            kind = kind_of(job.kind)
            version = kind.version(job)
            _mine(job).update(version=version)
            made = kind.make(Work(job, Path(folder)))
    except NoLonger:
        end(job, Job.State.STOPPED)
    except CannotDo as problem:
        logger.warning("Job %s: %s", job, problem, exc_info=problem.__cause__)
        end(job, Job.State.FAILED, error=str(problem))
    except Exception as fault:
        logger.exception("Job %s", job)
        full = isinstance(fault, OSError) and fault.errno in NO_SPACE
        end(job, Job.State.FAILED, error=NO_ROOM if full else UNKNOWN)
    else:
        _done(job, made)
    clear_old(timezone.now())


def _done(job: Job, made: Made) -> None:
    if not end(
        job, Job.State.DONE, file=made.file, file_name=made.file_name, said=made.said, done=F("total")
    ):
        (jobs_folder() / made.file).unlink(missing_ok=True) if made.file else None


def end(job: Job, state: Job.State, **values: object) -> bool:
    """Write down how a job came out; False where it is not this worker's any more, or no longer there."""
    return bool(_mine(job).update(state=state, ended_at=timezone.now(), touched_at=timezone.now(), **values))


def do_here(job: Job) -> Job:
    """Do a job that waits in this very process, before the page is answered; as it came out."""
    if take(job, myself()):
        do(job.pk)
    return Job.objects.filter(pk=job.pk).first() or job


def clear_old(now: datetime) -> None:
    """Remove jobs that ended, and their files, when nobody will ask for them any more."""
    oldest = now - KEPT
    Job.objects.exclude(state__in=Job.UNDER_WAY).filter(ended_at__lt=oldest).delete()
    clear_folder(jobs_folder(), oldest)


def clear_folder(folder: Path, oldest: datetime) -> None:
    """Remove files that nobody has touched since, and what a process that was killed had begun."""
    for path in folder.iterdir():
        try:
            if path.stat().st_mtime >= oldest.timestamp():
                continue
        except FileNotFoundError:  # somebody else clears too
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def clear_begun(pk: int) -> None:
    """Remove what a job had begun when its process was ended."""
    for path in jobs_folder().glob(f"{MAKING}{pk}-*"):
        shutil.rmtree(path, ignore_errors=True)
