"""Ink that is no tick's: where no box is, and lines drawn through a row."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from tournaments.slip.reading.features import crossed, numbers_of

if TYPE_CHECKING:
    from tournaments.slip.reading.features import Seen
    from tournaments.slip.reading.hand import Hand

# Ink where no box is, in shares of a printed line's darkness; lighter than this share of the hand's marks it is dirt.
STRAY, STAIN = 0.10, 0.4
# What leads from box to box through so large a share of a row is a line that strikes it, and is so dark at least, and
# so much darker than in this sheet's other rows: a picture may be blurred. It takes so many boxes to tell.
STRUCK_SHARE, STRUCK, STRUCK_MORE, STRUCK_BOXES = 0.4, 0.1, 0.07, 8


def strays(seen: Seen, hand: Hand) -> set[int]:
    """The rows that have ink where no box is: more than is in empty boxes of this sheet."""
    import numpy as np  # noqa: PLC0415 - an extra

    numbers = numbers_of(seen.pictures)
    most = float(np.median(numbers[: len(seen.boxes), 1])) + STRAY
    found = numbers[len(seen.boxes) :]
    is_ink = (found[:, 1] > most) & (found[:, 0] > STAIN * hand.dark)
    return {place.row for place, one in zip(seen.without, is_ink.tolist(), strict=True) if one}


def struck(seen: Seen) -> set[int]:
    """The rows through which a line is drawn: whatever is ticked there, somebody has taken it back."""
    import numpy as np  # noqa: PLC0415 - an extra

    row_of = np.array([place.row for place in seen.boxes])
    lines = crossed(seen.pictures[: len(seen.boxes)])
    rows = {row: lines[row_of == row] for row in set(row_of.tolist())}
    through = {
        row: float(np.quantile(found, 1 - STRUCK_SHARE))
        for row, found in rows.items()
        if len(found) >= STRUCK_BOXES
    }
    least = max(STRUCK, median(through.values()) + STRUCK_MORE) if through else STRUCK
    return {row for row, dark in through.items() if dark > least}
