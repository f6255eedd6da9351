"""Making a file of sheets: in the background, or at once where it is short; the same file is made once."""

from __future__ import annotations

import logging
import shutil
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django_tasks import task

from tournaments.models import Round, SheetJob
from tournaments.models.printing import sheets_folder
from tournaments.paper.kinds import KINDS, Kind, Order
from tournaments.paper.making import CannotMake, write_pdf
from tournaments.steps.refusals import NotPossible

if TYPE_CHECKING:
    from clubs.models import Account

logger = logging.getLogger(__name__)

# As many pages are made before the answer is sent: about a second.
PAGES_AT_ONCE = 2
KEPT = timedelta(hours=24)

UNKNOWN = gettext_noop(
    "Something went wrong while the sheets were made. What it was stands in the server's log."
)


def ask(
    order: Order, kind: str, *, language: str, account: Account, at_once: bool = False, anew: bool = False
) -> SheetJob:
    """The job that makes, or has made, the file for the tournament as it stands.

    A short file is made before this returns, and any file with `at_once`; else a worker takes it up. With
    `anew` a file that is ready is made again: names may have been corrected, which changes no tournament.
    Raises NotPossible if the round is no longer drawn.
    """
    wanted = {
        "round": order.round,
        "kind": kind,
        "table_number": order.table_number,
        "language": language,
        "base_url": order.base_url,
        "tournament_version": order.round.tournament.version,
    }
    total = _expected_pages(order, KINDS[kind])
    with transaction.atomic():
        # Two who ask at the same moment, or one who clicks twice, get the same job.
        if not Round.objects.select_for_update().filter(pk=order.round.pk):
            raise NotPossible(_("The draw has changed meanwhile; look at it again."))
        job = next((job for job in SheetJob.objects.filter(**wanted) if _serves(job, anew=anew)), None)
        is_new = job is None
        job = job or SheetJob.objects.create(**wanted, asked_by=account, total=total)
        make_here = job.is_waiting and (at_once or (is_new and total <= PAGES_AT_ONCE))
        if is_new and not make_here:
            make_sheets.enqueue(job.pk)
    if make_here:
        make(job.pk)
        job = SheetJob.objects.filter(pk=job.pk).first() or job
    return job


def _serves(job: SheetJob, *, anew: bool) -> bool:
    """Whether a job for the same file is ready or will be."""
    if job.is_rendering:
        return not job.has_stopped(timezone.now())
    return job.is_waiting or (job.is_ready and not anew)


def _expected_pages(order: Order, kind: Kind) -> int:
    """How many pages a file will have, but for notes that overflow."""
    if kind.of_tables:
        return sum(kind.pages_of_table(table) for table in order.tables())
    return len(kind.pages(order))


@task()
def make_sheets(job_id: int) -> None:
    """A job, taken up by the worker that `manage.py serve` starts beside the server."""
    make(job_id)


def make(job_id: int) -> None:
    """Make a waiting job's file. Does nothing if another has begun, or if the round was drawn anew."""
    now = timezone.now()
    if not _change(job_id, SheetJob.State.WAITING, state=SheetJob.State.RENDERING, touched_at=now):
        return
    job = SheetJob.objects.select_related("round__tournament__host").filter(pk=job_id).first()
    if job is None:
        return
    try:
        with translation.override(job.language):
            file = _make_file(job, now)
    except CannotMake as problem:
        logger.exception("Sheets %s", job_id)
        _change(job_id, SheetJob.State.RENDERING, state=SheetJob.State.FAILED, error=str(problem))
    except Exception:
        logger.exception("Sheets %s", job_id)
        _change(job_id, SheetJob.State.RENDERING, state=SheetJob.State.FAILED, error=UNKNOWN)
    else:
        _change(job_id, SheetJob.State.RENDERING, state=SheetJob.State.READY, file=file)
    clear_old(now)


def _make_file(job: SheetJob, now: datetime) -> str:
    """Write the pages to a file in the folder of sheets; its name."""
    kind = KINDS[job.kind]
    pages = kind.pages(Order(job.round, job.base_url, now, job.table_number))
    _change(job.pk, SheetJob.State.RENDERING, total=len(pages))

    def tell(done: int) -> None:
        _change(job.pk, SheetJob.State.RENDERING, done=done, touched_at=timezone.now())

    target = sheets_folder() / f"{job.pk}-{job.kind}.pdf"
    title = f"{kind.title}, {job.round.tournament.name}"
    write_pdf(pages, title, target, tell=tell)
    return target.name


def _change(job_id: int, expected: SheetJob.State, **values: object) -> bool:
    """Change a job whose state is as expected; False if it is not, or no longer there."""
    return bool(SheetJob.objects.filter(pk=job_id, state=expected).update(**values))


def clear_old(now: datetime) -> None:
    """Remove files, and the jobs that made them, when nobody will ask for them any more."""
    oldest = now - KEPT
    SheetJob.objects.filter(asked_at__lt=oldest).delete()
    for path in sheets_folder().iterdir():
        if path.stat().st_mtime >= oldest.timestamp():
            continue
        if path.is_dir():  # left by a worker that was killed
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
