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


# Ems in a line of text; millimetres of a line, of a heading, of a row of the table, and for all of them.
LINE_EMS = 52.0
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
    """The PDF: one page, or two where the notes need one of their own. Raises CannotMake.

    `people` are names by their role, `notes` titles with what was typed.
    """
    title = _("Hand-over to the next organiser")
    occasion = {"host": plain(club.name), "printed_at": printed_at}
    said = [(role, plain(", ".join(names))) for role, names in people.items()]
    written = [
        (heading, [plain(line) for line in text.splitlines()]) for heading, text in notes if text.strip()
    ]
    first: dict[str, Any] = {"due": [(one.day, plain(one.text)) for one in due], "people": said}
    second: dict[str, Any] = {"notes": written, "shows_backup": True, **backup}
    parts = [first | second] if _height(first["due"], said, written) <= ROOM else [first, second]
    pages = [
        Page(
            "paper/_hand_over.html",
            name=title,
            css="ranking hand-over",
            styles=STYLES,
            context={"occasion": occasion, "shows_due": number == 0, **part},
        )
        for number, part in enumerate(parts)
    ]
    return kept_file(pages, title, printed_at=printed_at, asker=asker)


def _height(
    due: Sequence[tuple[date, str]],
    people: Sequence[tuple[str, str]],
    notes: Sequence[tuple[str, Sequence[str]]],
) -> float:
    """Millimetres that all of it takes below the page's head."""
    lines = sum(len(wrap(f"{role}: {names}", LINE_EMS)) for role, names in people)
    lines += sum(len(wrap(line, LINE_EMS)) for _heading, text in notes for line in text)
    return (3 + len(notes)) * HEADING + (lines + 2) * LINE + (len(due) + 1) * ROW
