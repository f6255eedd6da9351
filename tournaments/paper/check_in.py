"""The list for the door, on which is ticked who is here and who has paid, to be read from a photograph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.fonts import cut, plain
from core.pdf.page import Page
from tournaments.models import Entry
from tournaments.paper.names import size_for
from tournaments.paper.pages import shares
from tournaments.paper.tick_drawing import list_drawing
from tournaments.paper.tick_letters import text
from tournaments.paper.ticked import in_capitals
from tournaments.reporting.printed_sheets import keep_list
from tournaments.reporting.reader.layout import BAND, GAP, PITCH
from tournaments.reporting.reader.results import HERE, list_layout, list_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from tournaments.models import Tournament
    from tournaments.reporting.reader.layout import Layout

# People on a page; what stands of a name and of a club, in letters; the room for both in millimetres, and sizes.
MOST_PEOPLE, LONGEST = 40, 60
NAME_ROOM, NAME_SIZES, CLUB_AT, CLUB_ROOM, CLUB_SIZES = 78.0, (11.0, 6.0), 130.0, 60.0, (9.0, 5.5)
# Where a number ends and a head begins.
NUMBER, HEAD, HEAD_ROOM = 26.4, 49.6, 13.0


def who_may_come(tournament: Tournament) -> QuerySet[Entry]:
    """For whom there is a line on the list, and a card: by name."""
    found = tournament.entries.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club")
    return found.order_by("player__sorted_as", "number")


def list_pages(tournament: Tournament, *, base_url: str, printed_at: datetime) -> list[Page]:
    """The list of all who may come, by name. What is printed is kept with the tournament."""
    entries = list(who_may_come(tournament))
    parts = shares(len(entries), MOST_PEOPLE)
    return [
        _page(tournament, entries[first : first + count], number, len(parts), base_url, printed_at)
        for number, (first, count) in enumerate(parts, start=1)
    ]


def _page(
    tournament: Tournament,
    entries: Sequence[Entry],
    number: int,
    of: int,
    base_url: str,
    printed_at: datetime,
) -> Page:
    layout = list_layout(number, [entry.number for entry in entries], fee=bool(tournament.entry_fee))
    keep_list(tournament, layout, printed_at=printed_at)
    address = in_capitals(base_url) + list_name(tournament.code, number, layout).path
    told = ", ".join(plain(str(entry)) for entry in entries)
    drawn = list_drawing(layout, [*_heads(layout), *_names(layout, entries)], address, told)
    return Page(
        "paper/_check_in.html",
        name=_("Check-in list"),
        css="ticked check-in-list",
        context={
            "drawn": drawn,
            "tournament": plain(tournament.name),
            "host": plain(tournament.host.name),
            "date": tournament.date,
            "occasion": {"printed_at": printed_at},
            "page": number,
            "pages": of,
        },
    )


def _heads(layout: Layout) -> list[str]:
    """What each box says, above the first row and, short, in the bands between rows."""
    words = {HERE: _("Here")}
    written = []
    for group, _nth, x in layout.columns:
        head = words.get(layout.groups[group].key, _("Paid"))
        written.append(text(x + 1.0, HEAD, head, size_for(head, HEAD_ROOM, 9, 6), upright=True, bold=True))
        written.extend(
            text(x, top + BAND - 0.75, head, size_for(head, PITCH + GAP - 0.4, 7, 4), anchor="middle")
            for top in layout.bands
        )
    return written


def _names(layout: Layout, entries: Sequence[Entry]) -> list[str]:
    """Number, name and club beside the boxes."""
    begins = layout.right + GAP + 1
    written = []
    for row, entry in enumerate(entries):
        y = layout.middle(row) + 1.2
        name, club = cut(plain(str(entry)), LONGEST), cut(plain(str(entry.club or "")), LONGEST)
        written.append(text(NUMBER, y, str(entry.number), 8, anchor="end"))
        written.append(text(begins, y, name, size_for(name, NAME_ROOM, *NAME_SIZES)))
        written.append(text(CLUB_AT, y, club, size_for(club, CLUB_ROOM, *CLUB_SIZES)))
    return written
