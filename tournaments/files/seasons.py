"""A season's ladder as a file: CSV, XLSX or JSON, with the names as the hall shows them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.tables.files import CONTENT_TYPES as SHEET_TYPES
from core.tables.files import Table, number_of, table_file
from tournaments.seasons.ladder_table import awards_of
from tournaments.seasons.season import season_in_words

if TYPE_CHECKING:
    from tournaments.models import Season
    from tournaments.seasons.ladder import Evening
    from tournaments.seasons.ladder_table import Placed, SeasonTable

CONTENT_TYPES = SHEET_TYPES | {"json": "application/json; charset=utf-8"}


def season_file(season: Season, table: SeasonTable, kind: str) -> bytes:
    """The ladder as "csv", "xlsx" or "json"."""
    if kind == "json":
        return json.dumps(_plain(season, table), ensure_ascii=False, indent=1).encode()
    heads = [_("Place"), _("Name"), _("Club"), _("Total"), _("Evenings played"), _("Deals")]
    columns = [f"{evening.date} {evening.name}" for evening in table.evenings]
    rows = [
        [
            *(row.line.rank or None, row.name, row.club, row.line.total, row.line.played, row.line.deals),
            *(evening.worth if evening else None for evening in _each(row, table)),
        ]
        for row in table.rows
    ]
    return table_file(kind, Table([*heads, *columns], rows, _("Ladder")))


def _plain(season: Season, table: SeasonTable) -> dict[str, Any]:
    return {
        "season": season.name,
        "host": season.host.name,
        "starts": str(season.starts),
        "ends": str(season.ends),
        "rule": season.rule,
        "rule_in_words": season_in_words(season),
        "evenings": [
            {"code": one.code, "name": one.name, "date": str(one.date), "finished": one.is_finished}
            for one in table.evenings
        ],
        "ladder": [
            {
                "place": row.line.rank or None,
                "shared": row.line.shared,
                "name": row.name,
                "club": row.club,
                "total": number_of(row.line.total),
                "deals": row.line.deals,
                "evenings": [_evening(evening) for evening in _each(row, table)],
            }
            for row in table.rows
        ],
        "awards": [
            {"title": award.title, "words": award.words, "name": name}
            for award, name in awards_of(season, table.names)
        ],
    }


def _each(row: Placed, table: SeasonTable) -> list[Evening | None]:
    """All evenings in a player's line, with None where the player was away."""
    return [row.line.evening(column) for column in range(len(table.evenings))]


def _evening(evening: Evening | None) -> dict[str, Any] | None:
    if evening is None:
        return None
    return {
        "worth": number_of(evening.worth),
        "counts": evening.counts,
        "tokens": evening.result.tokens,
        "deals": evening.result.deals,
        "place": evening.result.rank,
    }
