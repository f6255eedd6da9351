"""Counting a table's seats again: what was changed in the middle of the round, and whose tokens are whose."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from scoring.seats import changes_in_force

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.files.stored_tables import AtTable


def changes_at(at: AtTable, numbers: Mapping[int, int]) -> Iterator[str]:
    """Whether dealers and seats are what was written down of them; `numbers` are those of the entries.

    From here on the table goes by what was written down.
    """
    table, written = at.table, at.changes
    if written != table.turns:
        yield f"changes of dealer and seats are {table.turns}, written down are {written}"
        table.turns = written
    came = [change for change in changes_in_force(written) if "left" in change and "came" in change]
    left = sorted((change["seat"], change["deal"] - 1, change["left"]) for change in came)
    formers = sorted((one.position, one.through, numbers[one.entry_id]) for one in at.formers)
    if left != formers:
        yield f"substitutes took over from {left}, counted apart are {formers}"
    last = {change["seat"]: change["came"] for change in came}
    for seat in at.seats:
        number = numbers[seat.entry_id]
        if last.get(seat.position, number) != number:
            yield f"no. {last[seat.position]} came to seat {seat.position}, there sits no. {number}"


def tokens_at(at: AtTable, counted: Mapping[int, Sequence[int]], totals: dict[int, int]) -> Iterator[str]:
    """Whether each seat has the tokens that its deals give; adds what is everybody's to `totals`, by entry.

    `counted` are the deals' tokens by position.
    """
    for seat in at.seats:
        position = seat.position
        left = given = sum(map(itemgetter(position), counted.values()))
        if seat.tokens != given:
            yield f"seat {position} has {seat.tokens:+d} tokens, its reports give {given:+d}"
        first = 1
        for former in at.formers:
            if former.position != position:
                continue
            deals = range(first, former.through + 1)
            theirs = sum(counted[deal][position] for deal in deals if deal in counted)
            first, left = former.through + 1, left - theirs
            totals[former.entry_id] = totals.get(former.entry_id, 0) + theirs
            if former.tokens != theirs:
                yield (
                    f"seat {position} had {former.tokens:+d} tokens through deal {former.through}, "
                    f"its reports give {theirs:+d}"
                )
        totals[seat.entry_id] = totals.get(seat.entry_id, 0) + left
