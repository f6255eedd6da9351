"""Notices: diploma, guide, poster, rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import segno
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from segno.helpers import make_wifi_data

from clubs.crests import crest_for_paper
from core.pdf.files import page_that_fits
from core.pdf.fonts import DISPLAY, cut, plain
from core.pdf.page import Page
from core.pdf.store import kept_file
from tournaments.lifecycle.money import podiums
from tournaments.lifecycle.rules_text import rule_sheet_of
from tournaments.paper.page import size_for
from tournaments.web.manual import chapter

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Club
    from core.machine import Wifi
    from tournaments.lifecycle.rules_text import RuleSheet
    from tournaments.models import Tournament
    from tournaments.paper.page import Occasion


# The rules in force on one sheet of paper: prices, options and what is played for.

# Classes of sheets.css, from the largest type to the smallest that is still read with ease, which is seven points. What
# fills more than a page even then takes two, and larger type.
RULES_SIZES, ON_TWO_PAGES = ("large", "middle", "small", "smaller"), "middle"


def rules_pdf(
    sheet: RuleSheet, tournament: Tournament | None = None, *, printed_at: datetime, asker: str = ""
) -> bytes:
    """The file: a rulebook's own rules, or those of a tournament. Raises CannotMake."""
    pages, title = _variants(sheet, tournament, printed_at)
    return kept_file(pages, title, printed_at=printed_at, asker=asker, fitting=True)


def rules_page(tournament: Tournament, printed_at: datetime) -> Page:
    """A tournament's rules as one of several pages, in the largest type that fits. Raises CannotMake."""
    pages, title = _variants(rule_sheet_of(tournament), tournament, printed_at)
    page = page_that_fits(pages, title)
    sides = 2 if page is pages[-1] else 1
    return replace(page, css=f"{page.css} of-several{' on-two' if sides > 1 else ''}", sides=sides)


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
    sizes = (*(RULES_SIZES[2:] if sheet.prices.is_wide else RULES_SIZES), ON_TWO_PAGES)
    pages = [
        Page("paper/notices.html#rules", name=heading, css=f"rules-sheet {size}", context=context)
        for size in sizes
    ]
    return pages, f"{heading}, {tournament.name if tournament else sheet.name}"


# Diplomas for the first three, a page each, to be framed.

# Millimetres for the name and for what was won, and their type in points.
ROOM, NAME_SIZES, EVENT_SIZES = 140.0, (44.0, 14.0), (19.0, 11.0)
LONGEST = 80
# Who is first has won; the others have a place.
PLACES = {2: gettext_lazy("Second place"), 3: gettext_lazy("Third place")}


def diploma_pages(tournament: Tournament, occasion: Occasion) -> list[Page]:
    """A diploma for each of the first three of every division."""
    takes_part = tournament.entries.filter(seats__isnull=False).distinct().count()
    return [
        Page(
            "paper/notices.html#diploma",
            name=cut(place.name, LONGEST),
            css="diploma",
            context={
                "occasion": occasion,
                "place": place,
                "place_said": PLACES.get(place.rank) or _("Winner"),
                "division": podium.name,
                "winner": cut(place.name, LONGEST),
                "size": size_for(place.name, ROOM, *NAME_SIZES, DISPLAY),
                "event_size": size_for(occasion.tournament, ROOM, *EVENT_SIZES, DISPLAY),
                "venue": cut(tournament.place, LONGEST),
                "takes_part": takes_part,
            },
        )
        for podium in podiums(tournament)
        for place in podium.places
        if place.rank <= max(PLACES)
    ]


# The captain's guide: one page to lay at each table, out of the manual's chapter, with the way in.

# Classes of sheets.css, from the largest type to the smallest that is still read with ease.
GUIDE_SIZES = ("largest", "large", "middle", "small")


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
        Page("paper/notices.html#guide", name=told.title, css=f"guide {size}", context=context)
        for size in GUIDE_SIZES
    ]
    return kept_file(pages, told.title, printed_at=printed_at, asker=asker, fitting=True)


# A sheet for a club's wall: who meets here, what one finds on the phone, and the codes that lead there.

# Classes of sheets.css, with how many letters of a name they have room for above the codes.
POSTER_SIZES = {"large": 36, "middle": 72, "small": 200}


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
    size = next(size for size, letters in POSTER_SIZES.items() if len(club.name) <= letters)
    pages = [Page("paper/notices.html#poster", name=title, css=f"poster {size}", context=context)]
    return kept_file(pages, f"{title}, {club}", printed_at=printed_at, asker=asker)


def wifi_text(wifi: Wifi) -> str:
    """Content of a QR code that joins the Wi-Fi."""
    return str(make_wifi_data(ssid=wifi.name, password=wifi.password, security="WPA"))


def _square(address: str) -> str:
    return str(segno.make(address, error="m", micro=False).svg_data_uri(border=0, scale=4, nl=False))
