"""The wall of the hall: podium, seats, standings, tables and how far they are, turning by themselves.

Every slide fills one screen: lists are spread over pages here, so that all pages of a list are about equally full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournaments.domain.halls import find_hall
from tournaments.domain.terms import signed
from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.seats import place_in_words, players_shown
from tournaments.hall.story import Teller, fallen_records_text, hangs_on
from tournaments.ledger.queries import (
    BoardRow,
    board,
    names_at,
    next_round,
    rulebook_of,
    running_round,
    with_names,
)
from tournaments.ledger.scoresheet import result_sentence
from tournaments.lifecycle.money import podiums
from tournaments.lifecycle.playing import paces
from tournaments.models import base
from tournaments.models.base import spread
from tournaments.standings.columns import On
from tournaments.standings.players import last_report, standings
from tournaments.standings.team_text import places_by_total, places_now
from tournaments.standings.tie_breaks import Row, tie_break_text, tie_breaks_in_words
from tournaments.web.guards import hall_link

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.domain.halls import Hall
    from tournaments.lifecycle.money import Podium
    from tournaments.models import Round, Tournament
    from tournaments.standings.players import Standings

FIRST = 3
# Places listed next to the podium; number of highlights in the ticker.
BESIDE_PODIUM, MOMENTS = 7, 4
# With more tables highlights are shown after play only: they need all deals, at each report.
TOLD_OF = 16
# Columns, and rows in each at most: of places, of names, and of tables.
PLACES, NAMES, TABLES = (2, 18), (3, 16), (4, 3)
# A name has two lines; a longer one is set in smaller type.
LONG = 31
# So few are in one column, in larger letters.
IN_ONE_COLUMN = 9


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the standings; above the first that is below zero is the line of zero.

    `why` says of one of the first three how far behind the leader (the leader: how far ahead), or by which tie-break.
    """

    row: Any
    is_first_below: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A page of a list: the columns it has, and which page of how many it is."""

    columns: Sequence[Sequence[Any]]
    number: int
    of: int

    @property
    def rows(self) -> int:
        return max(map(len, self.columns), default=0)


@dataclass(frozen=True, slots=True)
class Group:
    """Places of all, or of a division: the first three stand on every page."""

    name: str
    first: Sequence[Place]
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class AtTable:
    """A table with who leads there."""

    row: BoardRow
    players: Sequence[tuple[str, int, bool]]


@dataclass(frozen=True, slots=True)
class OnPodium:
    """A podium, and the places below it: place, name and result as text."""

    podium: Podium
    others: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class JustNow:
    """Effect of the last deal: the player who moved up or won. Losses are not shown."""

    number: int
    table: int
    deal: int
    name: str
    said: str
    played: str


@require_safe
def projector(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    # Its address is that of this machine, which may come into another network.
    link = hall_link(request, tournament)
    hall = find_hall(tournament.hall_list, request.GET.get("hall"))
    return live_page(
        request,
        tournament,
        "projector",
        lambda: _wall(tournament, hall),
        everybodys=False,
        part=str(hall.number) if hall else "",
        query=f"?hall={hall.number}" if hall else "",
        hall=hall,
        link=link,
        **hangs_on(tournament),
    )


def _wall(tournament: Tournament, hall: Hall | None) -> dict[str, Any]:
    """The slides; on the wall of one hall its own seats and tables, and the standings of all."""
    table, shows = standings(tournament), tournament.wall.shows
    running = running_round(tournament)
    rows = board(running) if running else []
    here = [row for row in rows if hall is None or hall.has(row.table.number)]
    reported = sum(row.reported for row in rows)
    # Players look for their seats before the first deal is reported.
    seated = next_round(tournament) or (running if not reported else None)
    played = any(row.deals for row in table.rows) or table.has_carried
    places = places_now(tournament, On.PROJECTOR)
    slides = {
        base.PODIUM: _on_podium(tournament) if tournament.is_played else [],
        base.SEATS: _parts(_seats(tournament, seated, hall), *NAMES) if seated else [],
        base.STANDINGS: [_group(each.name, each.rows, table) for each in places["groups"]] if played else [],
        base.TABLES: _tables(here) if reported and base.TABLES in shows else [],
        base.PROGRESS: _progress(running, here) if running else [],
    }
    return {
        **places,
        "standings": table,
        "ticker": _ticker(tournament, len(rows)) if played else [],
        "just": _just_now(tournament, running, table) if running and reported else None,
        "running": running,
        "reported": reported,
        "deals": sum(row.table.deals for row in rows),
        "seated": seated,
        "hall": hall,
        "long": LONG,
        "slides": [(name, slides[name]) for name in _in_order(shows, reported) if slides[name]],
    }


def _on_podium(tournament: Tournament) -> list[OnPodium]:
    """Each division's podium, with the places that follow it."""
    groups, total = places_by_total(tournament)
    below = {
        group.name: [
            (f"{row.rank}{'=' if row.shared else ''}", row.name, total.cell_text(row))
            for row in group.rows
            if row.rank > FIRST and row.played
        ][:BESIDE_PODIUM]
        for group in groups
    }
    return [OnPodium(podium, below.get(podium.name, [])) for podium in podiums(tournament)]


def _ticker(tournament: Tournament, tables: int) -> list[tuple[str, str]]:
    """Broken records and the best moments so far, with their values; no losses."""
    fallen = [(said, "") for said in fallen_records_text(tournament)]
    if tournament.in_teams or tables > TOLD_OF:
        return fallen[:MOMENTS]
    records = Teller(tournament).records()
    moments = [(f"{record.what}: {record.text}", str(record.amount)) for record in records]
    return [*fallen, *moments][:MOMENTS]


def _just_now(tournament: Tournament, running: Round, table: Standings) -> JustNow | None:
    """Who of the table climbed by the last reported deal; else its winner, if any.

    Others climb when somebody of the table falls behind them; the deal is not theirs.
    """
    if tournament.in_teams:
        return None
    # The same report that the standings count places from.
    found = last_report(tournament, [running.number])
    if found is None:
        return None
    at, report = found
    if report.result is None or report.declarer is None:
        return None
    names = names_at(at)
    sat = list(at.seats.order_by().values_list("position", "entry__number"))
    numbers = {number for _position, number in sat}
    is_won = report.tokens[report.declarer] > 0
    played = result_sentence(rulebook_of(tournament), report, names) if is_won else ""
    climbers = [row for row in table.rows if row.number in numbers and (row.moved_by_deal or 0) > 0]
    if climbers:
        best = max(climbers, key=lambda row: (row.moved_by_deal, -row.rank))
        said = _("up to place %(place)d") % {"place": best.rank}
        return JustNow(best.number, at.number, report.deal_number, best.name, said, played)
    number = next((number for position, number in sat if position == report.declarer), None)
    row = next((row for row in table.rows if row.number == number), None)
    if row is None or not is_won:
        return None
    said = signed(report.tokens[report.declarer])
    return JustNow(row.number, at.number, report.deal_number, row.name, said, played)


def _in_order(shows: Sequence[str], reported: int) -> list[str]:
    """The order of the slides: once deals are reported, the seats of the next round are last."""
    return sorted(shows, key=lambda name: name == base.SEATS) if reported else list(shows)


def _parts(items: Sequence[Any], columns: int, most: int) -> list[Part]:
    pages = spread(items, columns, most)
    return [Part(page, number, len(pages)) for number, page in enumerate(pages, start=1)]


def _in_columns(items: Sequence[Any]) -> list[Part]:
    columns, most = PLACES
    return _parts(items, 1 if len(items) <= IN_ONE_COLUMN else columns, most)


def _group(name: str, rows: Sequence[Any], table: Standings) -> Group:
    totals = [getattr(row, "total", 0) for row in rows]
    why = gap_texts(rows[: FIRST + 1], table)
    places = [
        Place(row, index > 0 and totals[index] < 0 <= totals[index - 1], why.get(index, ""))
        for index, row in enumerate(rows)
    ]
    return Group(name, places[:FIRST], _in_columns(places[FIRST:]) or [Part([], 1, 1)])


def gap_texts(rows: Sequence[Any], table: Standings) -> dict[int, str]:
    """Texts of how far the first three are apart, or of the tie-breaks that decided, by the row's index.

    None of pairs and teams, of averages, and of shared places.
    """
    if table.comparison.kind != "sum" or not all(isinstance(row, Row) for row in rows):
        return {}
    names = {code: tie_break_text(table.rulebook, code).name for code in table.tie_break_codes}
    found = {}
    for index, row in enumerate(rows[:FIRST]):
        gap = rows[1].gap if not index and len(rows) > 1 else row.gap
        if row.shared or not isinstance(gap, int):
            continue
        if gap:
            said = (
                ngettext("%(gap)d token behind", "%(gap)d tokens behind", gap)
                if index
                else ngettext("%(gap)d token ahead", "%(gap)d tokens ahead", gap)
            )
            found[index] = said % {"gap": gap}
        elif row.told_apart_by:
            found[index] = _("by %(tie_breaks)s") % {"tie_breaks": tie_breaks_in_words(names, row)}
    return found


def _tables(rows: Sequence[BoardRow]) -> list[Part]:
    with_names(rows)
    columns, most = TABLES
    pages = spread([_at_table(row) for row in rows], 1, columns * most)
    return [Part(page, number, len(pages)) for number, page in enumerate(pages, start=1)]


def _at_table(row: BoardRow) -> AtTable:
    seats = row.seats
    best = max((seat.tokens for seat in seats), default=0)
    players = [
        (seat.entry.shown_name, seat.tokens, bool(row.reported) and seat.tokens == best) for seat in seats
    ]
    return AtTable(row, players)


def _progress(running: Round, rows: Sequence[BoardRow]) -> list[Part]:
    pace = paces(running, rows)
    return _in_columns([(row, pace[row.table.pk]) for row in rows])


def _seats(tournament: Tournament, round_: Round, hall: Hall | None) -> list[tuple[str, str]]:
    """The seating of a round, or of one hall, by name; only the columns that the wall shows are queried."""
    seats = round_.seats.order_by().values_list("entry", "table__number", "position")
    places = {
        entry: place_in_words(table, position, "" if hall else tournament.hall_at(table))
        for entry, table, position in seats
        if hall is None or hall.has(table)
    }
    shown = players_shown(tournament, [round_])
    return [(player.name, places[player.entry]) for player in shown if player.entry in places]
