"""How Spadille stands on its machine, for the program's owner: what a host looks at before anybody calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.urls import path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.views.guards import sign_in_required
from tournaments.desk.club.hall_check import Check, backup_checks
from tournaments.ledger.status import ProgramStatus, program_status
from tournaments.models import PushMessage, PushTally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.views.guards import MemberRequest


@never_cache
@sign_in_required
@require_safe
def desk_status(request: MemberRequest) -> HttpResponse:
    """What `/metrics` tells a program, told a person, with what is not as it should be marked."""
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
    tables = ngettext("%(number)d table plays.", "%(number)d tables play.", stands.tables_playing) % {
        "number": stands.tables_playing
    }
    if stands.last_report is None:
        return Check(_("Reports"), "good", " ".join([_("None yet."), tables]))
    at = date_format(timezone.localtime(stands.last_report), "DATETIME_FORMAT")
    return Check(_("Reports"), "good", " ".join([_("The last one was at %(at)s.") % {"at": at}, tables]))


def _jobs(stands: ProgramStatus) -> Check:
    return _counted(_("Long work"), stands.jobs, under_way=("waiting", "running"), in_vain=("failed",))


def _letters(stands: ProgramStatus) -> Check:
    if not settings.MAIL_SERVER:
        return Check(_("Mail"), "good", _("No mail server is set up (EMAIL_URL): nothing is emailed."))
    return _counted(
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


def _counted(
    title: str, by_state: Mapping[str, int], *, under_way: tuple[str, ...], in_vain: tuple[str, ...]
) -> Check:
    waits, failed = (sum(by_state.get(one, 0) for one in states) for states in (under_way, in_vain))
    said = _("%(waits)d in progress, %(failed)d failed.") % {"waits": waits, "failed": failed}
    return Check(title, "wait" if failed else "good", said)


urlpatterns = [path("desk/status/", desk_status, name="desk_status")]
