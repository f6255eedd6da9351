"""A tournament at a glance: what is being played now, and the ways on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Sum
from django.views.decorators.http import require_safe

from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.ledger.tables import current_round, next_round, reported_deals
from tournaments.models import Entry
from tournaments.standings.players import standings
from tournaments.teams.said import rankings_now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http.response import HttpResponseBase

    from tournaments.models import Round, Tournament
    from tournaments.teams.said import Place

LEADING = 5


@dataclass(frozen=True, slots=True)
class Progress:
    """Deals reported in a round, of all that its tables play."""

    reported: int
    deals: int


def progress_of(round_: Round) -> Progress:
    deals = round_.tables.aggregate(deals=Sum("deals"))["deals"] or 0
    return Progress(sum(reported_deals(round_).values()), deals)


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
        "leading": table.rows[:LEADING] if table.rounds else [],
        "leaders": _leaders(tournament) if table.rounds else [],
        "standings": table,
        "players": tournament.entries.exclude(status=Entry.Status.WITHDRAWN).count(),
    }


def _leaders(tournament: Tournament) -> list[tuple[str, Sequence[Place]]]:
    """Of each group of pairs or teams its name and who leads it; nothing where everybody plays for themselves."""
    return [(ranking.name, ranking.places[:LEADING]) for ranking in rankings_now(tournament)]
