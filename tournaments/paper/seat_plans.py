"""Seat plans, place cards, and the plan of an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import segno
from django.urls import reverse
from django.utils.translation import gettext as _

from core.pdf.fonts import DISPLAY, cut, ems
from core.pdf.page import Page, chunks
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import seated_in_words
from tournaments.ledger.queries import chairs_around, load_seats, rulebook_of
from tournaments.paper.page import (
    Occasion,
    Printed,
    cards_to_cut,
    every_table,
    for_the_wall,
    in_one_size,
    shares,
    size_for,
    sizes_for,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Round, Seat, Table, Tournament


# Where everybody sits in all rounds that are drawn: a list for the wall, and a card for each player.

NAMES_A_PAGE = 40
ROUNDS_ABREAST = 8
LONGEST_NAME = 60
# Millimetres for a name on a card and in the list, and its type in points.
NAMED, NAME_SIZES, CALLED, LEAST_CALLED = 68.0, (14.0, 8.0), 63.0, 7.0
# Millimetres for the names of who sits there too, their type in points, and what the code takes of both.
OTHERS, OTHERS_SIZES, BESIDE = 82.0, (11.0, 6.5), 18.0
# Millimetres: what a page's lines share, the tallest, and the line of a hall; a line's type in points by its height.
LINES, TALLEST, HALL_LINE, POINTS = 6.0 * NAMES_A_PAGE, 9.0, 4.0, 10 / 6.0
# Heights in mm: a card's head and foot, each of its rounds at least and at most, the second line of names that the
# round next to the code has room for, and the page shared by cards.
HEAD, ROUND, TALLEST_ROUND, SECOND_LINE, PAGE = 20.0, 11.0, 13.0, 3.8, 275.0
ROUNDS_A_CARD = int((PAGE - HEAD) // ROUND)
MOST_ROWS = 5


@dataclass(frozen=True, slots=True)
class Stop:
    """A player's seat in a round; without a table, they are free in it."""

    round: int
    table: int | None = None
    letter: str = ""
    others: str = ""
    hall: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """A player, and where they sit in each round."""

    name: str
    # What a list calls them.
    called: str
    number: int
    stops: Sequence[Stop]


@dataclass(frozen=True, slots=True)
class Card:
    """A player's card, with a QR code: seats with the lines of the table companions' names, and type in points."""

    name: str
    size: float
    number: int
    lines: Sequence[tuple[Stop, Sequence[str], float]]
    link: str


def own_page(tournament: Tournament, number: int, base_url: str) -> str:
    """The square code of a player's own page."""
    address = base_url + reverse("hall_player", args=[tournament.code, number])
    return segno.make(address, error="m", micro=False).svg_data_uri(border=0, scale=2, nl=False)


def ways_of(tournament: Tournament) -> list[Way]:
    """All players with a seat in a round that is drawn, in the order of their shown names."""
    rounds = list(tournament.rounds.order_by("number").values_list("number", flat=True))
    entries = tournament.entries.filter(seats__isnull=False).distinct()
    ordered = for_the_wall(entries.select_related("player", "club"))
    named = {entry.pk: cut(entry.shown_name, LONGEST_NAME) for entry, _called in ordered}
    at_table: dict[int, list[Seat]] = {}
    sat: dict[tuple[int, int], Seat] = {}
    for round_ in tournament.rounds.prefetch_related("tables__seats__table"):
        for table in round_.tables.all():
            at_table[table.pk] = list(table.seats.all())
            sat |= {(seat.entry_id, round_.number): seat for seat in at_table[table.pk]}

    def stop(entry: int, number: int) -> Stop:
        seat = sat.get((entry, number))
        if seat is None:
            return Stop(number)
        others = [named[other.entry_id] for other in at_table[seat.table_id] if other.entry_id != entry]
        hall = tournament.hall_at(seat.table.number)
        return Stop(number, seat.table.number, SEAT_LETTERS[seat.position], ", ".join(others), hall)

    return [
        Way(
            named[entry.pk],
            cut(called, LONGEST_NAME),
            entry.number,
            [stop(entry.pk, round_) for round_ in rounds],
        )
        for entry, called in ordered
    ]


def list_pages(tournament: Tournament, occasion: Occasion) -> list[Page]:
    """A line a player, a column a round; lines grow until the page is full."""
    ways = ways_of(tournament)
    parts = shares(len(ways), NAMES_A_PAGE)
    halls = HALL_LINE * len(tournament.hall_list)
    line = min(TALLEST, (LINES - halls) / max(1, *(count for _start, count in parts)))
    size = line * POINTS
    named = f"tall-{line * 100:.0f}"
    sizes = sizes_for([way.called for way in ways], CALLED, size, LEAST_CALLED)
    return [
        Page(
            "paper/seat_plans.html#ways",
            name=_("All rounds by name"),
            css=f"plan {named}",
            styles=f".{named} .ways tbody :is(th, td) {{ height: {line:.2f}mm; font-size: {size:.1f}pt; }}",
            context={
                "occasion": occasion,
                "rounds": [stop.round for stop in abreast],
                "lines": [
                    (way.called, called, way.stops[first : first + len(abreast)])
                    for way, called in zip(
                        ways[start : start + count], sizes[start : start + count], strict=True
                    )
                ],
            },
        )
        for first, abreast in _abreast(ways)
        for start, count in parts
    ]


def _abreast(ways: Sequence[Way]) -> list[tuple[int, Sequence[Stop]]]:
    """The rounds that stand on one page: where they begin, and they themselves."""
    stops = ways[0].stops if ways else []
    return [(first, stops[first : first + count]) for first, count in shares(len(stops), ROUNDS_ABREAST)]


def card_pages(tournament: Tournament, occasion: Occasion, base_url: str) -> list[Page]:
    """Cards to cut apart, in two columns with shared cut lines; several per player if the rounds need it.

    Each has a QR code to its player's own page: seats beforehand, then all results.
    """
    ways = ways_of(tournament)
    parts = [(way, part) for way in ways for part in chunks(way.stops, ROUNDS_A_CARD)]
    most = max((len(part) for _way, part in parts), default=0)
    rows = min(MOST_ROWS, int(PAGE // (HEAD + ROUND * most)))
    tall = min(TALLEST_ROUND, (PAGE / rows - HEAD) / max(most, 1))
    written = [
        _companions(stop, is_beside=number == 0) for _way, part in parts for number, stop in enumerate(part)
    ]
    sizes = iter(in_one_size([size for _lines, size in written], OTHERS_SIZES[0]))
    lines = iter([lines for lines, _size in written])
    named = sizes_for([way.name for way, _part in parts], NAMED - BESIDE, *NAME_SIZES, DISPLAY)
    cards = [
        Card(
            way.name,
            size,
            way.number,
            [(stop, next(lines), next(sizes)) for stop in part],
            own_page(tournament, way.number, base_url),
        )
        for (way, part), size in zip(parts, named, strict=True)
    ]
    css = f"rows-{rows}-{tall * 100:.0f}"
    return cards_to_cut(
        "paper/seat_plans.html#cards",
        occasion,
        cards,
        2 * rows,
        name=_("A card for each player"),
        css=css,
        styles=f".{css} .cut-card {{ height: {PAGE / rows:.2f}mm; }} .{css} .stop {{ height: {tall:.2f}mm; }}"
        f".{css} .stop.beside {{ height: {tall + SECOND_LINE:.2f}mm; }}",
    )


def _companions(stop: Stop, *, is_beside: bool) -> tuple[tuple[str, ...], float]:
    """The names of who sits there too in one line or, next to the code, in two; and their type in points."""
    if not is_beside or size_for(stop.others, OTHERS - BESIDE, *OTHERS_SIZES) == OTHERS_SIZES[0]:
        return (stop.others,), size_for(stop.others, OTHERS - BESIDE * is_beside, *OTHERS_SIZES)
    names = stop.others.split(", ")
    ways = [(", ".join(names[:count]) + ",", ", ".join(names[count:])) for count in range(1, len(names))]
    lines = min(ways, key=lambda way: max(map(ems, way)), default=(stop.others,))
    return lines, min(size_for(line, OTHERS - BESIDE, *OTHERS_SIZES) for line in lines)


# Place cards for a round: a name, the table and the seat, to be cut apart and folded, read from both sides.

CARDS_A_PAGE = 8
# Millimetres for a name, and its type in points.
ROOM, SIZES = 82.0, (24.0, 9.0)
LONGEST = 60


def place_card_pages(round_: Round, occasion: Occasion, is_printed: Printed = every_table) -> list[Page]:
    """A card for every seat of a round, table by table."""
    seats = [
        (table, seat) for table in _tables(round_) if is_printed(table.number) for seat in table.seats.all()
    ]
    names = [cut(seat.entry.shown_name, LONGEST) for _table, seat in seats]
    cards = [
        {
            "name": name,
            "size": size,
            "club": cut(seat.entry.club.name, LONGEST) if seat.entry.club else "",
            "table": table.number,
            "hall": round_.tournament.hall_at(table.number),
            "letter": SEAT_LETTERS[seat.position],
        }
        for (table, seat), name, size in zip(
            seats, names, sizes_for(names, ROOM, *SIZES, DISPLAY), strict=True
        )
    ]
    return cards_to_cut(
        "paper/seat_plans.html#place_cards",
        occasion,
        cards,
        CARDS_A_PAGE,
        name=_("Place cards"),
        css="place-cards",
    )


# Seat plans for the wall: in large type, by table and by name.

TABLES_A_PAGE = 10
# Names down a page; with more of them than one column holds, two columns in smaller type. Millimetres that a column's
# names share, and the tallest line.
ONE_COLUMN, NAMES_A_COLUMN = 27, 24
NAMED_LINES, TALLEST_LINE = 241.0, 12.0
LONGEST_MATCH = 90
# Millimetres for a name next to the table's number, and its type in points; the same in a list of one or two columns.
BESIDE_TABLE, TABLE_SIZES = 54.0, (16.0, 5.5)
LISTED = {1: (153.0, (19.0, 9.0)), 2: (69.0, (14.5, 8.0))}


def _tables(round_: Round) -> list[Table]:
    """The tables of a round with their matches and seats."""
    tables = list(round_.tables.select_related("match__home", "match__away"))
    load_seats(tables)
    return tables


def table_pages(round_: Round, occasion: Occasion, is_printed: Printed = every_table) -> list[Page]:
    """The seating, table by table."""
    seated = seated_in_words(rulebook_of(round_.tournament))
    found = _tables(round_)
    tables = [
        {
            "number": table.number,
            "hall": round_.tournament.hall_at(table.number),
            "match": cut(str(table.match), LONGEST_MATCH) if table.match else "",
            "seats": [
                (seat.letter, *_sized(seat.entry.shown_name)) if seat else ("", _("empty chair"), 9.5)
                for seat in chairs
            ],
        }
        for table, chairs in zip(found, chairs_around(round_, found), strict=True)
        if is_printed(table.number)
    ]
    return [
        Page(
            "paper/seat_plans.html#tables",
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


def name_pages(round_: Round, occasion: Occasion, is_printed: Printed = every_table) -> list[Page]:
    """The seating by names, in alphabetical order as shown: a list for the wall."""
    seats = round_.seats.select_related("table", "entry__player", "entry__club")
    seat_of = {seat.entry: seat for seat in seats if is_printed(seat.table.number)}
    for entry in seat_of:
        entry.tournament = round_.tournament
    hall_at = round_.tournament.hall_at
    names = [
        (cut(name, LONGEST_NAME), seat.table.number, SEAT_LETTERS[seat.position], hall_at(seat.table.number))
        for entry, name in for_the_wall(seat_of)
        for seat in (seat_of[entry],)
    ]
    columns = 1 if len(names) <= ONE_COLUMN else 2
    room, sizes = LISTED[columns]
    texts = [f"{name} · {hall}" if hall else name for name, _table, _letter, hall in names]
    sized = [
        (name, size, table, letter, hall)
        for (name, table, letter, hall), size in zip(names, sizes_for(texts, room, *sizes), strict=True)
    ]
    a_page = ONE_COLUMN if columns == 1 else NAMES_A_COLUMN * columns
    parts = [sized[first : first + count] for first, count in shares(len(names), a_page)]
    rows = max(1, -(-len(parts[0]) // columns))
    line = min(TALLEST_LINE, NAMED_LINES / rows)
    css = f"names-{line * 100:.0f}"
    return [
        Page(
            "paper/seat_plans.html#names",
            name=_("Seats by name"),
            css=f"plan in-{columns} {css}",
            styles=f".{css} .sitter {{ height: {line:.2f}mm; line-height: {line:.2f}mm; }}",
            context={"occasion": occasion, "columns": chunks(part, max(1, -(-len(part) // columns)))},
        )
        for part in parts
    ]
