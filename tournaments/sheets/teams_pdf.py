"""One sheet of pairs and teams as a file for the hall."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from tournaments.queries import current_round
from tournaments.sheets.jobs import NO_PANGO, CannotMake
from tournaments.sheets.pages import Occasion
from tournaments.sheets.teams import cross_pages, schedule_pages, standings_pages

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament

NOT_DRAWN = gettext_noop("No matches have been drawn yet.")
MAKE = {"standings": standings_pages, "cross": cross_pages, "schedule": schedule_pages}


def teams_pdf(tournament: Tournament, what: str, *, printed_at: datetime) -> bytes:
    """The "standings", the "cross" table or the "schedule" as one file. Raises CannotMake."""
    try:
        from tournaments.sheets import pdf  # noqa: PLC0415 - loads the system's libraries, which may be missing
    except OSError as problem:
        raise CannotMake(NO_PANGO) from problem
    round_ = current_round(tournament)
    if round_ is None:
        raise CannotMake(NOT_DRAWN)
    pages = MAKE[what](round_, Occasion(round_, printed_at))
    with TemporaryDirectory() as folder:
        target = Path(folder, "teams.pdf")
        pdf.write(pages, f"{pages[0].name}, {tournament.name}", target)
        return target.read_bytes()
