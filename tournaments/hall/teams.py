"""Pairs and teams in the hall: standings, schedule with results, cross table, and a team's own page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.http.responses import file_response, hide_address
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.exports.result_tables import TEAMS_CONTENT_TYPES, teams_file
from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.models import Entry, Team, TeamEntryRuling
from tournaments.paper.teams import match_pdf, teams_pdf
from tournaments.reporting.line_up_page import find_team, own_match
from tournaments.standings.columns import On, select_columns
from tournaments.standings.team_text import (
    TEAMS,
    cross_tables,
    division_name,
    match_line,
    next_matches,
    ranking_in_words,
    rankings,
    rounds_of_matches,
    tables_of_matches,
)
from tournaments.standings.teams import team_standings
from tournaments.web.lookup import only_with

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament


# What can be printed, and the page it is of.
PAGES = {"standings": "standings", "cross": "hall_cross_table", "schedule": "hall_matches"}
TITLES = {
    "standings": gettext_lazy("Standings"),
    "cross": gettext_lazy("Cross table"),
    "schedule": gettext_lazy("Schedule"),
}


def find_in_teams(code: str) -> Tournament:
    """The tournament of a code, if pairs or teams meet in it."""
    tournament = find_tournament(code)
    only_with(tournament, "matches")
    return tournament


def team_places(request: HallRequest, tournament: Tournament) -> HttpResponseBase:
    return live_page(request, tournament, "team_standings", lambda: team_ranking(tournament))


def team_ranking(tournament: Tournament) -> dict[str, Any]:
    table = team_standings(tournament)
    matches = next_matches(tournament, table)
    return {
        "standings": table,
        "columns": select_columns(TEAMS, On.SCREEN, table),
        "divisions": [
            (division, [(row, matches.get(row.number, "")) for row in division.rows])
            for division in rankings(tournament, table)
        ],
        "decided": ranking_in_words(tournament),
        "kinds": list(TEAMS_CONTENT_TYPES),
    }


@require_safe
def hall_matches(request: HallRequest, code: str) -> HttpResponseBase:
    """The schedule: every round with its day, its matches and their results."""
    tournament = find_in_teams(code)
    return live_page(
        request,
        tournament,
        "matches",
        lambda: {
            "rounds": rounds_of_matches(team_standings(tournament), tables_of_matches(tournament)),
        },
    )


@require_safe
def hall_cross_table(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_in_teams(code)
    return live_page(
        request,
        tournament,
        "cross",
        lambda: {"tables": cross_tables(tournament)},
    )


@require_safe
def hall_team(request: HallRequest, code: str, number: int) -> HttpResponseBase:
    tournament = find_in_teams(code)
    team = get_object_or_404(Team.objects.select_related("club"), tournament=tournament, number=number)
    return live_page(
        request, tournament, "team", lambda: _season(tournament, team), part=str(number), team=team
    )


@a_pdf
@require_safe
def hall_teams_pdf(request: HttpRequest, code: str, what: str) -> HttpResponse:
    """Standings, cross table or schedule as PDF; if it cannot be made, the page with the reason."""
    tournament = find_in_teams(code)
    if what not in PAGES:
        raise Http404
    return pdf_answer(
        request,
        lambda: teams_pdf(tournament, what, **for_visitor(request)),
        tournament.name,
        TITLES[what],
        instead=reverse(PAGES[what], args=[tournament.code]),
    )


@a_pdf
@never_cache
@require_safe
def team_match_pdf(request: HttpRequest, secret: str, round_number: int, number: int) -> HttpResponse:
    """A match's sheet as PDF, by the link of either team; if it cannot be made, the team's page with the reason."""
    team = find_team(secret)
    match = own_match(team, round_number, number)
    return hide_address(
        pdf_answer(
            request,
            lambda: match_pdf(match, **for_visitor(request)),
            str(match),
            _("Match sheet"),
            instead=reverse("team_line_up", args=[secret]),
        )
    )


@require_safe
def hall_teams_file(_request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """The standings and matches as CSV, XLSX or JSON."""
    tournament = find_in_teams(code)
    if kind not in TEAMS_CONTENT_TYPES:
        raise Http404
    data = teams_file(tournament, kind)
    return file_response(
        data, TEAMS_CONTENT_TYPES[kind], tournament.name, _("matches"), kind=kind, attached=True
    )


def _season(tournament: Tournament, team: Team) -> dict[str, Any]:
    table = team_standings(tournament)
    row = next((row for row in table.rows if row.number == team.number), None)
    names = dict(table.names)
    members = Entry.objects.filter(team=team).select_related("player", "club", "tournament__host")
    return {
        "team": team,
        "division": division_name(tournament, team.division) if len(table.divisions) > 1 else "",
        "row": row,
        "entry_rulings": TeamEntryRuling.objects.filter(team_entry__team=team),
        "rulings": team.penalties.filter(cancelled_at=None).select_related("round"),
        "members": members.order_by("reserve", "number"),
        "matches": [match_line(result, names) for result in row.results] if row else [],
        "substitutes": [player for player in row.players if player.substitute] if row else [],
        "players": row.players if row else [],
    }
