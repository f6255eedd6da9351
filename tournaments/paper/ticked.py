"""Score sheets with tick boxes, to be read from photographs: the pages of a table, and their stored layouts."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import segno
from django.urls import reverse
from django.utils.translation import gettext as _

from core.pdf.fonts import cut, ems
from core.pdf.page import Page
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import seated_in_words
from tournaments.ledger.scoresheet import blank_sheet
from tournaments.paper.page import POINT, shares, size_for
from tournaments.paper.score import LISTED_LARGEST, LONGEST_MATCH, LONGEST_NAME, is_idle, match_room
from tournaments.paper.tick_drawing import FOOT_GAP, TOTALS, Words, drawing, short_forms, total_columns
from tournaments.reporting.printed_sheets import box_name, keep, layout_of
from tournaments.reporting.reader import boxes
from tournaments.reporting.reader.layout import BOTTOM, EDGE, MOST_ROWS, RIGHT, SheetName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.rulebook import Rulebook
    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine
    from tournaments.models import Table
    from tournaments.paper.page import Occasion
    from tournaments.reporting.reader.layout import Group, Layout

# Millimetres: for a name in the list at the head and below the line for a signature, with sizes in points.
LISTED, LISTED_SIZES = 54.0, (11.0, 5.0)
SIGNED_SIZES = (7.5, 4.5)
# The same for the name of the event and a match behind it.
EVENT, EVENT_SIZE = 59.0, 11.0
# Instruction line: room for its pictures, and type sizes; size of the word next to the totals.
PICTURES, HOW_SIZES, TOTAL_SIZE = 10.0, (7.5, 5.0), 8.5
SIGNATURES = (21.0, 189.0)
# What is left below the totals is ruled for notes, where there is room for some lines.
NOTES_FROM, NOTES_TO, NOTE_LINE = 6.0, 276.0, 7.0
PENCIL = "\N{LOWER RIGHT PENCIL}"


def ticked_pages(table: Table, occasion: Occasion, base_url: str) -> list[Page]:
    """A table's sheet with tick boxes; its layout is stored with the table, once, for reading it later."""
    sheet = blank_sheet(table)
    parts = shares(table.deals, MOST_ROWS)
    pages = []
    for page, (first, count) in enumerate(parts, start=1):
        lines = sheet.lines[first : first + count]
        layout = layout_of(sheet, page, lines)
        keep(sheet, layout, printed_at=occasion.printed_at)
        name = SheetName(table.round.tournament.code, table.round.number, table.number, page, layout.code)
        context = _context(sheet, layout, lines, is_last=page == len(parts), parts=len(parts))
        way = in_capitals(base_url) + name.path
        drawn = drawing(layout, _words(sheet, layout, lines), _("Score sheets to tick"))
        code = segno.make(way, error="m", micro=False).svg_data_uri(border=0, scale=2, nl=False)
        address = (base_url + reverse("captain_code")).partition("://")[2].rstrip("/")
        pages.append(
            Page(
                "paper/_ticked.html",
                name=_("Table %(number)d") % {"number": table.number},
                css="score ticked",
                context=context
                | {
                    "occasion": occasion,
                    "drawn": drawn,
                    "sheet_code": code,
                    "match_room": match_room(occasion, EVENT, EVENT_SIZE),
                    "code": table.code,
                    "code_address": address,
                },
                has_slots=True,
            )
        )
    return pages


def in_capitals(base_url: str) -> str:
    """A scheme and a host may be written so; a path may not."""
    is_host_alone = "/" not in base_url.partition("://")[2]
    return base_url.upper() if is_host_alone else base_url


def _context(
    sheet: ScoreSheet, layout: Layout, lines: Sequence[SheetLine], *, is_last: bool, parts: int
) -> dict[str, Any]:
    table = sheet.table
    foot = layout.bottom + FOOT_GAP
    begins, ends = SIGNATURES
    each = (ends - begins) / sheet.players
    names = [cut(seat.name, LONGEST_NAME) for seat in sheet.seats]
    first, last = lines[0].number, lines[-1].number
    notes_from = foot + TOTALS + NOTES_FROM
    sums_from = total_columns(layout)[0][0] - EDGE - 2
    total = _("Total") if is_last else _("Carried forward")
    legend = sums_from - TOTAL_SIZE * POINT * ems(total) - 4
    how = [
        _("tick one in each group"),
        _("wrong? Fill it in, tick another"),
        _("rare? Tick here, write it beside"),
    ]
    return {
        "table": table,
        "match": cut(str(table.match), LONGEST_MATCH) if table.match else "",
        "deals_here": (first, last) if parts > 1 else None,
        "seats": [
            {
                "letter": seat.letter,
                "name": name,
                "listed": size_for(
                    name, LISTED, LISTED_LARGEST.get(sheet.players, LISTED_SIZES[0]), LISTED_SIZES[1]
                ),
                "listed_room": LISTED,
                "signed": size_for(name, each - 8, *SIGNED_SIZES),
                "left": round(begins + seat.position * each, 2),
                "width": round(each - 4, 2),
            }
            for seat, name in zip(sheet.seats, names, strict=True)
        ],
        "foot": round(foot, 2),
        "legend": round(legend, 2),
        "how": how,
        # In one line or two: the last instruction has a line for itself where there is too little room.
        "how_size": size_for(" ".join(how[:2]), legend - PICTURES, *HOW_SIZES),
        "sums_from": round(sums_from, 2),
        "edge": EDGE,
        "total": total,
        "letters": [
            {"letter": seat.letter, "left": round(left, 2)}
            for seat, (left, _right) in zip(sheet.seats, total_columns(layout), strict=True)
        ],
        "is_last": is_last,
        "pencil": PENCIL,
        "notes": [
            round(notes_from + line * NOTE_LINE, 2)
            for line in range(1, int((NOTES_TO - notes_from) // NOTE_LINE) + 1)
        ]
        if BOTTOM - layout.bottom > 2 * NOTE_LINE
        else [],
        "notes_from": round(notes_from, 2),
        "wide": round(RIGHT - EDGE, 2),
        "seated": seated_in_words(sheet.rulebook),
        "taken_over": table.round.tournament.hands_taken_over,
    }


def _words(sheet: ScoreSheet, layout: Layout, lines: Sequence[SheetLine]) -> Words:
    heads = list(chain.from_iterable(_heads(sheet.rulebook, group) for group in layout.groups))
    return Words(
        heads,
        {
            boxes.DECLARER: _("Declarer"),
            boxes.TRUMP: _("Trump"),
            boxes.PARTNER: _("Partner"),
            boxes.ESTUCHES: _("Estuches"),
        },
        deal=_("Deal"),
        dealer=_("Dealer"),
        folder=_("Folder"),
        score=_("Running total"),
        letters=SEAT_LETTERS[: sheet.players],
        folders=[str(line.folder or "") for line in lines] if sheet.with_folders else (),
        idle=[line.sits_out for line in lines] if is_idle(sheet) else (),
    )


def _heads(rulebook: Rulebook, group: Group) -> list[tuple[str, str]]:
    """(name, short form) of a group's boxes."""
    if group.key in (boxes.DECLARER, boxes.PARTNER):
        return [(SEAT_LETTERS[int(value)],) * 2 for value in group.values]
    if group.key == boxes.ESTUCHES:
        return [(value, value) for value in group.values]
    names = [box_name(rulebook, group.key, value) for value in group.values]
    short = short_forms(names)
    return [
        (name, name if len(name) == 1 else PENCIL if value == boxes.NOTE else letters)
        for name, letters, value in zip(names, short, group.values, strict=True)
    ]
