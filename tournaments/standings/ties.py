"""Why one of two players with the same total stands before the other, said beside their names."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tournaments.standings.players import TIE_BREAKS, Row
from tournaments.words.terms import MINUS

if TYPE_CHECKING:
    from collections.abc import Sequence


def ties_in_words(rows: Sequence[Row], codes: Sequence[str]) -> dict[int, str]:
    """Entry -> the tie-breaks that decided between it and its neighbours in `rows`, which are ranked."""
    needed: dict[int, int] = {}
    for upper, lower in pairwise(rows):
        if upper.total != lower.total or upper.ties == lower.ties:
            continue
        decided = next(
            place
            for place, (one, other) in enumerate(zip(upper.ties, lower.ties, strict=True), 1)
            if one != other
        )
        for row in (upper, lower):
            needed[row.entry_id] = max(needed.get(row.entry_id, 0), decided)
    return {
        row.entry_id: ", ".join(map(_said, codes[: needed[row.entry_id]], row.ties))
        for row in rows
        if row.entry_id in needed
    }


def _said(code: str, value: int) -> str:
    """A tie-break with its value; a lot has none that says anything, fewest kodilles count downwards."""
    name = str(TIE_BREAKS[code].name)
    if code == "lot":
        return name
    count = -value if code == "fewest_kodilles" else value
    return f"{name} {MINUS}{-count}" if count < 0 else f"{name} {count}"
