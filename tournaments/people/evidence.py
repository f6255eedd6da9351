"""How much a share says: little evidence is told as such, and never ranked."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

# Of fewer games a share is told with its interval, and nobody is ranked by it.
LEAST_GAMES = 20
# Of fewer deals an average says little.
LEAST_DEALS = 100
# Standard deviations to either side: nineteen intervals in twenty hold the true share.
SURE = 1.96


@dataclass(frozen=True, slots=True)
class Rate:
    """How many `of` so many."""

    count: int
    of: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None where there is nothing to share."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.count, self.of)

    @property
    def is_little(self) -> bool:
        return self.of < LEAST_GAMES


def wilson(count: int, of: int) -> tuple[float, float]:
    """The interval in which a share lies, nineteen times in twenty (E. B. Wilson, 1927); (0, 1) of nothing.

    It stays between 0 and 1, and says of three won of three that the share is 0.44 at least.
    """
    if not of:
        return 0.0, 1.0
    share, square = count / of, SURE * SURE
    middle = share + square / (2 * of)
    width = SURE * sqrt(share * (1 - share) / of + square / (4 * of * of))
    whole = 1 + square / of
    return max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole)
