"""Enqueue, stop and withdraw jobs, and notify users of finished ones."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from core.jobs.kinds import About, kind_of, load_subjects
from core.jobs.models import Job, jobs_folder
from core.jobs.runner import do_here

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser
    from django.http import HttpRequest

    from core.jobs.kinds import WithdrawReason


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
