"""Printing as a background job, asking for it, and tables that have changed since their sheets were printed."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from clubs.models import Account
from core.errors import JobError, NotPossible
from core.jobs import queue
from core.jobs.kinds import WithdrawReason, subject_name, subjects_by_name
from core.jobs.models import Job
from core.jobs.queue import remember_job
from core.pdf.files import PAGES_AT_ONCE, OfPages, look, made_of_pages, ready_of
from tournaments.changes.permissions import may_help_at
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser
    from django.db.models import QuerySet
    from django.http import HttpResponseRedirect
    from django.utils.functional import _StrPromise as StrPromise

    from core.jobs.kinds import JobResult, JobRun
    from core.pdf.page import Page
    from tournaments.models import Round
    from tournaments.web.guards import DeskRequest


# What is printed of a tournament for however many play in it: few pages at once, more as long work.

GONE = gettext_noop("This tournament no longer exists.")


@dataclass(frozen=True)
class Paper:
    """A kind of paper: its lines, lines per page, and the message if there are none.

    `pages` is called with the tournament, `printed_at`, and the parameters of the order.
    """

    title: StrPromise
    lines: Callable[[Tournament], QuerySet[Any]]
    pages: Callable[..., list[Page]]
    a_page: int
    nothing: str


def ask(
    kind: type[OfPapers], tournament: Tournament, paper: str, *, language: str, account: Account, **told: str
) -> Job:
    """The job that makes this paper for the current state, or an existing one; a short one is made at once.

    Raises NotPossible if there is nothing to print.
    """
    wanted = kind.papers[paper]
    lines = wanted.lines(tournament).count()
    if not lines:
        raise NotPossible(_(wanted.nothing))
    total = -(-lines // wanted.a_page)
    wish = queue.JobRequest(kind.code, of_tournament(tournament), language, {"paper": paper, **told}, total)
    job = queue.enqueue(wish, account=account, now=timezone.now())
    return queue.run_now(job) if total <= PAGES_AT_ONCE else job


def of_tournament(tournament: Tournament) -> str:
    """The subject of a tournament's print job."""
    return subject_name("tournament", tournament.pk)


def made_of(kind: type[OfPapers], tournament: Tournament) -> list[Job]:
    """Papers of a tournament that can still be opened, the newest first."""
    return ready_of(kind.code, of_tournament(tournament))


class OfPapers(OfPages):
    """A kind of job that makes a tournament's papers for its desk.

    The tournament's version shows whether a paper is out of date.
    """

    waits_for_long_ones = False
    withdrawn = frozenset({WithdrawReason.ERASED})
    papers: ClassVar[Mapping[str, Paper]]
    # The page that has the buttons for them.
    asked_on: ClassVar[str]

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("tournament", Tournament.objects.select_related("host", "held_by"), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        tournament = self.thing(job)
        if tournament is None or not isinstance(account, Account):
            return False
        return may_help_at(account, tournament)

    def title(self, job: Job) -> str:
        said = str(self.papers[job.about["paper"]].title)
        tournament = self.thing(job)
        return said if tournament is None else f"{said} · {tournament.name}"

    def page(self, job: Job) -> str:
        tournament = self.thing(job)
        return reverse("desk") if tournament is None else reverse(self.asked_on, args=[tournament.code])

    def context(self, job: Job) -> dict[str, Any]:
        tournament = self.thing(job)
        return {} if tournament is None else {"tournament": tournament}

    def version(self, job: Job) -> str:
        tournament = self.thing(job)
        return "" if tournament is None else f"{tournament.version} {look()}"

    def make(self, work: JobRun) -> JobResult:
        tournament, about = self.thing(work.job), dict(work.job.about)
        if tournament is None:
            raise JobError(GONE)
        paper = self.papers[about.pop("paper")]
        there = paper.lines(tournament).exists()
        pages = paper.pages(tournament, printed_at=timezone.localtime(), **about) if there else []
        if not pages:
            raise JobError(paper.nothing)
        named = tournament.name
        return made_of_pages(work, pages, f"{paper.title}, {named}", named, paper.title)


# Asking for a paper of a tournament with the button of a desk's page.


def asked_for(
    request: DeskRequest, tournament: Tournament, kind: type[OfPapers], paper: str, **told: str
) -> HttpResponseRedirect:
    """Redirect to the job that makes the paper.

    On a GET request (back button, old link) to the page with the button.

    Also if there is nothing to print, with a message. Raises Http404 for an unknown paper.
    """
    if paper not in kind.papers:
        raise Http404
    back = redirect(kind.asked_on, tournament.code)
    if request.method != "POST":
        return back
    language = get_language() or "en"
    try:
        job = ask(kind, tournament, paper, language=language, account=request.user, **told)
    except NotPossible as refusal:
        messages.warning(request, refusal.message)
        return back
    remember_job(request, job)
    return redirect("desk_job", job.pk)


SHEETS = "sheets"
# Kinds of sheets written on at a table; of everything for a round, the first one it has of them.
OF_A_TABLE = frozenset(("blank", "ticked"))


@dataclass(frozen=True, slots=True)
class Changed:
    """The numbers of the tables, and when the first of their sheets was made."""

    tables: list[int]
    since: datetime


def of_round(round_: Round) -> str:
    """The subject of a job of sheets."""
    return subject_name("round", round_.pk)


def seat_marks(round_: Round) -> dict[str, str]:
    """A fingerprint of each table's seats and deals, by its number as JSON has it."""
    seats: dict[int, list[tuple[int, int]]] = {}
    for number, position, entry in round_.seats.order_by("position").values_list(
        "table__number", "position", "entry__number"
    ):
        seats.setdefault(number, []).append((position, entry))
    tables = round_.tables.order_by("number").values_list("number", "empty_chair", "deals")
    hall_at = round_.tournament.hall_at
    return {
        str(number): sha256(f"{seats.get(number)} {empty} {deals}{hall_at(number)}".encode()).hexdigest()[:12]
        for number, empty, deals in tables
    }


def changed_tables(round_: Round) -> Changed | None:
    """Tables whose seats differ from their newest printed sheet; None if there are none."""
    made = Job.objects.filter(kind=SHEETS, thing=of_round(round_), state=Job.State.DONE).order_by("ended_at")
    printed: dict[str, tuple[str, datetime]] = {}
    for job in made:
        if _has_sheets(job):
            only = {str(number) for number in job.about.get("only") or [job.about.get("table")] if number}
            marks: dict[str, str] = job.said.get("seats", {})
            printed |= {
                number: (mark, job.ended_at)
                for number, mark in marks.items()
                if job.ended_at and (not only or number in only)
            }
    if not printed:
        return None
    now = seat_marks(round_)
    changed = {int(number) for number, (mark, _at) in printed.items() if now.get(number, mark) != mark}
    return Changed(sorted(changed), min(printed[str(number)][1] for number in changed)) if changed else None


def _has_sheets(job: Job) -> bool:
    return job.about.get("sheet") in OF_A_TABLE or bool(OF_A_TABLE & set(job.about.get("parts") or ()))
