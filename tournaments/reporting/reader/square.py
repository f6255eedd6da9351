"""Reading the sheet's square code: in its place, straightened; where that is too blurred, module by module.

Where the camera moved, the code is sharpened by each way that it may have gone: what is read of it is right or nothing,
since the code checks itself.
"""

from __future__ import annotations

from itertools import chain, product
from math import cos, pi, sin
from typing import TYPE_CHECKING

import cv2
import numpy as np
import zxingcpp

from tournaments.reporting.reader.layout import QR_LEFT, QR_SIDE, QR_TOP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.reporting.reader.image import Array, Warp


# White around the code, in millimetres; pixels a millimetre; modules of a side, the likeliest first.
QUIET, SCALE = 2.0, 12
SIDES = (29, 33, 25, 37, 41)
FINDER = 7
# How far the camera may have moved, in millimetres of the sheet, and in how many directions; how blurred the picture is
# besides, at so many pixels a millimetre; and how strong its grain is.
MOVED, WAYS = (1.2, 1.6, 0.9, 1.4, 1.8, 0.65, 2.0), 14
MOVED_SCALE, SOFT, GRAIN = 8, 0.12, 0.02
# Millimetres that the corners of the code may lie off.
OFF = 1.5


def code_of(grey: Array, warp: Warp | None) -> str:
    """Content of the sheet's square code, "" if it is unreadable."""
    if warp is not None:
        room = (QR_LEFT - QUIET, QR_TOP - QUIET, QR_LEFT + QR_SIDE + QUIET, QR_TOP + QR_SIDE + QUIET)
        there = warp.straightened(grey, room, SCALE)
        for picture in chain((there,), _module_by_module(there), _as_if_moved(grey, warp, room)):
            if said := _decode(picture):
                return said
    return _decode(grey)


def code_in(there: Array) -> str:
    """Content of a straightened square code, of the size and with the margin of a sheet's."""
    found = (_decode(picture) for picture in chain((there,), _module_by_module(there)))
    return next(filter(None, found), "")


def _decode(picture: Array) -> str:
    square = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    found = zxingcpp.read_barcodes(picture, formats=square)
    return str(found[0].text) if found else ""


def _module_by_module(there: Array) -> Iterator[Array]:
    """The code redrawn with each module black or white by its centre, for each possible number of modules."""
    for side in SIDES:
        module = QR_SIDE / side * SCALE
        onto = _finders(there, side, module)
        if onto is None:
            continue
        middles = np.arange(side) + 0.5
        columns, rows = np.meshgrid(middles, middles)
        at = np.stack([columns, rows, np.ones_like(rows)], axis=-1) @ onto.T
        calm = cv2.GaussianBlur(there, (0, 0), 0.25 * module).astype(np.float32)
        light = cv2.remap(
            calm, at[:, :, 0].astype(np.float32), at[:, :, 1].astype(np.float32), cv2.INTER_LINEAR
        )
        # What is usual around each module parts black from white: light falls unevenly.
        usual = cv2.blur(light, (9, 9), borderType=cv2.BORDER_REFLECT)
        for black in (light < usual, light < (light.min() + light.max()) / 2):
            drawn: Array = np.where(black, 0, 255).astype(np.uint8)
            drawn = cv2.copyMakeBorder(drawn, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=255)
            yield cv2.resize(drawn, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)


def _finders(there: Array, side: int, module: float) -> Array | None:
    """The map from modules to pixels, by the three finder patterns of the code; None where they are not found."""
    picture = np.full((FINDER + 2, FINDER + 2), 255, np.uint8)
    picture[1:-1, 1:-1] = 0
    picture[2:-2, 2:-2] = 255
    picture[3:-3, 3:-3] = 0
    wide = round((FINDER + 2) * module)
    wanted = cv2.resize(picture, (wide, wide), interpolation=cv2.INTER_AREA)
    wanted = cv2.GaussianBlur(wanted, (0, 0), 0.3 * module)
    far, quiet = round(OFF * SCALE), QUIET * SCALE
    modules, pixels = [], []
    for row, column in ((0, 0), (0, side - FINDER), (side - FINDER, 0)):
        x, y = quiet + (column - 1) * module, quiet + (row - 1) * module
        left, top = max(round(x) - far, 0), max(round(y) - far, 0)
        piece = there[top : round(y) + wide + far, left : round(x) + wide + far]
        if min(piece.shape) < wide:
            return None
        _least, most, _at, (dx, dy) = cv2.minMaxLoc(cv2.matchTemplate(piece, wanted, cv2.TM_CCOEFF_NORMED))
        if most < 0.5:  # of 1 for the same
            return None
        modules.append((column + FINDER / 2, row + FINDER / 2))
        pixels.append((left + dx + wide / 2 - 0.5, top + dy + wide / 2 - 0.5))
    return cv2.getAffineTransform(np.array(modules, np.float32), np.array(pixels, np.float32))


def _as_if_moved(grey: Array, warp: Warp, room: tuple[float, float, float, float]) -> Iterator[Array]:
    """The code without the blur of a camera that moved, in each way and so far (a filter of Wiener's)."""
    there = warp.straightened(grey, room, MOVED_SCALE).astype(np.float32)
    waves = np.fft.rfft2(there - there.mean())
    for far, way in product(MOVED, range(WAYS)):
        moved = np.fft.rfft2(np.fft.ifftshift(_trace(len(there), far, pi * way / WAYS)))
        sharp = np.fft.irfft2(waves * np.conj(moved) / (np.abs(moved) ** 2 + GRAIN), s=there.shape)
        black, white = np.percentile(sharp, (2, 98))
        drawn: Array = np.clip((sharp - black) / max(white - black, 1e-6) * 255, 0, 255).astype(np.uint8)
        yield drawn


def _trace(side: int, far: float, angle: float) -> Array:
    """Transform a point by the camera's motion."""
    drawn: Array = np.zeros((side, side), np.float32)
    fine, middle, half = 4, side // 2, far * MOVED_SCALE / 2
    ends = [
        tuple(round((middle + sign * half * part) * 2**fine) for part in (cos(angle), sin(angle)))
        for sign in (-1, 1)
    ]
    cv2.line(drawn, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, fine)
    soft: Array = cv2.GaussianBlur(drawn, (0, 0), SOFT * MOVED_SCALE)
    whole: Array = soft / soft.sum()
    return whole
