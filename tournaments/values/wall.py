"""What the wall of the hall shows, as it is chosen at the desk; and how lists fill it so that nobody stands alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

T = TypeVar("T")

PODIUM, SEATS, STANDINGS, TABLES, PROGRESS = "podium", "seats", "standings", "tables", "progress"
SLIDES = (PODIUM, SEATS, STANDINGS, TABLES, PROGRESS)
USUAL = (PODIUM, SEATS, STANDINGS, PROGRESS)
USUAL_SECONDS = 12
SECONDS_OFFERED = (6, 9, 12, 20, 30, 60)


@dataclass(frozen=True, slots=True)
class Wall:
    """Which slides, each for how many seconds; `on_paper` on a light ground, for a weak lamp."""

    shows: Sequence[str] = USUAL
    seconds: int = USUAL_SECONDS
    on_paper: bool = False

    def stored(self) -> dict[str, Any]:
        return {"shows": list(self.shows), "seconds": self.seconds, "on_paper": self.on_paper}


def read_wall(stored: object) -> Wall:
    """The wall as it is stored; the usual one where nothing is. Raises ValueError for what no desk has chosen."""
    if stored == {}:
        return Wall()
    if not isinstance(stored, dict) or stored.keys() != {"shows", "seconds", "on_paper"}:
        raise ValueError(stored)
    shows, seconds, on_paper = stored["shows"], stored["seconds"], stored["on_paper"]
    if not isinstance(shows, list) or not shows or any(name not in SLIDES for name in shows):
        raise ValueError(stored)
    if seconds not in SECONDS_OFFERED or not isinstance(on_paper, bool):
        raise ValueError(stored)
    return Wall(tuple(name for name in SLIDES if name in shows), seconds, on_paper)


def spread(items: Sequence[T], columns: int, most: int) -> list[list[Sequence[T]]]:
    """Pages of `columns` columns with `most` rows each at most, all of them about equally long; none for no items.

    So 37 names in two columns of 18 are two pages of 10 and 9 rows, and not one of 36 and one name.
    """
    pages = -(-len(items) // (columns * most))
    return [_shares(part, min(columns, len(part))) for part in _shares(items, pages)]


def _shares(items: Sequence[T], parts: int) -> list[Sequence[T]]:
    """So many parts, in order, of which none is more than one longer than another; the longer ones first."""
    if not parts:
        return []
    each, over = divmod(len(items), parts)
    ends = [each * number + min(number, over) for number in range(parts + 1)]
    return [items[start:end] for start, end in pairwise(ends)]
