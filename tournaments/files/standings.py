"""A tournament's standings as a file: CSV, XLSX or JSON, with the names as the hall shows them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from clubs.table_file import CONTENT_TYPES as SHEET_TYPES
from clubs.table_file import Table, number_of, table_file
from tournaments.standings.comparing_said import comparison_in_words
from tournaments.values.comparing import plain_factor

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.standings.players import Row, Standings

CONTENT_TYPES = SHEET_TYPES | {"json": "application/json; charset=utf-8"}


def standings_file(tournament: Tournament, table: Standings, kind: str) -> bytes:
    """The standings as "csv", "xlsx" or "json"."""
    if kind == "json":
        return json.dumps(_plain(tournament, table), ensure_ascii=False, indent=1).encode()
    heads = [
        _("Place"),
        _("No."),
        _("Name"),
        _("Club"),
        _("Total"),
        _("Taken along"),
        _("Penalties"),
        _("Tokens"),
    ]
    rounds = [_("Round %(number)d") % {"number": number} for number in table.rounds]
    rows = [
        [
            row.rank,
            row.number,
            row.name,
            row.club,
            row.total,
            row.carried,
            row.penalties,
            row.tokens,
            *row.rounds,
        ]
        for row in table.rows
    ]
    return table_file(kind, Table([*heads, *rounds], rows, _("Standings")))


def _plain(tournament: Tournament, table: Standings) -> dict[str, Any]:
    return {
        "code": tournament.code,
        "tournament": tournament.name,
        "host": tournament.host.name,
        "date": str(tournament.date),
        "final": tournament.is_finished,
        "places_by": table.comparison.kind,
        "factor_at_three": plain_factor(table.comparison.factor)
        if table.comparison.kind == "factor"
        else None,
        "places_by_in_words": comparison_in_words(table.comparison),
        "rounds": table.rounds,
        "standings": [_row(row) for row in table.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "place": row.rank,
        "shared": row.shared,
        "number": row.number,
        "name": row.name,
        "club": row.club,
        "withdrawn": row.withdrawn,
        "total": number_of(row.total),
        "taken_along": number_of(row.carried),
        "penalties": row.penalties,
        "tokens": row.tokens,
        "by_round": row.rounds,
    }
