"""Clubs ranked by their best players, as a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.fonts import plain
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file
from tournaments.paper.page import size_for

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

ROWS_A_PAGE = 38
# Width of a club and of its players in millimetres.
CLUB, NAMES = 52.0, 96.0
CLUB_SIZES, NAME_SIZES = (9.0, 6.0), (8.0, 3.5)


def club_ranking_pdf(
    title: str,
    host: str,
    day: date,
    rows: Sequence[tuple[str, str, str, str]],
    said: str,
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The PDF of rows of place, club, players and total as texts. Raises CannotMake."""
    occasion = {"tournament": plain(title), "host": plain(host), "date": day, "printed_at": printed_at}
    lines = [
        {
            "place": place,
            "club": plain(club),
            "club_size": size_for(plain(club), CLUB, *CLUB_SIZES),
            "names": plain(names),
            "names_size": size_for(plain(names), NAMES, *NAME_SIZES),
            "total": total,
        }
        for place, club, names, total in rows
    ]
    pages = [
        Page(
            "paper/_club_ranking.html",
            name=_("Clubs by their best"),
            css="ranking season",
            context={"occasion": occasion, "lines": some, "said": said},
        )
        for some in list(chunks(lines, ROWS_A_PAGE)) or [[]]
    ]
    return kept_file(pages, title, printed_at=printed_at, asker=asker)
