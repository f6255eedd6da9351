"""Tables as files that spreadsheets open: CSV and XLSX, by one convention for every list that can be taken away.

A CSV is written as the reader's spreadsheet reads it: with semicolons and a decimal comma where the reader's language
writes numbers so (Danish), else with commas and a decimal point. It is UTF-8 with a byte order mark.
Days are yyyy-mm-dd everywhere. In an XLSX numbers and days are such. What no spreadsheet has, thirds say, has four
decimals. No text becomes a formula: in a CSV an apostrophe precedes it, in an XLSX its cell is marked as text.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from io import BytesIO, StringIO, TextIOWrapper
from itertools import chain, islice
from typing import IO, Any

from django.utils.formats import get_format
from django.utils.functional import Promise

from core.tables.spreadsheet import FORMULA_STARTS, guarded

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
DECIMALS = 4
# The column widths are measured on so many rows: a sheet's XML has them before the rows.
MEASURED = 1000
# So many rows of a streamed CSV are sent at once.
STREAMED = 100
# What no sheet may be called, and how long its name may be.
NO_TITLE, LONGEST_TITLE = re.compile(r"[\\*?:/\[\]]"), 31

Value = str | Promise | int | float | Fraction | date | None


@dataclass(frozen=True)
class Table:
    """A list: its headings in the reader's language, and its rows. The title is the name of its sheet in an XLSX."""

    headings: Sequence[str]
    rows: Iterable[Sequence[Value]]
    title: str = ""


def table_file(kind: str, *tables: Table) -> bytes:
    """The first table as "csv", or a sheet for each as "xlsx"."""
    file = BytesIO()
    write_tables(file, kind, *tables)
    return file.getvalue()


def write_tables(file: IO[bytes], kind: str, *tables: Table) -> None:
    """Write the same to a file, row by row, so that a long list is never in memory at once."""
    if kind == "csv":
        _write_csv(file, tables[0])
    else:
        _write_xlsx(file, tables)


def stream_csv(table: Table) -> Iterator[bytes]:
    """The first table as CSV, some rows at a time, for a streaming response; the language is that of the caller."""
    comma = get_format("DECIMAL_SEPARATOR") == ","
    head = [guarded(str(heading)) for heading in table.headings]
    return _stream_csv(head, iter(table.rows), "utf-8-sig", comma=comma)


def _stream_csv(
    head: Sequence[str], rows: Iterator[Sequence[Value]], encoding: str, *, comma: bool
) -> Iterator[bytes]:
    part: Iterable[Sequence[str]] = [head]
    while part:
        text = StringIO(newline="")
        csv.writer(text, delimiter=";" if comma else ",").writerows(part)
        yield text.getvalue().encode(encoding)
        encoding = "utf-8"
        part = [[_format_cell(value, comma=comma) for value in row] for row in islice(rows, STREAMED)]


def stream_plain_csv(table: Table) -> Iterator[bytes]:
    """The table for other programs, the same in every language: commas, decimal points, no mark (RFC 4180)."""
    return _stream_csv([str(heading) for heading in table.headings], iter(table.rows), "utf-8", comma=False)


def number_of(amount: float | Fraction) -> int | float:
    """An integer unchanged, other numbers rounded to a few decimals."""
    if isinstance(amount, int):
        return amount
    rounded = round(float(amount), DECIMALS)
    return int(rounded) if isinstance(amount, Fraction) and rounded.is_integer() else rounded


def _write_csv(file: IO[bytes], table: Table) -> None:
    comma = get_format("DECIMAL_SEPARATOR") == ","
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=False)
    lines = csv.writer(text, delimiter=";" if comma else ",")
    lines.writerow([guarded(str(heading)) for heading in table.headings])
    lines.writerows([_format_cell(value, comma=comma) for value in row] for row in table.rows)
    text.detach()


def _format_cell(value: Value, *, comma: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return guarded(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (int, float, Fraction)):
        plain = str(number_of(value))
        return plain.replace(".", ",") if comma else plain
    return guarded(str(value))


def _write_xlsx(file: IO[bytes], tables: Sequence[Table]) -> None:
    """Sheets with a frozen first row, and columns as wide as the cells of their first rows."""
    import openpyxl  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    book = openpyxl.Workbook(write_only=True)
    for table in tables:
        sheet = book.create_sheet(NO_TITLE.sub("-", table.title)[:LONGEST_TITLE] or None)
        headings = [str(heading) for heading in table.headings]
        rows = ([_cell(sheet, value) for value in row] for row in table.rows)
        first = list(islice(rows, MEASURED))
        sheet.freeze_panes = "A2"
        for place, heading in enumerate(headings):
            widths = (_width(row[place]) for row in first if place < len(row))
            letter = openpyxl.utils.get_column_letter(place + 1)
            sheet.column_dimensions[letter].width = max(len(heading), *widths, 1) + 1
        sheet.append([_heading(sheet, heading) for heading in headings])
        for row in chain(first, rows):
            sheet.append(row)
    book.save(file)


def _heading(sheet: Any, heading: str) -> Any:
    from openpyxl.styles import Font  # noqa: PLC0415

    cell = _text_cell(sheet, heading)
    cell.font = Font(bold=True)
    return cell


def _cell(sheet: Any, value: Value) -> Any:
    if isinstance(value, (int, float, Fraction)):
        return number_of(value)
    if value is None or isinstance(value, date):
        return value
    text = str(value)
    return _text_cell(sheet, text) if text.startswith(FORMULA_STARTS) else text


def _text_cell(sheet: Any, text: str) -> Any:
    """A cell that is text whatever it begins with, also after an edit."""
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415

    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    cell.quotePrefix = text.startswith(FORMULA_STARTS)
    return cell


def _width(cell: Any) -> int:
    text = getattr(cell, "value", cell)
    return 0 if text is None else len(str(text))
