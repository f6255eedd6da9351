"""The rules in force on one sheet of paper: prices, options and what is played for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.files import page_that_fits
from core.pdf.fonts import plain
from core.pdf.page import Page
from core.pdf.store import kept_file
from tournaments.lifecycle.rules_text import rule_sheet_of

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.lifecycle.rules_text import RuleSheet
    from tournaments.models import Tournament

# Classes of sheets.css, from the largest type to the smallest that is still read with ease, which is seven points. What
# fills more than a page even then takes two, and larger type.
SIZES, ON_TWO_PAGES = ("large", "middle", "small", "smaller"), "middle"


def rules_pdf(
    sheet: RuleSheet, tournament: Tournament | None = None, *, printed_at: datetime, asker: str = ""
) -> bytes:
    """The file: a rulebook's own rules, or those of a tournament. Raises CannotMake."""
    pages, title = _variants(sheet, tournament, printed_at)
    return kept_file(pages, title, printed_at=printed_at, asker=asker, fitting=True)


def rules_page(tournament: Tournament, printed_at: datetime) -> Page:
    """A tournament's rules as one of several pages, in the largest type that fits. Raises CannotMake."""
    return page_that_fits(*_variants(rule_sheet_of(tournament), tournament, printed_at))


def _variants(
    sheet: RuleSheet, tournament: Tournament | None, printed_at: datetime
) -> tuple[list[Page], str]:
    """The page in each size, the largest first, and the document's title."""
    context = {
        "sheet": sheet,
        "occasion": {"printed_at": printed_at},
        "event": plain(tournament.name) if tournament else "",
        "host": plain(tournament.host.name) if tournament else "",
        "date": tournament.date if tournament else None,
        "own_name": plain(sheet.own_name),
    }
    heading = _("Rules in force") if tournament else _("Rules")
    # Many columns ask for small type whatever the length.
    sizes = (*(SIZES[2:] if sheet.prices.is_wide else SIZES), ON_TWO_PAGES)
    pages = [
        Page("paper/_rules.html", name=heading, css=f"rules-sheet {size}", context=context) for size in sizes
    ]
    return pages, f"{heading}, {tournament.name if tournament else sheet.name}"
