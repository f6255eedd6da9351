"""A published points list as a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.pdf.fonts import plain, wrap
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file, refuse_many_cells
from tournaments.paper.page import size_for
from tournaments.seasons.points_text import total_points_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import PublishedList
    from tournaments.people.points_lists import ShownRow

ROWS_A_PAGE, CELLS = 38, 6
# Width of a name and of a club in millimetres, and of a line of words in ems.
NAME, CLUB, LINE_EMS = 62.0, 52.0, 68.0
NAME_SIZES, CLUB_SIZES = (9.0, 6.0), (8.0, 5.5)
# So many lines of words need the room of one row.
LINES_A_ROW = 1.5
TOO_LONG = gettext_noop("This list is too long to be made while you wait. Save it as a spreadsheet instead.")


def points_list_pdf(
    published: PublishedList,
    rows: Sequence[ShownRow],
    said: Sequence[str],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The PDF, with the rule in words (`said`) at its end. Raises CannotMake."""
    refuse_many_cells(len(rows) * CELLS, TOO_LONG)
    occasion = {"host": plain(published.union.name), "date": published.day, "printed_at": printed_at}
    parts: list[list[ShownRow]] = [list(part) for part in chunks(rows, ROWS_A_PAGE)] or [[]]
    words = sum(len(wrap(text, LINE_EMS)) for text in said)
    if len(parts[-1]) + words / LINES_A_ROW > ROWS_A_PAGE:
        parts.append([])
    pages = [
        Page(
            "paper/_points_list.html",
            name=_("Points list"),
            css="ranking season",
            context={
                "occasion": occasion,
                "lines": [_line(row) for row in part],
                "said": said if number == len(parts) else [],
            },
        )
        for number, part in enumerate(parts, start=1)
    ]
    return kept_file(pages, _("Points list"), printed_at=printed_at, asker=asker)


def _line(row: ShownRow) -> dict[str, Any]:
    name, club = plain(row.name), plain(row.club.name)
    return {
        "rank": f"{row.place}=" if row.shared else str(row.place),
        "name": name,
        "size": size_for(name, NAME, *NAME_SIZES),
        "club": club,
        "club_size": size_for(club, CLUB, *CLUB_SIZES),
        "points": total_points_text(row.points),
        "played": row.played,
        "before": row.before or "–",
    }
