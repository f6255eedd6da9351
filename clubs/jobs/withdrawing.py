"""Taking back what was made: it names somebody who is to be named there no more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from clubs.jobs.kinds import kind_of
from clubs.jobs.models import Job, jobs_folder

if TYPE_CHECKING:
    from collections.abc import Collection

    from clubs.jobs.kinds import Because

WITHDRAWN = gettext_noop("People in this file have changed since it was made. Create it again.")


def withdraw(because: Because, things: Collection[str]) -> None:
    """Hand out no more what was made of these things, nor what is being made; the job says why.

    Only kinds that are `withdrawn` because of it. Files go when the transaction has ended; a job that is at work has
    read what was there before, and finds that it is nobody's any more.
    """
    made = Job.objects.filter(thing__in=things).exclude(state__in=[Job.State.FAILED, Job.State.STOPPED])
    keys = [pk for pk, kind in made.values_list("pk", "kind") if because in kind_of(kind).withdrawn]
    if keys:
        made.filter(pk__in=keys).update(state=Job.State.FAILED, error=WITHDRAWN, ended_at=timezone.now())
        transaction.on_commit(partial(_remove, keys))


def _remove(keys: Collection[int]) -> None:
    for file in Job.objects.filter(pk__in=keys).exclude(file="").values_list("file", flat=True):
        (jobs_folder() / file).unlink(missing_ok=True)
