"""The wall of the hall: podium, seats, standings, tables and how far they are, turning by themselves.

Every slide fills one screen: lists are spread over pages here, so that all pages of a list are about equally full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.views.decorators.http import require_safe

from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.records_said import fallen_said, hangs_on
from tournaments.hall.seat_finder import place_in_words, players_shown
from tournaments.ledger.queries import BoardRow, board, next_round, running_round, with_names
from tournaments.lifecycle.money import podiums
from tournaments.lifecycle.playing import paces
from tournaments.models import base
from tournaments.models.base import spread
from tournaments.standings.columns import On
from tournaments.standings.players import standings
from tournaments.standings.team_text import places_now
from tournaments.web.public_url import hall_link

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Round, Tournament

FIRST = 3
# Columns, and rows in each at most: of places, of names, and of tables.
PLACES, NAMES, TABLES = (2, 18), (3, 16), (4, 3)
# Longer names stand in two lines of smaller letters.
LONG = 22
# So few are in one column, in larger letters.
IN_ONE_COLUMN = 9


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the standings; above the first that is below zero is the line of zero."""

    row: Any
    is_first_below: bool = False


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


@require_safe
def projector(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    # Its address is that of this machine, which may come into another network.
    link = hall_link(request, tournament)
    return live_page(
        request,
        tournament,
        "projector",
        lambda: _wall(tournament),
        everybodys=False,
        link=link,
        **hangs_on(tournament),
    )


def _wall(tournament: Tournament) -> dict[str, Any]:
    table, shows = standings(tournament), tournament.wall.shows
    running = running_round(tournament)
    rows = board(running) if running else []
    reported = sum(row.reported for row in rows)
    # Whoever looks for a seat looks before the first deal is reported.
    seated = next_round(tournament) or (running if not reported else None)
    played = any(row.deals for row in table.rows) or table.has_carried
    places = places_now(tournament, On.PROJECTOR)
    slides = {
        base.PODIUM: podiums(tournament) if tournament.is_played else [],
        base.SEATS: _parts(_seats(tournament, seated), *NAMES) if seated else [],
        base.STANDINGS: [_group(each.name, each.rows) for each in places["groups"]] if played else [],
        base.TABLES: _tables(rows) if reported and base.TABLES in shows else [],
        base.PROGRESS: _progress(running, rows) if running else [],
    }
    return {
        **places,
        "standings": table,
        "fallen": fallen_said(tournament)[:1],
        "running": running,
        "reported": reported,
        "deals": sum(row.table.deals for row in rows),
        "seated": seated,
        "long": LONG,
        "slides": [(name, slides[name]) for name in _in_order(shows, reported) if slides[name]],
    }


def _in_order(shows: Sequence[str], reported: int) -> list[str]:
    """Once deals come in, the seats of the round to come are last."""
    return sorted(shows, key=lambda name: name == base.SEATS) if reported else list(shows)


def _parts(items: Sequence[Any], columns: int, most: int) -> list[Part]:
    pages = spread(items, columns, most)
    return [Part(page, number, len(pages)) for number, page in enumerate(pages, start=1)]


def _in_columns(items: Sequence[Any]) -> list[Part]:
    columns, most = PLACES
    return _parts(items, 1 if len(items) <= IN_ONE_COLUMN else columns, most)


def _group(name: str, rows: Sequence[Any]) -> Group:
    totals = [getattr(row, "total", 0) for row in rows]
    places = [
        Place(row, index > 0 and totals[index] < 0 <= totals[index - 1]) for index, row in enumerate(rows)
    ]
    return Group(name, places[:FIRST], _in_columns(places[FIRST:]) or [Part([], 1, 1)])


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


def _seats(tournament: Tournament, round_: Round) -> list[tuple[str, str]]:
    """Who sits where in a round, by name: of a seat no more is read than the wall shows."""
    seats = round_.seats.order_by().values_list("entry", "table__number", "position")
    places = {entry: place_in_words(table, position) for entry, table, position in seats}
    shown = players_shown(tournament, [round_])
    return [(player.name, places[player.entry]) for player in shown if player.entry in places]
