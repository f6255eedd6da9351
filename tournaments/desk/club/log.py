"""Who did what in a club, in one place, for its organisers: to be looked through, and saved as a file."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from clubs.clubs import log_change
from clubs.views.guards import MemberRequest, club_view
from core.journal import status
from core.tables.files import CONTENT_TYPES, Table, table_file
from tournaments.desk.club.logged import THE_CLUB, Asked, Done, found, people, told

if TYPE_CHECKING:
    from datetime import date

    from clubs.models import Club
    from tournaments.models import Tournament

LINES_ON_A_PAGE = 100
MOST_LINES = 20_000  # of a file
OFFERED = 100


def _asked(request: MemberRequest) -> Asked:
    """What the address asks for; a day that is none is passed over."""
    given = request.GET
    until = _day(given.get("until", ""))
    return Asked(
        given.get("person", ""),
        given.get("tournament", ""),
        _begin(_day(given.get("since", ""))),
        _begin(until + timedelta(days=1)) if until else None,
    )


def _day(text: str) -> date | None:
    try:
        day = parse_date(text.strip())
    except ValueError:
        return None
    return day if day and 1900 < day.year < 9999 else None  # noqa: PLR2004 - years a clock has


def _begin(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time())) if day else None


@club_view()
@require_safe
def club_log(request: MemberRequest, club: Club) -> HttpResponse:
    """What was done in the club and its tournaments, and who signed in; with filters, newest first."""
    page = Paginator(found(club, _asked(request)), LINES_ON_A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "club": club,
        "page": page,
        "lines": told(page.object_list),
        "people": people(club),
        "tournaments": _offered(club, request.GET.get("tournament", "")),
        "asked": query,
        "query": query.urlencode(),
        "the_club": THE_CLUB,
        "backup": status.storage_status(timezone.now()),
    }
    return render(request, "desk/club/club_log.html", context)


def _offered(club: Club, asked: str) -> list[Tournament]:
    """The tournaments that one may choose: the newest, and the one that is asked for; each has a log of its own."""
    newest = list(club.tournaments.order_by("-date", "-pk")[:OFFERED])
    chosen = club.tournaments.filter(code=asked).exclude(pk__in=[one.pk for one in newest])
    return [*newest, *chosen]


@club_view()
@require_safe
def club_log_file(request: MemberRequest, club: Club, kind: str) -> HttpResponse:
    """The same as a file; that it was saved is written down too."""
    if kind not in CONTENT_TYPES:
        raise Http404
    lines = told(found(club, _asked(request))[:MOST_LINES])
    log_change(club, request.user, gettext_noop("Saved the log as a file"), now=timezone.now())
    headers = {"Content-Disposition": f'attachment; filename="{club.slug}-log.{kind}"'}
    return HttpResponse(_as_file(lines, kind), content_type=CONTENT_TYPES[kind], headers=headers)


def _as_file(lines: list[Done], kind: str) -> bytes:
    headings = [_("When"), _("Who"), _("Tournament"), _("What"), _("Reason")]
    rows = []
    for line in lines:
        when = timezone.localtime(line.at).strftime("%Y-%m-%d %H:%M:%S")
        tournament = f"{line.tournament.name} {line.tournament.date}" if line.tournament else ""
        rows.append([when, line.author, tournament, line.words, line.reason])
    return table_file(kind, Table(headings, rows))


urlpatterns = [
    path("clubs/<slug:slug>/log/", club_log, name="club_log"),
    path("clubs/<slug:slug>/log.<slug:kind>", club_log_file, name="club_log_file"),
]
