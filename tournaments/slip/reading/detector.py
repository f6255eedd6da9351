"""Looking for the marks of sheets and of cards: one way for both, so that what is tuned is tuned for both."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.slip.reading.warp import Array


def marks_in(grey: Array, numbers: range, windows: Sequence[int], smallest: float) -> list[tuple[int, Array]]:
    """Marks among these `numbers` of the dictionary, each counted from the first of them, with its corners in pixels.

    Light is compared in `windows` of so many pixels, equally far apart; a mark's edges together are at least the part
    `smallest` of the picture's longer side.
    """
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

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
