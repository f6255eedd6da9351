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

from core.files import put_in_place
from core.jobs.models import Job, jobs_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.contrib.auth.models import AbstractUser
    from django.db.models import QuerySet

    from core.jobs.models import Job


About = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """What came of a job: a file in its folder and the name that a browser saves it under, or what is to be said."""

    file: str = ""
    file_name: str = ""
    said: About = field(default_factory=dict)


class Because(Enum):
    """Why what was made may be handed out no more: somebody was erased; or is shown, or told of, otherwise now."""

    ERASED = "erased"
    SHOWN_OTHERWISE = "shown otherwise"


class Kind(ABC):
    """A kind of long work; `make` may be called again where whoever did it fell, and then begins anew."""

    code = ""
    # Sheets of an evening wait for no long count: see `tournaments.running.worker`.
    waits_for_long_ones = True
    # Why a file of it is withdrawn, as it names people (`core.jobs.queue`).
    withdrawn: frozenset[Because] = frozenset()
    # Whether a browser shows the file by itself, or saves it.
    content_type, is_shown = "application/octet-stream", False

    def things(self, names: Iterable[str]) -> dict[str, Any]:
        """What jobs are of, by the names that they have for it, as far as it is there."""
        del names
        return {}

    def thing(self, job: Job) -> Any:
        """What a job is of; None where that is no longer there. It is asked for once."""
        if "found" not in job.__dict__:
            find_things([job])
        return job.__dict__["found"]

    def prepare(self) -> None:  # noqa: B027 - most need nothing
        """Load what doing it needs, in the process that others are copied from."""

    def key(self, thing: str, about: About, language: str) -> str:
        """Jobs of the same key are the same work: one of them is done at a time."""
        told = json.dumps([thing, about, language], sort_keys=True)
        return f"{self.code} {hashlib.sha256(told.encode()).hexdigest()}"

    @abstractmethod
    def may_see(self, account: AbstractUser, job: Job) -> bool:
        """Whether somebody may see it now; False too where the thing is no longer there."""

    @abstractmethod
    def title(self, job: Job) -> str:
        """What it is called, in the reader's words."""

    @abstractmethod
    def page(self, job: Job) -> str:
        """The address it was asked for from."""

    def leads_to(self, job: Job) -> str:
        """The address that shows what a job which is done has found; "" where its own page does."""
        del job
        return ""

    def context(self, job: Job) -> About:
        """What its page needs besides, as the tournament whose menu stands on it."""
        del job
        return {}

    def version(self, job: Job) -> str:
        """What the thing is like now; "" where what was made cannot be out of date."""
        del job
        return ""

    def may_repeat(self, job: Job) -> bool:
        """Whether the same may be asked for once more: not where it can be done only once."""
        del job
        return True

    @abstractmethod
    def make(self, work: Work) -> Made:
        """Do the work and say how far it is. Raises `CannotDo`."""

    def file_type(self, job: Job) -> str:
        del job
        return self.content_type

    def far(self, job: Job) -> str:
        """How far it is, in the reader's words."""
        return _("%(percent)d %% is done.") % {"percent": 100 * job.done // max(job.total, 1)}

    def came_to(self, job: Job) -> list[str]:
        """What is to be said of a job that is done, in the reader's words."""
        del job
        return []

    def warnings(self, job: Job) -> list[str]:
        """What is to be warned of in what a job came to."""
        del job
        return []


def find_things(jobs: Sequence[Job]) -> None:
    """Find what these jobs are of at once."""
    for code in {job.kind for job in jobs}:
        alike = [job for job in jobs if job.kind == code]
        found = kind_of(code).things({job.thing for job in alike})
        for job in alike:
            job.__dict__["found"] = found.get(job.thing)


def thing_named(what: str, pk: int) -> str:
    """What a job is of, as “round 12”."""
    return f"{what} {pk}"


def numbered(what: str, rows: QuerySet[Any], names: Iterable[str]) -> dict[str, Any]:
    """Rows by such names, which have their primary keys in them."""
    told = {int(name.removeprefix(f"{what} ")): name for name in names if name.startswith(f"{what} ")}
    return {told[pk]: row for pk, row in rows.in_bulk(told).items()} if told else {}


@cache
def kind_of(code: str) -> Kind:
    kind: Kind = import_string(settings.JOB_KINDS[code])()
    return kind


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
