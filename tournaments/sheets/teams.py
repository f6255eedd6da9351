"""Pairs and teams on paper: the standings, who met whom, and the schedule with its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from tournaments.in_words.matches import cross_tables, rankings, rounds_of_matches
from tournaments.in_words.teams import are_pairs, ranking_in_words
from tournaments.money import in_kroner
from tournaments.settling_up import prizes_by_team, reckon
from tournaments.sheets.pages import Occasion, Page, chunks
from tournaments.sheets.text import cut
from tournaments.team_standings import team_standings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.in_words.matches import CrossTable, RoundOfMatches
    from tournaments.models import Round, Tournament

ROWS_A_PAGE = 36
LONGEST_NAME = 48
# Matches down a page of the schedule, each round's heading counted as two.
LINES_A_COLUMN = 56
HEADING_LINES = 2
# Teams side by side in a cross table.
COLUMNS_A_PAGE = 16


def standings_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The standings after a round, or during it, a division after the other; at the end with the prizes."""
    tournament = round_.tournament
    is_final = occasion.is_final
    prizes = _prizes(tournament) if is_final else {}
    table = team_standings(tournament, through=round_.number)
    parts = [
        (ranking, part)
        for ranking in rankings(tournament, table)
        for part in chunks(ranking.places, ROWS_A_PAGE)
    ]
    return [
        Page(
            "sheets/_team_standings.html",
            name=_("Final standings") if is_final else _("Standings"),
            css="ranking of-teams",
            context={
                "occasion": occasion,
                "standings": table,
                "pairs": are_pairs(tournament),
                "division": ranking.name,
                "is_final": is_final,
                "winners": ranking.winners,
                "has_prizes": bool(prizes),
                "places": [
                    (place, cut(place.row.name, LONGEST_NAME), prizes.get(place.row.number, ""))
                    for place in part
                ],
                "decided": ranking_in_words(tournament) if number == len(parts) else [],
            },
        )
        for number, (ranking, part) in enumerate(parts, 1)
    ]


def _prizes(tournament: Tournament) -> dict[int, str]:
    """Each prize in kroner, by the number of the pair or team."""
    won = prizes_by_team(tournament, reckon(tournament).by_place)
    return {number: in_kroner(amount) for number, amount in won.items() if amount}


def cross_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """Who met whom, as it stands now."""
    tournament = round_.tournament
    return [
        Page(
            "sheets/_cross.html",
            name=_("Cross table"),
            css="ranking of-teams",
            context={
                "occasion": occasion,
                "pairs": are_pairs(tournament),
                "division": table.name,
                "columns": [line.row for line in table.rows[first : first + COLUMNS_A_PAGE]],
                "lines": [
                    (cut(line.row.name, LONGEST_NAME), line, line.cells[first : first + COLUMNS_A_PAGE])
                    for line in table.rows
                ],
            },
        )
        for table in cross_tables(tournament)
        for first in _starts(table)
    ]


def _starts(table: CrossTable) -> range:
    return range(0, max(1, len(table.rows)), COLUMNS_A_PAGE)


def schedule_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """Every round with its day, its matches, their results, and who has a bye."""
    table = team_standings(round_.tournament)
    return [
        Page(
            "sheets/_schedule.html",
            name=_("Schedule"),
            css="ranking of-teams",
            context={"occasion": occasion, "columns": columns},
        )
        for columns in chunks(list(_columns(rounds_of_matches(table))), 2)
    ]


def _columns(rounds: list[RoundOfMatches]) -> Iterator[list[dict[str, Any]]]:
    """The rounds in columns, none broken over two."""
    column: list[dict[str, Any]] = []
    room = LINES_A_COLUMN
    for found in rounds:
        lines = HEADING_LINES + len(found.matches) + bool(found.byes)
        if column and lines > room:
            yield column
            column, room = [], LINES_A_COLUMN
        column.append(
            {"number": found.number, "day": found.day, "matches": found.matches, "byes": found.byes}
        )
        room -= lines
    if column:
        yield column
