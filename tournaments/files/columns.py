"""The columns of standings in files: a table for CSV and XLSX, an object a row for JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from core.tables.files import Table, number_of
from tournaments.standings.columns import Column, On, Several, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.tables.files import Value

Line = TypeVar("Line")
Whole = TypeVar("Whole")


def as_table(
    columns: Iterable[Column[Line, Whole] | Several[Line, Whole]],
    lines: Iterable[Line],
    whole: Whole,
    title: str,
) -> Table:
    here = shown(columns, On.SHEET, whole)
    rows: list[Sequence[Value]] = [[column.value(line) for column in here] for line in lines]
    return Table([str(column.heading) for column in here], rows, title)


def as_json(columns: Iterable[Column[Line, Whole] | Several[Line, Whole]], line: Line) -> dict[str, Any]:
    """A line by the columns' names; those of which there are several are a list of another name."""
    here = [column for column in columns if isinstance(column, Column) and On.JSON in column.on]
    return {column.name: _plain(column.value(line)) for column in here}


def _plain(value: Value) -> str | int | float | None:
    if value is None or isinstance(value, (int, float)):
        return value
    return number_of(value) if isinstance(value, Fraction) else str(value)
