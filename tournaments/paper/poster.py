"""A sheet for a club's wall: who meets here, what one finds on the phone, and the codes that lead there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import segno
from django.utils.translation import gettext as _
from segno.helpers import make_wifi_data

from clubs.crests import crest_for_paper
from core.pdf.fonts import plain
from core.pdf.page import Page
from core.pdf.store import kept_file

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Club
    from core.machine import Wifi

# Classes of sheets.css, with how many letters of a name they have room for above the codes.
SIZES = {"large": 36, "middle": 72, "small": 200}


def poster_pdf(
    club: Club, page: str, follow: str, *, printed_at: datetime, asker: str = "", wifi: Wifi | None = None
) -> bytes:
    """The file, in the reader's language; the addresses are those of the club's page and of the page to follow it.

    With the `wifi` that phones join, its code is there instead of the calendar's.

    Raises CannotMake.
    """
    context = {
        "club": plain(club.name),
        "town": plain(club.town),
        "crest": crest_for_paper(club),
        "page": page,
        "follow": follow,
        "page_code": _square(page),
        "follow_code": _square(follow),
        "wifi": wifi,
        "wifi_code": wifi and _square(wifi_text(wifi)),
        "occasion": {"printed_at": printed_at},
    }
    title = _("Poster")
    size = next(size for size, letters in SIZES.items() if len(club.name) <= letters)
    pages = [Page("paper/_poster.html", name=title, css=f"poster {size}", context=context)]
    return kept_file(pages, f"{title}, {club}", printed_at=printed_at, asker=asker)


def wifi_text(wifi: Wifi) -> str:
    """What a QR code says by which a phone joins."""
    return str(make_wifi_data(ssid=wifi.name, password=wifi.password, security="WPA"))


def _square(address: str) -> str:
    return str(segno.make(address, error="m", micro=False).svg_data_uri(border=0, scale=4, nl=False))
