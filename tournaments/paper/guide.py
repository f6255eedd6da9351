"""The captain's guide: one page to lay at each table, out of the manual's chapter, with the way in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import segno

from core.pdf.page import Page
from core.pdf.store import kept_file
from tournaments.web.manual import chapter

if TYPE_CHECKING:
    from datetime import datetime

# Classes of sheets.css, from the largest type to the smallest that is still read with ease.
SIZES = ("largest", "large", "middle", "small")


def guide_pdf(address: str, *, printed_at: datetime, asker: str = "") -> bytes:
    """The file, in the reader's language; `address` is where captains type their table's code. Raises CannotMake."""
    told = chapter("captain")
    context = {
        "chapter": told,
        "address": address,
        "link": segno.make(address, error="m", micro=False).svg_data_uri(border=0, scale=2, nl=False),
        "occasion": {"printed_at": printed_at},
    }
    pages = [
        Page("paper/_guide.html", name=told.title, css=f"guide {size}", context=context) for size in SIZES
    ]
    return kept_file(pages, told.title, printed_at=printed_at, asker=asker, fitting=True)
