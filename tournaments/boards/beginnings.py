"""Where tables begin that share sets of folders, and to whom they pass them on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.boards.folders import folder_size
from tournaments.boards.movement import Shortage, sequences, set_of

if TYPE_CHECKING:
    from tournaments.models import Round


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a table begins, of which set, and to which table its folders go on (None: back to the shelf)."""

    table: int
    set: int
    first: int
    last: int
    next_table: int | None


def beginnings(round_: Round) -> list[Beginning]:
    """Where the tables begin that share sets; none where everybody has a set and plays in order.

    This is the movement as it was laid out; a table's own order may tell of folders taken by mistake.
    """
    tournament = round_.tournament
    tables = sorted((table for table in round_.tables.all() if table.folders), key=lambda table: table.number)
    sets, size = tournament.board_sets, folder_size(tournament)
    if not 0 < sets < len(tables):
        return []
    try:
        orders = sequences([table.deals for table in tables], sets, size)
    except Shortage:
        return []
    shared = [set_of(place, len(tables), sets) for place in range(len(tables))]
    found = []
    for place, table in enumerate(tables):
        mates = [other for other, of in zip(tables, shared, strict=True) if of == shared[place]]
        before = mates[mates.index(table) - 1]
        found.append(
            Beginning(
                table.number,
                shared[place] + 1,
                orders[place][0],
                orders[place][0] + size - 1,
                before.number if before is not table else None,
            )
        )
    return found
