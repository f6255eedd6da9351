"""The queue of jobs: enqueue, stop, withdraw and run them, notify users, find the jobs of workers that died."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import time
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext_noop

from core.errors import JobError
from core.jobs.kinds import About, JobResult, JobRun, NoLonger, kind_of, load_subjects, mine
from core.jobs.models import KEPT, Job, jobs_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.contrib.auth.models import AbstractUser
    from django.http import HttpRequest

    from core.jobs.kinds import WithdrawReason


logger = logging.getLogger(__name__)

# What made its worker fall so often is given up.
MOST_TRIES = 3
MAKING = ".making-"
NO_SPACE = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))  # Windows knows no quota

UNKNOWN = gettext_noop("Something went wrong. The details are in the server’s log.")
NO_ROOM = gettext_noop("The file could not be written. Is the disk full?")
FELL = gettext_noop("It was started three times, and each time Spadille stopped before it was done.")


def take(job: Job, worker: str) -> bool:
    """Claim a queued or lost job in the state it was seen in; False if another worker was first."""
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
    """Return a job to the queue, as at shutdown; the attempt does not count."""
    mine(job).update(state=Job.State.WAITING, worker="", done=0, tries=F("tries") - 1)


def do(pk: int) -> None:
    """Run a claimed job and store its outcome."""
    job = Job.objects.select_related("asked_by").get(pk=pk)
    try:
        with (
            translation.override(job.language),
            TemporaryDirectory(dir=jobs_folder(), prefix=f"{MAKING}{pk}-") as folder,
        ):
            kind = kind_of(job.kind)
            version = kind.version(job)
            mine(job).update(version=version)
            made = kind.make(JobRun(job, Path(folder)))
    except NoLonger:
        end(job, Job.State.STOPPED)
    except JobError as problem:
        logger.warning("Job %s: %s", job, problem, exc_info=problem.__cause__)
        end(job, Job.State.FAILED, error=str(problem))
    except Exception as fault:
        logger.exception("Job %s", job)
        full = isinstance(fault, OSError) and fault.errno in NO_SPACE
        end(job, Job.State.FAILED, error=NO_ROOM if full else UNKNOWN)
    else:
        _done(job, made)
    clear_old(timezone.now())


def _done(job: Job, made: JobResult) -> None:
    if not end(
        job, Job.State.DONE, file=made.file, file_name=made.file_name, said=made.said, done=F("total")
    ):
        (jobs_folder() / made.file).unlink(missing_ok=True) if made.file else None


def end(job: Job, state: Job.State, **values: object) -> bool:
    """Store the outcome of a job; False if another worker has it, or it is gone."""
    return bool(mine(job).update(state=state, ended_at=timezone.now(), touched_at=timezone.now(), **values))


def do_here(job: Job) -> Job:
    """Run a queued job in this process; returns it with its outcome."""
    if take(job, myself()):
        do(job.pk)
    return Job.objects.filter(pk=job.pk).first() or job


def clear_old(now: datetime) -> None:
    """Delete jobs that ended more than a day ago, with their files."""
    oldest = now - KEPT
    Job.objects.exclude(state__in=Job.UNDER_WAY).filter(ended_at__lt=oldest).delete()
    clear_folder(jobs_folder(), oldest)


def clear_folder(folder: Path, oldest: datetime) -> None:
    """Delete files older than `oldest`, and temporary folders of killed processes."""
    for path in folder.iterdir():
        try:
            if path.stat().st_mtime >= oldest.timestamp():
                continue
        except FileNotFoundError:  # another process clears too
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def clear_begun(pk: int) -> None:
    """Delete the temporary folders of a job whose process was killed."""
    for path in jobs_folder().glob(f"{MAKING}{pk}-*"):
        shutil.rmtree(path, ignore_errors=True)


# Seconds without a word from another machine after which its process is taken for dead.
LOST_AFTER = 45.0
STARTED = 19  # the field of /proc/<pid>/stat, counted after the name


@cache
def _machine() -> str:
    """An identifier of this boot of the machine, or of this container: process numbers are unique within it.

    Where the system does not show processes (macOS, Windows), each process is its own machine, known by its heartbeat.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return f"{uuid4()}/{os.getpid()}"


def myself() -> str:
    """The identifier of this process as a worker."""
    return _name(os.getpid())


def _name(process: int) -> str:
    return f"{_machine()}/{process}/{_started(process)}"


def _started(process: int) -> str:
    """When a process started, in ticks since boot; "" if it is gone or a zombie."""
    try:
        told = Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if told[0] in "ZX" else told[STARTED]


class Watch:
    """Finds jobs whose workers died, by the monotonic clock."""

    def __init__(self) -> None:
        self.heard: dict[int, tuple[str, int, float]] = {}

    def lost(self, jobs: Iterable[Job]) -> list[Job]:
        """Those of these running jobs whose workers died."""
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


@dataclass(frozen=True)
class JobRequest:
    """A job to enqueue: kind, subject, parameters and language."""

    kind: str
    thing: str
    language: str
    about: About = field(default_factory=dict)
    # How much it is, where that is known already.
    total: int = 0


def enqueue(wish: JobRequest, *, account: AbstractUser | None, now: datetime, anew: bool = False) -> Job:
    """The job for this request: one that is queued or running, one whose result is current, or a new one.

    `anew` forces a new job in place of a current result.
    """
    key = kind_of(wish.kind).key(wish.thing, wish.about, wish.language)
    if job := Job.objects.filter(key=key, state__in=Job.UNDER_WAY).first():
        return job
    if not anew and (job := _still_good(key)):
        return job
    told = {field.name: getattr(wish, field.name) for field in fields(wish)}
    try:
        with transaction.atomic():
            return Job.objects.create(
                **told, key=key, asked_by_id=account.pk if account else None, asked_at=now
            )
    except IntegrityError:  # another request enqueued it at the same moment
        return Job.objects.filter(key=key)[0]


def _still_good(key: str) -> Job | None:
    job = Job.objects.filter(key=key, state=Job.State.DONE).first()
    good = job is not None and bool(job.version) and job.is_ready
    return job if good and job and kind_of(job.kind).version(job) == job.version else None


def enqueue_again(job: Job, *, account: AbstractUser, language: str, now: datetime) -> Job:
    """Enqueue the same job for the present state of its subject."""
    return enqueue(JobRequest(job.kind, job.thing, language, job.about), account=account, now=now, anew=True)


def run_now(job: Job) -> Job:
    """Run a queued job in this process, before this returns."""
    return do_here(job) if job.is_waiting else job


def stop(job: Job, *, who: str, now: datetime) -> None:
    """Stop a job: at once if it is queued, else when its worker next stores its progress."""
    who = who[:150] or "?"
    waiting = Job.objects.filter(pk=job.pk, state=Job.State.WAITING)
    if not waiting.update(state=Job.State.STOPPED, stop_asked_by=who, ended_at=now, beats=F("beats") + 1):
        Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(stop_asked_by=who)


WITHDRAWN = gettext_noop("People in this file have changed since it was made. Create it again.")


def withdraw(because: WithdrawReason, things: Collection[str]) -> None:
    """Withdraw results for these subjects, and stop running jobs, of the kinds that name this reason.

    Files are deleted when the transaction commits. A running job has read the old data, and fails when it stores.
    """
    made = Job.objects.filter(thing__in=things).exclude(state__in=[Job.State.FAILED, Job.State.STOPPED])
    keys = [pk for pk, kind in made.values_list("pk", "kind") if because in kind_of(kind).withdrawn]
    if keys:
        made.filter(pk__in=keys).update(state=Job.State.FAILED, error=WITHDRAWN, ended_at=timezone.now())
        transaction.on_commit(partial(_remove, keys))


def _remove(keys: Collection[int]) -> None:
    for file in Job.objects.filter(pk__in=keys).exclude(file="").values_list("file", flat=True):
        (jobs_folder() / file).unlink(missing_ok=True)


WAITED_FOR = "jobs"
MOST = 20


def remember_job(request: HttpRequest, job: Job) -> None:
    """Remember in the session that the user waits for this job."""
    waited_for = request.session.get(WAITED_FOR, [])
    if job.pk not in waited_for:
        request.session[WAITED_FOR] = [*waited_for, job.pk][-MOST:]


def forget_job(request: HttpRequest, job: Job) -> None:
    """Forget the job in the session: the user has seen its page."""
    waited_for = request.session.get(WAITED_FOR, [])
    if job.pk in waited_for and not job.is_under_way:
        request.session[WAITED_FOR] = [pk for pk in waited_for if pk != job.pk]


def pop_ended(request: HttpRequest) -> list[tuple[Job, str]]:
    """Jobs of this session that have ended, with their titles; each is returned once."""
    waited_for = request.session.get(WAITED_FOR, [])
    if not waited_for:
        return []
    found = Job.objects.in_bulk(waited_for)
    left = [pk for pk in waited_for if pk in found and found[pk].is_under_way]
    if left != waited_for:
        request.session[WAITED_FOR] = left
    over = [job for job in found.values() if not job.is_under_way]
    load_subjects(over)
    return [(job, kind_of(job.kind).title(job)) for job in over]
