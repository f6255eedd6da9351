"""Check-in lists and door cards, and their job."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db.models import Subquery
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from core.pdf.fonts import DISPLAY, cut, plain
from core.pdf.page import Page, chunks
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.halls import with_hall
from tournaments.models import Entry, Round, Seat
from tournaments.paper.page import shares, size_for
from tournaments.paper.printing import OfPapers, Paper
from tournaments.paper.ticked import (
    boxes_path,
    code_path,
    drawn_path,
    in_capitals,
    list_drawing,
    marks_path,
    on_page,
    text,
)
from tournaments.reporting.printed_sheets import keep_list
from tournaments.reporting.reader.layout import BAND, GAP, LINE, PITCH
from tournaments.reporting.reader.results import (
    BOXES,
    CODE_LEFT,
    CODE_SIDE,
    CODE_TOP,
    HERE,
    HIGH,
    MARKS,
    WIDE,
    card_layout,
    card_name,
    list_layout,
    list_name,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet
    from django.utils.safestring import SafeString

    from tournaments.models import Tournament
    from tournaments.reporting.reader.layout import Layout


# Seat cards with tick boxes for check-in and payment, read from a photograph.
#
# Ten per page, to be cut apart; readable whole and cut. `reporting.reader.results` defines the layout.

# Cards side by side and below each other, and where the first begins: its edges are cut too.
ACROSS, DOWN, LEFT, TOP = 2, 5, 15.0, 12.0
A_PAGE = ACROSS * DOWN
LONGEST = 60
# Millimetres: left edge of text; room next to the code, below it, and for a box's label; type sizes in points.
EDGE, BESIDE, WHOLE, WORD = 11.0, 46.0, 75.0, 26.0
EVENT, SEAT, NAME, CLUB, FOOT = 9.0, 19.5, 32.5, 37.5, 50.3
EVENT_SIZES, SEAT_SIZES, NAME_SIZES, SMALL_SIZES, WORD_SIZES = (8, 5.5), (18, 9), (19, 6), (8, 5), (10, 6)
# From a box's middle to its word, which a large tick does not reach.
TO_WORD = 4.6
# Of the square codes: one for all.
MASK = 2
BLANK = "\N{LOW LINE}" * 4


def card_pages(tournament: Tournament, *, base_url: str, printed_at: datetime) -> list[Page]:
    """A card for each expected player, by name, with the seat if drawn.

    The layout of the boxes is stored with the tournament, once for all cards. Pages are rendered lazily.
    """
    layout = card_layout(fee=bool(tournament.entry_fee))
    keep_list(tournament, layout, printed_at=printed_at)
    seats = _seats(tournament)
    begins = in_capitals(base_url)
    return [
        Page(
            "paper/door.html#cards",
            name=_("Seat cards"),
            css="ticked",
            context={
                "drawn": partial(_draw_cards, tournament, part, layout, seats, begins),
                "occasion": {"printed_at": printed_at},
            },
        )
        for part in chunks(list(who_may_come(tournament)), A_PAGE)
    ]


def _seats(tournament: Tournament) -> dict[int, str]:
    """The seats of all players in the round that is drawn or running, by entry key."""
    open_ = tournament.rounds.exclude(state=Round.State.CLOSED).order_by("number")
    # One query, so that a concurrent draw is never mixed with the old one.
    seats = Seat.objects.filter(table__round=Subquery(open_.values("pk")[:1])).select_related("table")
    return {
        seat.entry_id: with_hall(
            tournament.hall_at(seat.table.number),
            _("Table %(table)s · seat %(seat)s")
            % {"table": seat.table.number, "seat": SEAT_LETTERS[seat.position]},
        )
        for seat in seats
    }


def _draw_cards(
    tournament: Tournament, entries: Sequence[Entry], layout: Layout, seats: Mapping[int, str], begins: str
) -> SafeString:
    """A page of cards with the lines along which they are cut."""
    rows = -(-len(entries) // ACROSS)
    right, bottom = LEFT + ACROSS * WIDE, TOP + rows * HIGH
    lines = "".join(f"M{LEFT + nth * WIDE:g} {TOP:g}V{bottom:g}" for nth in range(ACROSS + 1))
    lines += "".join(f"M{LEFT:g} {TOP + nth * HIGH:g}H{right:g}" for nth in range(rows + 1))
    cuts = f'<path d="{lines}" stroke="#000" stroke-width=".15" stroke-dasharray="1 1.5" fill="none"/>'
    cards = [
        _card(
            tournament,
            entry,
            layout,
            seats.get(entry.pk, ""),
            begins + card_name(tournament.code, entry.number, layout).path,
            LEFT + nth % ACROSS * WIDE,
            TOP + nth // ACROSS * HIGH,
        )
        for nth, entry in enumerate(entries)
    ]
    return on_page([cuts, *cards], ", ".join(plain(str(entry)) for entry in entries))


def _card(
    tournament: Tournament, entry: Entry, layout: Layout, seat: str, address: str, left: float, top: float
) -> str:
    name, event = cut(plain(str(entry)), LONGEST), cut(plain(tournament.name), LONGEST)
    club = cut(plain(str(entry.club or "")), LONGEST)
    seat = seat or _("Table %(table)s · seat %(seat)s") % {"table": BLANK, "seat": BLANK}
    number = _("No. %(number)s") % {"number": entry.number}
    below = f"{number} · {club}" if club else number
    foot = " · ".join((_("tick"), _("wrong? Fill it in completely")))
    keys = [group.key for group in layout.groups]
    return "".join(
        [
            drawn_path(marks_path(MARKS, left, top), fill="#000"),
            drawn_path(
                code_path(address, left + CODE_LEFT, top + CODE_TOP, CODE_SIDE, mask=MASK), fill="#000"
            ),
            drawn_path(
                boxes_path((left + x, top + y) for x, y in (BOXES[key] for key in keys)),
                stroke="#000",
                width=LINE,
            ),
            text(left + EDGE, top + EVENT, event, size_for(event, BESIDE, *EVENT_SIZES)),
            '<g font-family="Spadille Display, DejaVu Serif">',
            text(left + EDGE, top + SEAT, seat, size_for(seat, BESIDE, *SEAT_SIZES, DISPLAY), bold=True),
            text(left + EDGE, top + NAME, name, size_for(name, WHOLE, *NAME_SIZES, DISPLAY), bold=True),
            "</g>",
            text(left + EDGE, top + CLUB, below, size_for(below, WHOLE, *SMALL_SIZES)),
            *(_word(key, left, top) for key in keys),
            text(
                left + WIDE / 2,
                top + FOOT,
                foot,
                size_for(foot, WIDE - 2 * EDGE, *SMALL_SIZES),
                anchor="middle",
            ),
        ]
    )


def _word(key: str, left: float, top: float) -> str:
    """A box's label, next to it."""
    x, y = BOXES[key]
    said = _("Here") if key == HERE else _("Paid")
    return text(left + x + TO_WORD, top + y + 1.2, said, size_for(said, WORD, *WORD_SIZES), bold=True)


# The list for the door, on which is ticked who is here and who has paid, to be read from a photograph.

# People per page; maximum letters of name and club; their room in millimetres, and type sizes.
MOST_PEOPLE, CHECK_IN_LONGEST = 40, 60
NAME_ROOM, CHECK_IN_NAME_SIZES, CLUB_AT, CLUB_ROOM, CLUB_SIZES = 78.0, (11.0, 6.0), 130.0, 60.0, (9.0, 5.5)
# Where a number ends and a head begins.
NUMBER, HEAD, HEAD_ROOM = 26.4, 49.6, 13.0


def who_may_come(tournament: Tournament) -> QuerySet[Entry]:
    """Entries with a line on the list, and a card: by name."""
    found = tournament.entries.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club")
    return found.order_by("player__sorted_as", "number")


def list_pages(tournament: Tournament, *, base_url: str, printed_at: datetime) -> list[Page]:
    """The list of all expected players, by name. Its layout is stored with the tournament."""
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
        "paper/door.html#check_in",
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
    """Labels of the boxes, above the first row and, abbreviated, in the bands between rows."""
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
    """Number, name and club next to the boxes."""
    begins = layout.right + GAP + 1
    written = []
    for row, entry in enumerate(entries):
        y = layout.middle(row) + 1.2
        name, club = (
            cut(plain(str(entry)), CHECK_IN_LONGEST),
            cut(plain(str(entry.club or "")), CHECK_IN_LONGEST),
        )
        written.append(text(NUMBER, y, str(entry.number), 8, anchor="end"))
        written.append(text(begins, y, name, size_for(name, NAME_ROOM, *CHECK_IN_NAME_SIZES)))
        written.append(text(CLUB_AT, y, club, size_for(club, CLUB_ROOM, *CLUB_SIZES)))
    return written


# What is printed for the door: the check-in list and seat cards, of however many who may come.

NOBODY = gettext_noop("Nobody is entered yet.")


class DoorPaper(OfPapers):
    """The check-in list, or seat cards; with `base_url`, the URL of the hall."""

    code = "door"
    asked_on = "desk_list"
    papers = {
        "list": Paper(gettext_lazy("Check-in list"), who_may_come, list_pages, MOST_PEOPLE, NOBODY),
        "cards": Paper(gettext_lazy("Seat cards"), who_may_come, card_pages, A_PAGE, NOBODY),
    }
