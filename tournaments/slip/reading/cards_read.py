"""Seat cards, read: many in one picture, cut apart or not, whichever way each of them lies.

The boxes of all cards in a picture are laid below each other as if they stood on a list, and judged as one: they are
ticked by one hand.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tournaments.slip.reading.align import CLIP
from tournaments.slip.reading.cards import (
    BOXES,
    HIGH,
    PIECE,
    WIDE,
    is_card,
)
from tournaments.slip.reading.cards_found import cards_on, codes_on, named
from tournaments.slip.reading.features import seen_on
from tournaments.slip.reading.geometry import (
    BOX,
    LINE,
    PAGE,
    UnknownLayout,
)
from tournaments.slip.reading.judge import fills_boxes, judged, lines_of
from tournaments.slip.reading.people import Person, list_layout, people_ticked
from tournaments.slip.reading.pictures import Refused, grey_of
from tournaments.slip.reading.results import Reading
from tournaments.slip.reading.warp import Warp
from tournaments.slip.reading.weights import shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.slip.reading.geometry import Layout, SheetName
    from tournaments.slip.reading.results import Quad
    from tournaments.slip.reading.warp import Array
    from tournaments.slip.reading.weights import Weights

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
    """The cards of a picture: who is ticked; those that are covered, bent, too small or not printed here.

    Of somebody whose card lies there twice, printed again once seats were drawn, each card tells by itself.
    """

    people: list[Person] = field(default_factory=list)
    covered: list[SheetName] = field(default_factory=list)
    small: list[SheetName] = field(default_factory=list)
    unknown: list[SheetName] = field(default_factory=list)
    # Sheets of another kind that lie beside the cards, and are not read.
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
    """What is ticked on the cards in a picture; None where no card is in it. Needs what `reader.is_available` asks."""
    import numpy as np  # noqa: PLC0415 - an extra

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
    names = named(grey, warps, codes)
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
    """The cards whose boxes can be made out; of the others is told what they are."""
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
    import numpy as np  # noqa: PLC0415 - an extra

    corners = warp.pixels(np.array([(0, 0), (WIDE, 0), (0, HIGH)]))
    return float(
        min(np.hypot(*(corners[1] - corners[0])) / WIDE, np.hypot(*(corners[2] - corners[0])) / HIGH)
    )


def _judge(
    told: Cards, grey: Array, smaller: float, cards: Sequence[_Card], weights: Weights, *, fills: bool
) -> None:
    """Read some cards as a list."""
    import numpy as np  # noqa: PLC0415 - an extra

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
    """How far the boxes lie beside where the marks say, in millimetres; None where they cannot be made out."""
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

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
    import cv2  # noqa: PLC0415 - an extra
    import numpy as np  # noqa: PLC0415

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
    import numpy as np  # noqa: PLC0415 - an extra

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
    import numpy as np  # noqa: PLC0415 - an extra

    left, top, right, bottom = PIECE
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    at = ((warp.pixels(corners) + 0.5) * smaller - 0.5).round(1).tolist()
    one, two, three, four = ((float(x), float(y)) for x, y in at)
    return (one, two, three, four)
