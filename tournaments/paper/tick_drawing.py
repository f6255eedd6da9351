"""What is drawn on a sheet to be ticked: marks, square code, boxes, lines, and the words above and beside them, as SVG.

Where everything is says `reporting.reader.layout`, by which a photograph of it is read: millimetres of the whole page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import segno
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from tournaments.paper.tick_letters import DEALER, DISC, DISC_WITH, Words, letters
from tournaments.reporting.reader.layout import (
    BLOCK,
    BOX,
    EDGE,
    LINE,
    MARKS,
    MODULES,
    PAGE,
    QR_LEFT,
    QR_SIDE,
    QR_TOP,
    RIGHT,
    score_columns,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tournaments.reporting.reader.layout import Layout, Mark

HAIRLINE, RULE, PALE, SHADE = 0.12, 0.3, "#888", "#e4e4e4"
TOTALS, FOOT_GAP = 6.2, 0.6


def drawing(layout: Layout, words: Words, address: str, told: str) -> SafeString:
    """The whole page but for its head and foot; `told` is what is read aloud of it."""
    return on_page(
        [
            *frame(layout, address),
            drawn_path(_shades(layout, words), fill=SHADE),
            drawn_path(_hairlines(layout), stroke=PALE, width=HAIRLINE),
            drawn_path(_rules(layout), stroke="#000", width=HAIRLINE * 2),
            drawn_path(_totals(layout), stroke="#000", width=RULE),
            _discs(layout, words),
            letters(layout, words),
        ],
        told,
    )


def list_drawing(layout: Layout, written: Sequence[str], address: str, told: str) -> SafeString:
    """The page of a list: boxes with a line below each, and letters that are `written` beside and above them."""
    lines = "".join(
        f"M{EDGE:.2f} {layout.top(row) + layout.row:.2f}H{RIGHT:.2f}" for row in range(len(layout.rows))
    )
    return on_page([*frame(layout, address), drawn_path(lines, stroke=PALE, width=HAIRLINE), *written], told)


def frame(layout: Layout, address: str) -> list[str]:
    """What every sheet has that a photograph reads: marks, square code, boxes."""
    return [
        drawn_path(marks_path(MARKS), fill="#000"),
        drawn_path(code_path(address, QR_LEFT, QR_TOP, QR_SIDE), fill="#000"),
        drawn_path(boxes_path((place.x, place.y) for place in layout.places()), stroke="#000", width=LINE),
    ]


def on_page(parts: Sequence[str], told: str) -> SafeString:
    """Parts as one drawing of the whole page; `told` is what is read aloud of it."""
    width, height = PAGE
    # Names are escaped where they become letters.
    return mark_safe(  # noqa: S308
        f'<svg class="sheet" xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="Spadille Text, DejaVu Sans">'
        f"<title>{escape(told)}</title>{''.join(parts)}</svg>"
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
    """The square code, as large as its room. Where many are made one `mask` is told: the best is sought long."""
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
    """Below every row, and between the columns for writing."""
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
    """Above and below each block, after each turn of the deal, and around the columns for writing."""
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
    """Where whoever sits out has nothing to write."""
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
    """On which the dealers' letters stand."""
    wide = min(DISC_WITH if words.folders else DISC, layout.row - 0.4)
    path = "".join(f"M{DEALER} {layout.middle(row):.2f}h.01" for row in range(len(layout.rows)))
    return f'<path d="{path}" stroke="#000" stroke-width="{wide:g}" stroke-linecap="round"/>'
