"""Serialized form of a reading, stored with its picture: the parts that pages and corrections need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournaments.reporting.reader.layout import BOX, EDGE, RIGHT, SheetName, read_layout
from tournaments.reporting.reader.results import Box, Line, Reading, State

if TYPE_CHECKING:
    from tournaments.models import SheetPicture
    from tournaments.reporting.reader.layout import Layout
    from tournaments.reporting.reader.results import Point, Quad


# What the reader's piece of a line has above and below its row, in millimetres.
AROUND = 0.6
NOWHERE: Quad = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))


def to_json(reading: Reading) -> dict[str, Any]:
    """Boxes that are empty are left out."""
    return {
        "layout": reading.layout.to_json(),
        "hand": round(reading.hand, 3),
        "place": round(reading.place, 4),
        "press": reading.press,
        "fills": reading.fills,
        "lines": [
            {
                "deal": line.deal,
                "certain": line.certain,
                "chosen": dict(line.chosen),
                "perhaps": dict(line.perhaps),
                "why": line.why,
                "across": across(line, reading.layout),
                "boxes": [
                    [box.group, box.index, box.state.value, box.why]
                    for box in line.boxes
                    if box.state is not State.EMPTY
                ],
            }
            for line in reading.lines
        ],
    }


def reading_of(picture: SheetPicture) -> Reading:
    """The reading of a picture that was read. Raises UnknownLayout where an older program has written it."""
    kept: dict[str, Any] = picture.reading or {}
    return Reading(
        SheetName(*picture.sheet),
        read_layout(kept.get("layout")),
        tuple(map(_line, kept["lines"])),
        kept["hand"],
        kept["place"],
        press=kept["press"],
        fills=kept["fills"],
    )


def _line(kept: dict[str, Any]) -> Line:
    return Line(
        kept["deal"],
        kept["certain"],
        tuple(
            Box(group, index, State(state), 0.0, why, NOWHERE) for group, index, state, why in kept["boxes"]
        ),
        dict(kept["chosen"]),
        kept["why"],
        NOWHERE,
        dict(kept["perhaps"]),
    )


def across(line: Line, layout: Layout) -> list[list[float]]:
    """A line's course on the picture, from left to right.

    Millimetres of the sheet, and the points above and below.

    The paper is bent and seen at an angle: the line is straight only between neighbouring boxes, of which the
    outer ones and the middle one of each group are stored.
    """
    upper_left, upper_right, lower_right, lower_left = line.quad
    columns = {
        (layout.groups[group].key, index): x
        for group, index, x in layout.columns
        if index in (0, len(layout.groups[group].values) // 2, len(layout.groups[group].values) - 1)
    }
    stretch = (layout.row + 2 * AROUND) / BOX
    found = [[EDGE, *upper_left, *lower_left], [RIGHT, *upper_right, *lower_right]]
    for box in line.boxes:
        if (box.group, box.index) in columns:
            top, foot = _between(*box.quad[:2]), _between(*box.quad[2:])
            middle = _between(top, foot)
            up = ((top[0] - middle[0]) * stretch, (top[1] - middle[1]) * stretch)
            x = columns[box.group, box.index]
            found.append([x, middle[0] + up[0], middle[1] + up[1], middle[0] - up[0], middle[1] - up[1]])
    return [[round(number, 2) for number in point] for point in sorted(found)]


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
