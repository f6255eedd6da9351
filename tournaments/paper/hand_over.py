"""The page that a club's organiser hands to the next one, as a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.pdf.fonts import plain, wrap
from core.pdf.page import Page
from core.pdf.store import kept_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from clubs.models import Club
    from tournaments.seasons.hand_over import Due

STYLES = """
.hand-over h2 { font-size: 11pt; margin: 5mm 0 1.5mm; }
.hand-over p, .hand-over td { font-size: 9.5pt; line-height: 1.35; overflow-wrap: anywhere; }
.hand-over p { margin: 0 0 1mm; }
.hand-over table { border-collapse: collapse; width: 100%; }
.hand-over td { border-bottom: .12mm solid #000; padding: .8mm 1.2mm .8mm 0; text-align: left; }
.hand-over th { font-size: 8pt; text-align: left; border-bottom: .3mm solid #000; padding: 0; }
.hand-over .day { width: 34mm; white-space: nowrap; }
"""


# Ems in a line of text, and of what is due; millimetres of a line, of a heading, of a row of one line, of a page.
LINE_EMS, WHAT_EMS = 52.0, 41.0
LINE, HEADING, ROW, ROOM = 4.6, 11.0, 6.2, 235.0


def hand_over_pdf(
    club: Club,
    due: Sequence[Due],
    people: Mapping[str, Sequence[str]],
    notes: Sequence[tuple[str, str]],
    backup: Mapping[str, Any],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The PDF: one page, or more where the notes need some of their own. Raises CannotMake.

    `people` are names by their role, `notes` titles with what was typed. Of what is `due` as much as the first page has
    room for is listed, with the number of the others.
    """
    title = _("Hand-over to the next organiser")
    occasion = {"host": plain(club.name), "printed_at": printed_at}
    said = [(role, plain(", ".join(names))) for role, names in people.items()]
    written = [
        (heading, [plain(line) for line in text.splitlines()]) for heading, text in notes if text.strip()
    ]
    # Two headings, the titles of the columns, and how many more there are.
    used = 2 * HEADING + 2 * ROW + sum(_lines(f"{role}: {names}") for role, names in said) * LINE
    rows: list[tuple[date, str]] = []
    for one in due:
        used += ROW + (len(wrap(one.text, WHAT_EMS)) - 1) * LINE
        if used > ROOM and rows:
            break
        rows.append((one.day, plain(one.text)))
    parts: list[dict[str, Any]] = [
        {"shows_due": True, "due": rows, "more_due": len(due) - len(rows), "people": said, "notes": []}
    ]
    heights = [HEADING + sum(_lines(line) for line in lines) * LINE for _heading, lines in written]
    heights.append(HEADING + (1 + _lines(backup["journal"])) * LINE)
    fits = used + sum(heights) <= ROOM
    for place, height in enumerate(heights):
        if used + height > ROOM or (place == 0 and not fits):
            parts.append({"notes": []})
            used = 0.0
        used += height
        parts[-1]["notes"] += written[place : place + 1]
    parts[-1] |= {"shows_backup": True, **backup}
    pages = [
        Page(
            "paper/_hand_over.html",
            name=title,
            css="ranking hand-over",
            styles=STYLES,
            context={"occasion": occasion, **part},
        )
        for part in parts
    ]
    return kept_file(pages, title, printed_at=printed_at, asker=asker)


def _lines(text: str) -> int:
    return len(wrap(text, LINE_EMS))
