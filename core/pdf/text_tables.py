"""Lines of text that are the rows of a table: which part of a line is which cell.

Sheets lay out their long tables as lines of text, which takes a fraction of the time of cells. From a line's cells
here `core.pdf.structure` builds a table for screen readers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cell(NamedTuple):
    """A part of a line of text that ends at a character, from the end of the part before it on; in which columns."""

    column: int
    end: int
    span: int = 1


class Line(str):
    """A line of text that knows its cells."""

    __slots__ = ("cells",)
    cells: tuple[Cell, ...]

    def __new__(cls, text: str, cells: Sequence[Cell] = ()) -> Self:
        line = super().__new__(cls, text)
        line.cells = tuple(cell for cell in cells if cell.end)
        return line


@dataclass(frozen=True)
class Head:
    """A child element of the table that is one header cell."""

    column: int
    span: int = 1
    row: int = 0
    rows: int = 1


@dataclass(frozen=True)
class Pieces:
    """A child element of the table that is a row.

    Of what is in it, in its order: a text is a line with cells; an element is the cell of a column, or holds a text.
    """

    row: int
    pieces: Sequence[str | int | tuple[str]]
    is_head: bool = False


@dataclass(frozen=True)
class Lines:
    """A child element of the table whose own children are rows, from a row on.

    Where its lines are the `layer` of the page's context and `apart` millimetres from each other, they can be written
    from samples (`core.pdf.stamping`).
    """

    row: int
    lines: Sequence[str]
    is_head: bool = False
    layer: str = ""
    apart: float = 0
    is_centred: bool = False


@dataclass(frozen=True)
class TextTable:
    """The columns of an <article>'s lines by its child elements, in order; whether the first column names the row."""

    columns: int
    parts: Sequence[Head | Pieces | Lines]
    named_by: int | None = 0

    @property
    def layers(self) -> list[Lines]:
        """The parts whose lines can be written from samples."""
        return [part for part in self.parts if isinstance(part, Lines) and part.layer]


def rows_below(titles: int, *layers: Sequence[str], named_by: int | None = 0) -> TextTable:
    """The table of an <article> with so many titles (`paper/_titles.html`) above one or more layers of lines."""
    parts: list[Head | Pieces | Lines] = [Pieces(0, range(titles), is_head=True)]
    row = 1
    for lines in layers:
        parts.append(Lines(row, lines))
        row += len(lines)
    return TextTable(titles, parts, named_by)
