"""A club's log as a file: CSV is streamed, a long XLSX is a job."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_noop, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.clubs import log_change
from clubs.member_jobs import OfMembers, of_club
from clubs.views.guards import MemberRequest, club_view
from core.errors import JobError
from core.jobs.kinds import JobResult, WithdrawReason
from core.jobs.queue import JobRequest, enqueue, remember_job
from core.tables.files import CONTENT_TYPES, Table, stream_csv, table_file, write_tables
from tournaments.desk.club.log import asked_in, find_events, read_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from django.http.response import HttpResponseBase

    from clubs.models import Club
    from core.jobs.kinds import JobRun
    from core.jobs.models import Job
    from tournaments.desk.club.log import Done

MOST_LINES = 20_000
# The batch size of lines, queried in 50 ms; of an XLSX with more, a job makes the file.
AT_ONCE = 500
LOG_FILE = "log"
SAVED = gettext_noop("Saved the log as a file")
FILTERS = ("person", "tournament", "since", "until")

Place = tuple["datetime", str, int]


@club_view()
@require_safe
def club_log_file(request: MemberRequest, club: Club, kind: str) -> HttpResponseBase:
    """Download the page's list as a file; the download is logged too."""
    if kind not in CONTENT_TYPES:
        raise Http404
    about = {name: request.GET[name] for name in FILTERS if name in request.GET}
    places = list(find_events(club, asked_in(about))[:MOST_LINES])
    if kind == "xlsx" and len(places) > AT_ONCE:
        wish = JobRequest(LOG_FILE, of_club(club), get_language() or "en", about, total=len(places))
        job = enqueue(wish, account=request.user, now=timezone.now(), anew=True)
        remember_job(request, job)
        return redirect("desk_job", job.pk)
    log_change(club, request.user, SAVED, now=timezone.now())
    headers = {"Content-Disposition": f'attachment; filename="{club.slug}-log.{kind}"'}
    if kind == "csv":
        return StreamingHttpResponse(
            stream_csv(log_table(places)), content_type=CONTENT_TYPES[kind], headers=headers
        )
    return HttpResponse(
        table_file(kind, log_table(places)), content_type=CONTENT_TYPES[kind], headers=headers
    )


def log_table(places: Sequence[Place], tell: Callable[[int], object] = lambda _count: None) -> Table:
    """The lines of these places, queried while the table is written; `tell` is called with their number."""
    headings = [_("When"), _("Who"), _("Tournament"), _("What"), _("Reason")]
    # Another thread may stream the next lines, in no language yet.
    read = partial(_rows, language=get_language())
    return Table(headings, chain.from_iterable(_parts(places, read, tell)))


def _parts(
    places: Sequence[Place], read: Callable[[Sequence[Place]], list[Any]], tell: Callable[[int], object]
) -> Iterator[list[Any]]:
    for first in range(0, len(places), AT_ONCE):
        yield read(places[first : first + AT_ONCE])
        tell(min(first + AT_ONCE, len(places)))


def _rows(places: Sequence[Place], language: str | None) -> list[Any]:
    with override(language):
        return [_row(line) for line in read_events(places)]


def _row(line: Done) -> list[str]:
    when = timezone.localtime(line.at).strftime("%Y-%m-%d %H:%M:%S")
    tournament = f"{line.tournament.name} {line.tournament.date}" if line.tournament else ""
    return [when, line.author, tournament, line.words, line.reason]


class SavedLog(OfMembers):
    """A long log as XLSX, with the filters of the page."""

    code = LOG_FILE
    withdrawn = frozenset({WithdrawReason.ERASED})

    def title(self, job: Job) -> str:
        return _("Log of %(club)s as XLSX") % {"club": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        club = self.thing(job)
        return reverse("club_log", args=[club.slug]) if club is not None else reverse("clubs")

    def make(self, work: JobRun) -> JobResult:
        club = self.thing(work.job)
        if club is None:
            raise JobError(GONE)
        places = list(find_events(club, asked_in(work.job.about))[:MOST_LINES])
        work.tell(0, len(places))
        target = work.folder / "log"
        with target.open("wb") as file:
            write_tables(file, "xlsx", log_table(places, work.tell))
        name = work.keep(target, "xlsx")
        log_change(club, work.job.asked_by, SAVED, now=timezone.now())
        return JobResult(name, f"{club.slug}-log.xlsx")

    def file_type(self, job: Job) -> str:
        del job
        return CONTENT_TYPES["xlsx"]


GONE = gettext_noop("This club no longer exists.")

urlpatterns = [path("clubs/<slug:slug>/log.<slug:kind>", club_log_file, name="club_log_file")]
