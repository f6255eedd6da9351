"""Lists of people to be ticked at the door: who is here, who has paid. Sheets of another kind, read by the same reader.

A row is a person, by their number in the tournament; each of the groups is one box beside the name. A list belongs to
no round and no table: its square code has 0 for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tournaments.slip.reading.geometry import Group, Layout, Row, SheetName
from tournaments.slip.reading.results import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.slip.reading.results import Line, Quad, Reading

HERE, PAID = "here", "paid"
# A list is of no round and no table.
NOWHERE = 0
# The odds of a tick, as a logarithm, above which a box is not surely empty: a faint pencil's are not far below 0.
EMPTY = -7.2


class Person(NamedTuple):
    """What is ticked beside a person's name: True, False, or None where only an eye can tell; and where that stands."""

    number: int
    here: bool | None
    paid: bool | None
    quad: Quad


def list_layout(page: int, numbers: Sequence[int], *, fee: bool) -> Layout:
    """The layout of a page for these people; with a box for the `fee` where there is one."""
    groups = (Group(HERE, (HERE,)), *([Group(PAID, (PAID,))] if fee else []))
    return Layout((), page, groups, tuple(Row(number, 0) for number in numbers))


def list_name(tournament: str, page: int, layout: Layout) -> SheetName:
    return SheetName(tournament, NOWHERE, NOWHERE, page, layout.code)


def is_list(name: SheetName) -> bool:
    """Whether a sheet is a list of people, and none of a table."""
    return name.round == NOWHERE


def people_ticked(reading: Reading) -> list[Person]:
    """Everybody on the page, in its order."""
    return [Person(line.deal, _ticked(line, HERE), _ticked(line, PAID), line.quad) for line in reading.lines]


def _ticked(line: Line, group: str) -> bool | None:
    """Whether the one box of a group is ticked.

    Nothing else in the line speaks for or against it, as it does on a table's sheet: so a full box is asked, which may
    be a tick with a thick pen, and one that is only likely to be empty.
    """
    boxes = [box for box in line.boxes if box.group == group]
    if "stray" in line.why or any(box.state in (State.DOUBT, State.VOID) for box in boxes):
        return None
    if any(box.state is State.TICK for box in boxes):
        return True
    return None if any(box.score > EMPTY for box in boxes) else False
