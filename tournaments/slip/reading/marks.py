"""The marks by which a sheet, or a card, is found on a picture: of OpenCV's dictionary ArUco 4x4_50, as bits.

So printing needs no OpenCV, and its dictionaries may change.
"""

from __future__ import annotations

from typing import NamedTuple

# Row by row inside the black border, 1 for black.
BITS = (
    "0100101011001101",
    "1111000001100101",
    "1100110011010010",
    "0110011010111001",
    "1010101101100001",
    "1000011000110010",
    "0110000111010001",
    "0011101100001101",
    "0000000100100101",
    "0011000010101001",
)
# The next four, which stand in the corners of a card.
CARD_BITS = ("0000011001101110", "1110111001011000", "1111000101001000", "1101010111110000")
_ALL_BITS = (*BITS, *CARD_BITS)
# Modules of a side, the border among them.
MODULES = 6


class Mark(NamedTuple):
    """Where a mark is printed: its upper left corner and its side, in millimetres."""

    number: int
    left: float
    top: float
    side: float

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Clockwise from the upper left."""
        right, bottom = self.left + self.side, self.top + self.side
        return ((self.left, self.top), (right, self.top), (right, bottom), (self.left, bottom))

    @property
    def black(self) -> list[tuple[int, int]]:
        """(row, column) of every black module, the border's too."""
        inner = range(1, MODULES - 1)
        return [
            (row, column)
            for row in range(MODULES)
            for column in range(MODULES)
            if row not in inner
            or column not in inner
            or _ALL_BITS[self.number][(row - 1) * (MODULES - 2) + column - 1] == "1"
        ]


# One in each corner, in the order of reading, and three at each side.
_CORNERS = ((10.5, 12.0), (191.5, 12.0), (10.5, 277.0), (191.5, 277.0))
_SIDES = ((10.5, 86.4), (194.5, 86.4), (10.5, 157.8), (194.5, 157.8), (10.5, 229.2), (194.5, 229.2))
MARKS = tuple(
    Mark(number, left, top, 8.0 if number < len(_CORNERS) else 5.0)
    for number, (left, top) in enumerate((*_CORNERS, *_SIDES))
)
CORNERS = tuple(mark.number for mark in MARKS[: len(_CORNERS)])


def in_corners(wide: float, high: float, inset: float, side: float) -> tuple[Mark, ...]:
    """The marks of a card, in the order of reading."""
    right, bottom = wide - inset - side, high - inset - side
    places = ((inset, inset), (right, inset), (inset, bottom), (right, bottom))
    return tuple(Mark(len(BITS) + nth, *place, side) for nth, place in enumerate(places))
