"""A backup of everything for the program's owner, to be put on a stick without a terminal."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.club_log import write_down
from clubs.models import Club
from clubs.views.guards import signed_in
from tournaments.running.backups import BackupProblem, back_up

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.web.guards import DeskRequest


@never_cache
@signed_in
@require_POST
def desk_backup(request: DeskRequest) -> HttpResponseBase:
    """The same file as of `manage.py backup`, made now; every club's log says who has it."""
    if not request.user.is_superuser:
        raise PermissionDenied
    with TemporaryDirectory(dir=settings.DATA_DIR, prefix=".download-") as folder:
        try:
            file = back_up(Path(folder), now=timezone.now())
        except BackupProblem as problem:
            messages.error(request, _("There is no backup. %(why)s") % {"why": problem})
            return redirect("desk")
        # The file stays readable for who has it open when its name is gone.
        answer = FileResponse(file.open("rb"), as_attachment=True, filename=file.name)
    for club in Club.objects.all():
        write_down(
            club, request.user, gettext_noop("Saved a backup of everything as a file"), now=timezone.now()
        )
    return answer


urlpatterns = [path("desk/backup/", desk_backup, name="desk_backup")]
