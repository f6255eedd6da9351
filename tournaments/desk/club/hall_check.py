"""Checklist for the hall: automatic checks where possible, instructions otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.models import ClubLogEntry
from clubs.roles import clubs_of
from clubs.views.guards import sign_in_required
from core.journal import status
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
from tournaments.models import LogEntry
from tournaments.web.public_url import square

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from clubs.views.guards import MemberRequest

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
        "checks": [] if looks else list(_checks(request, timezone.now())),
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


def _checks(request: MemberRequest, now: datetime) -> Iterator[Check]:
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


urlpatterns = [
    path("desk/hall-check/", hall_check, name="hall_check"),
    path("reaches/<str:code>/", phone_reaches, name="phone_reaches"),
]
