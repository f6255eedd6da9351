"""One sheet of pairs and teams as a file for the hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from core.pdf.files import CannotMake
from core.pdf.store import kept_file, refuse_many_cells
from tournaments.ledger.queries import current_round
from tournaments.paper.cross import cross_pages
from tournaments.paper.pages import Occasion
from tournaments.paper.teams import schedule_pages, standings_pages
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament

TOO_LONG = gettext_noop(
    "This is too long to be drawn while you wait. Take it as a spreadsheet file instead, or ask an organiser."
)
NOT_DRAWN = gettext_noop("No matches have been drawn yet.")
MAKE = {"standings": standings_pages, "cross": cross_pages, "schedule": schedule_pages}


def teams_pdf(tournament: Tournament, what: str, *, printed_at: datetime, asker: str = "") -> bytes:
    """The "standings", the "cross" table or the "schedule" as one file. Raises CannotMake."""
    round_ = current_round(tournament)
    if round_ is None:
        raise CannotMake(NOT_DRAWN)
    if what == "cross":  # at the desk it is a job, as long as it may be
        divisions = team_standings(tournament).divisions
        refuse_many_cells(sum(len(division.rows) ** 2 for division in divisions), TOO_LONG)
    pages = MAKE[what](round_, Occasion(round_, printed_at))
    title = f"{pages[0].name}, {tournament.name}"
    return kept_file(pages, title, printed_at=printed_at, asker=asker)
