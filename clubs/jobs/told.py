"""Telling somebody, on whatever page of theirs comes next, that what they asked for is done.

Their session knows what they wait for: who waits for nothing is asked nothing of the database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clubs.jobs.kinds import find_things, kind_of
from clubs.jobs.models import Job

if TYPE_CHECKING:
    from django.http import HttpRequest

WAITED_FOR = "jobs"
MOST = 20


def remember(request: HttpRequest, job: Job) -> None:
    """Tell whoever asks when the job has come to an end."""
    waited_for = request.session.get(WAITED_FOR, [])
    if job.pk not in waited_for:
        request.session[WAITED_FOR] = [*waited_for, job.pk][-MOST:]


def seen(request: HttpRequest, job: Job) -> None:
    """They see it now: nothing is left to be told."""
    waited_for = request.session.get(WAITED_FOR, [])
    if job.pk in waited_for and not job.is_under_way:
        request.session[WAITED_FOR] = [pk for pk in waited_for if pk != job.pk]


def ended(request: HttpRequest) -> list[tuple[Job, str]]:
    """Jobs that have ended since, each with its title; they are told of once."""
    waited_for = request.session.get(WAITED_FOR, [])
    if not waited_for:
        return []
    found = Job.objects.in_bulk(waited_for)
    left = [pk for pk in waited_for if pk in found and found[pk].is_under_way]
    if left != waited_for:
        request.session[WAITED_FOR] = left
    over = [job for job in found.values() if not job.is_under_way]
    find_things(over)
    return [(job, kind_of(job.kind).title(job)) for job in over]
