"""Which folder a table plays in which of its deals.

A folder belongs to a dealer's seat: at tables of four folder 1 is dealt by A, folder 2 by B, folder 5 by A again. As
the deal goes round, deal 1 at every table is A's, so a deal may only be played with a folder of its own seat.

With a set of folders for each table everybody plays 1, 2, 3 … in order. Where tables share a set, folders travel in
*groups* of as many as there are seats (1-4, 5-8 …), so that the dealer is right wherever a group goes. The tables of a
set begin at groups that lie as far apart as can be, and go on from there, from the last group to the first: what a
table has played, the table before it plays a while later. Between two of them lies a pile that lets one be faster than
the other; nobody holds a folder that another table is playing, and every table plays every folder once.

A table of three plays fewer deals, so it leaves the last folders of its order out. The hands are the dealer's,
forehand's and middlehand's of the deal there, whoever sits where: the groups are made for tables of four.
"""

from __future__ import annotations

from collections.abc import Sequence


class Shortage(ValueError):  # noqa: N818 - says what it is
    """So few sets cannot go round: `deals` is not a multiple of `size`, or there are fewer than `needed` sets."""

    def __init__(self, *, deals: int, size: int, needed: int) -> None:
        super().__init__(f"{deals} deals in groups of {size} need {needed} sets")
        self.deals = deals
        self.size = size
        self.needed = needed


def dealer_seat(folder: int, size: int) -> int:
    """The position that deals a folder, at tables of the size that folders are made for."""
    return (folder - 1) % size


def set_of(table: int, tables: int, sets: int) -> int:
    """The set, from 0, that the table at this place (from 0) plays; neighbours share one. `sets` 0: each its own."""
    return table if not 0 < sets < tables else table * sets // tables


def sequences(deals: Sequence[int], sets: int, size: int) -> list[tuple[int, ...]]:
    """The folders of each table, by deal; `deals` says how many each table plays, in the order of the tables.

    `sets` are the sets of folders in the hall (0: one for each table), `size` the players of the tables that they are
    made for. Raises Shortage where the sets are too few.
    """
    folders = max(deals, default=0)
    if not 0 < sets < len(deals):
        return [tuple(range(1, count + 1)) for count in deals]
    groups, over = divmod(folders, size)
    needed = -(-len(deals) // groups) if groups else len(deals)
    if over or sets < needed:
        raise Shortage(deals=folders, size=size, needed=len(deals) if over else needed)
    sharing: dict[int, list[int]] = {}
    for table in range(len(deals)):
        sharing.setdefault(set_of(table, len(deals), sets), []).append(table)
    found: dict[int, tuple[int, ...]] = {}
    for tables in sharing.values():
        for place, table in enumerate(tables):
            first = place * (groups // len(tables)) * size
            found[table] = tuple((first + deal) % folders + 1 for deal in range(deals[table]))
    return [found[table] for table in range(len(deals))]
