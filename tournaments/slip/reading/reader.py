"""A photograph of a sheet to be ticked, read: `read`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from tournaments.slip.reading.geometry import BOX, EDGE, RIGHT, VERSION, UnknownLayout, sheet_named
from tournaments.slip.reading.judge import FILLED_SHARE, STRAY, WEAK_HAND, Hand, judged, line_of
from tournaments.slip.reading.pictures import Refused, grey_of
from tournaments.slip.reading.results import Reading, Reason, State, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.slip.reading.features import Seen
    from tournaments.slip.reading.geometry import Layout, Place, SheetName
    from tournaments.slip.reading.results import Box, Line, Quad
    from tournaments.slip.reading.warp import Array, Warp

    # A sheet's layout by its name; None for one that was not printed here. May raise UnknownLayout.
    Layouts = Callable[[SheetName], Layout | None]


def is_available() -> bool:
    """Whether this installation can read pictures: OpenCV and numpy are an extra."""
    return all(find_spec(name) is not None for name in ("cv2", "numpy"))


def read(picture: bytes, layouts: Layouts, *, fills: bool = False) -> Reading | Unreadable:
    """What stands on the sheet in a picture, JPEG, PNG or WebP; or why it cannot be read, which is never an error.

    `fills`: whoever ticked it fills the boxes that are meant, as the answer to a reading that `fills` says.
    """
    if not is_available():
        return Unreadable(Reason.UNAVAILABLE)
    try:
        found, smaller = grey_of(picture)
    except Refused as refused:
        return Unreadable(refused.reason)
    import numpy as np  # noqa: PLC0415 - an extra

    return _Reader(np.asarray(found), smaller, layouts, fills=fills).read()


class _Reader:
    def __init__(self, grey: Array, smaller: float, layouts: Layouts, *, fills: bool) -> None:
        self.grey = grey
        self.smaller = smaller
        self.layouts = layouts
        self.fills = fills

    def read(self) -> Reading | Unreadable:
        # With OpenCV, and so only once it is known to be there.
        from tournaments.slip.reading import align, features, locate, square  # noqa: PLC0415

        found = locate.locate(self.grey)
        if found.warp is None:
            return Unreadable(found.reason or Reason.NO_SHEET, found.missing, self._named(None))
        address = square.code_of(self.grey, found.warp)
        name = sheet_named(address)
        if name is None:
            return Unreadable(Reason.OTHER_SHEET if address else Reason.NO_CODE, found.missing)
        try:
            layout = self._layout(name)
        except UnknownLayout:
            return Unreadable(Reason.UNKNOWN_VERSION, found.missing, name)
        if layout is None or layout.code != name.layout:
            return Unreadable(Reason.UNKNOWN_LAYOUT, found.missing, name)
        warp = align.aligned(self.grey, found.warp, layout)
        return self._judged(name, layout, warp, features.seen_on(self.grey, warp, layout))

    def _layout(self, name: SheetName) -> Layout | None:
        if name.version != VERSION:
            raise UnknownLayout(name.version)
        return self.layouts(name)

    def _named(self, warp: Warp | None) -> SheetName | None:
        """Which sheet it is, of one that is not whole: its code may be there."""
        from tournaments.slip.reading import square  # noqa: PLC0415 - see above

        return sheet_named(square.code_of(self.grey, warp))

    def _judged(self, name: SheetName, layout: Layout, warp: Warp, seen: Seen) -> Reading:
        quads = self._quads(warp, [place for place, _inked in seen.boxes])
        rows, hand = judged(seen, layout, lambda place: quads[place.row, place.column], fills=self.fills)
        strays = {place.row for place, inked in seen.without if inked.mean > STRAY}
        pieces = self._pieces(warp, layout)
        lines = [
            line_of(row.deal, boxes, layout, stray=number in strays, quad=pieces[number])
            for number, (row, boxes) in enumerate(zip(layout.rows, rows, strict=True))
        ]
        lost = sum(not seen.is_sure(place) for place, _inked in seen.boxes) / max(len(seen.boxes), 1)
        return Reading(
            name,
            layout,
            tuple(lines),
            hand.firm,
            lost,
            press=hand.firm < WEAK_HAND,
            fills=_fills(lines, hand),
        )

    def _quads(self, warp: Warp, places: Sequence[Place]) -> dict[tuple[int, int], Quad]:
        """Each box's place on the picture, by row and column."""
        half = BOX / 2
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        points = [(place.x + dx, place.y + dy) for place in places for dx, dy in corners]
        found = self._quads_of(warp, points)
        return {(place.row, place.column): quad for place, quad in zip(places, found, strict=True)}

    def _pieces(self, warp: Warp, layout: Layout) -> list[Quad]:
        """Each line's place on the picture, from its number to what is written beside it."""
        points = [
            point
            for row in range(len(layout.rows))
            for top, bottom in [(layout.top(row) - 0.6, layout.top(row) + layout.row + 0.6)]
            for point in ((EDGE, top), (RIGHT, top), (RIGHT, bottom), (EDGE, bottom))
        ]
        return self._quads_of(warp, points)

    def _quads_of(self, warp: Warp, points: Sequence[tuple[float, float]]) -> list[Quad]:
        """Four points each, in the pixels of the picture as it was sent."""
        import numpy as np  # noqa: PLC0415 - an extra

        pixels = ((warp.pixels(np.array(points)) + 0.5) * self.smaller - 0.5).round(1).tolist()
        corners = [(float(x), float(y)) for x, y in pixels]
        return [
            (corners[at], corners[at + 1], corners[at + 2], corners[at + 3])
            for at in range(0, len(corners), 4)
        ]


def _fills(lines: Sequence[Line], hand: Hand) -> bool:
    """Whether somebody seems to fill the boxes that are meant: boxes are cancelled where nothing else is ticked."""
    filled = [line for line in lines if not line.chosen and _count(line.boxes, State.VOID)]
    ticked = [line for line in lines if line.chosen]
    return len(filled) > FILLED_SHARE * (len(filled) + len(ticked)) and not hand.thick


def _count(boxes: Sequence[Box], state: State) -> int:
    return sum(box.state is state for box in boxes)
