"""Score sheets with tick boxes, to be read from photographs: the pages of a table, and their stored layouts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import segno
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from core.pdf.fonts import cut, ems
from core.pdf.page import Page
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import seated_in_words
from tournaments.ledger.scoresheet import blank_sheet
from tournaments.paper.page import POINT, shares, size_for
from tournaments.paper.score import LISTED_LARGEST, LONGEST_MATCH, LONGEST_NAME, is_idle, match_room
from tournaments.reporting.printed_sheets import box_name, keep, layout_of
from tournaments.reporting.reader import boxes
from tournaments.reporting.reader.layout import (
    BAND,
    BLOCK,
    BOTTOM,
    BOX,
    EDGE,
    GAP,
    LINE,
    MARKS,
    MODULES,
    MOST_ROWS,
    PAGE,
    PITCH,
    QR_LEFT,
    QR_SIDE,
    QR_TOP,
    RIGHT,
    SheetName,
    score_columns,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoring.rulebook import Rulebook
    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine
    from tournaments.models import Table
    from tournaments.paper.page import Occasion
    from tournaments.reporting.reader.layout import Group, Layout, Mark


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
                "paper/score.html#ticked",
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


# Drawing a sheet to be ticked: boxes and letters.

# Text on a sheet with tick boxes: column headings, labels of the rows, short headings in the bands.

# Headings: left edge, maximum length, sizes in points, and maximum letters of a horizontal one.
HEAD, HEAD_ROOM, HEAD_SIZES, LEVEL = 49.6, 15.4, (8.0, 6.0), 2
# Right edges of a deal's number and folder next to the boxes, and centre of the dealer's disc.
NUMBER, FOLDER, DEALER, DISC = 21.2, 23.4, 25.4, 3.6
# Of a sheet with folders all of these are smaller.
NUMBER_WITH, DISC_WITH = 19.6, 3.0


@dataclass(frozen=True)
class Words:
    """Text of the sheet: heading and short form for every column, and titles of columns at the sides.

    `folders` are by row, empty if cards are dealt by hand; `letters` the seats'.
    """

    heads: Sequence[tuple[str, str]]
    titles: Mapping[str, str]
    deal: str
    dealer: str
    folder: str
    score: str
    letters: Sequence[str]
    folders: Sequence[str] = field(default=())
    # Whose place in the columns of totals is shaded, by row.
    idle: Sequence[int | None] = field(default=())


def letters(layout: Layout, words: Words) -> str:
    """The letters, as SVG."""
    return "".join((*_column_heads(layout, words), *_bands(layout, words), *_row_labels(layout, words)))


def text(  # noqa: PLR0913 - position, text, size, alignment
    x: float,
    y: float,
    said: str,
    points: float,
    *,
    anchor: str = "start",
    bold: bool = False,
    colour: str = "#000",
    upright: bool = False,
) -> str:
    """Letters that stand on `y`; `upright` ones are read from below."""
    turned = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if upright else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{points * POINT:.3f}" text-anchor="{anchor}" fill="{colour}"'
        f' font-weight="{700 if bold else 400}"{turned}>{escape(said)}</text>'
    )


def _column_heads(layout: Layout, words: Words) -> Iterator[str]:
    """The names of the columns; those of letters and signs stand level and bold."""
    for (_group, _index, x), (head, _short) in zip(layout.columns, words.heads, strict=True):
        if len(head) < LEVEL:
            yield text(x, HEAD, head, 11, anchor="middle", bold=True)
        else:
            yield text(x + 1.0, HEAD, head, size_for(head, HEAD_ROOM, *HEAD_SIZES), upright=True)
    for place, group in enumerate(layout.groups):
        title = words.titles.get(group.key, "")
        room = len(group.values) * PITCH + GAP
        # Above long names there is no room for a title, and no need of one.
        if title and all(len(head) < LEVEL for head, _short in _of_group(layout, words, place)):
            middle = layout.group_start(place) + len(group.values) * PITCH / 2
            yield text(middle, HEAD - 5.2, title, size_for(title, room, 8, 6), anchor="middle")
    number, dealer = (NUMBER_WITH, DEALER) if words.folders else (NUMBER - 0.8, DEALER)
    yield text(number, HEAD, words.deal, 7, upright=True)
    if words.folders:
        yield text(FOLDER, HEAD, words.folder, 7, upright=True)
    yield text(dealer + 1.0, HEAD, words.dealer, 7, upright=True)
    yield from _score_heads(layout, words)


def _of_group(layout: Layout, words: Words, number: int) -> list[tuple[str, str]]:
    return [
        head for (group, _index, _x), head in zip(layout.columns, words.heads, strict=True) if group == number
    ]


def _score_heads(layout: Layout, words: Words) -> Iterator[str]:
    columns = score_columns(layout)
    begins = columns[0][0]
    yield text(
        (begins + RIGHT) / 2,
        HEAD - 5.2,
        words.score,
        size_for(words.score, RIGHT - begins, 8, 5.5),
        anchor="middle",
    )
    if len(columns) == layout.players:
        for letter, (left, right) in zip(words.letters, columns, strict=True):
            yield text((left + right) / 2, HEAD, letter, 11, anchor="middle", bold=True)


def _bands(layout: Layout, words: Words) -> Iterator[str]:
    for top in layout.bands:
        y = top + BAND - 0.75
        for (_group, _index, x), (_head, short) in zip(layout.columns, words.heads, strict=True):
            yield text(x, y, short, size_for(short, PITCH - 0.5, 7, 5), anchor="middle", bold=True)
        columns = score_columns(layout)
        if len(columns) == layout.players:
            for letter, (left, right) in zip(words.letters, columns, strict=True):
                yield text((left + right) / 2, y, letter, 7, anchor="middle", bold=True)


def _row_labels(layout: Layout, words: Words) -> Iterator[str]:
    """Each deal's number, folder, and dealer's letter on a disc."""
    for row, line in enumerate(layout.rows):
        y = layout.middle(row)
        number = NUMBER_WITH if words.folders else NUMBER
        yield text(number, y + 1.1, str(line.deal), 9 if not words.folders else 8, anchor="end", bold=True)
        if words.folders:
            yield text(FOLDER, y + 1.0, words.folders[row], 7, anchor="end")
        letter = words.letters[line.dealer]
        yield text(
            DEALER,
            y + 0.95,
            letter,
            7.5 if not words.folders else 6.5,
            anchor="middle",
            bold=True,
            colour="#fff",
        )


def short_forms(names: Sequence[str]) -> list[str]:
    """Two letters for each name: its first two, or two words' initials; its first and last where two are alike."""
    found = [_initials(name) for name in names]
    again = Counter(found)
    return [
        (name[0] + name[-1]).capitalize() if again[one] > 1 else one
        for name, one in zip(names, found, strict=True)
    ]


def _initials(name: str) -> str:
    first, *more = name.replace("-", " ").replace(".", " ").split()
    return (first[0] + more[0][0]).upper() if more else first[:2].capitalize()


# SVG of a sheet with tick boxes: marks, square code, boxes, lines, and labels.
#
# `reporting.reader.layout` has all positions, by which a photograph is read: millimetres of the page.

HAIRLINE, RULE, PALE, SHADE = 0.12, 0.3, "#888", "#e4e4e4"
TOTALS, FOOT_GAP = 6.2, 0.6


def drawing(layout: Layout, words: Words, title: str) -> SafeString:
    """The page without header, footer and its code; `title` is its text alternative."""
    return on_page(
        [
            *frame(layout),
            drawn_path(_shades(layout, words), fill=SHADE),
            drawn_path(_hairlines(layout), stroke=PALE, width=HAIRLINE),
            drawn_path(_rules(layout), stroke="#000", width=HAIRLINE * 2),
            drawn_path(_totals(layout), stroke="#000", width=RULE),
            _discs(layout, words),
            letters(layout, words),
        ],
        title,
    )


def list_drawing(layout: Layout, written: Sequence[str], address: str, title: str) -> SafeString:
    """The page of a list: boxes with a line below each, and `written`, the labels next to and above them."""
    lines = "".join(
        f"M{EDGE:.2f} {layout.top(row) + layout.row:.2f}H{RIGHT:.2f}" for row in range(len(layout.rows))
    )
    code = drawn_path(code_path(address, QR_LEFT, QR_TOP, QR_SIDE), fill="#000")
    return on_page([*frame(layout), code, drawn_path(lines, stroke=PALE, width=HAIRLINE), *written], title)


def frame(layout: Layout) -> list[str]:
    """The parts of every sheet that the reader needs, but for its code: marks, boxes."""
    return [
        drawn_path(marks_path(MARKS), fill="#000"),
        drawn_path(boxes_path((place.x, place.y) for place in layout.places()), stroke="#000", width=LINE),
    ]


def on_page(parts: Sequence[str], title: str) -> SafeString:
    """Join parts to one drawing of the page; `title` is its text alternative."""
    width, height = PAGE
    # Names are escaped where they become letters.
    return mark_safe(  # noqa: S308
        f'<svg class="sheet" xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="Spadille Text, DejaVu Sans">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def drawn_path(drawn: str, *, fill: str = "none", stroke: str = "none", width: float = 0) -> str:
    return f'<path d="{drawn}" fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"/>' if drawn else ""


def marks_path(marks: Sequence[Mark], left: float = 0.0, top: float = 0.0) -> str:
    """Marks on something that begins there."""
    drawn = ""
    for mark in marks:
        module = mark.side / MODULES
        for row, first, last in _runs(mark.black):
            x, y = left + mark.left + first * module, top + mark.top + row * module
            drawn += f"M{x:.3f} {y:.3f}h{(last - first + 1) * module:.3f}v{module:.3f}H{x:.3f}z"
    return drawn


def _runs(black: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """(row, first, last) of neighbours in a row, so that no hair of white shows between them."""
    begun: tuple[int, int, int] | None = None
    for row, column in sorted(black):
        if begun and begun[0] == row and begun[2] == column - 1:
            begun = (row, begun[1], column)
            continue
        if begun:
            yield begun
        begun = (row, column, column)
    if begun:
        yield begun


def code_path(address: str, left: float, top: float, across: float, *, mask: int | None = None) -> str:
    """The square code, scaled to its room. For many codes pass a `mask`: searching for the best one is slow."""
    matrix = segno.make(address, error="m", micro=False, mask=mask).matrix
    module = across / len(matrix)
    black = [(row, at) for row, line in enumerate(matrix) for at, dark in enumerate(line) if dark]
    return "".join(
        f"M{left + first * module:.3f} {top + row * module:.3f}h{(last - first + 1) * module:.3f}"
        f"v{module:.3f}H{left + first * module:.3f}z"
        for row, first, last in _runs(black)
    )


def boxes_path(middles: Iterable[tuple[float, float]]) -> str:
    """Boxes around these places; their lines lie inside the box's edge."""
    side = BOX - LINE
    return "".join(
        f"M{x - side / 2:.3f} {y - side / 2:.3f}h{side:.3f}v{side:.3f}h-{side:.3f}z" for x, y in middles
    )


def _hairlines(layout: Layout) -> str:
    """Draw the hairlines below every row, and between the columns for writing."""
    path = ""
    columns = score_columns(layout)
    left, right = EDGE, RIGHT
    for row in range(len(layout.rows)):
        y = layout.top(row) + layout.row
        if not _ends_a_turn(layout, row):
            path += f"M{left:.2f} {y:.2f}H{right:.2f}"
    for first, last in _blocks(layout):
        path += "".join(
            f"M{x:.2f} {layout.top(first):.2f}V{layout.top(last) + layout.row:.2f}"
            for x, _right in columns[1:]
        )
    return path


def _blocks(layout: Layout) -> list[tuple[int, int]]:
    """The first and the last row of each block between bands."""
    count = len(layout.rows)
    return [(first, min(first + BLOCK, count) - 1) for first in range(0, count, BLOCK)]


def _ends_a_turn(layout: Layout, row: int) -> bool:
    """Whether everybody has dealt once more, or a block ends."""
    is_last = row + 1 in (len(layout.rows), *range(BLOCK, len(layout.rows), BLOCK))
    return is_last or layout.rows[row].deal % layout.players == 0


def _rules(layout: Layout) -> str:
    """Draw the lines above and below each block, after each turn of the deal, and around the columns for writing."""
    path = ""
    left, right = EDGE, RIGHT
    columns = score_columns(layout)
    for first, last in _blocks(layout):
        top, bottom = layout.top(first), layout.top(last) + layout.row
        path += f"M{left:.2f} {top:.2f}H{right:.2f}"
        path += f"M{columns[0][0]:.2f} {top:.2f}V{bottom:.2f}M{right:.2f} {top:.2f}V{bottom:.2f}"
        path += "".join(
            f"M{left:.2f} {layout.top(row) + layout.row:.2f}H{right:.2f}"
            for row in range(first, last + 1)
            if _ends_a_turn(layout, row)
        )
    return path


def _shades(layout: Layout, words: Words) -> str:
    """Shading of the fields of the player who sits out."""
    columns = score_columns(layout)
    if len(columns) < layout.players:
        return ""
    return "".join(
        f"M{columns[idle][0]:.2f} {layout.top(row):.2f}H{columns[idle][1]:.2f}v{layout.row:.2f}H{columns[idle][0]:.2f}z"
        for row, idle in enumerate(words.idle)
        if idle is not None
    )


def _totals(layout: Layout) -> str:
    """The boxes for the totals, below the columns."""
    columns = total_columns(layout)
    top, bottom = layout.bottom + FOOT_GAP, layout.bottom + FOOT_GAP + TOTALS
    frame = f"M{columns[0][0]:.2f} {top:.2f}H{RIGHT:.2f}V{bottom:.2f}H{columns[0][0]:.2f}z"
    return frame + "".join(f"M{left:.2f} {top:.2f}V{bottom:.2f}" for left, _right in columns[1:])


def total_columns(layout: Layout) -> list[tuple[float, float]]:
    """(left, right) of the players' totals: below their columns, or as wide as they need where there is only one."""
    columns = score_columns(layout)
    if len(columns) == layout.players:
        return columns
    each = 13.0
    return [
        (RIGHT - (layout.players - at) * each, RIGHT - (layout.players - 1 - at) * each)
        for at in range(layout.players)
    ]


def _discs(layout: Layout, words: Words) -> str:
    """The discs behind the dealers' letters."""
    wide = min(DISC_WITH if words.folders else DISC, layout.row - 0.4)
    path = "".join(f"M{DEALER} {layout.middle(row):.2f}h.01" for row in range(len(layout.rows)))
    return f'<path d="{path}" stroke="#000" stroke-width="{wide:g}" stroke-linecap="round"/>'
