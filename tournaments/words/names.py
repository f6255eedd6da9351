"""What players are called at their table, where there is little room: on a phone's buttons, over narrow columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.text import without_remark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 20  # letters of one word


def short_names(names: Sequence[str]) -> list[str]:
    """First names, with as many letters of the last as tell two at the table apart: “Karen V.”.

    What is said in brackets is left out unless nothing else tells them apart. Names that are alike stay alike.
    """
    ways = [list(_ways(name)) for name in names]
    return [_first_of_its_own(own, [one for one in ways if one is not own and one != own]) for own in ways]


def _first_of_its_own(own: list[str], others: list[list[str]]) -> str:
    for place, way in enumerate(own):
        if all(way.casefold() != other[min(place, len(other) - 1)].casefold() for other in others):
            return way
    return own[-1]


def _ways(name: str) -> Iterator[str]:
    """What a name may be called, from the shortest on; the last is the whole of it."""
    first, *rest = without_remark(name).split() or [""]
    first = first[:LONGEST]
    yield first
    last = rest[-1] if rest else ""
    for letters in range(1, len(last)):
        yield f"{first} {last if not last[0].isalpha() else last[:letters] + '.'}"
    yield f"{first} {last}".strip()
    yield " ".join([first, *rest])
    yield name
