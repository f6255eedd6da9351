"""Tables as files that spreadsheets open: CSV and XLSX, by one convention for every list that can be taken away.

A CSV is written as the reader's spreadsheet reads it: with semicolons and a decimal comma where the reader's language
writes numbers so (Danish), else with commas and a decimal point. It is UTF-8 and says so by the mark at its beginning.
Days are yyyy-mm-dd everywhere. In an XLSX numbers and days are such. What no spreadsheet has, thirds say, has four
decimals. No text becomes a formula.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from io import StringIO

import tablib
from django.utils.formats import get_format
from django.utils.functional import Promise

from clubs.spreadsheet import guarded

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
DECIMALS = 4

Value = str | Promise | int | float | Fraction | date | None


@dataclass(frozen=True)
class Table:
    """A list: its headings in the reader's language, and its rows. The title is the name of its sheet in an XLSX."""

    headings: Sequence[str]
    rows: Iterable[Sequence[Value]]
    title: str = ""


def table_file(kind: str, *tables: Table) -> bytes:
    """The first table as "csv", or a sheet for each as "xlsx"."""
    return _csv(tables[0]) if kind == "csv" else _xlsx(tables)


def number_of(amount: float | Fraction) -> int | float:
    """A whole number as it is, what is none to a few decimals."""
    if isinstance(amount, int):
        return amount
    rounded = round(float(amount), DECIMALS)
    return int(rounded) if isinstance(amount, Fraction) and rounded.is_integer() else rounded


def _csv(table: Table) -> bytes:
    comma = get_format("DECIMAL_SEPARATOR") == ","
    text = StringIO()
    lines = csv.writer(text, delimiter=";" if comma else ",")
    lines.writerow([guarded(str(heading)) for heading in table.headings])
    for row in table.rows:
        lines.writerow([_written(value, comma=comma) for value in row])
    return text.getvalue().encode("utf-8-sig")


def _written(value: Value, *, comma: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (int, float, Fraction)):
        plain = str(number_of(value))
        return plain.replace(".", ",") if comma else plain
    return guarded(str(value))


def _xlsx(tables: Sequence[Table]) -> bytes:
    sheets = []
    for table in tables:
        headings = [guarded(str(heading)) for heading in table.headings]
        sheet = tablib.Dataset(headers=headings, title=table.title or None)
        for row in table.rows:
            sheet.append([_cell(value) for value in row])
        sheets.append(sheet)
    if len(sheets) == 1:
        return bytes(sheets[0].export("xlsx"))
    return bytes(tablib.Databook(sheets).export("xlsx"))


def _cell(value: Value) -> str | int | float | date | None:
    if isinstance(value, (int, float, Fraction)):
        return number_of(value)
    return value if value is None or isinstance(value, date) else guarded(str(value))
