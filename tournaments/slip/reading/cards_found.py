"""Finding seat cards on a picture: by the marks in their corners where each is, by its square code whose it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tournaments.slip.reading.cards import CODE_LEFT, CODE_SIDE, CODE_TOP, HIGH, MARKS, WIDE, is_card
from tournaments.slip.reading.detector import marks_in
from tournaments.slip.reading.geometry import QR_LEFT, QR_SIDE, QR_TOP, sheet_named
from tournaments.slip.reading.marks import BITS, CARD_BITS
from tournaments.slip.reading.square import QUIET, code_in
from tournaments.slip.reading.square import SCALE as CODE_SCALE
from tournaments.slip.reading.warp import Warp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.slip.reading.geometry import SheetName
    from tournaments.slip.reading.warp import Array

# Marks are sought on a picture of at most so many pixels a side. Where the others of a card are is known from one to so
# many millimetres, and so far may they lie off a plane: cards are curled.
SEEN, AROUND, BENT = 3600, 16.0, 1.2
# How marks are sought (see `marks_in`): many small ones at once, and then blurred ones.
WINDOWS, WIDER, SMALLEST = (9, 21, 33), (33, 63, 93), 0.012
# So many marks are needed of a card. A code lies so far from where they say, at most.
LEAST, OFF = 3, 10.0


def codes_on(grey: Array) -> list[tuple[SheetName | None, Array]]:
    """Every square code that can be read in the whole picture, with its middle; None for one that names no sheet."""
    import numpy as np  # noqa: PLC0415 - an extra
    import zxingcpp  # noqa: PLC0415 - only where pictures are read

    square = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    found = []
    for code in zxingcpp.read_barcodes(grey, formats=square):
        at = code.position
        corners = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        middle = np.mean([(corner.x, corner.y) for corner in corners], axis=0)
        found.append((sheet_named(str(code.text)), middle))
    return found


def cards_on(grey: Array) -> tuple[list[Warp], list[int]]:
    """Where each card is, and which marks lie on none of them: those of cards that cannot be made out.

    Where marks seem to lack they are sought once more, as blurred ones; a card that is found already stays as it is.
    """
    import cv2  # noqa: PLC0415 - an extra

    factor = max(1.0, max(grey.shape) / SEEN)
    small = grey
    if factor > 1:
        small = cv2.resize(grey, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)

    def seen(windows: Sequence[int], of: Array) -> list[tuple[int, Array]]:
        numbers = range(len(BITS), len(BITS) + len(CARD_BITS))
        marks = marks_in(of, numbers, windows, SMALLEST)
        return [(number, (at + 0.5) * factor - 0.5) for number, at in marks]

    marks = seen(WINDOWS, small)
    cards = _placed(marks)
    loose = _beside(cards, marks)
    if not _are_whole(marks):
        calm = cv2.createCLAHE(3.0, (8, 8)).apply(small)
        loose = _once(_beside(cards, [*loose, *seen(WIDER, small), *seen(WIDER, calm)]))
        cards += _placed(loose)
        loose = _beside(cards, loose)
    return cards, [number for number, _at in loose]


def _are_whole(marks: Sequence[tuple[int, Array]]) -> bool:
    """Whether these are the marks of whole cards: as many of each."""
    counted = Counter(number for number, _at in marks)
    return len({counted[nth] for nth in range(len(MARKS))}) == 1


def _beside(cards: Sequence[Warp], marks: Sequence[tuple[int, Array]]) -> list[tuple[int, Array]]:
    """The marks that lie on none of these cards."""
    import numpy as np  # noqa: PLC0415 - an extra

    def is_on(card: Warp, at: Array) -> bool:
        x, y = Warp(np.linalg.inv(card.homography)).pixels(at.mean(axis=0)[None])[0]
        return bool(0 < x < WIDE and 0 < y < HIGH)

    return [(number, at) for number, at in marks if not any(is_on(card, at) for card in cards)]


def _once(marks: Sequence[tuple[int, Array]]) -> list[tuple[int, Array]]:
    """Each mark once, of those that were seen in several ways."""
    import numpy as np  # noqa: PLC0415 - an extra

    found: list[tuple[int, Array]] = []
    for number, at in marks:
        middle, side = at.mean(axis=0), float(np.hypot(*(at[1] - at[0])))
        if not any(number == nth and np.hypot(*(there.mean(axis=0) - middle)) < side for nth, there in found):
            found.append((number, at))
    return found


def _placed(marks: Sequence[tuple[int, Array]]) -> list[Warp]:
    """Where each card is: of every mark the others are sought where they must be; those of another card are far off."""
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

    left, found = list(marks), []
    while left:
        number, at = left[0]
        card = {number: at}
        # Once two are known, where the others are is known better than from one.
        for _again in range(2):
            on_card = np.array([corner for nth in card for corner in MARKS[nth].corners], np.float32)
            # None where there is none, of which its types do not know; as below.
            onto: Any = cv2.estimateAffine2D(on_card, np.concatenate(list(card.values())), method=cv2.LMEDS)[
                0
            ]
            if onto is None:
                break
            far = AROUND * float(np.sqrt(abs(np.linalg.det(onto[:, :2]))))
            for nth, mark in enumerate(MARKS):
                there = onto @ np.array([mark.left + mark.side / 2, mark.top + mark.side / 2, 1.0])
                near = [
                    (float(np.hypot(*(at.mean(axis=0) - there))), at) for which, at in left if which == nth
                ]
                off, at = min(near, key=lambda one: one[0], default=(far, at))
                if off < far:
                    card.setdefault(nth, at)
        left = [(nth, at) for nth, at in left if not any(at is taken for taken in card.values())]
        if len(card) >= LEAST and (warp := _through(card)) is not None:
            found.append(warp)
    return found


def _through(card: dict[int, Array]) -> Warp | None:
    """The card through its marks; None where it is bent, or they are those of several cards."""
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

    on_card = np.array([corner for nth in card for corner in MARKS[nth].corners])
    picture = np.concatenate(list(card.values()))
    onto: Any = cv2.findHomography(picture, on_card, 0)[0]
    back: Any = cv2.findHomography(on_card, picture, 0)[0]
    if onto is None or back is None:
        return None
    off = float(np.abs(Warp(onto).pixels(picture) - on_card).max())
    return Warp(back) if off < BENT else None


def named(
    grey: Array, warps: Sequence[Warp], codes: Sequence[tuple[SheetName | None, Array]]
) -> list[tuple[SheetName, Warp]]:
    """The cards with their names: a code that was read in the whole picture, or in its place, straightened."""
    import numpy as np  # noqa: PLC0415 - an extra

    # The room of a sheet's code is mapped onto that of a card's.
    part = CODE_SIDE / QR_SIDE
    onto = np.array([[part, 0, CODE_LEFT - QR_LEFT * part], [0, part, CODE_TOP - QR_TOP * part], [0, 0, 1]])
    room = (QR_LEFT - QUIET, QR_TOP - QUIET, QR_LEFT + QR_SIDE + QUIET, QR_TOP + QR_SIDE + QUIET)
    found = []
    for warp in warps:
        middle, beside = warp.pixels(
            np.array([(CODE_LEFT + CODE_SIDE / 2, CODE_TOP + CODE_SIDE / 2), (CODE_LEFT, CODE_TOP)])
        )
        far = OFF * float(np.hypot(*(middle - beside))) / (CODE_SIDE / 2**0.5)
        name = next((name for name, at in codes if name and np.hypot(*(at - middle)) < far), None)
        name = name or sheet_named(code_in(Warp(warp.homography @ onto).straightened(grey, room, CODE_SCALE)))
        if name is not None and is_card(name):
            found.append((name, warp))
    return found
