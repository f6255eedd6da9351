"""Standings and matches of pairs and teams as a file: CSV, XLSX or JSON, with the names as the hall shows them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.tables.files import CONTENT_TYPES as SHEET_TYPES
from core.tables.files import Table, table_file
from tournaments.files.columns import as_json, as_table
from tournaments.standings.team_text import TEAMS, state
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.standings.team_ranking import Result, Row
    from tournaments.standings.teams import TeamStandings

CONTENT_TYPES = SHEET_TYPES | {"json": "application/json; charset=utf-8"}


def teams_file(tournament: Tournament, kind: str) -> bytes:
    """The standings as "csv", with the matches on a second sheet as "xlsx", or all of it as "json"."""
    table = team_standings(tournament)
    if kind == "json":
        return json.dumps(_plain(tournament, table), ensure_ascii=False, indent=1).encode()
    return table_file(kind, as_table(TEAMS, table.rows, table, _("Standings")), _matches(table))


def _matches(table: TeamStandings) -> Table:
    heads = [
        _("Round"), _("Date"), _("Home"), _("Away"), _("Points, home"), _("Points, away"), _("Tokens, home"),
        _("Tokens, away"), _("Remark"),
    ]  # fmt: skip
    rows = []
    for result in (result for results in table.rounds.values() for result in results):
        away = table.names[result.away] if result.away is not None else ""
        points, tokens = result.points or (None, None), result.tokens or (None, None)
        home = table.names[result.home]
        rows.append([result.round, result.day, home, away, *points, *tokens, state(result)])
    return Table(heads, rows, _("Matches"))


def _plain(tournament: Tournament, table: TeamStandings) -> dict[str, Any]:
    return {
        "tournament": tournament.name,
        "code": tournament.code,
        "match_points": tournament.match_points,
        "by_average": table.by_average,
        "provisional": table.provisional,
        "divisions": [
            {"number": division.number, "teams": [_team(row) for row in division.rows]}
            for division in table.divisions
        ],
        "matches": [_match(result) for results in table.rounds.values() for result in results],
    }


def _team(row: Row) -> dict[str, Any]:
    return as_json(TEAMS, row) | {
        "promoted": row.promoted,
        "relegated": row.relegated,
        "withdrawn": row.withdrawn,
        "players": [
            {
                "number": player.number,
                "name": player.name,
                "matches": player.matches,
                "deals": player.deals,
                "tokens": player.tokens,
                "substitute": player.substitute,
            }
            for player in row.players
        ],
    }


def _match(result: Result) -> dict[str, Any]:
    return {
        "round": result.round,
        "number": result.number,
        "date": str(result.day) if result.day else None,
        "home": result.home,
        "away": result.away,
        "points": result.points,
        "tokens": result.tokens,
        "ruling": result.awarded_reason or None,
        "postponed_to": str(result.postponed_to) if result.postponed_to else None,
    }
