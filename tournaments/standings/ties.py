"""Tie-breaks in words, and why one of two players with the same total stands before the other."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tournaments.standings.players import TIE_BREAKS, Row
from tournaments.words.terms import MINUS, said_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoring.rulebook import Rulebook


class TieBreakSaid(NamedTuple):
    """A tie-break in the reader's language, in the words of the rulebook."""

    name: str
    explanation: str


def tie_break_said(rulebook: Rulebook, code: str) -> TieBreakSaid:
    tie_break = TIE_BREAKS[code]
    return TieBreakSaid(said_by(rulebook, tie_break.name), said_by(rulebook, tie_break.explanation))


def tie_breaks_said(rulebook: Rulebook, codes: Iterable[str]) -> list[TieBreakSaid]:
    return [tie_break_said(rulebook, code) for code in codes]


def ties_in_words(rulebook: Rulebook, rows: Sequence[Row], codes: Sequence[str]) -> dict[int, str]:
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
        row.entry_id: ", ".join(
            _said(rulebook, code, value)
            for code, value in zip(codes[: needed[row.entry_id]], row.ties, strict=False)
        )
        for row in rows
        if row.entry_id in needed
    }


def _said(rulebook: Rulebook, code: str, value: int) -> str:
    """A tie-break with its value; a lot has none that says anything, fewest kodilles count downwards."""
    name = tie_break_said(rulebook, code).name
    if code == "lot":
        return name
    count = -value if code == "fewest_kodilles" else value
    return f"{name} {MINUS}{-count}" if count < 0 else f"{name} {count}"
