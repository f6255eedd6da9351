"""The standings, live."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.views.decorators.http import require_safe

from tournaments.in_words.terms import signed
from tournaments.in_words.ties import ties_in_words
from tournaments.standings import Row, standings
from tournaments.views.hall.live import HallRequest, find_tournament, live_page

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament


@require_safe
def hall_standings(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return live_page(request, tournament, "standings", lambda: _ranking(tournament))


@dataclass(frozen=True, slots=True)
class Line:
    """A player's row and what stands in its columns after the total: amounts, then words."""

    row: Row
    amounts: list[str]
    texts: list[str]


def _ranking(tournament: Tournament) -> dict[str, Any]:
    table = standings(tournament)
    ties = ties_in_words(table.rows, table.tie_break_codes)
    clubs = len({row.club for row in table.rows}) > 1
    return {
        "standings": table,
        "ties": bool(ties),
        "clubs": clubs,
        "lines": [
            Line(
                row,
                _amounts(row, with_penalties=table.has_penalties),
                ([ties.get(row.entry_id, "")] if ties else []) + ([row.club] if clubs else []),
            )
            for row in table.rows
        ],
    }


def _amounts(row: Row, *, with_penalties: bool) -> list[str]:
    """The tokens of each round, and the penalties where anybody has any."""
    rounds = ["–" if tokens is None else signed(tokens) for tokens in row.rounds]
    return [*rounds, signed(row.penalties) if row.penalties else ""] if with_penalties else rounds
