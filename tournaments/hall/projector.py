"""The wall of the hall: standings, seats of the next round and progress, turning by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.views.decorators.http import require_safe

from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.seat_finder import place_in_words, players_shown
from tournaments.ledger.tables import board, next_round, running_round
from tournaments.standings.columns import On
from tournaments.standings.players import standings
from tournaments.teams.said import places_now
from tournaments.web.hall_link import hall_link

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Round, Tournament


@require_safe
def projector(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    # Its address is that of this machine, which may come into another network.
    link = hall_link(request, tournament)
    return live_page(request, tournament, "projector", lambda: _wall(tournament), everybodys=False, link=link)


def _wall(tournament: Tournament) -> dict[str, Any]:
    table = standings(tournament)
    running = running_round(tournament)
    rows = board(running) if running else []
    reported = sum(row.reported for row in rows)
    # Whoever looks for a seat looks before the first deal is reported.
    seated = next_round(tournament) or (running if not reported else None)
    return {
        **places_now(tournament, On.PROJECTOR),
        "standings": table,
        "running": running,
        "rows": rows,
        "reported": reported,
        "deals": sum(row.table.deals for row in rows),
        "seated": seated,
        "seats": _seats(tournament, seated) if seated else [],
    }


def _seats(tournament: Tournament, round_: Round) -> list[tuple[str, str]]:
    """Who sits where in a round, by name: of a seat no more is read than the wall shows."""
    seats = round_.seats.order_by().values_list("entry", "table__number", "position")
    places = {entry: place_in_words(table, position) for entry, table, position in seats}
    shown = players_shown(tournament, [round_])
    return [(player.name, places[player.entry]) for player in shown if player.entry in places]
