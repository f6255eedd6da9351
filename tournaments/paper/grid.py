"""The lines of a score sheet: each deal a line of text in an element of its own, hairlines a picture (`drawing`).

A page of forty deals has about 480 cells. As an HTML table they take many times as long to lay out as forty
lines of text over a picture of the grid. A line is filled up to each of its columns with spaces, to a hair's breadth:
how wide its letters are is known (`core.pdf.fonts`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from core.pdf.fonts import FIGURE, SPACE, cut_to, ems, spaces, to_the_right
from core.pdf.text_tables import Cell, Head, Line, Lines, Pieces, TextTable
from tournaments.ledger.scoresheet import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Millimetres above the deals.
HEAD = 10.4
# A figure's width in millimetres, by which all columns are counted.
CHARACTER = 1.85
FONT_SIZE = CHARACTER / FIGURE
# That of the heads: 7 points.
SMALL = 7 * 25.4 / 72
# A line has so many.
CHARACTERS = 101

# Figures in each column at a table of four: as much as hand and print need.
WIDTHS = {
    "number": 4,
    "folder": 0,
    "dealer": 4,
    "sits_out": 4,
    "declarer": 6,
    "contract": 14,
    "trump": 4,
    "result": 10,
    "pool": 0,
    "remark": 15,
}
# Figures for a player's tokens and running total, by players; nobody sits out but at tables of four.
PAIR_AT = {2: (7, 7), 3: (6, 6), 4: (5, 5), 5: (5, 5)}
WIDTHS_AT = {
    2: WIDTHS | {"sits_out": 0, "remark": 31},
    3: WIDTHS | {"sits_out": 0, "contract": 15, "result": 15, "remark": 17},
    4: WIDTHS,
    5: WIDTHS | {"sits_out": 0, "contract": 12, "result": 9, "remark": 12},
}
# Where there is a pool: its column, and longer results, at the cost of others.
POOL = {"pool": 4, "contract": -1, "result": 1, "remark": -4}
# Where cards come out of folders: their column.
FOLDERS = {"folder": 5, "declarer": -1, "remark": -4}
# Where a turn of the deal is to be added up on paper: room for that at the right.
CHECK = 3

CENTRED = ("folder", "dealer", "sits_out", "declarer", "trump")


@dataclass(frozen=True)
class Row:
    """A line of the grid: texts by column, tokens and running totals by seat; `label` spans the columns."""

    texts: Mapping[str, str] = field(default_factory=dict)
    tokens: Sequence[str] = ()
    running: Sequence[str] = ()
    label: str = ""


@dataclass(frozen=True)
class Grid:
    """Where everything is on a page of a score sheet. Lengths are in mm, from the grid's upper left corner.

    `first` and `deals` are the deals on this page; a page that is not the table's first has a line above them
    for what is brought forward. `feet` are the lines of totals below, each `foot` high.
    """

    players: int
    first: int
    dealers: tuple[int, ...]
    # Who sits out in each deal.
    sits_out: tuple[int | None, ...]
    row: float
    feet: int
    foot: float
    with_pool: bool = False
    with_folders: bool = False
    # On a sheet for the pencil: room to add up each turn of the deal, and dashes where nothing is to be written.
    with_check: bool = False
    with_dashes: bool = False

    @property
    def deals(self) -> int:
        return len(self.dealers)

    @property
    def name(self) -> str:
        """The CSS class of pages with this grid."""
        row = f"{self.row:.2f}-{self.feet}-{self.foot:.2f}".replace(".", "-")
        told = "-pool" * self.with_pool + "-folders" * self.with_folders + "-check" * self.with_check
        told += "-dashes" * self.with_dashes
        seats = (
            ("x" if seat is None else str(seat) for seat in each) for each in (self.dealers, self.sits_out)
        )
        return f"grid-{self.players}-{self.first}-{row}{told}-{'-'.join(map(''.join, seats))}"

    @property
    def brought_forward(self) -> bool:
        return self.first > 1

    @property
    def rows(self) -> int:
        return self.deals + self.brought_forward

    @cached_property
    def widths(self) -> dict[str, int]:
        """Figures in each column before the players', by key, in the order of every sheet."""
        widths = dict(WIDTHS_AT[self.players])
        for columns, there in ((POOL, self.with_pool), (FOLDERS, self.with_folders)):
            if there:
                widths |= {key: widths[key] + more for key, more in columns.items()}
        widths["remark"] -= CHECK * self.with_check
        return {column.key: widths[column.key] for column in COLUMNS if widths[column.key]}

    @property
    def pair(self) -> tuple[int, int]:
        """Figures for a player's tokens and running total."""
        return PAIR_AT[self.players]

    @property
    def player(self) -> int:
        return sum(self.pair)

    @property
    def left(self) -> int:
        """Figures before the first player's columns."""
        return sum(self.widths.values())

    @property
    def characters(self) -> int:
        return self.left + self.players * self.player + CHECK * self.with_check

    @property
    def width(self) -> float:
        return self.characters * CHARACTER

    @property
    def top(self) -> float:
        """Where the first line begins, below the heads."""
        return HEAD

    @property
    def height(self) -> float:
        return HEAD + self.rows * self.row + self.feet * self.foot

    def edge(self, position: int) -> float:
        """The left edge of a player's columns; beyond the last player that of the room to add up."""
        return (self.left + position * self.player) * CHARACTER

    def columns(self) -> list[tuple[str, float, float]]:
        """(key, left edge, width) of each column before the players'."""
        edges, at = [], 0
        for key, width in self.widths.items():
            edges.append((key, at * CHARACTER, width * CHARACTER))
            at += width
        return edges

    def light(self, rows: Sequence[Row]) -> list[Line]:
        """The lines in ordinary type, one for each row."""
        return [self._light(row) for row in rows]

    def _light(self, row: Row) -> Line:
        if row.label:
            line = to_the_right(row.label, self.left - 1)
            return Line(line, [Cell(0, len(line), len(self.widths))])
        line, at, cells = "", 0, []
        for column, (key, width) in enumerate(self.widths.items()):
            text = "" if key == "dealer" else self._text(key, width, row.texts)
            if text:
                line += spaces(at * FIGURE - ems(line)) + text
                cells.append(Cell(column, len(line)))
            at += width
        if any(row.tokens):
            line += spaces(at * FIGURE - ems(line))
            line = self._amounts(line, row.tokens, cells, self.pair, first=True)
        return Line(line.rstrip(), cells)

    def _amounts(
        self, line: str, texts: Sequence[str], cells: list[Cell], widths: tuple[int, int], *, first: bool
    ) -> str:
        """A line with a number in one column of each player's two, the first or the second; `cells` get theirs."""
        before, width, after = (0, widths[0], widths[1]) if first else (widths[0], widths[1], 0)
        for position, text in enumerate(texts):
            number = amount(text, width)
            line += blank(before) + number
            if text:
                column = len(self.widths) + 2 * position + (not first)
                cells.append(Cell(column, len(line) - len(number) + len(number.rstrip())))
            line += blank(after)
        return line

    def discs(self, rows: Sequence[Row]) -> list[Line]:
        """The dealers' letters, which stand on black discs, one for each row."""
        column = list(self.widths).index("dealer")
        letters = (row.texts.get("dealer", "") for row in rows)
        return [Line(letter, [Cell(column, len(letter))]) for letter in letters]

    def heavy(self, rows: Sequence[Row]) -> list[Line]:
        """The lines in bold type, one for each row, from the first player's column on; none where no row has totals."""
        if not any(row.running for row in rows):
            return []
        lines = []
        for row in rows:
            cells: list[Cell] = []
            line = self._amounts("", row.running, cells, self.pair, first=False)
            lines.append(Line(line.rstrip(), cells))
        return lines

    def subheadings(self, tokens: str, running: str) -> list[Line]:
        """The small line above the players' columns, from the first player's column on."""
        line, at, cells = "", 0, []
        for position in range(self.players):
            for second, (text, width) in enumerate(zip((tokens, running), self.pair, strict=True)):
                at += width
                ends = (at - 1) * FIGURE * FONT_SIZE / SMALL
                line += spaces(ends - ems(line) - ems(text)) + text
                cells.append(Cell(len(self.widths) + 2 * position + second, len(line)))
        return [Line(line, cells)]

    def nought(self) -> Line:
        """What the last totals of all players come to together."""
        return Line("= 0", [Cell(len(self.widths) + 2 * self.players, len("= 0"))])

    def table(self, layers: Mapping[str, Sequence[Line]], nought: Line | None) -> TextTable:
        """What the elements of `paper/_score.html` are in the table that is read aloud, in their order there."""
        left, heads = len(self.widths), 2
        columns = left + 2 * self.players + self.with_check
        feet = heads + self.rows
        parts: list[Head | Lines | Pieces] = [Head(column, rows=heads) for column in range(left)]
        parts += [Head(left + 2 * position, span=2) for position in range(self.players)]
        parts.append(Lines(1, layers["subheadings"], is_head=True))
        parts += [Lines(heads, layers[key]) for key in ("light", "discs", "heavy") if layers[key]]
        parts += [Lines(feet, layers[key]) for key in ("light_feet", "heavy_feet") if layers[key]]
        if nought:
            parts.append(Pieces(feet, [nought]))
        return TextTable(columns, parts)

    def _text(self, key: str, width: int, texts: Mapping[str, str]) -> str:
        text = texts.get(key, "")
        if not text:
            return ""
        if key in ("pool", "number"):
            return to_the_right(text, width - 1)
        text = cut_to(text, self.room(key))
        return spaces((width * FIGURE - ems(text)) / 2) + text if key in CENTRED else "  " + text

    def room(self, key: str) -> float:
        """How wide a text may be in a column before it is cut, in em."""
        return self.widths[key] * FIGURE - (0 if key in CENTRED else 4 * SPACE)


def amount(text: str, width: int) -> str:
    """A number at the right of its column, off the line where there is room for that."""
    spare = width - len(text)
    return blank(spare - 1) + text + blank(1) if spare > 0 else text


def blank(figures: int) -> str:
    return spaces(figures * FIGURE)
