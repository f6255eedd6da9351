"""Names on paper: how large a text may be printed in its room, and what stands for a name where there is little."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.paper.text import plain
from tournaments.words.names import short_names

if TYPE_CHECKING:
    from collections.abc import Sequence

POINT = 25.4 / 72
# Widths in em of DejaVu Sans: of narrow letters, wide ones, capitals, and the others.
NARROW, WIDE = " iljftrI.,:;'’-()", "mwMWÆ@%æœ"
_NARROW, _WIDE, _CAPITAL, _OTHER = 0.4, 0.98, 0.72, 0.62


def ems(text: str) -> float:
    """About how wide a text is, in the size of its type."""
    return sum(_ems_of(character) for character in text)


def _ems_of(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    if character in NARROW:
        return _NARROW
    if character in WIDE or unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    return _CAPITAL if character.isupper() else _OTHER


def size_for(text: str, width: float, largest: float, least: float) -> float:
    """Points in which a text fits into `width` millimetres: `largest` where it can be, never under `least`."""
    fits = width / (ems(text) or 1) / POINT
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


ONE_LINE, TWO_LINES, SMALLEST = 7.2, 6.2, 5.0


def _head(name: str, short: str, width: float) -> Head:
    if size_for(name, width, ONE_LINE, 0) == ONE_LINE:
        return Head((name,), ONE_LINE)
    found = _in_two(name)
    if min(size_for(line, width, TWO_LINES, 0) for line in found) < SMALLEST:
        found = _in_two(short)
    return Head(found, min(size_for(line, width, TWO_LINES, SMALLEST) for line in found))


def _in_two(name: str) -> tuple[str, ...]:
    """A name in two lines, broken where the longer of them is shortest; a single word in one."""
    words = name.split()
    ways = [(" ".join(words[:index]), " ".join(words[index:])) for index in range(1, len(words))]
    return min(ways, key=lambda way: max(map(ems, way)), default=(name,))
