"""Seat plans for the wall: in large type, by table and by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.fonts import cut
from core.pdf.page import Page, chunks
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import seated_in_words
from tournaments.ledger.queries import NAMED_SEATS, chairs_around, rulebook_of
from tournaments.paper.names import for_the_wall, size_for
from tournaments.paper.pages import Occasion, shares

if TYPE_CHECKING:
    from tournaments.models import Round

TABLES_A_PAGE = 10
# Names down a page; with more of them than one column holds, two columns in smaller type.
NAMES_A_COLUMN = 24
LONGEST_NAME = 60
LONGEST_MATCH = 90
# Millimetres for a name beside the table's number, and its type in points; the same in a list of one or two columns.
BESIDE_TABLE, TABLE_SIZES = 54.0, (16.0, 5.5)
LISTED = {1: (153.0, (19.0, 9.0)), 2: (69.0, (14.5, 8.0))}


def table_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """Who sits where, table by table."""
    seated = seated_in_words(rulebook_of(round_.tournament))
    found = list(round_.tables.select_related("match__home", "match__away").prefetch_related(NAMED_SEATS))
    tables = [
        {
            "number": table.number,
            "match": cut(str(table.match), LONGEST_MATCH) if table.match else "",
            "seats": [
                (seat.letter, *_sized(seat.entry.shown_name)) if seat else ("", _("empty chair"), 9.5)
                for seat in chairs
            ],
        }
        for table, chairs in zip(found, chairs_around(round_, found), strict=True)
    ]
    return [
        Page(
            "paper/_tables.html",
            name=_("Seats by table"),
            css="plan",
            context={"occasion": occasion, "tables": part, "seated": seated},
        )
        for part in chunks(tables, TABLES_A_PAGE)
    ]


def _sized(name: str) -> tuple[str, float]:
    """A name as it is printed on a table's card, and its type in points: long names are smaller."""
    name = cut(name, LONGEST_NAME)
    return name, size_for(name, BESIDE_TABLE, *TABLE_SIZES)


def name_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """Where everybody sits, in the order of what is shown of them: it hangs on the wall."""
    seats = round_.seats.select_related("table", "entry__player", "entry__club", "entry__tournament__host")
    seat_of = {seat.entry: seat for seat in seats}
    names = [
        (cut(name, LONGEST_NAME), seat.table.number, SEAT_LETTERS[seat.position])
        for entry, name in for_the_wall(seat_of)
        for seat in (seat_of[entry],)
    ]
    columns = 1 if len(names) <= NAMES_A_COLUMN else 2
    room, sizes = LISTED[columns]
    sized = [(name, size_for(name, room, *sizes), table, letter) for name, table, letter in names]
    parts = [sized[first : first + count] for first, count in shares(len(names), NAMES_A_COLUMN * columns)]
    return [
        Page(
            "paper/_names.html",
            name=_("Seats by name"),
            css=f"plan in-{columns}",
            context={"occasion": occasion, "columns": chunks(part, max(1, -(-len(part) // columns)))},
        )
        for part in parts
    ]
