"""Rows of old results: as one reads them from a file, as somebody types them, and as a form carries them."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from django.core import signing

from core.text import tidy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SALT = "old results"


class Problem(NamedTuple):
    column: str
    text: str


@dataclass(slots=True)
class Row:
    """A row of the table, with where it is in the file. What could not be read is not there: a place is 0 then."""

    row: str
    year: int | None = None
    day: date | None = None
    event: str = ""
    place: int = 0
    name: str = ""
    tokens: Decimal | None = None
    rounds: tuple[Decimal, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lacks: int = 0
    """How many rows of its event could not be read, where that has been asked about."""

    @property
    def amount(self) -> int | Fraction | None:
        """The tokens, as a whole number where they are one."""
        if self.tokens is None:
            return None
        return int(self.tokens) if self.tokens == int(self.tokens) else Fraction(self.tokens)

    @property
    def key(self) -> tuple[str, int | None, date | None]:
        """Which event it is of."""
        return self.event, self.year, self.day


@dataclass(frozen=True)
class Said:
    """What is said of a file as a whole: for rows that do not say it themselves."""

    event: str = ""
    year: int | None = None


def typed(event: str, year: int, day: date | None, lines: str) -> bytes:
    """One event's standings as somebody typed them, a player a line, as a file would have them.

    A line is a name, before it the place if it is not that of the line, and behind it, after a semicolon, a tab or a
    last blank, the tokens if they are known. Who stands on one line, divided by “/”, shares the place.
    """
    rows: list[Sequence[object]] = []
    for line in filter(None, map(tidy, lines.splitlines())):
        begun = re.match(r"(\d{1,4})(?:\s*[-–]\s*\d{1,4})?(?:[.)]\s*|\s+(?=[^\W\d_]))", line)
        rest = line[begun.end() :] if begun else line
        found = re.fullmatch(r"(.*?)(?:\s*[;\t]\s*|\s+)([+\-−–]?\d{1,7}(?:[.,]\d{1,3})*)", rest)
        names, tokens = (found[1], found[2]) if found else (rest, "")
        place = int(begun[1]) if begun and int(begun[1]) else len(rows) + 1
        shared = [name for name in map(str.strip, names.split("/")) if name]
        rows += [(year, day, event, place, name, tokens) for name in shared]
    return _as_table(rows).encode()


def sealed(rows: Iterable[Row]) -> str:
    """Rows as a form can carry them, signed: `unsealed` reads them as they are."""
    told = [
        (row.row, row.year, row.day and row.day.isoformat(), row.event, row.place, row.name, row.lacks,
         None if row.tokens is None else str(row.tokens))
        for row in rows
    ]  # fmt: skip
    return signing.dumps(told, salt=_SALT, compress=True)


def unsealed(text: str) -> list[Row]:
    """The rows that `sealed` has written; none where it is something else."""
    try:
        told = signing.loads(text, salt=_SALT)
    except signing.BadSignature:
        return []
    return [
        Row(
            row=row,
            year=year,
            day=day and date.fromisoformat(day),
            event=event,
            place=place,
            name=name,
            lacks=lacks,
            tokens=None if tokens is None else Decimal(tokens),
        )
        for row, year, day, event, place, name, lacks, tokens in told
    ]


def _as_table(rows: Iterable[Sequence[object]]) -> str:
    file = StringIO()
    table = csv.writer(file, delimiter=";")
    table.writerow(["Year", "Date", "Event", "Place", "Name", "Tokens"])
    table.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return file.getvalue()
