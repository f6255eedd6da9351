"""Pictures of cards found on a photograph, and read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import zxingcpp

from tournaments.reporting.reader.align import CLIP
from tournaments.reporting.reader.features import seen_on
from tournaments.reporting.reader.image import Refused, Warp, grey_of
from tournaments.reporting.reader.judge import fills_boxes, judged, lines_of
from tournaments.reporting.reader.layout import (
    BITS,
    BOX,
    CARD_BITS,
    LINE,
    PAGE,
    QR_LEFT,
    QR_SIDE,
    QR_TOP,
    UnknownLayout,
    sheet_named,
)
from tournaments.reporting.reader.locate import QUIET, code_in, marks_in
from tournaments.reporting.reader.locate import SQUARE_SCALE as CODE_SCALE
from tournaments.reporting.reader.results import (
    BOXES,
    CODE_LEFT,
    CODE_SIDE,
    CODE_TOP,
    HIGH,
    MARKS,
    PIECE,
    WIDE,
    Person,
    Reading,
    is_card,
    list_layout,
    people_ticked,
)
from tournaments.reporting.reader.weights import shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.reporting.reader.image import Array
    from tournaments.reporting.reader.layout import Layout, SheetName
    from tournaments.reporting.reader.results import Quad
    from tournaments.reporting.reader.weights import Weights


# Reads seat cards: many in one picture, cut apart or not, in any orientation.
#
# The boxes of all cards are treated as rows of one list, and classified together, since one hand ticked them.

if TYPE_CHECKING:
    Layouts = Callable[[SheetName], Layout | None]

# Fewer marks are found by chance.
CHANCE = 2
# Pixels a millimetre under which boxes cannot be made out.
CLOSE = 3.2
# The list that cards are judged as: so many on each, at so many pixels a millimetre; around a box is copied so much.
MOST_ROWS, SCALE, HALF = 20, 8, 3.25
# A card's boxes are sought so far around their places, and must be so like a drawing of them.
FAR, ALIKE = 1.6, 0.35


@dataclass
class Cards:
    """The cards in a picture with their ticks; and those covered, bent, too small or not printed here.

    Two cards of one person, printed again after the draw, are both included.
    """

    people: list[Person] = field(default_factory=list)
    covered: list[SheetName] = field(default_factory=list)
    small: list[SheetName] = field(default_factory=list)
    unknown: list[SheetName] = field(default_factory=list)
    # Other kinds of sheets in the picture, which are not read.
    others: list[SheetName] = field(default_factory=list)
    # Cards whose code could not be read.
    unnamed: int = 0
    fills: bool = False


@dataclass(frozen=True)
class _Card:
    name: SheetName
    warp: Warp
    layout: Layout


def read_cards(
    picture: bytes, layouts: Layouts, *, fills: bool = False, weights: Weights | None = None
) -> Cards | None:
    """Read the cards in a picture; None if it has none. Requires `reader.is_available`."""
    try:
        found, smaller = grey_of(picture)
    except Refused:
        return None
    grey = np.asarray(found)
    codes = codes_on(grey)
    with_card = [name for name, _at in codes if name and is_card(name)]
    others = [name for name, _at in codes if name and not is_card(name)]
    if others and not with_card:
        return None
    warps, loose = cards_on(grey)
    names = name_cards(grey, warps, codes)
    if not warps and not with_card and len(loose) < CHANCE:
        return None
    told = Cards(others=others)
    cards = _readable(told, names, layouts)
    unplaced = list((Counter(with_card) - Counter(name for name, _warp in names)).elements())
    for name in unplaced:
        (told.covered if _layout(name, layouts) is not None else told.unknown).append(name)
    # At least as many cards more as have the same mark, of which some are named by their code.
    hidden = max(Counter(loose).values(), default=0) if len(loose) >= CHANCE else 0
    told.unnamed = len(warps) - len(names) + max(0, hidden - len(unplaced))
    for with_fee in (True, False):
        alike = [card for card in cards if (len(card.layout.groups) > 1) is with_fee]
        for first in range(0, len(alike), MOST_ROWS):
            _judge(told, grey, smaller, alike[first : first + MOST_ROWS], weights or shipped(), fills=fills)
    return told


def _readable(told: Cards, names: Sequence[tuple[SheetName, Warp]], layouts: Layouts) -> list[_Card]:
    """The cards whose boxes can be located; the others are added to the reasons."""
    cards = []
    for name, warp in names:
        layout = _layout(name, layouts)
        if layout is None:
            told.unknown.append(name)
        elif _close(warp) < CLOSE:
            told.small.append(name)
        else:
            cards.append(_Card(name, warp, layout))
    return cards


def _layout(name: SheetName, layouts: Layouts) -> Layout | None:
    try:
        return layouts(name)
    except UnknownLayout:
        return None


def _close(warp: Warp) -> float:
    """Pixels a millimetre, the shorter way."""
    corners = warp.pixels(np.array([(0, 0), (WIDE, 0), (0, HIGH)]))
    return float(
        min(np.hypot(*(corners[1] - corners[0])) / WIDE, np.hypot(*(corners[2] - corners[0])) / HIGH)
    )


def _judge(
    told: Cards, grey: Array, smaller: float, cards: Sequence[_Card], weights: Weights, *, fills: bool
) -> None:
    """Judge the boxes of some cards together, as of a list."""
    if not cards:
        return
    layout = list_layout(1, [card.name.table for card in cards], fee=len(cards[0].layout.groups) > 1)
    flat = Warp(np.array([[SCALE, 0, -0.5], [0, SCALE, -0.5], [0, 0, 1.0]]))
    shifts = [_shift(grey, card) for card in cards]
    seen = seen_on(_as_list(grey, cards, shifts, layout), flat, layout)
    boxes, hand = judged(seen, weights, fills=fills)
    boxes = [replace(box, is_sure=box.is_sure and shifts[box.place.row] is not None) for box in boxes]
    pieces = [_piece(card.warp, smaller) for card in cards]
    lines = lines_of(boxes, hand, layout, set(), lambda place: pieces[place.row], pieces)
    told.people += people_ticked(
        Reading(cards[0].name, layout, tuple(lines), hand.dark, 0.0, press=hand.is_weak)
    )
    told.fills |= fills_boxes(lines, hand)


def _shift(grey: Array, card: _Card) -> tuple[float, float] | None:
    """Displacement of the boxes from the marks, in millimetres; None if they cannot be located."""
    half = BOX / 2 + 1.0
    drawn = _outline(half)
    found = []
    for group in card.layout.groups:
        x, y = BOXES[group.key]
        around = half + FAR
        piece = card.warp.straightened(grey, (x - around, y - around, x + around, y + around), SCALE)
        light = max(float(np.percentile(piece, 75)), 1.0)
        # What is much darker than a printed line counts no more than that: a thick pen is no outline.
        dark = np.clip(1 - piece.astype(np.float32) / light, 0, CLIP)
        found.append(cv2.matchTemplate(dark, drawn, cv2.TM_CCOEFF_NORMED))
    # The boxes of a card lie off together: a tick over one outline is none over the other.
    alike: Array = np.mean(found, axis=0)
    _least, most, _at, (across, down) = cv2.minMaxLoc(alike)
    far = round(FAR * SCALE)
    if most < ALIKE or max(abs(across - far), abs(down - far)) == far:
        return None
    return (across - far) / SCALE, (down - far) / SCALE


def _outline(half: float) -> Array:
    """A box as it is printed, so much around its middle."""
    fine = 4
    scale = SCALE * fine
    drawn: Array = np.zeros((round(2 * half * SCALE) * fine,) * 2, np.uint8)
    begins, ends, line = round((half - BOX / 2) * scale), round((half + BOX / 2) * scale), round(LINE * scale)
    drawn[begins:ends, begins:ends] = 255
    drawn[begins + line : ends - line, begins + line : ends - line] = 0
    small = cv2.resize(drawn, None, fx=1 / fine, fy=1 / fine, interpolation=cv2.INTER_AREA)
    soft: Array = cv2.GaussianBlur(small.astype(np.float32) / 255 * CLIP, (0, 0), 0.15 * SCALE)
    return soft


def _as_list(
    grey: Array, cards: Sequence[_Card], shifts: Sequence[tuple[float, float] | None], layout: Layout
) -> Array:
    """A page on which the cards' boxes stand below each other, each on its card's paper."""
    width, height = (round(side * SCALE) for side in PAGE)
    page: Array = np.full((height, width), 255, np.uint8)
    pieces = []
    for place in layout.places():
        x, y = BOXES[layout.groups[place.group].key]
        across, down = shifts[place.row] or (0.0, 0.0)
        left, top = round((place.x - HALF) * SCALE), round((place.y - HALF) * SCALE)
        # Where the page's pixels lie on the card, to their fractions.
        begins, above = x + across + left / SCALE - place.x, y + down + top / SCALE - place.y
        room = (begins, above, begins + 2 * HALF, above + 2 * HALF)
        pieces.append((place, left, top, cards[place.row].warp.straightened(grey, room, SCALE)))
    for place, _left, _top, piece in pieces:
        begins_at = 0 if place.row == 0 else round(layout.top(place.row) * SCALE)
        page[begins_at:] = np.percentile(piece, 75)
    for _place, left, top, piece in pieces:
        page[top : top + piece.shape[0], left : left + piece.shape[1]] = piece
    return page


def _piece(warp: Warp, smaller: float) -> Quad:
    """Name and boxes of a card, in the pixels of the picture as it was sent."""
    left, top, right, bottom = PIECE
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    at = ((warp.pixels(corners) + 0.5) * smaller - 0.5).round(1).tolist()
    one, two, three, four = ((float(x), float(y)) for x, y in at)
    return (one, two, three, four)


# Finding seat cards on a picture: by the marks in their corners where each is, by its square code whose it is.

# Marks are sought on a picture of at most so many pixels a side. Where the others of a card are is known from one to so
# many millimetres, and so far may they lie off a plane: cards are curled.
SEEN, AROUND, BENT = 3600, 16.0, 1.2
# How marks are sought (see `marks_in`): many small ones at once, and then blurred ones.
WINDOWS, WIDER, SMALLEST = (9, 21, 33), (33, 63, 93), 0.012
# A card needs this many marks; its code may be displaced by at most so many millimetres.
LEAST, OFF = 3, 10.0


def codes_on(grey: Array) -> list[tuple[SheetName | None, Array]]:
    """Every readable square code in the picture, with its centre; None for one that names no sheet."""
    square = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    found = []
    for code in zxingcpp.read_barcodes(grey, formats=square):
        at = code.position
        corners = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        middle = np.mean([(corner.x, corner.y) for corner in corners], axis=0)
        found.append((sheet_named(str(code.text)), middle))
    return found


def cards_on(grey: Array) -> tuple[list[Warp], list[int]]:
    """The position of each card, and the marks that belong to no complete card.

    Where marks seem to lack they are sought once more, as blurred ones; a card that is found already stays as it is.
    """
    factor = max(1.0, max(grey.shape) / SEEN)
    small = grey
    if factor > 1:
        small = cv2.resize(grey, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)

    def find_marks(windows: Sequence[int], of: Array) -> list[tuple[int, Array]]:
        numbers = range(len(BITS), len(BITS) + len(CARD_BITS))
        marks = marks_in(of, numbers, windows, SMALLEST)
        return [(number, (at + 0.5) * factor - 0.5) for number, at in marks]

    marks = find_marks(WINDOWS, small)
    cards = _placed(marks)
    loose = _marks_outside(cards, marks)
    if not _are_whole(marks):
        calm = cv2.createCLAHE(3.0, (8, 8)).apply(small)
        loose = _once(_marks_outside(cards, [*loose, *find_marks(WIDER, small), *find_marks(WIDER, calm)]))
        cards += _placed(loose)
        loose = _marks_outside(cards, loose)
    return cards, [number for number, _at in loose]


def _are_whole(marks: Sequence[tuple[int, Array]]) -> bool:
    """Whether these are the marks of whole cards: as many of each."""
    counted = Counter(number for number, _at in marks)
    return len({counted[nth] for nth in range(len(MARKS))}) == 1


def _marks_outside(cards: Sequence[Warp], marks: Sequence[tuple[int, Array]]) -> list[tuple[int, Array]]:
    """The marks that lie on none of these cards."""

    def is_on(card: Warp, at: Array) -> bool:
        x, y = Warp(np.linalg.inv(card.homography)).pixels(at.mean(axis=0)[None])[0]
        return bool(0 < x < WIDE and 0 < y < HIGH)

    return [(number, at) for number, at in marks if not any(is_on(card, at) for card in cards)]


def _once(marks: Sequence[tuple[int, Array]]) -> list[tuple[int, Array]]:
    """Each mark once, of those that were seen in several ways."""
    found: list[tuple[int, Array]] = []
    for number, at in marks:
        middle, side = at.mean(axis=0), float(np.hypot(*(at[1] - at[0])))
        if not any(number == nth and np.hypot(*(there.mean(axis=0) - middle)) < side for nth, there in found):
            found.append((number, at))
    return found


def _placed(marks: Sequence[tuple[int, Array]]) -> list[Warp]:
    """The position of each card: for every mark the other three are searched at their expected places."""
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
    on_card = np.array([corner for nth in card for corner in MARKS[nth].corners])
    picture = np.concatenate(list(card.values()))
    onto: Any = cv2.findHomography(picture, on_card, 0)[0]
    back: Any = cv2.findHomography(on_card, picture, 0)[0]
    if onto is None or back is None:
        return None
    off = float(np.abs(Warp(onto).pixels(picture) - on_card).max())
    return Warp(back) if off < BENT else None


def name_cards(
    grey: Array, warps: Sequence[Warp], codes: Sequence[tuple[SheetName | None, Array]]
) -> list[tuple[SheetName, Warp]]:
    """The cards with their names: a code that was read in the full picture, or in its place, straightened."""
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
