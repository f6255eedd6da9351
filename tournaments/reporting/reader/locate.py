"""Finding the sheet's marks on a picture, and by them where each of its millimetres is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, product
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import zxingcpp

from tournaments.reporting.reader.image import Warp, fit
from tournaments.reporting.reader.layout import BITS, CORNERS, MARKS, MODULES, QR_LEFT, QR_SIDE, QR_TOP
from tournaments.reporting.reader.results import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.reporting.reader.image import Array


# Marks are sought on a picture of at most so many pixels a side.
SEEN, SMALLEST = 2400, 0.016
WINDOWS, MORE_WINDOWS = (15, 31), (9, 23, 45)
# So many marks are enough without another look; so many are the least to seek the others by, and to read by.
ENOUGH, LEAST, SURE = 6, 3, 5
# Millimetres that a mark may lie off the plane through the others: a sheet that is bent, and one that is curled.
OFF = (7.0, 14.0)
# How far around its place a mark is sought that was not seen, at so many pixels a millimetre, and how like it must be.
AROUND, SCALE, ALIKE = 9.0, 4, 0.62
# Pixels a millimetre under which boxes cannot be made out.
CLOSE = 3.2


@dataclass(frozen=True)
class Found:
    """The position of a sheet; or the reason of failure, with `warp` None."""

    warp: Warp | None
    seen: frozenset[int]
    reason: Reason | None = None

    @property
    def missing(self) -> tuple[int, ...]:
        return tuple(mark.number for mark in MARKS if mark.number not in self.seen)


def locate(grey: Array) -> Found:
    """The sheet on a picture in grey."""
    seen = _agreeing(_detect_marks(grey))
    if len(seen) < LEAST or not _spread(seen):
        return Found(None, frozenset(seen), _why(grey, seen))
    warp = _through(seen)
    for _again in range(3):
        more = _search_marks(grey, warp, [mark.number for mark in MARKS if mark.number not in seen])
        if not more:
            break
        seen = _agreeing(seen | more)
        warp = _through(seen)
    if reason := _cut_off(grey, warp, seen):
        return Found(None, frozenset(seen), reason)
    edges = warp.pixels(np.array([mark.corners[0] for mark in MARKS[:4]]))
    across = min(np.hypot(*(edges[0] - edges[1])), np.hypot(*(edges[2] - edges[3]))) / 181.0
    down = min(np.hypot(*(edges[0] - edges[2])), np.hypot(*(edges[1] - edges[3]))) / 265.0
    if min(across, down) < CLOSE * 0.6 or max(across, down) < CLOSE:
        return Found(None, frozenset(seen), Reason.TOO_SMALL)
    return Found(warp, frozenset(seen))


def _detect_marks(grey: Array) -> dict[int, Array]:
    """Marks by number, with their corners in pixels."""
    factor = max(1.0, max(grey.shape) / SEEN)
    small = grey
    if factor > 1:
        small = cv2.resize(grey, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    found = _marks(small, WINDOWS)
    if len(found) < ENOUGH:
        found = _marks(small, MORE_WINDOWS) | found
    if len(found) < ENOUGH:
        found = _marks(cv2.createCLAHE(3.0, (8, 8)).apply(small), (*WINDOWS, *MORE_WINDOWS)) | found
    return {number: (corners + 0.5) * factor - 0.5 for number, corners in found.items()}


def _marks(grey: Array, windows: Sequence[int]) -> dict[int, Array]:
    found: dict[int, Array] = {}
    for window in windows:
        for number, at in marks_in(grey, range(len(BITS)), (window,), SMALLEST):
            found.setdefault(number, at)
        if len(found) == len(MARKS):
            break
    return found


def _points(seen: Mapping[int, Array]) -> tuple[Array, Array]:
    """The corners of marks on the sheet and on the picture."""
    sheet = np.array([corner for number in seen for corner in MARKS[number].corners])
    return sheet, np.concatenate(list(seen.values()))


def _agreeing(seen: dict[int, Array]) -> dict[int, Array]:
    """Filter out marks that disagree with the others about the position: boxes and ticks imitate marks."""
    if len(seen) < LEAST:
        return seen
    for off in OFF:
        sheet, picture = _points(seen)
        # None where no plane is found, of which its types do not know.
        inside: Any = cv2.findHomography(picture, sheet, cv2.RANSAC, off, maxIters=2000)[1]
        if inside is None:
            return {}
        kept = inside.reshape(-1, 4).sum(axis=1) >= 3  # of its four corners
        agreeing = {number: at for (number, at), good in zip(seen.items(), kept, strict=True) if good}
        if len(agreeing) >= max(LEAST, len(seen) - 1) or off == OFF[-1]:
            break
    # A sheet seen from behind is none: its marks turn the other way.
    return {number: at for number, at in agreeing.items() if _is_from_above(at)}


def _is_from_above(corners: Array) -> bool:
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    return bool(across[0] * down[1] - across[1] * down[0] > 0)


def _spread(seen: Mapping[int, Array]) -> bool:
    """Whether the marks span the sheet, in both directions."""
    xs = [MARKS[number].left for number in seen]
    ys = [MARKS[number].top for number in seen]
    return max(xs) - min(xs) > 100 and max(ys) - min(ys) > 130  # of 181 and 265


def _through(seen: Mapping[int, Array]) -> Warp:
    """The sheet through its marks: plain least squares, since weights throw out the true ones in the middle."""
    sheet, picture = _points(seen)
    homography, _inside = cv2.findHomography(sheet, picture, 0)
    flat = Warp(homography)
    order = 3 if len(seen) >= 9 else 2 if len(seen) >= 6 else 0  # by what so many can bear
    factors = fit(sheet, picture - flat.pixels(sheet), order, np.ones(len(sheet)))
    return Warp(homography, order, factors)


def _picture_of(number: int, scale: int) -> Array:
    """A mark as it is printed, with a millimetre of white around it."""
    mark = MARKS[number]
    fine = np.full((MODULES, MODULES), 255, np.uint8)
    for row, column in mark.black:
        fine[row, column] = 0
    side = round(mark.side * scale)
    drawn = cv2.resize(fine, (side, side), interpolation=cv2.INTER_NEAREST)
    drawn = cv2.copyMakeBorder(drawn, scale, scale, scale, scale, cv2.BORDER_CONSTANT, value=255)
    return cv2.GaussianBlur(drawn, (0, 0), 0.25 * scale)


def _search_marks(grey: Array, warp: Warp, missing: Sequence[int]) -> dict[int, Array]:
    """Marks that were not seen, found by their own picture where the others say."""
    found = {}
    for number in missing:
        mark = MARKS[number]
        room = (
            mark.left - 1 - AROUND,
            mark.top - 1 - AROUND,
            mark.left + mark.side + 1 + AROUND,
            mark.top + mark.side + 1 + AROUND,
        )
        if not _inside(grey, warp.pixels(np.array([(room[0] + 9, room[1] + 9), (room[2] - 9, room[3] - 9)]))):
            continue
        there = warp.straightened(grey, room, SCALE)
        alike = cv2.matchTemplate(there, _picture_of(number, SCALE), cv2.TM_CCOEFF_NORMED)
        _least, most, _at, (x, y) = cv2.minMaxLoc(alike)
        if most < ALIKE:
            continue
        dx, dy = refined(alike, x, y)
        shift = np.array([(x + dx) / SCALE - AROUND, (y + dy) / SCALE - AROUND])
        found[number] = warp.pixels(np.array(mark.corners) + shift)
    return found


def refined(alike: Array, x: int, y: int) -> tuple[float, float]:
    """Subpixel offset of a map's maximum from a pixel."""

    def top(before: float, here: float, after: float) -> float:
        curve = before - 2 * here + after
        return 0.0 if curve >= 0 else max(-0.5, min(0.5, (before - after) / (2 * curve)))

    height, width = alike.shape
    dx = top(*map(float, alike[y, x - 1 : x + 2])) if 0 < x < width - 1 else 0.0
    dy = top(*map(float, alike[y - 1 : y + 2, x])) if 0 < y < height - 1 else 0.0
    return dx, dy


def _inside(grey: Array, pixels: Array) -> bool:
    height, width = grey.shape
    return bool(((pixels > 0) & (pixels < (width - 1, height - 1))).all())


def _cut_off(grey: Array, warp: Warp, seen: Mapping[int, Array]) -> Reason | None:
    """Whether missing corners are outside the picture, or too few marks of a complete sheet are visible.

    A corner covered by a thumb is accepted if the others are visible.
    """
    missing = [corner for corner in CORNERS if corner not in seen]
    if not all(_inside(grey, warp.pixels(np.array(MARKS[number].corners))) for number in missing):
        return Reason.CUT_OFF
    return Reason.BLURRED if len(seen) < SURE else None


def _why(grey: Array, seen: Mapping[int, Array]) -> Reason:
    """Why no sheet was found."""
    light = float(np.percentile(grey[::8, ::8], 95))
    if light < DARK:
        return Reason.TOO_DARK
    if len(seen) >= 2:  # one is found by chance
        return Reason.CUT_OFF
    return Reason.NO_SHEET


# The lightest twentieth of a picture that was taken without light, of 255.
DARK = 70


# Looking for the marks of sheets and of cards: one way for both, so that what is tuned is tuned for both.


def marks_in(grey: Array, numbers: range, windows: Sequence[int], smallest: float) -> list[tuple[int, Array]]:
    """Marks among these `numbers` of the dictionary, each counted from the first of them, with its corners in pixels.

    Light is compared in `windows` of so many pixels, equally far apart; a mark's edges together are at least the part
    `smallest` of the picture's longer side.
    """
    all_ = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    own = all_.bytesList[numbers.start : numbers.stop]
    wanted = cv2.aruco.Dictionary(own, 4, all_.maxCorrectionBits)
    how = cv2.aruco.DetectorParameters()
    how.adaptiveThreshWinSizeMin, how.adaptiveThreshWinSizeMax = windows[0], windows[-1]
    if len(windows) > 1:
        how.adaptiveThreshWinSizeStep = windows[1] - windows[0]
    how.minMarkerPerimeterRate, how.maxMarkerPerimeterRate = smallest, 0.5
    # Small and blurred marks: each module is looked at in its middle, and may be wrong in one place.
    how.perspectiveRemovePixelPerCell = 8
    how.perspectiveRemoveIgnoredMarginPerCell = 0.3
    how.maxErroneousBitsInBorderRate = 0.5
    how.errorCorrectionRate = 1.0
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    how.cornerRefinementWinSize = 3
    corners, found, _others = cv2.aruco.ArucoDetector(wanted, how).detectMarkers(grey)
    return [
        (int(number), np.asarray(at, np.float64).reshape(4, 2))
        for number, at in zip([] if found is None else found.ravel(), corners, strict=True)
    ]


# Reading the sheet's square code: in its place, straightened; where that is too blurred, module by module.
#
# Where the camera moved, the code is sharpened by each way that it may have gone: what is read of it is right or
# nothing, since the code checks itself.

# White around the code, in millimetres; pixels a millimetre; modules of a side, the likeliest first.
QUIET, SQUARE_SCALE = 2.0, 12
SIDES = (29, 33, 25, 37, 41)
FINDER = 7
# How far the camera may have moved, in millimetres of the sheet, and in how many directions; how blurred the picture is
# besides, at so many pixels a millimetre; and how strong its grain is.
MOVED, WAYS = (1.2, 1.6, 0.9, 1.4, 1.8, 0.65, 2.0), 14
MOVED_SCALE, SOFT, GRAIN = 8, 0.12, 0.02
# Millimetres that the corners of the code may lie off.
SQUARE_OFF = 1.5


def code_of(grey: Array, warp: Warp | None) -> str:
    """Content of the sheet's square code, "" if it is unreadable."""
    if warp is not None:
        room = (QR_LEFT - QUIET, QR_TOP - QUIET, QR_LEFT + QR_SIDE + QUIET, QR_TOP + QR_SIDE + QUIET)
        there = warp.straightened(grey, room, SQUARE_SCALE)
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
        module = QR_SIDE / side * SQUARE_SCALE
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
    far, quiet = round(SQUARE_OFF * SQUARE_SCALE), QUIET * SQUARE_SCALE
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
