"""Comma-separated values as programs and people write them: separators are found, and open quotation marks."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clubs.file_formats import UnreadableFileError
from core.text import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEPARATORS = ";,\t|"
MOST_LINES_IN_CELL = 10
# So many lines tell how a file is divided, and so many letters of each.
SAMPLED, LONGEST_LINE = 20, 10_000
_END = "\x1e"


def read_csv(text: str, is_heading: Callable[[str], bool]) -> Iterator[list[str]]:
    """The records of a text, by the separator that divides them best, or that its first line names.

    Raises UnreadableFileError where a quotation mark has swallowed rows.
    """
    if named := re.match(r"sep=(.)\r?\n", text):
        yield []
        yield from _records(text[named.end() :], named[1])
        return
    lines = (line[:LONGEST_LINE] for line in text.splitlines() if line.strip())
    sample = list(islice(lines, SAMPLED))
    yield from _records(text, max(SEPARATORS, key=lambda one: _rank_of(one, sample, is_heading)))


def _rank_of(separator: str, sample: list[str], is_heading: Callable[[str], bool]) -> tuple[int, int]:
    """How well a separator divides the first lines: headings that are known, then rows of one width."""
    records = [next(csv.reader([line], delimiter=separator), []) for line in sample]
    known = max((sum(map(is_heading, record)) for record in records[:10]), default=0)
    widths = Counter(len(record) for record in records if len(record) > 1)
    width, times = widths.most_common(1)[0] if widths else (0, 0)
    # A name alone, "Lund, Anna", has a comma, too.
    is_table = times > len(records) / 2 and (separator != "," or width > 2 or known)  # noqa: PLR2004
    return known, times * width if is_table else 0


def _records(text: str, separator: str) -> Iterator[list[str]]:
    """The records of a CSV. Raises UnreadableFileError where a quotation mark has swallowed rows."""
    # The last record is none of the file, unless the file ends within quotation marks.
    reader = csv.reader(io.StringIO(f"{text}\n{_END}", newline=""), delimiter=separator)
    width, row, record = 0, 0, list[str]()
    try:
        for row, record in enumerate(reader, start=1):
            if record == [_END]:
                return
            width = max(width, len(record))
            if any(_has_swallowed(cell, separator, width) for cell in record):
                raise _unclosed(row)
            yield record
    except csv.Error:
        raise _unclosed(row + 1) from None
    raise _unclosed(row)


def _has_swallowed(cell: str, separator: str, width: int) -> bool:
    """Whether a cell holds whole rows of the file, since a quotation mark before them was never closed."""
    if "\n" not in cell and "\r" not in cell:
        return False
    lines = cell.splitlines()
    if len(lines) > MOST_LINES_IN_CELL + 1:
        return True
    # "Marstal, Ærø" is a line of an address.
    if separator == ",":
        return any(line.count(separator) >= max(width - 1, 2) for line in lines[1:])
    return any(separator in line for line in lines[1:])


def _unclosed(row: int) -> UnreadableFileError:
    text = _("Row %(row)d: a quotation mark is opened but never closed. Close it or remove it.")
    return UnreadableFileError("broken_csv", text % {"row": row})


def divided(grid: list[list[str]], is_heading: Callable[[str], bool]) -> list[list[str]]:
    """The rows, where a CSV was put into the first column of a sheet as the rows that it is."""
    cells = ["".join(row) for row in grid]
    if any(len(row) > 1 for row in grid) or any("\n" in cell for cell in cells):
        return grid
    sample = [cell for cell in cells if cell][:SAMPLED]
    separator = max(SEPARATORS, key=lambda one: _rank_of(one, sample, is_heading))
    if not sample or not _rank_of(separator, sample, is_heading)[1]:
        return grid
    return [[tidy(part) for part in next(csv.reader([cell], delimiter=separator), [])] for cell in cells]
