"""The log of a club with its tournaments: one page for its organisers; as CSV streamed, as a long XLSX by a job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from axes.models import AccessFailureLog, AccessLog
from django.core.paginator import Paginator
from django.db.models import CharField, F, Q, QuerySet, Value
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import get_language, gettext_noop, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.clubs import log_change
from clubs.member_jobs import OfMembers, of_club
from clubs.models import Account, Club, ClubLogEntry
from clubs.views.guards import MemberRequest, club_view
from core.errors import JobError
from core.jobs.kinds import JobResult, WithdrawReason
from core.jobs.queue import JobRequest, enqueue, remember_job
from core.journal import status
from core.tables.files import CONTENT_TYPES, Table, stream_csv, table_file, write_tables
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.domain.terms import reason_words
from tournaments.ledger.queries import load_seats, rulebook_of
from tournaments.ledger.scoresheet import result_sentence
from tournaments.ledger.seating import Names
from tournaments.models import LogEntry, Report, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from django.http.response import HttpResponseBase

    from core.jobs.kinds import JobRun
    from core.jobs.models import Job


# A club's log: members and roles, tournaments, corrections and rulings, sign-ins and attempts.
#
# Each kind of event has its own table. The database filters and sorts them together, newest first, and only the
# events of the current page are loaded.

THE_CLUB = "club"  # as the choice of a tournament: what concerns none


@dataclass(frozen=True, slots=True)
class Asked:
    """The filters of the log; empty ones show all. `tournament` is a code, or THE_CLUB."""

    person: str = ""
    tournament: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """An event: time, account (by its name then), tournament if any, text, and reason."""

    at: datetime
    author: str
    words: str
    tournament: Tournament | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Query of one kind of event: its rows, the fields of time and author, and the rendering."""

    rows: Callable[[Club], QuerySet[Any]]
    at: str
    author: str
    told: Callable[[QuerySet[Any]], Iterable[tuple[int, Done]]]
    tournament: str = ""


def people(club: Club) -> list[str]:
    """Authors in the log, by name, and others who may appear there."""
    lines = (club.log, LogEntry.objects.filter(tournament__host=club))
    names = {name for of in lines for name in of.order_by().values_list("author", flat=True).distinct()}
    return sorted({*names, *map(str, _accounts(club))} - {""}, key=str.casefold)


def find_events(club: Club, asked: Asked) -> QuerySet[Any]:
    """(time, kind, number) of every matching event, newest first."""
    parts = []
    for name, kind in _KINDS.items():
        rows = kind.rows(club).order_by()
        if asked.tournament == THE_CLUB and kind.tournament:
            continue
        if asked.tournament not in ("", THE_CLUB):
            if not kind.tournament:
                continue
            rows = rows.filter(**{f"{kind.tournament}__code": asked.tournament})
        if asked.person:
            rows = rows.filter(**{f"{kind.author}__in": _called(club, asked.person, kind)})
        if asked.since:
            rows = rows.filter(**{f"{kind.at}__gte": asked.since})
        if asked.until:
            rows = rows.filter(**{f"{kind.at}__lt": asked.until})
        named = rows.annotate(moment=F(kind.at), kind_of=Value(name, output_field=CharField()))
        parts.append(named.values_list("moment", "kind_of", "pk"))
    return parts[0].union(*parts[1:], all=True).order_by("-moment", "kind_of", "-pk")


def read_events(page: Iterable[tuple[datetime, str, int]]) -> list[Done]:
    """The events of a page, in its order."""
    order = [(kind, number) for _moment, kind, number in page]
    numbers = defaultdict(list)
    for kind, number in order:
        numbers[kind].append(number)
    said: dict[tuple[str, int], Done] = {}
    for kind, wanted in numbers.items():
        rows = _MODELS[kind].objects.filter(pk__in=wanted)
        said |= {(kind, number): done for number, done in _KINDS[kind].told(rows)}
    return [said[place] for place in order if place in said]


def _called(club: Club, person: str, kind: _Kind) -> list[str]:
    """Spellings of a person in rows of a kind: sign-ins have the user name."""
    if kind.author != "username":
        return [person]
    return [account.username for account in _accounts(club) if str(account) == person]


def _accounts(club: Club) -> QuerySet[Account]:
    return Account.objects.filter(Q(roles__club__in=club.itself_and_unions())).distinct()


def _signed_in(model: type[AccessLog | AccessFailureLog]) -> Callable[[Club], QuerySet[Any]]:
    return lambda club: model.objects.filter(username__in=_accounts(club).values("username"))


def _entry_texts(rows: QuerySet[ClubLogEntry]) -> Iterable[tuple[int, Done]]:
    for row in rows:
        yield row.pk, Done(row.at, row.author, row.words)


def _steps(rows: QuerySet[LogEntry]) -> Iterable[tuple[int, Done]]:
    for row in rows.select_related("tournament"):
        yield row.pk, Done(row.at, row.author, row.words, row.tournament)


def _reports(rows: QuerySet[Report]) -> Iterable[tuple[int, Done]]:
    of_clubs = list(rows.select_related("table__round__tournament__host"))
    load_seats([row.table for row in of_clubs])
    for row in of_clubs:
        names = Names(row.table, [seat.entry.shown_name for seat in row.table.seats.all()])
        place = _("Round %(round)d, table %(table)d, deal %(deal)d") % {
            "round": row.table.round.number,
            "table": row.table.number,
            "deal": row.deal_number,
        }
        reason = reason_words(row.reason)
        author = row.author or str(row.get_source_display())
        words = f"{place}: {result_sentence(rulebook_of(row.table.round.tournament), row, names)}"
        yield row.pk, Done(row.recorded_at, author, words, row.table.round.tournament, reason)


def _sign_ins(rows: QuerySet[AccessLog]) -> Iterable[tuple[int, Done]]:
    for row in rows:
        words = _("Signed in from %(address)s") % {"address": row.ip_address or "?"}
        yield row.pk, Done(row.attempt_time, row.username, words)


def _refused(rows: QuerySet[AccessFailureLog]) -> Iterable[tuple[int, Done]]:
    for row in rows:
        text = _("Locked out after too many wrong passwords, from %(address)s") if row.locked_out else ""
        text = text or _("Wrong password, from %(address)s")
        yield row.pk, Done(row.attempt_time, row.username, text % {"address": row.ip_address or "?"})


def _corrections(club: Club) -> QuerySet[Report]:
    changed = Q(revision__gt=1) | Q(outcome__in=("ruled", TOTALS_ONLY))
    return Report.objects.filter(changed, table__round__tournament__host=club)


_MODELS: dict[str, Any] = {
    "club": ClubLogEntry,
    "step": LogEntry,
    "report": Report,
    "signed_in": AccessLog,
    "refused": AccessFailureLog,
}
_KINDS = {
    "club": _Kind(lambda club: club.log.all(), "at", "author", _entry_texts),
    "step": _Kind(
        lambda club: LogEntry.objects.filter(tournament__host=club), "at", "author", _steps, "tournament"
    ),
    "report": _Kind(_corrections, "recorded_at", "author", _reports, "table__round__tournament"),
    "signed_in": _Kind(_signed_in(AccessLog), "attempt_time", "username", _sign_ins),
    "refused": _Kind(_signed_in(AccessFailureLog), "attempt_time", "username", _refused),
}


LINES_ON_A_PAGE = 100
OFFERED = 100


def asked_in(given: Mapping[str, str]) -> Asked:
    """Filters from the URL; an invalid day is ignored."""
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
    return day if day and 1900 < day.year < 9999 else None  # years a clock has


def _begin(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time())) if day else None


@club_view()
@require_safe
def club_log(request: MemberRequest, club: Club) -> HttpResponse:
    """The log of the club, its tournaments and sign-ins; with filters, newest first."""
    page = Paginator(find_events(club, asked_in(request.GET)), LINES_ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "club": club,
        "page": page,
        "lines": read_events(page.object_list),
        "people": people(club),
        "tournaments": _offered(club, request.GET.get("tournament", "")),
        "asked": query,
        "query": query.urlencode(),
        "the_club": THE_CLUB,
        "backup": status.storage_status(timezone.now()),
    }
    return render(request, "desk/club/club_log.html", context)


def _offered(club: Club, asked: str) -> list[Tournament]:
    """Tournaments for the filter: the newest, and the selected one."""
    newest = list(club.tournaments.order_by("-date", "-pk")[:OFFERED])
    chosen = club.tournaments.filter(code=asked).exclude(pk__in=[one.pk for one in newest])
    return [*newest, *chosen]


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


urlpatterns = [
    path("clubs/<slug:slug>/log/", club_log, name="club_log"),
    path("clubs/<slug:slug>/log.<slug:kind>", club_log_file, name="club_log_file"),
]
