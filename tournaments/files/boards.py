"""The comparison of a round on boards, and the ranking that follows, as tables for spreadsheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.tables.files import Table, Value, table_file
from tournaments.boards.folders import opened_rounds
from tournaments.boards.results import lines_of, ranking_of_players, ranking_of_teams
from tournaments.domain.terms import contract_name, outcome_name, seat_name, suit_name
from tournaments.ledger.queries import rulebook_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.rulebook import Rulebook
    from tournaments.boards.results import Line, Ranked
    from tournaments.models import Round, Tournament


def ranking_csv(tournament: Tournament) -> bytes:
    """The duplicate ranking over all rounds that are over: pairs or teams, where they meet, then the players."""
    headings = [
        _("Place"),
        _("Name"),
        _("No."),
        _("Deals"),
        _("Difference"),
        _("Tokens"),
        _("Plain place"),
        _("Cards"),
        _("Give or take"),
    ]
    opened = opened_rounds(tournament)
    rows = [
        _ranked(row)
        for row in [*ranking_of_teams(tournament, opened), *ranking_of_players(tournament, opened)]
    ]
    return table_file("csv", Table(headings, rows))


def _ranked(row: Ranked) -> list[Value]:
    cells: list[Value] = [row.rank, row.name, row.number, row.score.deals, row.score.difference]
    if row.split is None:
        return [*cells, None, None, None, None]
    margin = None if row.split.margin is None else round(row.split.margin, 1)
    return [*cells, row.tokens, row.plain_rank, row.split.cards, margin]


def comparison_csv(round_: Round) -> bytes:
    """A line for each player's part in each deal.

    The datum is what the others got over how many they were, exactly; here it and the difference have four decimals.
    """
    headings = [
        _("Round"), _("Folder"), _("Table"), _("Deal"), _("Seat"), _("No."), _("Name"), _("Declarer"),
        _("Contract"), _("Trump"), _("Result"), _("Tokens"), _("Others"), _("Tokens of the others"), _("Datum"),
        _("Difference"),
    ]  # fmt: skip
    rulebook = rulebook_of(round_.tournament)
    rows = [row for line in lines_of([round_]) for row in _rows(line, rulebook)]
    return table_file("csv", Table(headings, rows))


def _rows(line: Line, rulebook: Rulebook) -> Iterator[list[Value]]:
    report, result = line.report, line.report.result or {}
    for place in line.places:
        compared = place.compared
        name = line.names[place.position]
        yield [
            line.round_number,
            line.folder,
            line.table,
            line.deal,
            seat_name(rulebook, place.role),
            place.entry.number,
            name,
            int(place.position == report.declarer),
            contract_name(report.contract) if report.contract else "",
            suit_name(result["trump"]) if result.get("trump") else "",
            outcome_name(rulebook, report.outcome),
            place.tokens,
            compared.others if compared else 0,
            int(compared.datum * compared.others) if compared else None,
            compared.datum if compared else None,
            compared.difference if compared else None,
        ]
