"""A tournament at a glance: what is being played now, and the ways on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.domain.amounts import in_kroner
from tournaments.domain.formats import Ranked
from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.seats import players_shown
from tournaments.hall.story import Teller, fallen_records_text, hangs_on
from tournaments.ledger.queries import current_round, next_round, progress_of, rulebook_of
from tournaments.lifecycle.fixtures import next_at_home
from tournaments.lifecycle.money import podiums_from_the_last_deal
from tournaments.lifecycle.registration.places import places_left
from tournaments.models import Application, Entry, Tournament
from tournaments.standings.columns import On
from tournaments.standings.players import standings
from tournaments.standings.team_text import LEADING, places_now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http.response import HttpResponseBase

    from tournaments.lifecycle.money import Podium


@require_safe
def hall(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    kind = OWN_ROW[tournament.format_row.ranked]
    return live_page(
        request, tournament, "overview", lambda: _situation(tournament), kind=kind, **hangs_on(tournament)
    )


# Whose row a reader may call their own (static/js/mine.js).
OWN_ROW = {Ranked.PLAYERS: "player", Ranked.TEAMS: "team"}


MOST_MOMENTS = 4
NAMED = 100  # so many of who is entered are named; all are on the page of the seats


def _situation(tournament: Tournament) -> dict[str, Any]:
    round_ = current_round(tournament)
    table = standings(tournament)
    won = podiums_from_the_last_deal(tournament)
    return {
        "round": round_,
        "coming": next_round(tournament),
        "at_home": next_at_home(tournament) if tournament.in_teams else [],
        "progress": progress_of(round_) if round_ and round_.is_running else None,
        **(places_now(tournament, On.FRONT_PAGE) if table.rounds and table.rows else {}),
        "most": f":{LEADING}",
        "standings": table,
        "fallen": fallen_records_text(tournament),
        "players": tournament.entries.exclude(status=Entry.Status.WITHDRAWN).count(),
        **(_after_play(tournament, won) if won else {}),
        **(_to_come(tournament) if tournament.state == Tournament.State.SETUP else {}),
    }


def _after_play(tournament: Tournament, won: Sequence[Podium]) -> dict[str, Any]:
    """Winner, runners-up and highlights after play."""
    teller = Teller(tournament)
    on_podium = {(podium.name, place.number) for podium in won for place in podium.places}
    groups = [
        replace(group, rows=[row for row in group.rows if (group.name, row.number) not in on_podium])
        for group in places_now(tournament, On.FRONT_PAGE)["groups"]
    ]
    return {
        "podiums": won,
        "rest": [group for group in groups if group.rows],
        "rest_said": _("The places after the podium"),
        "changes_of_lead": teller.changes_of_lead() if won[0].ahead else "",
        "records": teller.records()[:MOST_MOMENTS],
    }


def _to_come(tournament: Tournament) -> dict[str, Any]:
    """Data for prospective players: the fee, the rules, the entries, the free places."""
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
