"""A picture's bytes decoded to grey levels and warped to the sheet."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from PIL import Image, ImageOps

from tournaments.reporting.reader.layout import PAGE
from tournaments.reporting.reader.results import Reason

# From millimetres of the sheet to pixels of the picture, and the sheet straightened by that.

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]

# The grid of points that are computed exactly, in millimetres; at 4 or 8 pixels a millimetre those between lie at
# 32nds of it, which is as fine as OpenCV takes them.
STEP = 2.0


@dataclass(frozen=True)
class Bend:
    """A field of shifts in millimetres over the page: a polynomial, and what is left of it at the nodes of a grid."""

    order: int
    factors: Array
    # Millimetres of the first node and between nodes, across and down; shifts (rows, columns, 2).
    begins: tuple[float, float] = (0.0, 0.0)
    apart: tuple[float, float] = (1.0, 1.0)
    left: Array | None = None

    def shift_points(self, points: Array) -> Array:
        shifts: Array = terms(points, self.order) @ self.factors
        if self.left is not None:
            x = ((points[:, 0] - self.begins[0]) / self.apart[0]).astype(np.float32)
            y = ((points[:, 1] - self.begins[1]) / self.apart[1]).astype(np.float32)
            for axis in (0, 1):
                nodes = np.ascontiguousarray(self.left[:, :, axis], dtype=np.float32)
                found = cv2.remap(
                    nodes, x[:, None], y[:, None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
                )
                shifts[:, axis] += found[:, 0]
        return shifts


def terms(points: Array, order: int) -> Array:
    """The terms of a polynomial in both directions, of points in millimetres brought to -1…1."""
    x = points[:, 0] / (PAGE[0] / 2) - 1
    y = points[:, 1] / (PAGE[1] / 2) - 1
    return np.stack([x**i * y**j for i in range(order + 1) for j in range(order + 1 - i)], axis=1)


@dataclass(frozen=True)
class Warp:
    """A sheet in perspective, bent (in pixels, by a polynomial), with finer shifts in millimetres before that."""

    homography: Array
    order: int = 0
    factors: Array | None = None
    bends: tuple[Bend, ...] = field(default=())

    def pixels(self, points: Array) -> Array:
        """Convert points of the sheet, in millimetres, to pixels of the picture."""
        points = np.asarray(points, dtype=np.float64)
        for bend in self.bends:
            points = points + bend.shift_points(points)
        flat: Array = np.c_[points, np.ones(len(points))] @ self.homography.T
        found: Array = flat[:, :2] / flat[:, 2:]
        if self.factors is not None:
            found = found + terms(points, self.order) @ self.factors
        return found

    def bent(self, bend: Bend) -> Warp:
        return replace(self, bends=(bend, *self.bends))

    def straightened(self, grey: Array, room: tuple[float, float, float, float], scale: int) -> Array:
        """The straightened part of a picture (left, top, right, bottom in millimetres), at so many pixels a millimetre.

        The middle of its first pixel is half a pixel inside the room.
        """
        left, top, right, bottom = room
        width, height = round((right - left) * scale), round((bottom - top) * scale)
        xs = np.arange(left, right + 2 * STEP, STEP)
        ys = np.arange(top, bottom + 2 * STEP, STEP)
        nodes = self.pixels(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2))
        nodes = nodes.reshape(len(ys), len(xs), 2).astype(np.float32)
        step = 1 / (scale * STEP)
        onto = np.array([[step, 0, step / 2], [0, step, step / 2]])
        maps = [
            cv2.warpAffine(
                np.ascontiguousarray(nodes[:, :, axis]),
                onto,
                (width, height),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for axis in (0, 1)
        ]
        return cv2.remap(grey, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def fit(points: Array, shifts: Array, order: int, weights: Array, *, rounds: int = 0) -> Array:
    """The factors of a polynomial through shifts; with `rounds` what lies far off counts less and less."""
    design = terms(points, order)
    steady = 1e-6 * np.eye(design.shape[1])
    now = weights
    for turn in range(rounds + 1):
        heavy = design * now[:, None]
        factors: Array = np.linalg.solve(heavy.T @ design + steady, heavy.T @ shifts)
        if turn < rounds:
            off = np.hypot(*(shifts - design @ factors).T)
            wide = max(4.685 * 1.4826 * float(np.median(off)), 0.15)
            now = weights * np.clip(1 - (off / wide) ** 2, 0, 1) ** 2
    return factors


# A picture's bytes made into grey: its size is known from its header before anything is unpacked.

FORMATS = ("JPEG", "PNG", "WEBP")
MOST_PIXELS = 60_000_000
# What Pillow raises for a file that is broken, or made to break it: its camera's notes may be so too.
BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    MemoryError,
    struct.error,
    zlib.error,
)
# Of the longer side: on a smaller picture no boxes can be made out; and what a larger one is made smaller to.
LEAST_SIDE, ENOUGH = 900, 4400


class Refused(Exception):
    """A picture that is not read, and why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def grey_of(data: bytes) -> tuple[Image.Image, float]:
    """The picture upright, as its camera says, in grey, and how much smaller than it is. Raises Refused."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
            width, height = picture.size
            if width * height > MOST_PIXELS:
                raise Refused(Reason.TOO_LARGE)
            if max(width, height) < LEAST_SIDE:
                raise Refused(Reason.TOO_SMALL)
            # The camera's JPEG unpacks without its colours at a third of the time.
            picture.draft("L", picture.size)
            grey = ImageOps.exif_transpose(picture.convert("L"))
    except Image.DecompressionBombError as error:
        raise Refused(Reason.TOO_LARGE) from error
    except BROKEN as error:
        raise Refused(Reason.NO_PICTURE) from error
    factor = -(-max(grey.size) // ENOUGH)
    return (grey.reduce(factor), float(factor)) if factor > 1 else (grey, 1.0)
