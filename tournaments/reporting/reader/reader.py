"""Read photographs of sheets with tick boxes. OpenCV and numpy are an extra: only here are their users imported."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from tournaments.reporting.reader.results import Reading, Reason, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.reporting.reader.cards import Cards
    from tournaments.reporting.reader.features import Seen
    from tournaments.reporting.reader.layout import Layout, SheetName
    from tournaments.reporting.reader.weights import Weights

    # A sheet's layout by its name; None for one that was not printed here. May raise UnknownLayout.
    Layouts = Callable[[SheetName], Layout | None]


def is_available() -> bool:
    """Whether this installation can read pictures: OpenCV and numpy are an extra."""
    return all(find_spec(name) is not None for name in ("cv2", "numpy"))


def read(
    picture: bytes, layouts: Layouts, *, fills: bool = False, weights: Weights | None = None
) -> Reading | Unreadable:
    """Read the sheet in a picture (JPEG, PNG or WebP); returns the reason if it cannot be read, and never raises.

    `fills`: the intended boxes are filled rather than crossed, as answered to a reading with `fills`. `weights`:
    those that a club has trained on its own sheets; by default those of the program.
    """
    if not is_available():
        return Unreadable(Reason.UNAVAILABLE)
    from tournaments.reporting.reader.sheets import read_sheet  # noqa: PLC0415 - an extra

    return read_sheet(picture, layouts, fills=fills, weights=weights)


def read_cards(
    picture: bytes, layouts: Layouts, *, fills: bool = False, weights: Weights | None = None
) -> Cards | None:
    """Read the cards in a picture; None if it has none, or if this installation cannot read pictures."""
    if not is_available():
        return None
    from tournaments.reporting.reader import cards  # noqa: PLC0415 - an extra

    return cards.read_cards(picture, layouts, fills=fills, weights=weights)


def look(picture: bytes, layout: Layout) -> Seen | None:
    """The pictures of the boxes of a sheet with a known layout; None where the sheet is not found."""
    from tournaments.reporting.reader import sheets  # noqa: PLC0415 - an extra

    return sheets.look(picture, layout)
