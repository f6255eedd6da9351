"""The board: every table of a round, live, with what needs the organiser first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.desk.evening.attention import BoardGroup, board_groups, board_lines
from tournaments.desk.evening.now import now_of
from tournaments.entries.entering import entries_found
from tournaments.ledger.queries import board, current_round, with_names
from tournaments.lifecycle.seat_changes import tables_waiting, without_seat
from tournaments.lifecycle.seat_plan import came_after_the_start
from tournaments.models import KeptReport
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import find_round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from tournaments.desk.evening.attention import BoardLine
    from tournaments.ledger.queries import BoardRow
    from tournaments.models import Entry, Round, Tournament


# So many tables are shown at a time, those first that need somebody.
ON_A_PAGE = 60


def late_waiting(tournament: Tournament) -> int:
    """How many late reports nobody has decided."""
    waiting = KeptReport.objects.filter(table__round__tournament=tournament, state=KeptReport.State.WAITING)
    return waiting.count()


def _without_seat(round_: Round) -> list[Entry]:
    """Who came after the start; those with a bye too where a table of three is waiting for somebody."""
    found = without_seat(round_)
    if not found or any(tables_waiting(round_, entry) for entry in found):
        return found
    return came_after_the_start(round_)


def _found(round_: Round, lines: Sequence[BoardLine], query: str) -> list[BoardLine]:
    """The tables whose number is sought, or at which somebody sits whose name, club or number is."""
    sat = round_.seats.filter(entry__in=entries_found(round_.tournament, query).values("pk"))
    found = set(sat.values_list("table", flat=True))
    return [
        line for line in lines if line.row.table.pk in found or str(line.row.table.number) == query.strip()
    ]


def _has_begun(row: BoardRow) -> bool:
    """Whether a table keeps the round's start from being taken back."""
    return bool(row.table.reports_count or row.kept or row.table.ended_early_at)


@desk_view(helper=True)
@require_safe
def desk_board(request: DeskRequest, tournament: Tournament, number: int | None = None) -> HttpResponse:
    """The board of the round that runs, or of round `number`: as the tables stand in the hall, or as a list.

    To htmx its tables alone.
    """
    round_ = current_round(tournament) if number is None else find_round(tournament, number)
    running = round_ is not None and round_.is_running
    now = now_of(request, tournament)
    rows = board(round_) if round_ else []
    if now.steps.running:
        # The board names the tables that wait, whichever round it shows.
        now.steps.tables = rows if running else board(now.steps.running)
    lines = board_lines(rows, timezone.now(), round_)
    query, is_list = request.GET.get("q", ""), request.GET.get("view") == "list"
    found = _found(round_, lines, query) if round_ and query.strip() else lines
    groups = board_groups(found) if is_list else [BoardGroup("", found, len(found))] if found else []
    ordered = [line.row for group in groups for line in group.lines]
    page = Paginator(ordered, ON_A_PAGE).get_page(request.GET.get("page"))
    with_names(page.object_list)
    shown = {row.table.pk for row in page}
    context = {
        "tournament": tournament,
        "round": round_,
        "rounds": list(tournament.rounds.order_by("number")),
        "late_waiting": late_waiting(tournament),
        "without_seat": _without_seat(round_) if running and round_ else [],
        "may_close_early": running and not all(row.done for row in rows),
        "may_take_start_back": running and not any(map(_has_begun, rows)),
        "groups": [part for group in groups if (part := group.part(shown)).lines],
        "is_list": is_list,
        "page": page,
        "q": query,
        "is_long": len(lines) > ON_A_PAGE,
        "states": _counted(lines) if round_ and not round_.is_drawn else {},
        "needs": now.needs,
    }
    return render(request, "desk/evening/_board.html" if request.htmx else "desk/evening/board.html", context)


def _counted(lines: Sequence[BoardLine]) -> dict[str, int]:
    """How many tables are in each state; those that differ or have a deal for later are to be looked at."""
    states = Counter("looks" if line.state in {"differs", "later"} else line.state for line in lines)
    return dict(states)
