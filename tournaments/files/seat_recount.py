"""Counting a table's seats again: what was changed in the middle of the round, and whose tokens are whose."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from scoring.turns import standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.models import Table


class Sits(NamedTuple):
    """A seat as it is stored."""

    position: int
    entry_id: int
    tokens: int


def changes_at(table: Table, seats: Sequence[Sits], numbers: Mapping[int, int]) -> Iterator[str]:
    """Whether dealers and seats are what was written down of them; `numbers` are those of the entries.

    From here on `table` goes by what was written down.
    """
    written = [told.change for told in sorted(table.seat_changes.all(), key=attrgetter("sequence"))]
    if written != table.turns:
        yield f"changes of dealer and seats are {table.turns}, written down are {written}"
        table.turns = written
    came = [change for change in standing(written) if "left" in change and "came" in change]
    left = sorted((change["seat"], change["deal"] - 1, change["left"]) for change in came)
    formers = sorted((one.position, one.through, numbers[one.entry_id]) for one in table.former_seats.all())
    if left != formers:
        yield f"substitutes took over from {left}, counted apart are {formers}"
    last = {change["seat"]: change["came"] for change in came}
    for seat in seats:
        number = numbers[seat.entry_id]
        if last.get(seat.position, number) != number:
            yield f"no. {last[seat.position]} came to seat {seat.position}, there sits no. {number}"


def tokens_at(
    table: Table, seats: Sequence[Sits], counted: Mapping[int, Sequence[int]], totals: dict[int, int]
) -> Iterator[str]:
    """Whether each seat has the tokens that its deals give; adds what is everybody's to `totals`, by entry.

    `counted` are the deals' tokens by position.
    """
    formers = sorted(table.former_seats.all(), key=attrgetter("through", "pk"))
    for seat in seats:
        tokens = {deal: amounts[seat.position] for deal, amounts in counted.items()}
        if seat.tokens != sum(tokens.values()):
            yield (
                f"seat {seat.position} has {seat.tokens:+d} tokens, its reports give {sum(tokens.values()):+d}"
            )
        first = 1
        for former in formers:
            if former.position != seat.position:
                continue
            theirs = sum(tokens.pop(deal, 0) for deal in range(first, former.through + 1))
            first = former.through + 1
            totals[former.entry_id] = totals.get(former.entry_id, 0) + theirs
            if former.tokens != theirs:
                yield (
                    f"seat {seat.position} had {former.tokens:+d} tokens through deal {former.through}, "
                    f"its reports give {theirs:+d}"
                )
        totals[seat.entry_id] = totals.get(seat.entry_id, 0) + sum(tokens.values())
