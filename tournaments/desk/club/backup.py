"""Backups at the desk, for the program's owner: those that there are, the disk's room, and one to take away."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.core.exceptions import PermissionDenied
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.sign_in import require_recent_sign_in
from clubs.views.guards import sign_in_required
from core.backup.folder import backups_folder, backups_in
from core.jobs import queue
from core.jobs.queue import remember
from core.journal.status import storage_status
from tournaments.desk.club.backup_job import BACKUP, EVERYTHING
from tournaments.exports.verify.jobs import COUNT_ANEW, VERIFY

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.web.guards import DeskRequest


@never_cache
@sign_in_required
@require_recent_sign_in
def desk_backup(request: DeskRequest) -> HttpResponse:
    """The backups; a POST has one made of everything, to be put on a stick without a terminal."""
    if not request.user.is_superuser:
        raise PermissionDenied
    now = timezone.now()
    if request.method == "POST":
        return _asked(request, BACKUP)
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
    return _asked(request, VERIFY)


@never_cache
@sign_in_required
@require_POST
def desk_count_anew(request: DeskRequest) -> HttpResponse:
    """Have all that is kept of results counted from them again."""
    return _asked(request, COUNT_ANEW)


def _asked(request: DeskRequest, kind: str) -> HttpResponse:
    """Have it done, and lead to where it is told how far it is; only for who may see all there is."""
    if not request.user.is_superuser:
        raise PermissionDenied
    wish = queue.JobRequest(kind, EVERYTHING, get_language() or "en")
    job = queue.enqueue(wish, account=request.user, now=timezone.now(), anew=True)
    remember(cast("HttpRequest", request), job)
    return redirect("desk_job", job.pk)


urlpatterns = [
    path("desk/backup/", desk_backup, name="desk_backup"),
    path("desk/backup/verify/", desk_verify_all, name="desk_verify_all"),
    path("desk/backup/count-anew/", desk_count_anew, name="desk_count_anew"),
]
