"""What happened in a tournament: the desk's steps, corrections and rulings of deals, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Prefetch, Q

from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.domain.terms import reason_words
from tournaments.ledger.queries import NAMED_SEATS, rulebook_of
from tournaments.ledger.scoresheet import result_sentence
from tournaments.ledger.seating import Names
from tournaments.models import LogEntry, Report, Table, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime


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
    seats = Prefetch("table__seats", NAMED_SEATS.queryset)
    rulebook = rulebook_of(tournament)
    for report in reports.select_related("table__round").prefetch_related(seats):
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
