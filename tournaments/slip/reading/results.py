"""What is read of a picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournaments.slip.reading.geometry import Layout, SheetName

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
