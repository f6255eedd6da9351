"""How much ink is in each box, and how it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tournaments.slip.reading.align import Room, darkness, in_doubt, paper_of, room_of

if TYPE_CHECKING:
    from tournaments.slip.reading.geometry import Layout, Place
    from tournaments.slip.reading.warp import Array, Warp

# Pixels a millimetre, at which boxes are looked at.
SCALE = 8
# Half the side of what is looked at inside a box, of its core, and of a box with what is around it, in pixels.
INNER, CORE, AROUND = 10, 7, 21
# Darker than this share of a printed line is ink.
INK, LEAST_INK = 0.5, 0.2
# A side of a box is so far from its middle, in pixels; and what lies outside it, from there to there.
SIDE, OUTSIDE = 12.6, (15, 18)
CELLS = 4
# What is wider, in millimetres, is no ink: a shadow, or where a box is not full of ink, coffee.
BLOT, STROKE = 6.0, 2.0


class Inked(NamedTuple):
    """What is seen in a box, most of it in shares of a printed line's darkness.

    - soft: its darkest tenth, blurred; softcore: the same of its core; mean, core: on average, and of the core
    - cover: how much of it is ink; cells: how many of its sixteenths have some; extent: how far it spreads, 1 for all
    - packed: how much of the room that it spreads over is ink
    - ring: how much ink lies beside the box, at the side with most; weakest: its own weakest side
    """

    soft: float
    softcore: float
    mean: float
    core: float
    cover: float
    cells: float
    extent: float
    packed: float
    ring: float
    weakest: float


@dataclass(frozen=True)
class Seen:
    """What is seen on a straightened sheet: printed boxes, places without one, and where place is in doubt."""

    boxes: list[tuple[Place, Inked]]
    without: list[tuple[Place, Inked]]
    doubt: list[Room]

    def is_sure(self, place: Place) -> bool:
        return not any(
            left <= place.x <= right and top <= place.y <= bottom for left, top, right, bottom in self.doubt
        )


def seen_on(grey: Array, warp: Warp, layout: Layout) -> Seen:
    """What is in the boxes; `warp` is aligned to their outlines."""
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

    room = room_of(layout)
    straight = warp.straightened(grey, room, SCALE)
    half = cv2.resize(straight, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    doubt = in_doubt(darkness(half, 0.4), layout)
    boxes, without = list(layout.places()), list(layout.places(printed=False))
    patches, unstained = (
        _patches(_darkness(straight, half, wide), room, [*boxes, *without]) for wide in (BLOT, STROKE)
    )
    lines = _lines(patches[: len(boxes)], boxes, layout)
    contrast = np.concatenate([lines, np.full(len(without), float(np.median(lines)))])[:, None, None]
    inner = slice(AROUND - INNER, AROUND + INNER)
    blotted = (patches[:, inner, inner] > INK * contrast).mean(axis=(1, 2)) > INK
    patches = np.where(blotted[:, None, None], patches, unstained)
    inked = _inked(patches / contrast, [*boxes, *without])
    return Seen(
        list(zip(boxes, inked[: len(boxes)], strict=True)),
        list(zip(without, inked[len(boxes) :], strict=True)),
        doubt,
    )


def _darkness(straight: Array, half: Array, wide: float) -> Array:
    """How much darker than the paper each pixel is, by what is not so wide; `half` is the same at half the size."""
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

    paper = paper_of(half, SCALE // 2, wide)
    paper = cv2.resize(paper, (straight.shape[1], straight.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.clip(1 - straight.astype(np.float32) / np.maximum(paper, 1), 0, 1)


def _patches(dark: Array, room: Room, places: list[Place]) -> Array:
    """A square around the middle of each place."""
    import numpy as np  # noqa: PLC0415 - an extra

    xs = np.array([round((place.x - room[0]) * SCALE - 0.5) for place in places], dtype=np.intp)
    ys = np.array([round((place.y - room[1]) * SCALE - 0.5) for place in places], dtype=np.intp)
    span = np.arange(-AROUND, AROUND + 1)
    patches: Array = dark[ys[:, None, None] + span[None, :, None], xs[:, None, None] + span[None, None, :]]
    return patches


def _sides(patches: Array) -> Array:
    """The darkness of the printed line on each of the four sides of each box."""
    import numpy as np  # noqa: PLC0415 - an extra

    near, far = round(SIDE) - 1, round(SIDE) + 2
    along = slice(AROUND - INNER, AROUND + INNER + 1)
    strips = [
        patches[:, AROUND - far : AROUND - near + 1, along].max(axis=1),
        patches[:, AROUND + near : AROUND + far + 1, along].max(axis=1),
        patches[:, along, AROUND - far : AROUND - near + 1].max(axis=2),
        patches[:, along, AROUND + near : AROUND + far + 1].max(axis=2),
    ]
    return np.stack([np.median(strip, axis=1) for strip in strips], axis=1)


def _lines(patches: Array, boxes: list[Place], layout: Layout) -> Array:
    """How dark a printed line is at each box: what is usual around it, since one box may be drawn over."""
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

    own = np.median(_sides(patches), axis=1)
    usual = float(np.median(own))
    field = np.full((len(layout.rows), len(layout.columns)), usual, np.float32)
    for place, line in zip(boxes, own, strict=True):
        field[place.row, place.column] = line
    calm = cv2.medianBlur(field, 5)
    calm = cv2.blur(calm, (5, 5), borderType=cv2.BORDER_REPLICATE)
    found = np.array([calm[place.row, place.column] for place in boxes])
    contrast: Array = np.clip(found, max(0.5 * usual, 0.08), 1)
    return contrast


def _inked(patches: Array, places: list[Place]) -> list[Inked]:
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

    patches = np.minimum(patches, 1.5).astype(np.float32)
    count, side = len(patches), patches.shape[1]
    # All of them as one tall picture: a blur of each by itself takes ten times as long.
    blurred = cv2.GaussianBlur(patches.reshape(count * side, side), (0, 0), 2.0).reshape(patches.shape)
    inner = slice(AROUND - INNER, AROUND + INNER)
    core = slice(AROUND - CORE, AROUND + CORE + 1)
    inside = patches[:, inner, inner]
    soft = np.sort(blurred[:, inner, inner].reshape(count, -1), axis=1)
    tenth = soft.shape[1] // 10
    darkest = soft[:, -tenth:].mean(axis=1)
    # What is faint is measured by itself, or it would look like dots.
    ink = inside > np.clip(darkest / 2, LEAST_INK, INK)[:, None, None]
    softcore = np.sort(blurred[:, core, core].reshape(count, -1), axis=1)
    step = 2 * INNER // CELLS
    cells = inside.reshape(count, CELLS, step, CELLS, step).mean(axis=(2, 4)) > INK / 2
    rows, columns = ink.sum(axis=2) > 1, ink.sum(axis=1) > 1
    high, wide = _span(rows), _span(columns)
    room = np.maximum(high * wide, 1)
    sides = _sides(patches)
    ring = _beside(patches, places)
    columns_of = np.stack(
        [
            darkest,
            softcore[:, -(softcore.shape[1] // 10) :].mean(axis=1),
            inside.mean(axis=(1, 2)),
            patches[:, core, core].mean(axis=(1, 2)),
            (inside > INK).mean(axis=(1, 2)),
            cells.mean(axis=(1, 2)),
            np.hypot(high, wide) / (2 * INNER * np.sqrt(2)),
            ink.sum(axis=(1, 2)) / room,
            ring,
            sides.min(axis=1),
        ],
        axis=1,
    )
    return [Inked(*map(float, row)) for row in columns_of]


def _beside(patches: Array, places: list[Place]) -> Array:
    """How much ink lies beside each box, at the side with most: not what is there at most of its row or column."""
    import numpy as np  # noqa: PLC0415 - an extra

    near, far = OUTSIDE
    inner = slice(AROUND - INNER, AROUND + INNER)
    usual = np.zeros_like(patches)
    for of in ([place.row for place in places], [place.column for place in places]):
        line_of = np.array(of)
        for line in range(line_of.max() + 1):
            here = line_of == line
            usual[here] = np.maximum(usual[here], np.median(patches[here], axis=0))
    more = patches - usual
    beside = [
        more[:, AROUND - far : AROUND - near, inner],
        more[:, AROUND + near + 1 : AROUND + far + 1, inner],
        more[:, inner, AROUND - far : AROUND - near],
        more[:, inner, AROUND + near + 1 : AROUND + far + 1],
    ]
    ring: Array = np.stack([(strip > INK - 0.1).mean(axis=(1, 2)) for strip in beside], axis=1).max(axis=1)
    return ring


def _span(inked: Array) -> Array:
    """From the first to the last that has ink, in pixels."""
    import numpy as np  # noqa: PLC0415 - an extra

    first = inked.argmax(axis=1)
    last = inked.shape[1] - inked[:, ::-1].argmax(axis=1)
    return np.where(inked.any(axis=1), last - first, 0)
