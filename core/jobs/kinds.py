"""Kinds of background jobs: permissions, title, the work itself, its progress and result."""

from __future__ import annotations

import hashlib
import json
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from core.files import move_into_place
from core.jobs.models import Job, jobs_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.contrib.auth.models import AbstractUser
    from django.db.models import QuerySet

    from core.jobs.models import Job


About = dict[str, Any]


@dataclass(frozen=True)
class JobResult:
    """The result of a job: a file with the name to save it under, or values to show."""

    file: str = ""
    file_name: str = ""
    said: About = field(default_factory=dict)


class WithdrawReason(Enum):
    """Why a result is withdrawn: a person was erased, or is shown differently now."""

    ERASED = "erased"
    SHOWN_OTHERWISE = "shown otherwise"


class JobKind(ABC):
    """A kind of job. `make` may run again from the start if its worker died."""

    code = ""
    # Sheets of an evening wait for no long count: see `tournaments.running.worker`.
    waits_for_long_ones = True
    # Why a file of it is withdrawn, as it names people (`core.jobs.queue`).
    withdrawn: frozenset[WithdrawReason] = frozenset()
    # Whether a browser shows the file by itself, or saves it.
    content_type, is_shown = "application/octet-stream", False

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        """Map the names of subjects to the objects that still exist."""
        del names
        return {}

    def thing(self, job: Job) -> Any:
        """The subject of a job, queried once; None if it no longer exists."""
        if "found" not in job.__dict__:
            load_subjects([job])
        return job.__dict__["found"]

    def prepare(self) -> None:  # noqa: B027 - most need nothing
        """Import what the job needs, in the process that workers are forked from."""

    def key(self, thing: str, about: About, language: str) -> str:
        """Jobs with the same key are the same work: only one of them runs."""
        told = json.dumps([thing, about, language], sort_keys=True)
        return f"{self.code} {hashlib.sha256(told.encode()).hexdigest()}"

    @abstractmethod
    def may_see(self, account: AbstractUser, job: Job) -> bool:
        """Whether the account may see the job; False if its subject no longer exists."""

    @abstractmethod
    def title(self, job: Job) -> str:
        """The title of the job, in the user's language."""

    @abstractmethod
    def page(self, job: Job) -> str:
        """The URL of the page it was requested on."""

    def leads_to(self, job: Job) -> str:
        """The URL that shows the result; "" for the job's own page."""
        del job
        return ""

    def context(self, job: Job) -> About:
        """Additional template context of its page, such as the tournament for the menu."""
        del job
        return {}

    def version(self, job: Job) -> str:
        """The version of the subject now; "" if a result never becomes stale."""
        del job
        return ""

    def may_repeat(self, job: Job) -> bool:
        """Whether the job may be requested again."""
        del job
        return True

    @abstractmethod
    def make(self, work: JobRun) -> JobResult:
        """Do the work and report progress. Raises `JobError`."""

    def file_type(self, job: Job) -> str:
        del job
        return self.content_type

    def progress_text(self, job: Job) -> str:
        """The progress, in the user's language."""
        return _("%(percent)d %% done.") % {"percent": 100 * job.done // max(job.total, 1)}

    def result_messages(self, job: Job) -> list[str]:
        """Messages about the result, in the user's language."""
        del job
        return []

    def warnings(self, job: Job) -> list[str]:
        """Warnings about the result."""
        del job
        return []


def load_subjects(jobs: Sequence[Job]) -> None:
    """Query the subjects of these jobs, one query a kind."""
    for code in {job.kind for job in jobs}:
        alike = [job for job in jobs if job.kind == code]
        found = kind_of(code).subjects({job.thing for job in alike})
        for job in alike:
            job.__dict__["found"] = found.get(job.thing)


def subject_name(what: str, pk: int) -> str:
    """The name of a subject, as “round 12”."""
    return f"{what} {pk}"


def subjects_by_name(what: str, rows: QuerySet[Any], names: Iterable[str]) -> dict[str, Any]:
    """Rows by such names, which contain their primary keys."""
    told = {int(name.removeprefix(f"{what} ")): name for name in names if name.startswith(f"{what} ")}
    return {told[pk]: row for pk, row in rows.in_bulk(told).items()} if told else {}


@cache
def kind_of(code: str) -> JobKind:
    kind: JobKind = import_string(settings.JOB_KINDS[code])()
    return kind


# How often it is written down how far a job is; a write waits for the disk.
TOLD_EVERY = 0.4  # seconds


class NoLonger(Exception):
    """The job was stopped, or another worker has it."""


class JobRun:
    """A running job, as its worker sees it."""

    def __init__(self, job: Job, folder: Path) -> None:
        self.job = job
        self.folder = folder
        self.told = 0.0

    def tell(self, done: int, total: int | None = None) -> None:
        """Store the progress, at most every 0.4 s. Raises `NoLonger` if the job was stopped."""
        now = time.monotonic()
        finished = done == (self.job.total if total is None else total)
        if total is None and not finished and now - self.told < TOLD_EVERY:
            return
        self.told = now
        if total is not None:
            self.job.total = total
        self.still_mine(done=done, total=self.job.total)

    def still_mine(self, **values: object) -> None:
        """Update the job if it is still ours; in a transaction, so that all of it is rolled back if it was stopped."""
        unstopped = mine(self.job).filter(stop_asked_by="")
        if not unstopped.update(beats=F("beats") + 1, touched_at=timezone.now(), **values):
            raise NoLonger

    def keep(self, made: Path, ending: str) -> str:
        """Move a finished file to the folder of results; returns its name there."""
        name = f"{self.job.pk}-{self.job.kind}.{ending}"
        move_into_place(made, jobs_folder() / name)
        return name


def mine(job: Job) -> QuerySet[Job]:
    """The job in the database, while this worker has it."""
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, worker=job.worker)
