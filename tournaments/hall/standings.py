"""The standings, live, of players, pairs and teams; schedule with results, cross table, and a team's own page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.http.responses import file_response, hide_address
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.domain.formats import Ranked
from tournaments.exports.result_tables import (
    STANDINGS_CONTENT_TYPES,
    TEAMS_CONTENT_TYPES,
    standings_file,
    teams_file,
)
from tournaments.hall.live import HallRequest, find_tournament, live_page, player_pages
from tournaments.hall.story import fallen_records_text, hangs_on
from tournaments.ledger.seating import next_seats, substitutes_text
from tournaments.lifecycle.money import podiums
from tournaments.models import Entry, Team, TeamEntryRuling
from tournaments.paper.teams import match_pdf, teams_pdf
from tournaments.reporting.link_pages import find_team, own_match
from tournaments.seasons.championships import by_the_place
from tournaments.standings.columns import PLAYERS, On, select_columns
from tournaments.standings.players import standings
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
from tournaments.standings.tie_breaks import carried_in_words, comparison_in_words, tie_breaks_text
from tournaments.web.guards import only_with

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament
    from tournaments.standings.tie_breaks import Row


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


# So many places come with the page; of more the rest follows when these have been painted (static/js/live.js).
AT_FIRST = 60


@require_safe
def hall_standings(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return PLACES[tournament.format_row.ranked](request, tournament)


def _player_places(request: HallRequest, tournament: Tournament, title: str = "") -> HttpResponseBase:
    is_whole = "all" in request.GET
    return live_page(
        request,
        tournament,
        "standings",
        lambda: _ranking(tournament, None if is_whole else AT_FIRST),
        part="" if is_whole else "first",
        query="?all" if is_whole else "",
        title=title,
        **hangs_on(tournament, MOST_WITH_RECORDS),
    )


PLACES = {Ranked.PLAYERS: _player_places, Ranked.TEAMS: team_places}


# Players. With more, this page, which every phone loads first, does not query all deals for records: overview, story
# and projector show them.
MOST_WITH_RECORDS = 400


@require_safe
def hall_players(request: HallRequest, code: str) -> HttpResponseBase:
    """The players' own totals, where pairs or teams are ranked."""
    return _player_places(request, find_in_teams(code), title=_("Each player’s tokens"))


@require_safe
def hall_standings_file(_request: HallRequest, code: str, kind: str) -> HttpResponse:
    """Download the standings as CSV, XLSX or JSON; where pairs or teams are ranked, the players' own totals."""
    tournament = find_tournament(code)
    if kind not in STANDINGS_CONTENT_TYPES:
        raise Http404
    data = standings_file(tournament, standings(tournament), kind)
    return file_response(
        data, STANDINGS_CONTENT_TYPES[kind], tournament.name, _("standings"), kind=kind, attached=True
    )


class Line(NamedTuple):
    """A player's row, with additions to the columns."""

    row: Row
    place: str
    address: str
    # Whether the player qualifies for the championship's next stage by place, and is the last who does.
    goes_on: bool = False
    last_to_go_on: bool = False
    # Where the player sits next, in words.
    next: str = ""


def _ranking(tournament: Tournament, most: int | None = None) -> dict[str, Any]:
    """The rows of the standings; at `most` so many places."""
    table, page_of = standings(tournament), player_pages("hall_player")
    on = by_the_place(tournament)
    listed = table.rows[:most]
    seats = next_seats(tournament, [row.entry_id for row in listed])
    last = max((place for place, row in enumerate(table.rows) if row.number in on), default=-1)
    return {
        "standings": table,
        "fallen": fallen_records_text(tournament) if len(table.rows) <= MOST_WITH_RECORDS else [],
        "tie_breaks": tie_breaks_text(table.rulebook, table.tie_break_codes),
        "podiums": podiums(tournament) if tournament.is_played and not tournament.in_teams else [],
        # The template shows the club below the name, so that it fits on one line.
        "columns": [one for one in select_columns(PLAYERS, On.SCREEN, table) if one.name != "club"],
        "compared": comparison_in_words(table.comparison),
        "carried": carried_in_words(),
        "some_go_on": bool(on),
        "kinds": list(STANDINGS_CONTENT_TYPES),
        "substitutes": substitutes_text(tournament),
        "players": len(table.rows),
        "has_clubs": len({row.club for row in table.rows if row.club}) > 1,
        "has_more": most is not None and len(table.rows) > most,
        "lines": [
            Line(
                row,
                f"{row.rank}{'=' if row.shared else ''}",
                page_of(tournament.code, row.number),
                row.number in on,
                place == last,
                seats.get(row.number, ""),
            )
            for place, row in enumerate(listed)
        ],
    }
