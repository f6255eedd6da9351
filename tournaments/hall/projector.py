"""The wall of the hall: standings, seats of the next round and progress, turning by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.views.decorators.http import require_safe

from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.seat_finder import FoundSeat, all_players
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


def _seats(tournament: Tournament, round_: Round) -> list[tuple[str, FoundSeat]]:
    """Who sits where in a round, by name."""
    return [
        (player.name, seat)
        for player in all_players(tournament)
        for seat in player.seats
        if seat.round == round_.number
    ]
