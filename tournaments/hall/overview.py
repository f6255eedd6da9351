"""A tournament at a glance: what is being played now, and the ways on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.views.decorators.http import require_safe

from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.records_said import fallen_said
from tournaments.ledger.progress import progress_of
from tournaments.ledger.tables import current_round, next_round
from tournaments.models import Entry
from tournaments.standings.columns import On
from tournaments.standings.players import standings
from tournaments.teams.said import LEADING, places_now

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament


@require_safe
def hall(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return live_page(request, tournament, "overview", lambda: _situation(tournament))


def _situation(tournament: Tournament) -> dict[str, Any]:
    round_ = current_round(tournament)
    table = standings(tournament)
    return {
        "round": round_,
        "coming": next_round(tournament),
        "progress": progress_of(round_) if round_ and round_.is_running else None,
        **(places_now(tournament, On.FRONT_PAGE) if table.rounds and table.rows else {}),
        "most": f":{LEADING}",
        "standings": table,
        "fallen": fallen_said(tournament),
        "players": tournament.entries.exclude(status=Entry.Status.WITHDRAWN).count(),
    }
