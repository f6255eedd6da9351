"""The comparison of a round on boards, and the ranking that follows, as tables for spreadsheets."""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING

from clubs.spreadsheet import guarded
from tournaments.duplicate import lines_of, ranking_of_players, ranking_of_teams
from tournaments.folders import opened_rounds
from tournaments.in_words.terms import contract_name, outcome_name, seat_name
from tournaments.queries import rulebook_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.rulebook import Rulebook
    from tournaments.duplicate import Line
    from tournaments.models import Round, Tournament

COLUMNS = (
    "round folder table deal seat number name declarer contract trump outcome tokens"
    " others others_tokens datum difference"
).split()


RANKING = "rank name number deals difference tokens plain_rank".split()


def ranking_csv(tournament: Tournament) -> str:
    """The duplicate ranking over all rounds that are over: pairs or teams, where they meet, then the players."""
    text = StringIO()
    table = csv.writer(text)
    table.writerow(RANKING)
    opened = opened_rounds(tournament)
    ranked = ranking_of_teams(tournament, opened) if tournament.in_teams else []
    for row in [*ranked, *ranking_of_players(tournament, opened)]:
        difference = round(float(row.score.difference), 4)
        plain = ("", "") if row.tokens is None else (row.tokens, row.plain_rank)
        table.writerow([row.rank, guarded(row.name), row.number, row.score.deals, difference, *plain])
    return text.getvalue()


def comparison_csv(round_: Round) -> str:
    """A line for each player's part in each deal.

    The datum is `others_tokens` over `others`, exactly; here it and the difference have four decimals.
    """
    text = StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    rulebook = rulebook_of(round_.tournament)
    for line in lines_of([round_]):
        table.writerows(_rows(line, rulebook))
    return text.getvalue()


def _rows(line: Line, rulebook: Rulebook) -> Iterator[list[object]]:
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
            guarded(name),
            int(place.position == report.declarer),
            contract_name(report.contract) if report.contract else "",
            result.get("trump", ""),
            outcome_name(report.outcome),
            place.tokens,
            compared.others if compared else 0,
            int(compared.datum * compared.others) if compared else "",
            round(float(compared.datum), 4) if compared else "",
            round(float(compared.difference), 4) if compared else "",
        ]
