"""The columns of standings on paper: how wide each is, and which give way where there are too many."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, TypeVar

from django.utils.translation import gettext_lazy

from core.pdf.fonts import FIGURE, ems
from tournaments.standings.columns import Column, On

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Line = TypeVar("Line")
Whole = TypeVar("Whole")


class Numbered(Protocol):
    """A player or a team, by its number in the tournament."""

    @property
    def number(self) -> int: ...


def prize_column(prizes: Mapping[int, str]) -> Column[Numbered, object]:
    """Each one's prize in kroner, by number."""
    return Column(
        name="prize",
        heading=gettext_lazy("Prize"),
        on=On.PAPER,
        value=lambda line: prizes.get(line.number, ""),
        width=9,
    )


def heading(column: Column[Line, Whole]) -> str:
    return str(column.short or column.heading)


def measured(
    columns: Sequence[Column[Line, Whole]],
    lines: Sequence[Line],
    room: float,
    *,
    between: int = 1,
    wrapped: bool = False,
) -> dict[Column[Line, Whole], int]:
    """The columns that have room, each with its figures: as many as its longest text has and what stands between.

    `wrapped` headings take as many lines as they have words.
    """
    widths = {}
    for column in columns:
        heads = heading(column).split() if wrapped else [heading(column)]
        texts = [*heads, *(column.written(line) for line in lines)]
        widths[column] = max(column.width, *(math.ceil(ems(text) / FIGURE) + between for text in texts))
    giving_way = [column for column in columns if column.gives_way]
    while giving_way and sum(widths.values()) > room:
        del widths[giving_way.pop()]
    return widths
