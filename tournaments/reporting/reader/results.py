"""Results of reading a sheet: `Reading`, its lines, people and cards; `Unreadable` with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from tournaments.reporting.reader.layout import Group, Layout, Row, SheetName, in_corners

if TYPE_CHECKING:
    from collections.abc import Sequence


# What is read of a picture.

Point = tuple[float, float]
# The four corners of a piece of the picture, clockwise from the upper left of the sheet's, in the picture's own pixels.
Quad = tuple[Point, Point, Point, Point]


class State(StrEnum):
    EMPTY = "empty"
    TICK = "tick"
    # Filled wholly, which cancels it.
    VOID = "void"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True)
class Box:
    """A box as it was read. `index` is its place in the group; `score` grows with the likeness of a tick.

    `why` a box is in doubt: `faint`, `unclear`, `full`, `several`, `place`; empty where it is not.
    """

    group: str
    index: int
    state: State
    score: float
    why: str
    quad: Quad


@dataclass(frozen=True, slots=True)
class Line:
    """A deal's line.

    `certain`: nothing in it is in doubt, and each group has one tick, or none if allowed; `boxes` converts that to
    a result. `chosen` maps groups to the values of certain ticks. `why` is the first reason for asking: a box's,
    or `missing`, `note`, `stray` (ink outside the boxes). `quad` is the line's area on the picture. `perhaps`: the
    groups where the only question is whether this box is ticked; the rules may decide it.
    """

    deal: int
    certain: bool
    boxes: tuple[Box, ...]
    chosen: dict[str, str]
    why: str
    quad: Quad
    perhaps: dict[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is ticked, or may be: a deal that was not played yet."""
        return all(box.state is State.EMPTY for box in self.boxes) and not self.why


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as read.

    `hand` is the darkness of this captain's ticks relative to a printed line; `press`: it was hard to read because
    of that. `place` is the share of boxes with uncertain positions; above `PLACE_LOST` a new picture is better
    than answers. `fills`: the intended boxes seem to be filled; one question per sheet settles it.
    """

    sheet: SheetName
    layout: Layout
    lines: tuple[Line, ...]
    hand: float
    place: float
    press: bool = False
    fills: bool = False

    @property
    def take_again(self) -> bool:
        """Whether so much is in doubt for its place that a new picture should be taken."""
        return self.place > PLACE_LOST


PLACE_LOST = 0.05


class Reason(StrEnum):
    """Why a picture cannot be read."""

    NO_PICTURE = "no_picture"
    TOO_LARGE = "too_large"
    TOO_SMALL = "too_small"
    TOO_DARK = "too_dark"
    NO_SHEET = "no_sheet"
    OTHER_SHEET = "other_sheet"
    CUT_OFF = "cut_off"
    BLURRED = "blurred"
    NO_CODE = "no_code"
    UNKNOWN_LAYOUT = "unknown_layout"
    UNKNOWN_VERSION = "unknown_version"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A picture of which nothing is taken in, with the numbers of marks that were not found, and the sheet it names."""

    reason: Reason
    marks_missing: tuple[int, ...] = field(default=())
    sheet: SheetName | None = None


# Lists of people with tick boxes for the door (checked in, paid), read by the same reader.
#
# A row is a person, by entry number; each group is one box next to the name. A list belongs to no round or table: its
# square code has 0 for both.

HERE, PAID = "here", "paid"
# A list is of no round and no table.
NOWHERE = 0
# The odds of a tick, as a logarithm, above which a box is not surely empty: a faint pencil's are not far below 0.
EMPTY = -7.2


class Person(NamedTuple):
    """The ticks at a person's name: True, False, or None if an organiser must look.

    `quad` is their place on the picture.
    """

    number: int
    here: bool | None
    paid: bool | None
    quad: Quad


def list_layout(page: int, numbers: Sequence[int], *, fee: bool) -> Layout:
    """The layout of a page for these people; with a box for the `fee` where there is one."""
    groups = (Group(HERE, (HERE,)), *([Group(PAID, (PAID,))] if fee else []))
    return Layout((), page, groups, tuple(Row(number, 0) for number in numbers))


def list_name(tournament: str, page: int, layout: Layout) -> SheetName:
    return SheetName(tournament, NOWHERE, NOWHERE, page, layout.code)


def is_list(name: SheetName) -> bool:
    """Whether a sheet is a list of people, and none of a table."""
    return name.round == NOWHERE


def people_ticked(reading: Reading) -> list[Person]:
    """The ticks of all people on the page, in its order."""
    return [Person(line.deal, _ticked(line, HERE), _ticked(line, PAID), line.quad) for line in reading.lines]


def _ticked(line: Line, group: str) -> bool | None:
    """Whether the only box of a group is ticked.

    Unlike on a table's sheet, nothing else in the line confirms it: so a full box, which may be a tick with a
    thick pen, and a box that is only probably empty are doubtful.
    """
    boxes = [box for box in line.boxes if box.group == group]
    if "stray" in line.why or any(box.state in (State.DOUBT, State.VOID) for box in boxes):
        return None
    if any(box.state is State.TICK for box in boxes):
        return True
    return None if any(box.score > EMPTY for box in boxes) else False


# Positions of everything printed on a seat card for the door, in millimetres from the card's upper left corner.
#
# A card has a mark in every corner and a square code with its person; the boxes are those of a list.

# Its size, its marks, its square code, the middle of each box; and the piece that is shown of it.
WIDE, HIGH = 90.0, 53.0
MARKS = in_corners(WIDE, HIGH, 3.0, 5.0)
CODE_LEFT, CODE_TOP, CODE_SIDE = 59.5, 4.0, 20.0
BOXES = {HERE: (13.5, 43.5), PAID: (47.5, 43.5)}
PIECE = (9.0, 26.0, 82.0, 48.0)


def card_layout(*, fee: bool) -> Layout:
    """The layout of all cards, with a box for the `fee` if there is one; only the code differs between persons."""
    return Layout((), NOWHERE, list_layout(1, (), fee=fee).groups, (Row(NOWHERE, NOWHERE),))


def card_name(tournament: str, number: int, layout: Layout) -> SheetName:
    """A card's name has the player's number where a sheet's has its table's."""
    return SheetName(tournament, NOWHERE, number, NOWHERE, layout.code)


def is_card(name: SheetName) -> bool:
    return name.round == NOWHERE and name.table != NOWHERE
