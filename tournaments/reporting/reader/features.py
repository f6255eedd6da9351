"""Features of each box: a small picture of it and its surroundings, and a few numbers of it and of the sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tournaments.reporting.reader.align import SCALE, Room, in_doubt, paper_of, room_of
from tournaments.reporting.reader.align import darkness as calm_darkness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.reporting.reader.image import Array, Warp
    from tournaments.reporting.reader.layout import Layout, Place


# Pixels from the middle of a box to the edge of its picture, and to the edge of what is looked at inside the box.
AROUND, INNER = 14, 5
# A printed line's darkness is so much in these pictures, of 255: ink is darker.
PRINTED = 170
# From a box's middle to the middle of its line, in pixels.
SIDE = 6
# The paper between two boxes begins so many pixels from a box's middle, beyond its line, and is looked at so far.
BETWEEN, BETWEEN_WIDE = 8, 3
# Of a box and the paper around it so many pixels are looked at on both sides and above and below, short of what is
# printed beside it, to see where its ink lies; by so many empty boxes what is printed is known. Less than this share of
# a printed line is no ink, nor is what all but this share of the empty boxes' pixels is below.
WIDE, HIGH, EMPTIES, NO_INK, NOISE = 11, 9, 300, 0.1, 0.99
# Darker than these shares of a printed line is ink, and is perhaps ink; the darkest so many pixels are a mark's.
INK, PALE_INK, DARKEST = 0.5, 0.25, 12
# The least contrast of a printed line, of the sheet's usual and at all.
LEAST_SHARE, LEAST = 0.5, 0.08
# Boxes that are empty on any sheet; marks so much lighter than the darkest of the sheet are not its hand's.
EMPTY_SHARE, DARK_TENTH, HALF = 0.7, 0.9, 0.5


@dataclass(frozen=True)
class Seen:
    """The pictures of a straightened sheet: printed boxes, places without one, and boxes of uncertain position.

    - pictures: of `boxes` and then of `without`, each a square of 2 x AROUND + 1 pixels of a quarter millimetre, in
      shares of a printed line's darkness, PRINTED for as dark as one
    - line: how dark printed lines are, of the paper's light
    """

    boxes: Sequence[Place]
    without: Sequence[Place]
    pictures: Array
    line: float
    doubt: Sequence[Room]

    def is_sure(self, place: Place) -> bool:
        return not any(
            left <= place.x <= right and top <= place.y <= bottom for left, top, right, bottom in self.doubt
        )


def seen_on(grey: Array, warp: Warp, layout: Layout) -> Seen:
    """Cut out the pictures of the boxes; `warp` is aligned to their outlines."""
    room = room_of(layout)
    # Finer than needed, then halved: so noise becomes less.
    straight = cv2.resize(
        warp.straightened(grey, room, 2 * SCALE), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA
    )
    doubt = in_doubt(calm_darkness(straight, 0.4), layout)
    dark = np.clip(1 - straight.astype(np.float32) / np.maximum(paper_of(straight, SCALE), 1), 0, 1)
    boxes, without = list(layout.places()), list(layout.places(printed=False))
    pieces = _pieces(dark, room, [*boxes, *without])
    contrast, usual = _contrast(pieces, boxes, without, layout)
    pictures = np.clip(pieces / contrast[:, None, None] * PRINTED, 0, 255).astype(np.uint8)
    return Seen(boxes, without, pictures, usual, doubt)


def _pieces(dark: Array, room: Room, places: Sequence[Place]) -> Array:
    """A square around the middle of each place, to fractions of a pixel."""
    side = 2 * AROUND + 1
    wider = cv2.copyMakeBorder(dark, AROUND, AROUND, AROUND, AROUND, cv2.BORDER_REPLICATE)
    return np.stack(
        [
            cv2.getRectSubPix(
                wider,
                (side, side),
                (
                    (place.x - room[0]) * SCALE - 0.5 + AROUND,
                    (place.y - room[1]) * SCALE - 0.5 + AROUND,
                ),
            )
            for place in places
        ]
    )


def _contrast(
    pieces: Array, boxes: Sequence[Place], without: Sequence[Place], layout: Layout
) -> tuple[Array, float]:
    """The darkness of a printed line at each place: the median around it, since one box may be drawn over."""
    own = np.median(_sides(pieces[: len(boxes)]), axis=1)
    usual = float(np.median(own))
    field = np.full((len(layout.rows), len(layout.columns)), usual, np.float32)
    for place, line in zip(boxes, own, strict=True):
        field[place.row, place.column] = line
    calm = cv2.blur(cv2.medianBlur(field, 5), (5, 5), borderType=cv2.BORDER_REPLICATE)
    found = np.array([calm[place.row, place.column] for place in (*boxes, *without)])
    return np.clip(found, max(LEAST_SHARE * usual, LEAST), 1), usual


def _sides(pieces: Array) -> Array:
    """The darkness of the printed line on each of the four sides of each box."""
    low, high = AROUND - SIDE - 1, AROUND + SIDE - 1
    along = slice(AROUND - INNER, AROUND + INNER + 1)
    strips = [
        pieces[:, low : low + 3, along].max(axis=1),
        pieces[:, high : high + 3, along].max(axis=1),
        pieces[:, along, low : low + 3].max(axis=2),
        pieces[:, along, high : high + 3].max(axis=2),
    ]
    return np.stack([np.median(strip, axis=1) for strip in strips], axis=1)


def numbers_of(pictures: Array) -> Array:
    """For each box, relative to a printed line: maximum and mean darkness; the shares of certain and possible ink."""
    inside = slice(AROUND - INNER, AROUND + INNER + 1)
    inner = pictures[:, inside, inside].reshape(len(pictures), -1).astype(np.float32) / PRINTED
    darkest = np.sort(inner, axis=1)[:, -DARKEST:].mean(axis=1)
    return np.stack(
        [darkest, inner.mean(axis=1), (inner > INK).mean(axis=1), (inner > PALE_INK).mean(axis=1)], axis=1
    )


def crossed(pictures: Array) -> Array:
    """The darkness of strokes that lead out of each box on both sides, relative to a printed line: of a row struck out.

    Of the paper to the left and to the right the darkest height, over what is usual there; of both the lighter.
    """
    beyond = pictures[:, AROUND - SIDE : AROUND + SIDE + 1].astype(np.float32) / PRINTED
    found = []
    for nearest in (AROUND - BETWEEN - BETWEEN_WIDE + 1, AROUND + BETWEEN):
        heights = beyond[:, :, nearest : nearest + BETWEEN_WIDE].mean(axis=2)
        found.append(((heights[:, :-1] + heights[:, 1:]) / 2).max(axis=1) - np.median(heights, axis=1))
    lighter: Array = np.minimum(*found)
    return lighter


def leaning(pictures: Array, numbers: Array) -> Array:
    """The offset of each box's ink from its middle to the right, in pixels, without printed parts; 0 without ink."""
    around = slice(AROUND - HIGH, AROUND + HIGH + 1), slice(AROUND - WIDE, AROUND + WIDE + 1)
    near = pictures[:, *around].astype(np.float32) / PRINTED
    empty = near[numbers[:, 1] <= np.quantile(numbers[:, 1], EMPTY_SHARE)]
    empty = empty[:: max(1, len(empty) // EMPTIES)]
    printed = np.median(empty, axis=0)
    ink = near - printed - max(NO_INK, float(np.quantile(np.abs(empty - printed), NOISE)))
    across = np.clip(ink, 0, 1).sum(axis=1)
    to_the_right: Array = across @ np.arange(-WIDE, WIDE + 1) / np.maximum(across.sum(axis=1), 1e-3)
    return to_the_right


def hand_of(numbers: Array, boxes: Sequence[Place], line: float) -> Array:
    """Features of this sheet's handwriting, by the darkest box of each group of a row: at most one is ticked there.

    The middle of such boxes' numbers; how dark empty boxes are, how they differ, and all boxes' middle; the line.
    """
    of = np.array([(place.row, place.group) for place in boxes])
    order = np.lexsort((-numbers[:, 0], of[:, 1], of[:, 0]))
    first = np.r_[True, (np.diff(of[order], axis=0) != 0).any(axis=1)]
    marks = numbers[order[first]]
    marks = marks[marks[:, 0] >= HALF * np.quantile(marks[:, 0], DARK_TENTH)]
    means = np.sort(numbers[:, 1])[: max(1, int(EMPTY_SHARE * len(numbers)))]
    usual = np.median(means)
    differ = 1.4826 * np.median(np.abs(means - usual))
    hand: Array = np.r_[np.median(marks, axis=0), usual, differ, line, np.median(numbers[:, 0])]
    return hand
