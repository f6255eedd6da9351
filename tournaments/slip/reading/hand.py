"""What a sheet's hand is like: how dark its marks are, whether they stray from their boxes, whether all are alike."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# A hand strays whose ticks lie so far from their boxes' middles as a rule, in millimetres, or of which there are too
# few to know.
STRAYS, FEW = 0.3, 12
# A hand is steady of whose marks so large a share is so likely, and lies so near to its box's middle, in millimetres.
STEADY_SHARE, STEADY, STEADY_LEANS = 0.9, 8.0, 0.7
# A hand whose marks are lighter, in shares of a printed line, should press harder.
WEAK_HAND = 0.75


class Hand(NamedTuple):
    """How dark somebody's marks are on this sheet, in shares of a printed line; whether they fill boxes, or stray.

    One that `is_steady` makes all marks alike.
    """

    dark: float
    fills: bool = False
    strays: bool = False
    is_steady: bool = False

    @property
    def is_weak(self) -> bool:
        return self.dark < WEAK_HAND


def does_stray(leans: Sequence[float]) -> bool:
    """Whether ticks stray, by how far to the right of their boxes' middles they lie."""
    return len(leans) < FEW or median(map(abs, leans)) > STRAYS


def is_steady(marks: Sequence[tuple[float, float]]) -> bool:
    """Whether marks are alike, and so many that this is known: of each the odds of it, and how far it leans."""
    leans = sorted(abs(lean) for odds, lean in marks if odds > STEADY)
    return (
        len(leans) >= max(FEW, STEADY_SHARE * len(marks))
        and leans[int(STEADY_SHARE * len(leans))] < STEADY_LEANS
    )
