"""A page of a sheet: its template, and lines of text that are the rows of a table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


# Sheets lay out their long tables as lines of text, which takes a fraction of the time of cells. From a line's cells
# here `core.pdf.structure` builds a table for screen readers.


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
    from samples (`core.pdf.forms`).
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
    """The table of an <article> with so many titles (`paper/parts.html#titles`) above one or more layers of lines."""
    parts: list[Head | Pieces | Lines] = [Pieces(0, range(titles), is_head=True)]
    row = 1
    for lines in layers:
        parts.append(Lines(row, lines))
        row += len(lines)
    return TextTable(titles, parts, named_by)


# A slot (`core.pdf.forms`) without a text, with the element of its line.
_EMPTY_SLOT = re.compile(
    r'(<span class="own-line[^>]*>)?<([a-z0-9]+)[^>]* data-stamp="[^>]*></\2>(?(1)</span>)'
)


@dataclass(frozen=True)
class Page:
    """One page. `template` is a partial, such as `paper/money.html#receipts`, for the frame `paper/page.html`.

    `name` is for the table of contents; `css` is its class, `styles` the rules it needs.

    `tables` are those that its <article> elements hold as lines of text, in their order; `sides` is how many sides of
    paper it takes. With `has_slots` it is written from a form where there are more like it (`core.pdf.forms`).
    """

    template: str
    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    css: str = ""
    styles: str = ""
    tables: Sequence[TextTable] = ()
    sides: int = 1
    has_slots: bool = False


def numbered_pages(pages: Sequence[Page]) -> tuple[list[tuple[int, Page]], int]:
    """Each page with the number of its first side, and how many sides there are in all."""
    firsts = [*accumulate((page.sides for page in pages), initial=1)]
    return list(zip(firsts, pages, strict=False)), firsts[-1] - 1


def render_page(page: Page, number: int, of: int, **more: Any) -> str:
    """A page as HTML. `last_side` is the number of its last side; `more` replaces values of its context."""
    numbers = {"number": number, "last_side": number + page.sides - 1, "of": of}
    context = {**page.context, "css": page.css, **numbers, "partial": page.template, **more}
    return render_to_string("paper/page.html", context)


def render_pages(numbered: Sequence[tuple[int, Page]], of: int) -> list[str]:
    """Pages as HTML, each with its number; without the elements of slots that have no text."""
    rendered = (render_page(page, number, of) for number, page in numbered)
    return [mark_safe(_EMPTY_SLOT.sub("", html)) for html in rendered]  # noqa: S308 - rendered, less some elements


def chunks(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
