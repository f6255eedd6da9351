"""The board of a round's tables, and which of them need attention."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from tournaments.desk.evening.navigation import now_of
from tournaments.domain.halls import find_hall
from tournaments.domain.terms import short_names
from tournaments.entries.entering import entries_found
from tournaments.ledger.queries import board, current_round, with_names
from tournaments.lifecycle.playing import SLOW_BY, Pace, deals_behind, paces
from tournaments.lifecycle.seat_changes import tables_waiting, without_seat
from tournaments.lifecycle.seat_plan import came_after_the_start
from tournaments.models import Flag, KeptReport
from tournaments.web.guards import DeskRequest, desk_view, find_round
from tournaments.web.live_parts import render_live

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from django.http import HttpResponse

    from tournaments.ledger.queries import BoardRow
    from tournaments.models import Entry, Round, Tournament


# The board: every table of a round, live, with what needs the organiser first.

# Tables per page; those that need attention come first.
ON_A_PAGE = 60


def late_waiting(tournament: Tournament) -> int:
    """Number of late reports waiting for a decision."""
    waiting = KeptReport.objects.filter(table__round__tournament=tournament, state=KeptReport.State.WAITING)
    return waiting.count()


def _without_seat(round_: Round) -> list[Entry]:
    """Players who arrived after the start; with those who have a bye, if a table of three has an empty chair."""
    found = without_seat(round_)
    if not found or any(tables_waiting(round_, entry) for entry in found):
        return found
    return came_after_the_start(round_)


def _search_tables(round_: Round, lines: Sequence[BoardLine], query: str) -> list[BoardLine]:
    """Tables with this number, or with a player of this name, club or number."""
    sat = round_.seats.filter(entry__in=entries_found(round_.tournament, query).values("pk"))
    found = set(sat.values_list("table", flat=True))
    return [
        line for line in lines if line.row.table.pk in found or str(line.row.table.number) == query.strip()
    ]


def _has_begun(row: BoardRow) -> bool:
    """Whether a table prevents the start of the round from being undone."""
    return bool(row.table.reports_count or row.kept or row.table.ended_early_at)


@desk_view(helper=True, in_hall=True)
@require_safe
def desk_board(request: DeskRequest, tournament: Tournament, number: int | None = None) -> HttpResponse:
    """The board of the round that runs, or of round `number`: as the tables stand in the hall, or as a list.

    To htmx its tables alone, or the rows of them that have changed.
    """
    round_ = current_round(tournament) if number is None else find_round(tournament, number)
    running = round_ is not None and round_.is_running
    now = now_of(request, tournament)
    rows = board(round_) if round_ else []
    if now.steps.running:
        # The board names the tables that wait, whichever round it shows.
        now.steps.tables = rows if running else board(now.steps.running)
    lines = board_lines(rows, timezone.now(), round_)
    hall = request.hall or find_hall(tournament.hall_list, request.GET.get("hall"))
    if hall:
        lines = [line for line in lines if hall.has(line.row.table.number)]
    query, is_list = request.GET.get("q", ""), request.GET.get("view") == "list"
    found = _search_tables(round_, lines, query) if round_ and query.strip() else lines
    groups = board_groups(found) if is_list else [BoardGroup("", found, len(found))] if found else []
    ordered = [line.row for group in groups for line in group.lines]
    page = Paginator(ordered, ON_A_PAGE).get_page(request.GET.get("page"))
    with_names(page.object_list)
    shown = {row.table.pk for row in page}
    context = {
        "tournament": tournament,
        "round": round_,
        "rounds": list(tournament.rounds.order_by("number")),
        "late_waiting": 0 if request.hall else late_waiting(tournament),
        "without_seat": _without_seat(round_) if running and round_ and not request.hall else [],
        "may_close_early": running and not all(row.done for row in rows),
        "may_take_start_back": running and not any(map(_has_begun, rows)),
        "groups": [part for group in groups if (part := group.part(shown)).lines],
        "is_list": is_list,
        "page": page,
        "q": query,
        "hall": hall,
        "is_long": len(lines) > ON_A_PAGE,
        "states": _count_by_state(lines) if round_ and not round_.is_drawn else {},
        "needs": now.needs,
    }
    return render_live(request, "evening/board", context)


def _count_by_state(lines: Sequence[BoardLine]) -> dict[str, int]:
    """The number of tables in each state; those with differences or deals for later need attention."""
    states = Counter("looks" if line.state in {"differs", "later"} else line.state for line in lines)
    return dict(states)


# What the organiser should look at while a round runs: which tables, and why, in words.

# Nothing heard of a table for so long is worth a walk to it.
SILENT_AFTER = timedelta(minutes=15)
UNTOLD = Pace(None, is_behind=False)


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A table on the board: how many deals behind the middle table, and when it last reported."""

    row: BoardRow
    behind: int
    last_report: str
    silent: bool = False  # for long, while it has deals to play
    pace: Pace = UNTOLD

    @property
    def is_slow(self) -> bool:
        return self.behind >= SLOW_BY and not self.row.complete and not self.row.done

    @property
    def needs_organiser(self) -> bool:
        """Whether the table needs the organiser now: rare deals can wait, and slow tables need no one."""
        return self.state not in {"plays", "waits", "done"}

    @property
    def state(self) -> str:
        """The table's state for the wall: calls, differs, signs, later, done, waits, plays."""
        kinds = {flag.kind for flag in self.row.flags}
        states = {
            "calls": Flag.Kind.CALL in kinds,
            "differs": Flag.Kind.CONFLICT in kinds or self.row.kept or self.row.gaps or self.row.lacks_player,
            "signs": self.row.waits_for_signatures,
            "later": Flag.Kind.LATER in kinds,
            "done": self.row.has_finished,
            "waits": self.row.is_to_come,
        }
        return next((state for state, holds in states.items() if holds), "plays")

    @property
    def call(self) -> Flag | None:
        """The oldest call that is open."""
        calls = [flag for flag in self.flags if flag.kind == Flag.Kind.CALL]
        return calls[0] if calls else None

    @property
    def later(self) -> Flag | None:
        """The oldest deal that was marked to be looked at."""
        marks = [flag for flag in self.flags if flag.kind == Flag.Kind.LATER]
        return marks[0] if marks else None

    @property
    def differing(self) -> Flag | None:
        """The oldest deal of which there are two versions."""
        found = [flag for flag in self.flags if flag.kind == Flag.Kind.CONFLICT]
        return found[0] if found else None

    @property
    def rare(self) -> int:
        """Number of rare deals not yet reviewed; they can wait."""
        return sum(flag.kind == Flag.Kind.RARE for flag in self.row.flags)

    @property
    def names(self) -> list[str]:
        """The players' short names, by position; see `with_names`."""
        return short_names(self.row.names)

    @property
    def signatures(self) -> list[tuple[str, bool]]:
        """Each player's short name, and whether they have signed the sheet."""
        return [
            (name, seat.agreed_at is not None) for name, seat in zip(self.names, self.row.seats, strict=True)
        ]

    @property
    def flags(self) -> list[Flag]:
        """Open calls and conflicts first, then deals to look at later, then rare ones; the oldest first."""
        can_wait = (Flag.Kind.LATER, Flag.Kind.RARE)
        return sorted(
            self.row.flags,
            key=lambda flag: (can_wait.index(flag.kind) + 1 if flag.kind in can_wait else 0, flag.raised_at),
        )

    @property
    def skipped(self) -> int:
        """Unreported deals before the newest reported one."""
        return self.row.newest_deal - self.row.reported

    @property
    def unconfirmed(self) -> int:
        return self.row.players - self.row.agreed


@dataclass(frozen=True, slots=True)
class BoardGroup:
    """A page of the tables with the same need, and their number in all."""

    title: str
    lines: Sequence[BoardLine]
    count: int

    def part(self, shown: Collection[int]) -> BoardGroup:
        """Render only the lines of these tables, by primary key."""
        return replace(self, lines=[line for line in self.lines if line.row.table.pk in shown])


def board_lines(rows: Sequence[BoardRow], now: datetime, round_: Round | None = None) -> list[BoardLine]:
    """A line for each table, with its pace in the running round; in a closed round no table is slow."""
    running = round_ is None or round_.is_running
    behind = deals_behind(rows) if running else {}
    pace = paces(round_, rows) if round_ is not None and running else {}

    def line(row: BoardRow) -> BoardLine:
        table, heard = row.table.pk, row.last_report_at
        plays = running and not row.complete and not row.done
        silent = plays and heard is not None and now - heard > SILENT_AFTER
        return BoardLine(row, behind.get(table, 0), ago(heard, now), silent, pace.get(table, UNTOLD))

    return [line(row) for row in rows]


def board_groups(lines: Iterable[BoardLine]) -> list[BoardGroup]:
    """The tables that need the organiser, that play, that wait for their day, that are done; in each, by number."""
    needing: list[BoardLine] = []
    by_state: dict[str, list[BoardLine]] = {"plays": [], "waits": [], "done": []}
    for line in lines:
        by_state.get(line.state, needing).append(line)
    groups = (
        (_("Needs you"), needing),
        (pgettext("tables", "Playing"), by_state["plays"]),
        (_("On another day"), by_state["waits"]),
        (_("Done"), by_state["done"]),
    )
    return [BoardGroup(title, lines, len(lines)) for title, lines in groups if lines]


def ago(moment: datetime | None, now: datetime) -> str:
    """The time since `moment`, as text; "" for None."""
    if moment is None:
        return ""
    minutes = max(0, int((now - moment).total_seconds() // 60))
    if minutes == 0:
        return _("just now")
    hours, rest = divmod(minutes, 60)
    if hours == 0:
        return ngettext("%(count)d minute ago", "%(count)d minutes ago", minutes) % {"count": minutes}
    if hours < 24:  # hours of a day
        return _("%(hours)d h %(minutes)d min ago") % {"hours": hours, "minutes": rest}
    days = hours // 24
    return ngettext("%(count)d day ago", "%(count)d days ago", days) % {"count": days}
