"""The server's page: status, backups, undelivered mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_noop, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.clubs import log_change
from clubs.models import Club
from clubs.sign_in import require_recent_sign_in
from clubs.views.guards import sign_in_required
from clubs.views.letters import done_with, letters_shown
from core.backup.backups import back_up
from core.backup.folder import backups_folder, backups_in
from core.errors import BackupError, JobError
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult
from core.jobs.queue import remember_job
from core.journal.status import storage_status
from tournaments.desk.club.hall_check import Check, backup_checks
from tournaments.exports.verify.jobs import COUNT_ANEW, VERIFY
from tournaments.ledger.status import ProgramStatus, program_status
from tournaments.models import PushMessage, PushTally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser
    from django.http import HttpRequest, HttpResponse

    from clubs.views.guards import MemberRequest
    from core.jobs.kinds import JobRun
    from core.jobs.models import Job
    from tournaments.web.guards import DeskRequest


# Server status for the owner of the installation.


@never_cache
@sign_in_required
@require_safe
def desk_status(request: MemberRequest) -> HttpResponse:
    """The figures of `/metrics` for people, with problems marked."""
    if not request.user.is_superuser:
        raise PermissionDenied
    now = timezone.now()
    return render(request, "desk/club/status.html", {"checks": list(_checks(now)), "now": now})


def _checks(now: datetime) -> Iterator[Check]:
    stands = program_status(now)
    yield Check(_("Program"), "good", settings.VERSION_IN_WORDS)
    kind = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}.get(connection.vendor, connection.vendor)
    size = filesizeformat(stands.database)
    yield Check(_("Database"), "good", _("%(kind)s, %(size)s.") % {"kind": kind, "size": size})
    yield from backup_checks(now)
    yield _reports(stands)
    yield _jobs(stands)
    yield _letters(stands)
    yield _phones(stands)
    yield Check(
        _("Watching"),
        "good",
        _("/metrics answers programs that know METRICS_TOKEN.")
        if settings.METRICS_TOKEN
        else _("METRICS_TOKEN is not set: no program can read these figures."),
    )


def _reports(stands: ProgramStatus) -> Check:
    tables = ngettext(
        "%(number)d table is playing.", "%(number)d tables are playing.", stands.tables_playing
    ) % {"number": stands.tables_playing}
    if stands.last_report is None:
        return Check(_("Reports"), "good", " ".join([_("None yet."), tables]))
    at = date_format(timezone.localtime(stands.last_report), "DATETIME_FORMAT")
    return Check(_("Reports"), "good", " ".join([_("The last one was at %(at)s.") % {"at": at}, tables]))


def _jobs(stands: ProgramStatus) -> Check:
    return _queue_check(
        _("Background tasks"), stands.jobs, under_way=("waiting", "running"), in_vain=("failed",)
    )


def _letters(stands: ProgramStatus) -> Check:
    if not settings.MAIL_SERVER:
        return Check(_("Mail"), "good", _("No mail server is set up (EMAIL_URL): nothing is emailed."))
    return _queue_check(
        _("Mail"), stands.letters, under_way=("waiting", "sending"), in_vain=("failed", "given up")
    )


def _phones(stands: ProgramStatus) -> Check:
    title = _("Phones with notifications")
    if not settings.PUSH:
        return Check(
            title, "good", _("PUBLIC_URL is not https, or PUSH is off: phones get no notifications.")
        )
    ended = stands.pushes_ended
    said = _(
        "%(waits)d in progress, %(sent)d sent, %(failed)d failed, %(gone)d to phones no longer registered."
    ) % {
        "waits": sum(stands.pushes[state] for state in PushMessage.UNDER_WAY),
        "sent": ended[PushTally.Outcome.SENT],
        "failed": sum(ended[outcome] for outcome in PushTally.IN_VAIN),
        "gone": ended[PushTally.Outcome.GONE],
    }
    return Check(title, "wait" if stands.pushes_fail else "good", said)


def _queue_check(
    title: str, by_state: Mapping[str, int], *, under_way: tuple[str, ...], in_vain: tuple[str, ...]
) -> Check:
    waits, failed = (sum(by_state.get(one, 0) for one in states) for states in (under_way, in_vain))
    said = _("%(waits)d in progress, %(failed)d failed.") % {"waits": waits, "failed": failed}
    return Check(title, "wait" if failed else "good", said)


urlpatterns = [path("desk/status/", desk_status, name="desk_status")]


# Backups at the desk, for the program's owner: those that there are, the disk's room, and one to take away.


@never_cache
@sign_in_required
@require_recent_sign_in
def desk_backup(request: DeskRequest) -> HttpResponse:
    """The backups; a POST has one made of everything, to be put on a stick without a terminal."""
    if not request.user.is_superuser:
        raise PermissionDenied
    now = timezone.now()
    if request.method == "POST":
        return _queue_job(request, BACKUP)
    backups = backups_in(backups_folder())[::-1]
    context = {
        "backups": backups,
        "backup": storage_status(now),
        "taken": sum(backup.size for backup in backups),
        "folder": backups_folder(),
    }
    return render(request, "desk/club/backups.html", context)


@never_cache
@sign_in_required
@require_POST
def desk_verify_all(request: DeskRequest) -> HttpResponse:
    """Have everything there is counted again."""
    return _queue_job(request, VERIFY)


@never_cache
@sign_in_required
@require_POST
def desk_count_anew(request: DeskRequest) -> HttpResponse:
    """Recompute all materialized results in a job."""
    return _queue_job(request, COUNT_ANEW)


def _queue_job(request: DeskRequest, kind: str) -> HttpResponse:
    """Queue a job, and redirect to its progress; for owners of the installation only."""
    if not request.user.is_superuser:
        raise PermissionDenied
    wish = queue.JobRequest(kind, EVERYTHING, get_language() or "en")
    job = queue.enqueue(wish, account=request.user, now=timezone.now(), anew=True)
    remember_job(cast("HttpRequest", request), job)
    return redirect("desk_job", job.pk)


urlpatterns += [
    path("desk/backup/", desk_backup, name="desk_backup"),
    path("desk/backup/verify/", desk_verify_all, name="desk_verify_all"),
    path("desk/backup/count-anew/", desk_count_anew, name="desk_count_anew"),
]


# A backup of everything as a job: a file for a stick, for the program's owner.

BACKUP, EVERYTHING = "backup", "everything"
KILOBYTE = 1024


class BackupOfEverything(JobKind):
    """A job with the same backup file as `manage.py backup`; every club's log records who downloaded it."""

    code = BACKUP
    content_type = "application/zip"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        del job
        return account.is_superuser

    def title(self, job: Job) -> str:
        del job
        return _("A backup of everything")

    def page(self, job: Job) -> str:
        del job
        return reverse("desk_backup")

    def make(self, work: JobRun) -> JobResult:
        def tell(done: int, total: int) -> None:
            of_all = total // KILOBYTE + 1
            work.tell(done // KILOBYTE, None if work.job.total == of_all else of_all)

        try:
            made = back_up(work.folder, now=timezone.now(), tell=tell)
        except BackupError as problem:
            raise JobError(str(problem)) from problem
        kept, name = work.keep(made, "zip"), made.name
        for club in Club.objects.all():
            text = gettext_noop("Saved a backup of everything as a file")
            log_change(club, work.job.asked_by, text, now=timezone.now())
        return JobResult(kept, name)

    def result_messages(self, job: Job) -> list[str]:
        size = job.path.stat().st_size / KILOBYTE / KILOBYTE
        return [_("%(name)s, %(megabytes).1f MB.") % {"name": job.file_name, "megabytes": size}]


# Letters that belong to no club, for the program's owner: new passwords, addresses to be confirmed, invitations.


@never_cache
@sign_in_required
@require_safe
def desk_letters(request: MemberRequest) -> HttpResponse:
    if not request.user.is_superuser:
        raise PermissionDenied
    return render(request, "desk/club/letters.html", letters_shown(request, None))


@require_POST
@sign_in_required
def desk_letter(request: MemberRequest, pk: int, deed: str) -> HttpResponse:
    """Send a letter again, mark it as bounced, or discard it."""
    if not request.user.is_superuser:
        raise PermissionDenied
    return done_with(request, None, pk, deed, "desk_letters")


urlpatterns += [
    path("desk/letters/", desk_letters, name="desk_letters"),
    path("desk/letters/<int:pk>/<slug:deed>/", desk_letter, name="desk_letter"),
]
