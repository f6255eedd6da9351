"""The log of a tournament: who did what, and when."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from django.core.paginator import Paginator
from django.db.models import Q
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from core.jobs import queue
from core.jobs.queue import remember_job
from tournaments.desk.evening.forms import LogForm
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.domain.terms import reason_words
from tournaments.exports.verify.jobs import VERIFY, of_tournament
from tournaments.ledger.queries import load_seats, rulebook_of
from tournaments.ledger.scoresheet import result_sentence
from tournaments.ledger.seating import Names
from tournaments.models import LogEntry, Report, Table, Tournament
from tournaments.web.guards import DeskRequest, desk_view, find_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse


LINES_ON_A_PAGE = 100


@desk_view(helper=True)
@require_safe
def desk_log(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The log; with `?table=2-7` what concerns table 7 of round 2."""
    asked = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,4})", request.GET.get("table", ""))
    table = find_table(tournament, int(asked[1]), int(asked[2])) if asked else None
    here = {"round": table.round.number, "number": table.number} if table else None
    form = LogForm(request.GET if "number" in request.GET else None, tournament=tournament, initial=here)
    if form.is_valid():
        return redirect(f"{request.path}?table={form.table_parameter}")
    pages = Paginator(events(tournament, table), LINES_ON_A_PAGE)
    context = {
        "tournament": tournament,
        "page": pages.get_page(request.GET.get("page")),
        "table": table,
        "form": form,
        "organises": request.organises,
    }
    return render(request, "desk/evening/log.html", context)


@desk_view(called_off=True, one_transaction=False)
@require_POST
def desk_verify(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Have everything of the tournament counted again."""
    wish = queue.JobRequest(VERIFY, of_tournament(tournament), get_language() or "en")
    job = queue.enqueue(wish, account=request.user, now=timezone.now(), anew=True)
    remember_job(cast("HttpRequest", request), job)
    return redirect("desk_job", job.pk)


# What happened in a tournament: the desk's steps, corrections and rulings of deals, newest first.


@dataclass(frozen=True, slots=True)
class Event:
    """`author` is who did it, `words` what; `reason` and `table` where there are any."""

    at: datetime
    author: str
    words: str
    reason: str = ""
    table: Table | None = None
    deal: int | None = None


def events(tournament: Tournament, table: Table | None = None) -> list[Event]:
    """Every step, correction and ruling; with `table`, all that concerns it, first reports included."""
    told = [*_steps(tournament, table), *_reports(tournament, table)]
    return sorted(told, key=lambda event: event.at, reverse=True)


def _steps(tournament: Tournament, table: Table | None) -> Iterator[Event]:
    log = LogEntry.objects.filter(tournament=tournament)
    if table:
        log = log.filter(params__round=table.round.number, params__table=table.number)
    for entry in log:
        yield Event(entry.at, entry.author, entry.words)


def _reports(tournament: Tournament, table: Table | None) -> Iterator[Event]:
    reports = Report.objects.filter(table__round__tournament=tournament).order_by("-pk")
    reports = (
        reports.filter(table=table)
        if table
        else reports.filter(Q(revision__gt=1) | Q(outcome__in=("ruled", TOTALS_ONLY)))
    )
    rulebook, told = rulebook_of(tournament), list(reports.select_related("table__round"))
    for report in told:
        report.table.round.tournament = tournament
    load_seats([report.table for report in told])
    for report in told:
        yield Event(
            report.recorded_at,
            report.author or report.get_source_display(),
            result_sentence(
                rulebook,
                report,
                Names(report.table, [seat.entry.shown_name for seat in report.table.seats.all()]),
            ),
            reason_words(report.reason),
            report.table,
            report.deal_number,
        )
