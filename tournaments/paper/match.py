"""A match on paper, for both teams: who sat where, each table's result, and who has agreed to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.page import Page
from core.pdf.store import kept_file
from tournaments.domain.terms import signed
from tournaments.lifecycle.match_results import confirmations, score_of
from tournaments.paper.page import Occasion
from tournaments.standings.team_ranking import side_of
from tournaments.standings.team_text import when_of

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.lifecycle.match_results import TableResult
    from tournaments.models import Match


def match_pages(match: Match, occasion: Occasion) -> list[Page]:
    """The page of a match; before the match, with room to write the results by hand."""
    score = score_of(match)
    agreed = confirmations(match, score)
    is_played = any(one.reported for one in score.tables)
    sides = [(match.home, 0), *([(match.away, 1)] if match.away else [])]
    return [
        Page(
            "paper/_match.html",
            name=_("Match sheet"),
            css="ranking of-teams match-sheet",
            context={
                "occasion": occasion,
                "match": match,
                "when": when_of(match),
                "is_played": is_played,
                "tables": [
                    (one, signed(one.tokens[0]), signed(one.tokens[1]), _rows(one, at_second=place > 0))
                    for place, one in enumerate(score.tables)
                ],
                "ruling": match.awarded_reason,
                "sides": [
                    (
                        team,
                        signed(score.tokens[side]) if is_played else "",
                        str(score.points[side]) if score.is_complete else "",
                        agreed.get(team.pk),
                    )
                    for team, side in sides
                ],
            },
        )
    ]


def _rows(result: TableResult, *, at_second: bool) -> list[tuple[str, str, bool, str]]:
    """A table's seats: the letter, the player, whether they sit for the home team, and their tokens."""
    seats = result.table.seats.select_related("entry__player", "entry__club", "entry__tournament__host")
    return [
        (
            seat.letter,
            seat.entry.shown_name,
            side_of(seat.position, at_second=at_second) == 0,
            signed(seat.tokens) if result.reported else "",
        )
        for seat in seats.order_by("position")
    ]


def match_pdf(match: Match, *, printed_at: datetime, asker: str = "") -> bytes:
    """A match's sheet as one file. Raises CannotMake."""
    pages = match_pages(match, Occasion(match.round, printed_at))
    return kept_file(pages, f"{pages[0].name}, {match}", printed_at=printed_at, asker=asker)
