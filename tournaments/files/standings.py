"""A tournament's standings as a file: CSV, XLSX or JSON, with the names as the hall shows them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.tables.files import CONTENT_TYPES as SHEET_TYPES
from core.tables.files import table_file
from tournaments.domain.comparison import plain_factor
from tournaments.files.columns import as_json, as_table
from tournaments.standings.columns import PLAYERS
from tournaments.standings.comparison_text import comparison_in_words

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.standings.players import Standings
    from tournaments.standings.tie_breaks import Row

CONTENT_TYPES = SHEET_TYPES | {"json": "application/json; charset=utf-8"}


def standings_file(tournament: Tournament, table: Standings, kind: str) -> bytes:
    """The standings as "csv", "xlsx" or "json"."""
    if kind == "json":
        return json.dumps(_plain(tournament, table), ensure_ascii=False, indent=1).encode()
    return table_file(kind, as_table(PLAYERS, table.rows, table, _("Standings")))


def _plain(tournament: Tournament, table: Standings) -> dict[str, Any]:
    return {
        "code": tournament.code,
        "tournament": tournament.name,
        "host": tournament.host.name,
        "date": str(tournament.date),
        "final": tournament.is_finished,
        "objections_until": tournament.objections_until and tournament.objections_until.isoformat(),
        "places_by": table.comparison.kind,
        "factor_at_three": plain_factor(table.comparison.factor)
        if table.comparison.kind == "factor"
        else None,
        "places_by_in_words": comparison_in_words(table.comparison),
        "rounds": table.rounds,
        "standings": [_row(row) for row in table.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    more = {"shared": row.shared, "withdrawn": row.withdrawn, "by_round": row.rounds}
    return as_json(PLAYERS, row) | more
