"""One sheet with tick boxes found on a photograph, and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tournaments.reporting.reader import align, features, locate
from tournaments.reporting.reader.image import Refused, grey_of
from tournaments.reporting.reader.judge import fills_boxes, judged, lines_of, strays, struck
from tournaments.reporting.reader.layout import BESIDE, BOX, EDGE, RIGHT, VERSION, UnknownLayout, sheet_named
from tournaments.reporting.reader.results import Reading, Reason, Unreadable
from tournaments.reporting.reader.weights import shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.reporting.reader.features import Seen
    from tournaments.reporting.reader.image import Array, Warp
    from tournaments.reporting.reader.layout import Layout, Place, SheetName
    from tournaments.reporting.reader.results import Quad
    from tournaments.reporting.reader.weights import Weights

    Layouts = Callable[[SheetName], Layout | None]


def read_sheet(
    picture: bytes, layouts: Layouts, *, fills: bool, weights: Weights | None
) -> Reading | Unreadable:
    """Read the sheet in a picture; its parameters and result are those of `reader.read`."""
    try:
        found, smaller = grey_of(picture)
    except Refused as refused:
        return Unreadable(refused.reason)
    return _Reader(np.asarray(found), smaller, layouts, fills=fills, weights=weights).read()


def look(picture: bytes, layout: Layout) -> Seen | None:
    """The pictures of the boxes of a sheet with a known layout; None where the sheet is not found."""
    try:
        found, _smaller = grey_of(picture)
    except Refused:
        return None
    grey = np.asarray(found)
    warp = locate.locate(grey).warp
    return features.seen_on(grey, align.aligned(grey, warp, layout), layout) if warp else None


class _Reader:
    def __init__(
        self, grey: Array, smaller: float, layouts: Layouts, *, fills: bool, weights: Weights | None
    ) -> None:
        self.grey = grey
        self.smaller = smaller
        self.layouts = layouts
        self.fills = fills
        self.weights = weights

    def read(self) -> Reading | Unreadable:
        found = locate.locate(self.grey)
        if found.warp is None:
            return Unreadable(found.reason or Reason.NO_SHEET, found.missing, self._identify(None))
        address = locate.code_of(self.grey, found.warp)
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

    def _identify(self, warp: Warp | None) -> SheetName | None:
        """Identify a sheet that is not completely visible, by its code."""
        return sheet_named(locate.code_of(self.grey, warp))

    def _judged(self, name: SheetName, layout: Layout, warp: Warp, seen: Seen) -> Reading:
        quads = self._quads(warp, seen.boxes)
        boxes, hand = judged(seen, self.weights or shipped(), fills=self.fills)
        lines = lines_of(
            boxes,
            hand,
            layout,
            strays(seen, hand) | struck(seen),
            lambda place: quads[place.row, place.column],
            self._pieces(warp, layout),
        )
        lost = sum(not box.is_sure for box in boxes) / max(len(boxes), 1)
        return Reading(
            name,
            layout,
            tuple(lines),
            round(hand.dark, 3),
            lost,
            press=hand.is_weak,
            fills=fills_boxes(lines, hand),
        )

    def _quads(self, warp: Warp, places: Sequence[Place]) -> dict[tuple[int, int], Quad]:
        """Each box's place on the picture, by row and column."""
        half = BOX / 2
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        points = [(place.x + dx, place.y + dy) for place in places for dx, dy in corners]
        found = self._quads_of(warp, points)
        return {(place.row, place.column): quad for place, quad in zip(places, found, strict=True)}

    def _pieces(self, warp: Warp, layout: Layout) -> list[Quad]:
        """Each line's area on the picture, from its number to the notes at its end."""
        points = [
            point
            for row in range(len(layout.rows))
            for top, bottom in [(layout.top(row) - BESIDE, layout.top(row) + layout.row + BESIDE)]
            for point in ((EDGE, top), (RIGHT, top), (RIGHT, bottom), (EDGE, bottom))
        ]
        return self._quads_of(warp, points)

    def _quads_of(self, warp: Warp, points: Sequence[tuple[float, float]]) -> list[Quad]:
        """Four points each, in the pixels of the picture as it was sent."""
        pixels = ((warp.pixels(np.array(points)) + 0.5) * self.smaller - 0.5).round(1).tolist()
        corners = [(float(x), float(y)) for x, y in pixels]
        return [
            (corners[at], corners[at + 1], corners[at + 2], corners[at + 3])
            for at in range(0, len(corners), 4)
        ]
