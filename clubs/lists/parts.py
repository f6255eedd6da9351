"""Find the lists in the sheets of a file: below titles, side by side, one below the other. Pure.

Every part of a sheet is found, also those that are not chosen in the end, so that a page can name them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clubs.lists.fields import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clubs.lists.fields import ListFields
    from core.tables.spreadsheet import Grid, Sheet

# The heading is looked for in so many rows: lists have titles.
HEADING_WITHIN = 10
# Rows of one part have numbers below this one, those of the next begin here.
ROWS_OF_PART = 100_000


@dataclass(frozen=True)
class Part:
    """A list in a sheet: its headings, and the rows below them with their numbers in the sheet."""

    place: int
    """Which part of the file it is, from 0."""
    name: str
    """The name of its sheet, with its columns where the sheet has several parts."""
    sheet: str
    title: str = ""
    """What stands above the headings."""
    headings: list[str] = field(default_factory=list)
    first_column: int = 0
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    repeats: list[int] = field(default_factory=list)
    """The rows that repeat the headings."""
    has_headings: bool = False
    problem: str = ""
    """Why the sheet cannot be read."""

    @cached_property
    def keys(self) -> list[str]:
        """A key for each column, the same for the same heading in any part; "#C" for a column without one."""
        found: list[str] = []
        for column, heading in enumerate(self.headings):
            key = plain(heading)[:100] or f"#{letters_of_column(self.first_column + column)}"
            again = sum(other.partition(" ")[0] == key for other in found)
            found.append(f"{key} {again + 1}" if again else key)
        return found

    def row_key(self, row: int) -> int:
        """A number for a row that no other row of the file has."""
        return self.place * ROWS_OF_PART + row


def letters_of_column(column: int) -> str:
    """The letters of a column in a spreadsheet: A for 0, AA for 26."""
    first, last = divmod(column, 26)
    return (letters_of_column(first - 1) if first else "") + chr(ord("A") + last)


def find_parts(
    sheets: Sequence[Sheet], fields: ListFields, *, has_headings: bool | None = None
) -> list[Part]:
    """All parts of all sheets that are not blank. `has_headings`: the first row is headings, though unknown ones."""
    parts: list[Part] = []
    for sheet in sheets:
        if sheet.problem:
            parts.append(Part(0, sheet.name, sheet.name, problem=sheet.problem))
        parts += _parts_of(sheet, fields, has_headings)
    return [replace(part, place=place) for place, part in enumerate(parts)]


@dataclass(frozen=True)
class _Headings:
    """The row of a sheet's headings, and their kind: "known", "said" (unknown headings), or "" for none."""

    row: int
    kind: str


def _headings_of(grid: Grid, filled: list[int], fields: ListFields, has_headings: bool | None) -> _Headings:
    row = max(filled[:HEADING_WITHIN], key=lambda number: _known_fields(grid[number], fields))
    if _known_fields(grid[row], fields):
        return _Headings(row, "known")
    if has_headings is None:
        has_headings = _looks_like_headings(grid, filled)
    return _Headings(filled[0], "said" if has_headings else "")


def _parts_of(sheet: Sheet, fields: ListFields, has_headings: bool | None) -> Iterator[Part]:
    grid = sheet.rows
    filled = [number for number, row in enumerate(grid) if any(row)]
    if not filled:
        return
    found = _headings_of(grid, filled, fields, has_headings)
    starts = [found.row]
    if found.kind == "known":
        starts += [n for n in filled if n > found.row and _headings_repeat(grid, n, found.row, fields)]
    title = " ".join(cell for n in filled if n < found.row for cell in grid[n] if cell)[:200]
    for start, end in pairwise([*starts, len(grid)]):
        section = [(n, grid[n]) for n in filled if (start < n if found.kind else start <= n) and n < end]
        cells = grid[start] if found.kind else []
        blocks = _blocks(cells, section, fields)
        for first, last in blocks:
            name = sheet.name
            if len(blocks) > 1:
                ends = {"first": letters_of_column(first), "last": letters_of_column(last - 1)}
                columns = _("columns %(first)s–%(last)s") % ends
                name = f"{name} {columns}".strip()
            if len(starts) > 1:
                lines = _("rows %(first)d–%(last)d") % {"first": start + 1, "last": end}
                name = f"{name} {lines}".strip()
            headings = [cells[column] if column < len(cells) else "" for column in range(first, last)]
            rows = [(n + 1, row[first:last]) for n, row in section if any(row[first:last])]
            repeats = [n for n, row in rows if found.kind == "known" and _is_same(row, headings)]
            yield Part(
                place=0,
                name=name,
                sheet=sheet.name,
                title=title,
                headings=headings,
                first_column=first,
                rows=[row for row in rows if row[0] not in repeats],
                repeats=repeats,
                has_headings=bool(found.kind),
            )


def _known_fields(row: Sequence[str], fields: ListFields) -> int:
    """The number of fields that the cells of a row are headings of; exact matches weigh most."""
    exact = {fields.known[plain(cell)][0] for cell in row if cell and fields.is_heading(cell)}
    if not exact:
        by_words = {fields.field_of(cell)[0] for cell in row if cell} - {""}
        return len(by_words) if by_words & fields.names else 0
    return len(exact | ({fields.field_of(cell)[0] for cell in row if cell} - {""}))


def _looks_like_headings(grid: Grid, filled: list[int]) -> bool:
    """Whether the first row has words where those below have numbers or addresses."""
    first, *below = filled
    head = grid[first]

    def has_signs(cell: str) -> bool:
        return "@" in cell or any(letter.isdigit() for letter in cell)

    if any(has_signs(cell) for cell in head):
        return False
    return any(
        has_signs(grid[number][column])
        for column, cell in enumerate(head)
        if cell
        for number in below[:HEADING_WITHIN]
        if column < len(grid[number])
    )


def _is_same(row: Sequence[str], headings: Sequence[str]) -> bool:
    cells = [plain(cell) for cell in row if cell]
    return cells == [plain(heading) for heading in headings if heading]


def _headings_repeat(grid: Grid, number: int, place: int, fields: ListFields) -> bool:
    """Whether a row further down has other headings than the first: another list begins there."""
    row = [cell for cell in grid[number] if cell]
    if _is_same(row, grid[place]) or not all(map(fields.is_heading, row)):
        return False
    found = {fields.known[plain(cell)][0] for cell in row}
    return len(found) > 1 and bool(found & fields.names)


def _blocks(
    headings: Sequence[str], section: list[tuple[int, list[str]]], fields: ListFields
) -> list[tuple[int, int]]:
    """The (first, last) columns of the lists that are next to each other: each names people, between them is a blank
    column, or the headings repeat."""
    width = max([len(headings), *(len(row) for _number, row in section)], default=0)
    cells = [headings[column] if column < len(headings) else "" for column in range(width)]
    used = [
        bool(cells[column]) or any(column < len(row) and row[column] for _number, row in section)
        for column in range(width)
    ]
    if not any(used):
        return []
    starts = [used.index(True)]
    for column in range(starts[0] + 1, width):
        if not used[column]:
            continue
        is_again = bool(cells[column]) and plain(cells[column]) == plain(cells[starts[-1]])
        if is_again or not used[column - 1]:
            starts.append(column)
    blocks = list(zip(starts, [*starts[1:], width], strict=True))
    named = [
        block
        for block in blocks
        if any(fields.field_of(cell)[0] in fields.names for cell in cells[slice(*block)] if cell)
    ]
    if len(named) < 2:  # noqa: PLR2004 - a blank column, or a heading that is there twice, divides nothing then
        return [(starts[0], width)]
    # Columns without a name belong to the list before them.
    firsts = [named[0][0], *(first for first, _last in named[1:])]
    firsts[0] = starts[0]
    ends = [*firsts[1:], width]
    return [(first, _without_blank(used, first, end)) for first, end in zip(firsts, ends, strict=True)]


def _without_blank(used: list[bool], first: int, end: int) -> int:
    while end - 1 > first and not used[end - 1]:
        end -= 1
    return end
