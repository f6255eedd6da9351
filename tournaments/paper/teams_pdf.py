"""One sheet of pairs and teams as a file for the hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from tournaments.ledger.tables import current_round
from tournaments.paper.cross import cross_pages
from tournaments.paper.kept import kept_file, refuse_many_cells
from tournaments.paper.making import CannotMake
from tournaments.paper.pages import Occasion
from tournaments.paper.teams import schedule_pages, standings_pages

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament

NOT_DRAWN = gettext_noop("No matches have been drawn yet.")
MAKE = {"standings": standings_pages, "cross": cross_pages, "schedule": schedule_pages}


def teams_pdf(tournament: Tournament, what: str, *, printed_at: datetime, asker: str = "") -> bytes:
    """The "standings", the "cross" table or the "schedule" as one file. Raises CannotMake."""
    round_ = current_round(tournament)
    if round_ is None:
        raise CannotMake(NOT_DRAWN)
    pages = MAKE[what](round_, Occasion(round_, printed_at))
    if what == "cross":  # at the desk it is a job, as long as it may be
        refuse_many_cells(sum(len(page.context["columns"]) * len(page.context["lines"]) for page in pages))
    title = f"{pages[0].name}, {tournament.name}"
    return kept_file(pages, title, printed_at=printed_at, asker=asker)
