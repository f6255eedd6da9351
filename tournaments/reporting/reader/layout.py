"""The layout of printed sheets, in millimetres: marks, boxes, lists."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


# Positions of everything printed on a sheet with tick boxes, in millimetres from the upper left corner of the A4
# page.
#
# A page's layout is stored with its table when it is printed, and the page's square code holds its digest: a sheet is
# read by the layout it was printed with, even if the rules have changed.

# Version of the stored format; a reader that does not know it returns an error.
VERSION = 1
PAGE = (210.0, 297.0)
BOX, LINE, PITCH, GAP = 3.4, 0.25, 4.6, 2.0
# Where rows begin and end, and the boxes' left edge; what is written by hand ends before the marks of the right side.
TOP, BOTTOM, LEFT, RIGHT = 51.0, 269.2, 28.5, 192.0
# Where a deal's line begins: its number and its dealer come first.
EDGE = 16.6
# A line's piece of the picture begins so many millimetres above it, and ends so far below.
BESIDE = 0.6
# After so many rows a band repeats the heads: people need it, and it breaks the pattern, without which a reader
# could be a row off unawares.
BLOCK, BAND = 10, 3.4
MOST_ROWS, TALLEST = 40, 9.0
# The least and the most for a player's running total.
LEAST_SCORE, WIDEST_SCORE = 8.0, 18.0
QR_LEFT, QR_TOP, QR_SIDE = 165.0, 12.0, 22.0

# In capitals, of which a square code holds half as many again.
_ADDRESS = re.compile(
    r"/S/(?P<tournament>[A-Z0-9]{1,12})/(?P<round>[0-9]{1,3})/(?P<table>[0-9]{1,5})"
    r"/(?P<page>[0-9]{1,2})/(?P<version>[0-9]{1,4})-(?P<layout>[0-9A-F]{8})/?\Z"
)


class UnknownLayout(ValueError):
    """A layout that is written in a way that this program does not know."""

    def __init__(self, version: object) -> None:
        super().__init__(f"layout version {version!r} is not known")
        self.version = version


class SheetName(NamedTuple):
    """Content of a page's square code: table, kind of sheet, layout."""

    tournament: str
    round: int
    table: int
    page: int
    layout: str
    version: int = VERSION

    @property
    def path(self) -> str:
        """The end of the address in the code."""
        written = f"{self.round}/{self.table}/{self.page}/{self.version}-{self.layout}"
        return f"/S/{self.tournament}/{written}".upper()


def sheet_named(address: str) -> SheetName | None:
    """The sheet that an address names; None for any other address."""
    found = _ADDRESS.search(address.upper())
    if found is None:
        return None
    numbers = {name: int(found[name]) for name in ("round", "table", "page", "version")}
    return SheetName(tournament=found["tournament"], layout=found["layout"].lower(), **numbers)


@dataclass(frozen=True, slots=True)
class Group:
    """Boxes of which one at most is ticked. `values` are codes: positions, contracts, suits, results."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A deal's line: who deals, and the values of the first group that have no box in it."""

    deal: int
    dealer: int
    without: tuple[str, ...] = ()


class Place(NamedTuple):
    """A box: its row and column from 0, its group and place in that, and its middle in millimetres."""

    row: int
    column: int
    group: int
    nth: int
    x: float
    y: float


@dataclass(frozen=True)
class Layout:
    """A page to be ticked. `page` counts from 1; all groups lie side by side in every row.

    `seats` are the numbers of those who sat there when it was printed, by position: a draw that is made again makes
    another layout.
    """

    seats: tuple[int, ...]
    page: int
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]

    @property
    def players(self) -> int:
        return len(self.seats)

    @cached_property
    def row(self) -> float:
        """The height of a row."""
        bands = (len(self.rows) - 1) // BLOCK
        return min(TALLEST, (BOTTOM - TOP - bands * BAND) / len(self.rows))

    def top(self, row: int) -> float:
        """The top of a row; for the row after the last, the bottom of the rows."""
        bands = min(row, len(self.rows) - 1) // BLOCK
        return TOP + row * self.row + bands * BAND

    @property
    def bottom(self) -> float:
        return self.top(len(self.rows))

    @property
    def bands(self) -> list[float]:
        """The left edge of each band."""
        return [self.top(row) - BAND for row in range(BLOCK, len(self.rows), BLOCK)]

    def group_start(self, group: int) -> float:
        """Where a group begins; that of the group after the last is where the boxes end."""
        return LEFT + sum(len(one.values) * PITCH + GAP for one in self.groups[:group])

    @property
    def right(self) -> float:
        """The right edge of the last box's area."""
        return self.group_start(len(self.groups)) - GAP

    @cached_property
    def columns(self) -> tuple[tuple[int, int, float], ...]:
        """(group, index in it, middle) of every column of boxes."""
        return tuple(
            (number, index, round(self.group_start(number) + (index + 0.5) * PITCH, 3))
            for number, group in enumerate(self.groups)
            for index in range(len(group.values))
        )

    def middle(self, row: int) -> float:
        return self.top(row) + self.row / 2

    def has_box(self, row: int, column: int) -> bool:
        group, index, _x = self.columns[column]
        return group > 0 or self.groups[0].values[index] not in self.rows[row].without

    def places(self, *, printed: bool = True) -> Iterator[Place]:
        """Every box, row by row; those that are not printed (who sits out) where `printed` is false."""
        for row in range(len(self.rows)):
            for column, (group, index, x) in enumerate(self.columns):
                if self.has_box(row, column) is printed:
                    yield Place(row, column, group, index, x, self.middle(row))

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "seats": list(self.seats),
            "page": self.page,
            "groups": [[group.key, list(group.values)] for group in self.groups],
            "rows": [[row.deal, row.dealer, list(row.without)] for row in self.rows],
        }

    @cached_property
    def code(self) -> str:
        """Digest of a layout, short enough for a square code."""
        written = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return sha256(written.encode()).hexdigest()[:8]


def read_layout(data: Any) -> Layout:
    """The layout that was written. Raises UnknownLayout."""
    version = data.get("version") if isinstance(data, dict) else None
    if version != VERSION:
        raise UnknownLayout(version)
    try:
        return Layout(
            tuple(map(int, data["seats"])),
            int(data["page"]),
            tuple(Group(str(key), tuple(map(str, values))) for key, values in data["groups"]),
            tuple(Row(int(deal), int(dealer), tuple(map(str, out))) for deal, dealer, out in data["rows"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnknownLayout(version) from error


def score_columns(layout: Layout) -> list[tuple[float, float]]:
    """(left, right) of the columns for what is written by hand: each player's, or one where there is little room."""
    begins = layout.right + GAP
    each = (RIGHT - begins) / layout.players
    if each < LEAST_SCORE:
        return [(begins, RIGHT)]
    each = min(each, WIDEST_SCORE)
    return [(RIGHT - (layout.players - at) * each, RIGHT - (layout.players - 1 - at) * each)
            for at in range(layout.players)]  # fmt: skip


# The marks by which a sheet, or a card, is found on a picture: of OpenCV's dictionary ArUco 4x4_50, as bits.
#
# So printing needs no OpenCV, and its dictionaries may change.

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
    """A printed mark: its upper left corner and its side, in millimetres."""

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
