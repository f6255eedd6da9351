"""The standings, live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.http.responses import file_response
from tournaments.domain.formats import Ranked
from tournaments.exports.result_tables import STANDINGS_CONTENT_TYPES, standings_file
from tournaments.hall.live import HallRequest, find_tournament, live_page, player_pages
from tournaments.hall.story_text import fallen_records_text, hangs_on
from tournaments.hall.teams import find_in_teams, team_places
from tournaments.ledger.seating import next_seats, substitutes_text
from tournaments.lifecycle.money import podiums
from tournaments.seasons.stages import by_the_place
from tournaments.standings.columns import PLAYERS, On, select_columns
from tournaments.standings.players import standings
from tournaments.standings.tie_breaks import carried_in_words, comparison_in_words, tie_breaks_text

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament
    from tournaments.standings.tie_breaks import Row


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
