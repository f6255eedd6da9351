"""Asking for a job, and for its end: the same wish is one job, whoever taps how often."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import F

from clubs.jobs.kinds import About, kind_of
from clubs.jobs.models import Job
from clubs.jobs.working import do_here

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser


@dataclass(frozen=True)
class Wish:
    """What is to be done: a kind of job, what it is of, all that it needs to know, and in which language."""

    kind: str
    thing: str
    language: str
    about: About = field(default_factory=dict)
    # How much it is, where that is known already.
    total: int = 0


def ask(wish: Wish, *, account: AbstractUser | None, now: datetime, anew: bool = False) -> Job:
    """The job that does this, or has done it for the thing as it is now.

    With `anew` it is done again though what came of it is still good.
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
    except IntegrityError:  # somebody else has asked for it at the same moment
        return Job.objects.filter(key=key)[0]


def _still_good(key: str) -> Job | None:
    job = Job.objects.filter(key=key, state=Job.State.DONE).first()
    good = job is not None and bool(job.version) and job.is_ready
    return job if good and job and kind_of(job.kind).version(job) == job.version else None


def again(job: Job, *, account: AbstractUser, language: str, now: datetime) -> Job:
    """The same once more, for the thing as it is now."""
    return ask(Wish(job.kind, job.thing, language, job.about), account=account, now=now, anew=True)


def at_once(job: Job) -> Job:
    """Do a job that waits before this returns."""
    return do_here(job) if job.is_waiting else job


def stop(job: Job, *, who: str, now: datetime) -> None:
    """End a job: now where it waits, or as soon as who works at it looks up."""
    who = who[:150] or "?"
    waiting = Job.objects.filter(pk=job.pk, state=Job.State.WAITING)
    if not waiting.update(state=Job.State.STOPPED, stop_asked_by=who, ended_at=now, beats=F("beats") + 1):
        Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(stop_asked_by=who)
