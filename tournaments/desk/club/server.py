"""The server's page: status, backups, undelivered mail; and the checklist for the hall."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404
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
from clubs.models import Club, ClubLogEntry
from clubs.roles import clubs_of
from clubs.sign_in import require_recent_sign_in
from clubs.views.guards import sign_in_required
from clubs.views.letters import done_with, letters_shown
from core.backup.backups import back_up
from core.backup.folder import backups_folder, backups_in
from core.errors import BackupError, JobError
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult
from core.jobs.queue import remember_job
from core.journal import status
from core.journal.status import storage_status
from core.pdf.files import CannotMake, load
from core.serving.addresses import (
    answers,
    base_url,
    is_code,
    is_loopback,
    lan_address,
    new_code,
    scan_of,
    tell_scanned,
)
from tournaments.exports.verify.jobs import COUNT_ANEW, VERIFY
from tournaments.ledger.status import ProgramStatus, program_status
from tournaments.models import LogEntry, PushMessage, PushTally
from tournaments.web.guards import square

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser
    from django.http import HttpRequest, HttpResponse

    from clubs.views.guards import MemberRequest
    from core.jobs.kinds import JobRun
    from core.jobs.models import Job
    from tournaments.web.guards import DeskRequest


# The clock was set back if a record is later than now by more than this.
OF_NO_ACCOUNT = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Check:
    """A check's result: `state` is "good", "wait" or "bad"; `said` explains it and what to do."""

    title: str
    state: str
    said: str


@never_cache
@sign_in_required
@require_safe
def hall_check(request: MemberRequest) -> HttpResponse:
    if not clubs_of(request.user).exists():
        raise PermissionDenied
    sent = request.GET.get("code", "")
    code = sent if is_code(sent) else new_code()
    address = base_url(request) + reverse("phone_reaches", args=[code])
    # A poll for the scan of the code does not repeat the other checks.
    looks = request.headers.get("HX-Request") == "true"
    context = {
        "code": code,
        "address": address,
        "square": square(address),
        "scan": scan_of(code),
        "checks": [] if looks else list(_automatic_checks(request, timezone.now())),
    }
    return render(request, "desk/club/hall_check.html", context)


@never_cache
@require_safe
def phone_reaches(request: HttpRequest, code: str) -> HttpResponse:
    """Page for the phone that scanned the code; the desk's page then shows success."""
    if not is_code(code):
        raise Http404
    tell_scanned(code, request.META.get("REMOTE_ADDR", ""), timezone.now())
    return render(request, "hall/phone_reaches.html")


def _automatic_checks(request: MemberRequest, now: datetime) -> Iterator[Check]:
    yield from _addresses(request)
    yield _pdfs()
    if clubs_of(
        request.user, organise=True
    ).exists():  # as on the front page: a helper can do nothing about it
        yield from backup_checks(now)
    yield _clock(now)


def _addresses(request: MemberRequest) -> Iterator[Check]:
    """The address in the codes; and this machine's own, if it differs and there is no proxy."""
    told = base_url(request)
    own = told if settings.PUBLIC_URL else f"{request.scheme}://{lan_address()}:{request.get_port()}"
    for address in dict.fromkeys((told, own)):
        if is_loopback(address.partition("//")[2].partition(":")[0]):
            said = _("reaches only this machine itself: is it on the hall’s network?")
            yield Check(address, "bad", said)
        elif answers(address):
            yield Check(
                address,
                "good",
                _("answers. Phones on the same network can reach it, if the network allows that."),
            )
        else:
            yield Check(address, "bad", _("does not answer from here. Another network, or a firewall?"))


def _pdfs() -> Check:
    try:
        load()
    except CannotMake as problem:
        return Check(_("Sheets as PDF"), "bad", _(str(problem)))
    return Check(_("Sheets as PDF"), "good", _("works. Print the captain’s guide to try the printer."))


def backup_checks(now: datetime) -> Iterator[Check]:
    """The disk's room, the last backup, and the journal where one is written."""
    told = status.storage_status(now)
    free = filesizeformat(told.room.free)
    room = told.room.words or _("%(free)s are free.") % {"free": free}
    state = "bad" if told.room.is_short else "wait" if told.room.runs_out else "good"
    yield Check(_("Free disk space"), state, room)
    if told.problem:
        yield Check(_("Backup"), "bad", told.problem)
    elif told.backup is None:
        yield Check(_("Backup"), "wait", _("None yet; the first is made a few minutes after the start."))
    else:
        at = date_format(timezone.localtime(told.backup.at), "DATETIME_FORMAT")
        yield Check(
            _("Backup"), "wait" if told.is_old else "good", _("The last one was at %(at)s.") % {"at": at}
        )
    if told.journal:
        state = "bad" if not told.journal.is_written else "wait" if told.journal.notice else "good"
        yield Check(_("Journal"), state, told.journal.notice or told.journal.words)


def _clock(now: datetime) -> Check:
    """The time that is written on all that is decided; nothing can have been decided later than now."""
    newest = (
        model.objects.order_by("-pk").values_list("at", flat=True)[:1] for model in (LogEntry, ClubLogEntry)
    )
    last = max(chain(*newest), default=now)
    shown = date_format(timezone.localtime(now), "DATETIME_FORMAT")
    if last > now + OF_NO_ACCOUNT:
        said = _("This machine’s clock says %(now)s, but something was saved at %(last)s. Set the clock.")
        last_shown = date_format(timezone.localtime(last), "DATETIME_FORMAT")
        return Check(_("Clock"), "bad", said % {"now": shown, "last": last_shown})
    return Check(_("Clock"), "good", _("This machine’s clock says %(now)s. Is that right?") % {"now": shown})


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
    context = {"layout": "desk/base.html", **letters_shown(request, None)}
    return render(request, "clubs/letters.html", context)


@require_POST
@sign_in_required
def desk_letter(request: MemberRequest, pk: int, deed: str) -> HttpResponse:
    """Send a letter again, mark it as bounced, or discard it."""
    if not request.user.is_superuser:
        raise PermissionDenied
    return done_with(request, None, pk, deed, "desk_letters")


urlpatterns = [
    path("desk/status/", desk_status, name="desk_status"),
    path("desk/backup/", desk_backup, name="desk_backup"),
    path("desk/backup/verify/", desk_verify_all, name="desk_verify_all"),
    path("desk/backup/count-anew/", desk_count_anew, name="desk_count_anew"),
    path("desk/letters/", desk_letters, name="desk_letters"),
    path("desk/letters/<int:pk>/<slug:deed>/", desk_letter, name="desk_letter"),
    path("desk/hall-check/", hall_check, name="hall_check"),
    path("reaches/<str:code>/", phone_reaches, name="phone_reaches"),
]
