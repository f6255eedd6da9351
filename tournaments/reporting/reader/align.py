"""Align boxes: match their printed outlines with a drawing of them, block by block, and mark uncertain positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tournaments.reporting.reader.image import Bend, fit, terms
from tournaments.reporting.reader.layout import BLOCK, BOX, LEFT, LINE, PITCH, TOP
from tournaments.reporting.reader.locate import refined

if TYPE_CHECKING:
    from tournaments.reporting.reader.image import Array, Warp
    from tournaments.reporting.reader.layout import Layout


Room = tuple[float, float, float, float]
# Pixels per millimetre; margin around the boxes; maximum darkness of a pixel, so that thick pens do not dominate.
SCALE, MARGIN, CLIP = 4, 6.0, 0.4
# Pieces of the sheet (wide, high, how far to seek, order of the polynomial through what is found), coarse to fine. None
# is sought as far as half the way to the next box.
COARSE, FINE, FINER = (38.0, 46.0, 2.0, 3), (17.5, 16.0, 1.2, 4), (17.5, 16.0, 0.8, 2)
CHECKED = 0.9
# Limits: displacement, similarity, and difference from neighbours beyond which a piece is in doubt. Not if another
# position nearly as similar is close by: a line blurred into two matches at either.
OFF, ALIKE, JUMP = 0.45, 0.22, 0.4
NEAR, AS_ALIKE = 0.25, 0.94
# A block that fits nearly as well one row or column on may be there; so wide where the paper is curled.
NEXT_FITS, WIDE = 0.97, 36.0
# Above a block's first row and below its last none is printed: narrower columns with something there that is nearly as
# like a row are one off, and perhaps are by so much.
ROW_MORE, PERHAPS, NARROW = 0.75, 0.6, 18.0
NO_LIKENESS = 0.05


@dataclass(frozen=True)
class Cell:
    """A piece of the sheet: its area, its displacement in millimetres, and its similarity to the drawing."""

    room: Room
    shift: tuple[float, float]
    alike: float

    @property
    def middle(self) -> tuple[float, float]:
        left, top, right, bottom = self.room
        return ((left + right) / 2, (top + bottom) / 2)


def room_of(layout: Layout) -> Room:
    """The boxes with their margin, in whole steps of the straightened image."""
    across = 2 * -(-(layout.right + MARGIN - (LEFT - MARGIN)) // 2)
    down = 2 * -(-(layout.bottom - TOP + 2 * MARGIN) // 2)
    return (LEFT - MARGIN, TOP - MARGIN, LEFT - MARGIN + across, TOP - MARGIN + down)


def aligned(grey: Array, warp: Warp, layout: Layout) -> Warp:
    """The warp corrected by shifts, so that the outlines are where they were printed."""
    room, drawn = room_of(layout), drawing_of(layout)
    for wide, high, far, finest in (COARSE, FINE, FINER):
        dark = darkness(warp.straightened(grey, room, SCALE), CLIP)
        cells = [_matched(dark, drawn, room, cell, far) for cell in _cells(layout, wide, high)]
        good = [cell for cell in cells if cell.alike > ALIKE]
        # Fewer pieces bear less.
        order = 1 if len(good) < (finest + 1) * (finest + 2) else finest
        if len(good) < 6:  # of a plane
            continue
        points = np.array([cell.middle for cell in good])
        shifts = np.array([cell.shift for cell in good])
        factors = fit(points, shifts, order, np.array([cell.alike for cell in good]), rounds=3)
        bend = Bend(order, factors)
        if far != COARSE[2]:
            bend = _smoothed(bend, cells, layout)
        warp = warp.bent(bend)
    return warp


def in_doubt(dark: Array, layout: Layout) -> list[Room]:
    """The rooms of which it is not sure that they lie where they should; `dark` is straightened by `aligned`."""
    room, drawn = room_of(layout), drawing_of(layout)
    cells = [_matched(dark, drawn, room, cell, CHECKED) for cell in _cells(layout, *FINE[:2])]
    off = [
        cell.room
        for cell in cells
        if cell.alike < ALIKE
        or (
            (max(map(abs, cell.shift)) > OFF or _jumps(cell, cells))
            and _matched(dark, drawn, room, cell.room, NEAR).alike < AS_ALIKE * cell.alike
        )
    ]
    return off + _may_be_elsewhere(dark, drawn, layout)


def _jumps(cell: Cell, cells: list[Cell]) -> bool:
    """Whether its displacement differs from that of its neighbours."""
    x, y = cell.middle
    beside = [
        other.shift
        for other in cells
        if other is not cell
        and abs(other.middle[0] - x) < 1.3 * FINE[0]
        and abs(other.middle[1] - y) < 1.3 * FINE[1]
    ]
    if not beside:
        return False
    middle = [sorted(shift[axis] for shift in beside)[len(beside) // 2] for axis in (0, 1)]
    return any(abs(cell.shift[axis] - middle[axis]) > JUMP for axis in (0, 1))


def _cells(layout: Layout, wide: float, high: float) -> list[Room]:
    """The boxes' room in equal pieces of about this size."""
    across = max(1, round((layout.right - LEFT) / wide))
    down = max(1, round((layout.bottom - TOP) / high))
    width, height = (layout.right - LEFT) / across, (layout.bottom - TOP) / down
    return [
        (LEFT + column * width, TOP + row * height, LEFT + (column + 1) * width, TOP + (row + 1) * height)
        for row in range(down)
        for column in range(across)
    ]


def _piece(picture: Array, room: Room, part: Room, around: float) -> Array:
    left, top = (round((part[axis] - around - room[axis]) * SCALE) for axis in (0, 1))
    right, bottom = (round((part[axis + 2] + around - room[axis]) * SCALE) for axis in (0, 1))
    return picture[max(top, 0) : bottom, max(left, 0) : right]


def _matched(dark: Array, drawn: Array, room: Room, part: Room, far: float) -> Cell:
    far = round(far * SCALE) / SCALE
    alike = cv2.matchTemplate(
        _piece(dark, room, part, far), _piece(drawn, room, part, 0), cv2.TM_CCOEFF_NORMED
    )
    _least, most, _at, (x, y) = cv2.minMaxLoc(alike)
    dx, dy = refined(alike, x, y)
    return Cell(part, ((x + dx) / SCALE - far, (y + dy) / SCALE - far), float(most))


def _smoothed(bend: Bend, cells: list[Cell], layout: Layout) -> Bend:
    """Add the residual of the polynomial at every piece, smoothed over its neighbours."""
    across = len({cell.room[0] for cell in cells})
    points = np.array([cell.middle for cell in cells])
    left = np.array([cell.shift for cell in cells]) - terms(points, bend.order) @ bend.factors
    sure = np.array([max(cell.alike - ALIKE, 0) for cell in cells]) * (np.abs(left).max(axis=1) < JUMP)
    weights = sure.reshape(-1, across).astype(np.float32)
    near = cv2.getGaussianKernel(3, 0.8) @ cv2.getGaussianKernel(3, 0.8).T
    whole = cv2.filter2D(weights, -1, near, borderType=cv2.BORDER_CONSTANT) + 0.05
    sums = [
        cv2.filter2D(
            weights * left[:, axis].reshape(-1, across).astype(np.float32),
            -1,
            near,
            borderType=cv2.BORDER_CONSTANT,
        )
        / whole
        for axis in (0, 1)
    ]
    first, width = cells[0], (layout.right - LEFT) / across
    height = (layout.bottom - TOP) / (len(cells) // across)
    return Bend(bend.order, bend.factors, first.middle, (width, height), np.stack(sums, axis=-1))


def darkness(straight: Array, clip: float = 1.0) -> Array:
    """The darkness of each pixel relative to the paper around it, from 0 to 1."""
    paper = paper_of(straight, SCALE)
    dark = 1 - straight.astype(np.float32) / np.maximum(paper, 1)
    return cv2.GaussianBlur(np.clip(dark, 0, clip), (0, 0), 0.6)


def paper_of(straight: Array, scale: int, wide: float = 6.0) -> Array:
    """Brightness of the paper: a morphological closing over marks narrower than `wide` millimetres.

    Preserves shadows' edges.
    """
    calm = cv2.GaussianBlur(straight, (0, 0), 0.2 * scale)
    side = round(wide * scale) | 1
    closed = cv2.morphologyEx(calm, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    return cv2.GaussianBlur(closed.astype(np.float32), (0, 0), 0.5 * scale)


def drawing_of(layout: Layout) -> Array:
    """The outlines of all boxes as they are printed, in the room around them."""
    fine = 4
    left, top, right, bottom = room_of(layout)
    scale = SCALE * fine
    drawn = np.zeros((round((bottom - top) * scale), round((right - left) * scale)), np.uint8)
    half, line = BOX / 2 * scale, round(LINE * scale)
    for place in layout.places():
        x, y = (place.x - left) * scale, (place.y - top) * scale
        x0, x1, y0, y1 = round(x - half), round(x + half), round(y - half), round(y + half)
        drawn[y0:y1, x0:x1] = 255
        drawn[y0 + line : y1 - line, x0 + line : x1 - line] = 0
    small = cv2.resize(drawn, None, fx=1 / fine, fy=1 / fine, interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(small.astype(np.float32) / 255 * CLIP, (0, 0), 0.8)


def _blocks(layout: Layout, parts: int) -> list[Room]:
    """Pieces between two bands, so many side by side."""
    rows = len(layout.rows)
    width = (layout.right - LEFT) / parts
    return [
        (LEFT + part * width, layout.top(first), LEFT + (part + 1) * width, layout.top(last) + layout.row)
        for first, last in ((first, min(first + BLOCK, rows) - 1) for first in range(0, rows, BLOCK))
        for part in range(parts)
    ]


def _may_be_elsewhere(dark: Array, drawn: Array, layout: Layout) -> list[Room]:
    """Blocks that match their drawing one row or column further as well as in place.

    Where the paper is curled a few columns may be a row off; a shift by a column concerns a whole block, since all
    columns of a wide group look the same.
    """
    by_row, by_column = ((0.0, layout.row), (0.0, -layout.row)), ((PITCH, 0.0), (-PITCH, 0.0))
    more = {block: _row_more(dark, drawn, layout, block) for block in _columns(layout, NARROW)}
    perhaps = [block for block, alike in more.items() if alike > PERHAPS]
    wide = [block for block in _columns(layout, WIDE) if any(_overlap(block, other) for other in perhaps)]
    moved = [
        block
        for blocks, moves in ((wide, by_row), (_blocks(layout, 1), by_column))
        for block in blocks
        if any(_fits_moved(dark, drawn, layout, block, move) for move in moves)
    ]
    return moved + [block for block, alike in more.items() if alike > ROW_MORE]


def _overlap(one: Room, other: Room) -> bool:
    return all(one[axis] < other[axis + 2] and other[axis] < one[axis + 2] for axis in (0, 1))


def _fits_moved(dark: Array, drawn: Array, layout: Layout, block: Room, move: tuple[float, float]) -> bool:
    there, here = (_similarity(dark, drawn, layout, block, move, stay=stay) for stay in (False, True))
    return there > NEXT_FITS * here


def _row_more(dark: Array, drawn: Array, layout: Layout, block: Room) -> float:
    """Similarity of the area above or below a block to a row, where headings are printed.

    As a share of the block's.
    """
    left, top, right, bottom = block
    first, last = top + layout.row / 2, bottom - layout.row / 2
    beyond = [
        _similarity(dark, drawn, layout, (left, middle - BOX / 2, right, middle + BOX / 2), (0.0, move))
        for middle, move in ((first, -layout.row), (last, layout.row))
    ]
    return max(beyond) / max(_similarity(dark, drawn, layout, block), NO_LIKENESS)


def _columns(layout: Layout, wide: float) -> list[Room]:
    """The blocks in columns of about this width."""
    return _blocks(layout, max(1, round((layout.right - LEFT) / wide)))


def _similarity(
    dark: Array,
    drawn: Array,
    layout: Layout,
    part: Room,
    move: tuple[float, float] = (0.0, 0.0),
    *,
    stay: bool = False,
) -> float:
    """Similarity of a shifted part to its drawing, over the area that is inside the image both ways.

    With `stay` the same area is compared, without searching.
    """
    room = room_of(layout)
    # Include some margin, so that empty space next to a block counts too; and a pixel more to search, since rows and
    # columns are not whole pixels apart.
    around = (MARGIN - PITCH - 0.2) / 2
    by = [round(far * SCALE) for far in move]
    first = [round((part[axis] - around - room[axis]) * SCALE) for axis in (0, 1)]
    last = [round((part[axis + 2] + around - room[axis]) * SCALE) for axis in (0, 1)]
    left, top = (max(first[axis], 1, 1 - by[axis]) for axis in (0, 1))
    right, bottom = (
        min(last[axis], size - 1, size - 1 - by[axis]) for axis, size in enumerate(drawn.shape[::-1])
    )
    across, down = (0, 0) if stay else by
    there = dark[top + down - 1 : bottom + down + 1, left + across - 1 : right + across + 1]
    return float(cv2.matchTemplate(there, drawn[top:bottom, left:right], cv2.TM_CCOEFF_NORMED).max())
