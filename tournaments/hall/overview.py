"""A tournament at a glance: what is being played now, and the ways on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.from_home.places import places_left
from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.records_said import fallen_said, hangs_on
from tournaments.hall.seat_finder import players_shown
from tournaments.ledger.progress import progress_of
from tournaments.ledger.tables import current_round, next_round, rulebook_of
from tournaments.models import Application, Entry, Tournament
from tournaments.standings.columns import On
from tournaments.standings.players import standings
from tournaments.teams.said import LEADING, places_now
from tournaments.values.amounts import in_kroner

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase


@require_safe
def hall(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return live_page(request, tournament, "overview", lambda: _situation(tournament), **hangs_on(tournament))


NAMED = 100  # so many of who is entered are named; all are on the page of the seats


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
        **(_to_come(tournament) if tournament.state == Tournament.State.SETUP else {}),
    }


def _to_come(tournament: Tournament) -> dict[str, Any]:
    """What one wants to know who thinks of coming: the fee, the rules, who is entered, how many places are left."""
    entered = players_shown(tournament, ())
    waiting = tournament.applications.filter(state=Application.State.WAITING).count()
    return {
        "coming_evening": True,
        "fee": in_kroner(tournament.entry_fee) if tournament.entry_fee else "",
        "rules": tournament.rules_name or _(rulebook_of(tournament).name),
        "entered": entered[:NAMED],
        "more_entered": len(entered) > NAMED,
        "left": places_left(tournament),
        "waiting": waiting,
    }
