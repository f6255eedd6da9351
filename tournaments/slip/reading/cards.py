"""What is printed where on a seat card to be ticked at the door, in millimetres from the card's upper left corner.

A card has a mark in every corner and a square code of its own, which says whose it is; the boxes are those of a list.
"""

from __future__ import annotations

from tournaments.slip.reading.geometry import Layout, Row, SheetName
from tournaments.slip.reading.marks import in_corners
from tournaments.slip.reading.people import HERE, NOWHERE, PAID, list_layout

# Its size, its marks, its square code, the middle of each box; and the piece that is shown of it.
WIDE, HIGH = 90.0, 53.0
MARKS = in_corners(WIDE, HIGH, 3.0, 5.0)
CODE_LEFT, CODE_TOP, CODE_SIDE = 59.5, 4.0, 20.0
BOXES = {HERE: (13.5, 43.5), PAID: (47.5, 43.5)}
PIECE = (9.0, 26.0, 82.0, 48.0)


def card_layout(*, fee: bool) -> Layout:
    """The boxes of every card, with one for the `fee` where there is one; whose it is says its code alone."""
    return Layout((), NOWHERE, list_layout(1, (), fee=fee).groups, (Row(NOWHERE, NOWHERE),))


def card_name(tournament: str, number: int, layout: Layout) -> SheetName:
    """A card's name has the player's number where a sheet's has its table's."""
    return SheetName(tournament, NOWHERE, number, NOWHERE, layout.code)


def is_card(name: SheetName) -> bool:
    return name.round == NOWHERE and name.table != NOWHERE
