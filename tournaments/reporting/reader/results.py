"""What is read from a sheet: `Reading`, its lines, people and cards; `Unreadable` and why."""

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

    `certain`: nothing in it is in doubt, and each group has one tick, or none where that is allowed; what that reports
    is for `lines` to say. `chosen` are the groups' clear ticks, group -> value. `why` a line is asked is the first
    reason there is: one of a box's, or `missing`, `note`, `stray` (ink where no box is).
    `quad` is the line's piece of the picture. `perhaps` are the groups where all that is asked is whether this box is
    ticked or none: the rules may know.
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
    """A page as it was read.

    `hand` is how dark this one's ticks are, in shares of a printed line; `press` says that it was hard to read for
    that reason. `place` is the share of boxes whose place is in doubt; above `PLACE_LOST` a new picture is worth more
    than answers. `fills` says that somebody seems to fill the boxes that are meant: one question a sheet finds out.
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


# Lists of people to be ticked at the door: who is here, who has paid. Sheets of another kind, read by the same
# reader.
#
# A row is a person, by their number in the tournament; each of the groups is one box beside the name. A list belongs
# to no round and no table: its square code has 0 for both.

HERE, PAID = "here", "paid"
# A list is of no round and no table.
NOWHERE = 0
# The odds of a tick, as a logarithm, above which a box is not surely empty: a faint pencil's are not far below 0.
EMPTY = -7.2


class Person(NamedTuple):
    """What is ticked beside a person's name: True, False, or None where only an eye can tell; and where that stands."""

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
    """Everybody on the page, in its order."""
    return [Person(line.deal, _ticked(line, HERE), _ticked(line, PAID), line.quad) for line in reading.lines]


def _ticked(line: Line, group: str) -> bool | None:
    """Whether the one box of a group is ticked.

    Nothing else in the line speaks for or against it, as it does on a table's sheet: so a full box is asked, which may
    be a tick with a thick pen, and one that is only likely to be empty.
    """
    boxes = [box for box in line.boxes if box.group == group]
    if "stray" in line.why or any(box.state in (State.DOUBT, State.VOID) for box in boxes):
        return None
    if any(box.state is State.TICK for box in boxes):
        return True
    return None if any(box.score > EMPTY for box in boxes) else False


# What is printed where on a seat card to be ticked at the door, in millimetres from the card's upper left corner.
#
# A card has a mark in every corner and a square code of its own, which says whose it is; the boxes are those of a
# list.

# Its size, its marks, its square code, the middle of each box; and the piece that is shown of it.
WIDE, HIGH = 90.0, 53.0
MARKS = in_corners(WIDE, HIGH, 3.0, 5.0)
CODE_LEFT, CODE_TOP, CODE_SIDE = 59.5, 4.0, 20.0
BOXES = {HERE: (13.5, 43.5), PAID: (47.5, 43.5)}
PIECE = (9.0, 26.0, 82.0, 48.0)


def card_layout(*, fee: bool) -> Layout:
    """The boxes of every card, with one for the `fee` where there is one; whose it is says its code alone."""
    return Layout((), NOWHERE, list_layout(1, (), fee=fee).groups, (Row(NOWHERE, NOWHERE),))


def card_name(tournament: str, number: int, layout: Layout) -> SheetName:
    """A card's name has the player's number where a sheet's has its table's."""
    return SheetName(tournament, NOWHERE, number, NOWHERE, layout.code)


def is_card(name: SheetName) -> bool:
    return name.round == NOWHERE and name.table != NOWHERE
