"""Names on paper: how large a text may be printed in its room, and what stands for a name where there is little."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.paper.faces import TEXT, ems
from tournaments.paper.text import plain
from tournaments.words.names import short_names

if TYPE_CHECKING:
    from collections.abc import Sequence

POINT = 25.4 / 72
# A little less than the room there is: bold letters are wider, and no printer is exact.
FILLED = 0.97


def size_for(text: str, width: float, largest: float, least: float, face: str = TEXT) -> float:
    """Points in which a text fits into `width` millimetres: `largest` where it can be, never under `least`."""
    fits = FILLED * width / (ems(text, face) or 1) / POINT
    return round(max(least, min(largest, fits)), 1)


@dataclass(frozen=True)
class Head:
    """A name above a narrow column: one line or two, and their type in points."""

    lines: tuple[str, ...]
    size: float


def heads(names: Sequence[str], width: float) -> list[Head]:
    """The heads of columns so many millimetres wide: whole names in two lines where they fit, else short ones."""
    short = short_names([plain(name) for name in names])
    return [_head(plain(name), other, width) for name, other in zip(names, short, strict=True)]


ONE_LINE, TWO_LINES, LEAST = 8.0, 7.0, 5.5


def _head(name: str, short: str, width: float) -> Head:
    if size_for(name, width, ONE_LINE, 0) == ONE_LINE:
        return Head((name,), ONE_LINE)
    found = _in_two(name)
    if min(size_for(line, width, TWO_LINES, 0) for line in found) < TWO_LINES:
        found = _in_two(short)
    return Head(found, min(size_for(line, width, TWO_LINES, LEAST) for line in found))


def _in_two(name: str) -> tuple[str, ...]:
    """A name in two lines, broken between words or after a hyphen where the longer line is shortest; or in one."""
    ways = [(name[: found.end()].strip(), name[found.end() :]) for found in re.finditer(r"[ -]\b", name)]
    return min(ways, key=lambda way: max(map(ems, way)), default=(name,))
