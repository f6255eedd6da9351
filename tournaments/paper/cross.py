"""Who met whom, on paper: as large as the page allows, upright or lying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.fonts import cut, ems
from core.pdf.page import Page
from tournaments.paper.names import POINT
from tournaments.paper.pages import Occasion
from tournaments.standings.team_text import cross_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Round
    from tournaments.standings.team_text import CrossRow, CrossTable

# Millimetres of what the table has: upright, and lying.
ROOMS = {"": (187.0, 236.0), "landscape": (274.0, 148.0)}
SIZES = [size / 2 for size in range(32, 13, -1)]  # points, the largest first
# In em: rank and total, what a cell has beside its text, a name at most, and a line of text.
RANK, TOTAL, PADDING, NAME, LINE = 3.0, 5.0, 1.0, 20.0, 1.35
TALLEST = 24.0
# Teams side by side where even the smallest letters have no room for more.
MOST = 16
LONGEST_NAME = 48


@dataclass(frozen=True)
class Layout:
    """Whether the page is upright ("") or lying, its type in points, and a line's height in millimetres."""

    css: str
    size: float
    row: float

    @property
    def name(self) -> str:
        return f"crossed-{self.size:.1f}-{self.row:.1f}".replace(".", "-")

    @property
    def styles(self) -> str:
        return (
            f".{self.name} .cross-table{{font-size:{self.size}pt}}.{self.name} td{{height:{self.row:.2f}mm}}"
        )


def cross_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """Who met whom, as it stands now."""
    tournament = round_.tournament
    return [
        Page(
            "paper/_cross.html",
            name=_("Cross table"),
            css=f"ranking of-teams {layout.css} {layout.name}",
            styles=layout.styles,
            context={
                "occasion": occasion,
                "words": tournament.format_row.words,
                "division": table.name,
                "columns": [line.row for line in table.rows[first : first + MOST]],
                "lines": [
                    (cut(line.row.name, LONGEST_NAME), line, line.cells[first : first + MOST])
                    for line in table.rows
                ],
            },
        )
        for table in cross_tables(tournament)
        for layout in (_layout(table),)
        for first in range(0, max(1, len(table.rows)), MOST)
    ]


def _layout(table: CrossTable) -> Layout:
    """As large as names and results fit, upright where lying is no larger."""
    ways = [(css, _size(table.rows, *room)) for css, room in ROOMS.items()]
    css, size = max(ways, key=lambda way: way[1])
    _width, height = ROOMS[css]
    return Layout(css, size or SIZES[-1], min(TALLEST, height / (len(table.rows) + 1)))


def _size(rows: Sequence[CrossRow], width: float, height: float) -> float:
    """The largest type in points with which the table fits; 0 where none does."""
    cells = [cell for line in rows for cell in line.cells if cell]
    widest = max((ems(f"{points} {tokens}") for cell in cells for points, tokens in cell), default=1.0)
    lines = max((len(cell) for cell in cells), default=1)
    name = min(NAME, max((ems(line.row.name) for line in rows), default=1.0)) + PADDING
    wide = RANK + name + TOTAL + (widest + PADDING) * min(MOST, len(rows))
    high = LINE * (lines + 0.4) * (len(rows) + 1)
    fitting = (size for size in SIZES if wide * size * POINT <= width and high * size * POINT <= height)
    return next(fitting, 0.0)
