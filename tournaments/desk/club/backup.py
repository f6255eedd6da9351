"""Backups at the desk, for the program's owner: those that there are, the disk's room, and one to take away."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.core.exceptions import PermissionDenied
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

from clubs.views.guards import signed_in
from jobs import asking
from jobs.told import remember
from tournaments.running.backups import backups_folder, backups_in
from tournaments.running.backups.timer import told
from tournaments.running.jobs import BACKUP, EVERYTHING

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.web.guards import DeskRequest


@never_cache
@signed_in
def desk_backup(request: DeskRequest) -> HttpResponse:
    """The backups; a POST has one made of everything, to be put on a stick without a terminal."""
    if not request.user.is_superuser:
        raise PermissionDenied
    now = timezone.now()
    if request.method == "POST":
        wish = asking.Wish(BACKUP, EVERYTHING, get_language() or "en")
        job = asking.ask(wish, account=request.user, now=now)
        remember(cast("HttpRequest", request), job)
        return redirect("desk_job", job.pk)
    backups = backups_in(backups_folder())[::-1]
    context = {
        "backups": backups,
        "backup": told(now),
        "taken": sum(backup.size for backup in backups),
        "folder": backups_folder(),
    }
    return render(request, "desk/club/backups.html", context)


urlpatterns = [path("desk/backup/", desk_backup, name="desk_backup")]
