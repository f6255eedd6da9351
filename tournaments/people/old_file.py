"""Final standings of old years as a table: a row for each place, to what it says of whom. Knows no database.

Headings may be of any language that the program speaks, in any order, below a title. What a row leaves blank of the
event is that of the row above it. A row that cannot be right carries its problems, each at the heading of its column.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from datetime import date
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from clubs.as_written import given_first
from clubs.file_formats import UnreadableFileError
from clubs.languages import fields_by_heading
from clubs.list_fields import plain as _plain
from clubs.names import tidy
from clubs.spreadsheet import read_sheets
from tournaments.models.old import FIRST_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clubs.spreadsheet import Grid

# field: its headings in English, folded, without blanks
HEADINGS = {
    "year": "year season",
    "date": "date day",
    "event": "event evening tournament title championship",
    "place": "place rank no",
    "name": "name player member",
    "tokens": "tokens points point sum total score",
}
FIELD_OF = fields_by_heading("old_results", HEADINGS)
NEEDED = ("event", "place", "name")
OF_EVENT = ("year", "date", "event")
# The heading is looked for in so many rows: lists have titles.
HEADING_WITHIN = 10
MOST_ROWS, MOST_PLACE, MOST_TOKENS = 2000, 2000, 1_000_000
LONGEST = {"event": 120, "name": 200}
_DAY = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?|(\d{1,2})[-./ ](\d{1,2})[-./ ](\d{4})\.?", re.ASCII
)


class Problem(NamedTuple):
    column: str
    text: str


@dataclass(slots=True)
class Row:
    """A row of the table by its number in the file; what could not be read is as if it were not there, a place 0."""

    row: int
    year: int | None = None
    day: date | None = None
    event: str = ""
    place: int = 0
    name: str = ""
    tokens: int | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, int | None, date | None]:
        """Which event it is of."""
        return self.event, self.year, self.day


def read_old_file(data: bytes, today: date) -> list[Row]:
    """The rows of a file. Raises UnreadableFileError where it is no such table."""
    sheets = read_sheets(data, lambda cell: _plain(cell) in FIELD_OF).sheets
    grids = [sheet.rows for sheet in sheets if any(any(row) for row in sheet.rows)]
    best = max(grids, key=lambda grid: len(_columns(grid)[1]), default=[])
    heading, columns = _columns(best)
    missing = [name for name in NEEDED if name not in columns.values()]
    if "year" not in columns.values() and "date" not in columns.values():
        missing.append("year")
    if missing:
        names = {"event": _("Event"), "place": _("Place"), "name": _("Name"), "year": _("Year")}
        text = _("The first row must name the columns. Missing: %(columns)s.")
        raise UnreadableFileError("headings", text % {"columns": ", ".join(names[one] for one in missing)})
    rows = list(_rows(best, heading, columns, today))
    if len(rows) > MOST_ROWS:
        raise UnreadableFileError(
            "too_many_rows", _("The file has more than %(most)d rows. Divide it.") % {"most": MOST_ROWS}
        )
    if not rows:
        raise UnreadableFileError("empty", _("There is no result below the headings."))
    return rows


def typed(event: str, year: int, day: date | None, lines: str) -> bytes:
    """One event's standings as somebody typed them, a player a line, as a file would have them.

    A line is a name, and if it is known behind a semicolon, a tab or a last blank the tokens. Who stands on one line,
    divided by “/”, shares the place.
    """
    rows, place = [], 1
    for line in filter(None, map(tidy, lines.splitlines())):
        found = re.fullmatch(r"(?:\d{1,4}[.)]\s*)?(.*?)(?:\s*[;\t]\s*|\s+)([+\-−]?\d{1,7})", line)
        names, tokens = (found[1], found[2]) if found else (re.sub(r"^\d{1,4}[.)]\s*", "", line), "")
        shared = [name for name in map(str.strip, names.split("/")) if name]
        rows += [(year, day, event, place, name, tokens) for name in shared]
        place += len(shared)
    return _as_table(rows).encode()


def written(rows: Iterable[Row]) -> str:
    """Rows as a file would have them, which is read as they are."""
    return _as_table((row.year, row.day, row.event, row.place, row.name, row.tokens) for row in rows)


def _as_table(rows: Iterable[Sequence[object]]) -> str:
    file = StringIO()
    table = csv.writer(file, delimiter=";")
    table.writerow(["Year", "Date", "Event", "Place", "Name", "Tokens"])
    table.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return file.getvalue()


def _columns(grid: Grid) -> tuple[int, dict[int, str]]:
    """Which row has the headings, and which column is what."""
    found: tuple[int, dict[int, str]] = (0, {})
    for number, row in enumerate(grid[:HEADING_WITHIN]):
        columns: dict[int, str] = {}
        for place, cell in enumerate(row):
            name = FIELD_OF.get(_plain(cell))
            if name and name not in columns.values():
                columns[place] = name
        if len(columns) > len(found[1]):
            found = number, columns
    return found


def _rows(grid: Grid, heading: int, columns: Mapping[int, str], today: date) -> Iterable[Row]:
    heads = {name: grid[heading][place] for place, name in columns.items()}
    above: dict[str, str] = {}
    for number, cells in enumerate(grid[heading + 1 :], start=heading + 2):
        said = {name: cells[place] if place < len(cells) else "" for place, name in columns.items()}
        if not any(said.values()):
            continue
        # An event that is named anew has a day of its own.
        of_event = {name: said.get(name, "") for name in OF_EVENT}
        above = {**of_event} if any(of_event.values()) and _is_anew(of_event, above) else above or of_event
        yield _row(number, said | above, heads, today)


def _is_anew(said: Mapping[str, str], above: Mapping[str, str]) -> bool:
    return any(value and value != above.get(name) for name, value in said.items())


def _row(number: int, said: Mapping[str, str], heads: Mapping[str, str], today: date) -> Row:
    row = Row(number)

    def wrong(name: str, text: str) -> None:
        row.problems.append(Problem(heads.get(name, ""), text))

    _read_day(row, said, today, wrong)
    row.event, row.name = tidy(said.get("event", "")), given_first(tidy(said.get("name", "")))
    for name, value in (("event", row.event), ("name", row.name)):
        if not value:
            wrong(name, _("This is missing."))
        elif len(value) > LONGEST[name]:
            wrong(name, _("At most %(most)d letters.") % {"most": LONGEST[name]})
    place = _number(re.sub(r"[.=)]+$", "", said.get("place", ""))) or 0
    if 1 <= place <= MOST_PLACE:
        row.place = place
    else:
        wrong("place", _("A place is a whole number from 1."))
    if tokens := said.get("tokens", ""):
        row.tokens = _number(tokens)
        if row.tokens is None or abs(row.tokens) > MOST_TOKENS:
            wrong("tokens", _("“%(cell)s” is not a whole number.") % {"cell": tokens[:40]})
            row.tokens = None
    return row


def _read_day(row: Row, said: Mapping[str, str], today: date, wrong: Callable[[str, str], None]) -> None:
    day, year = said.get("date", ""), said.get("year", "")
    row.day = _day(day)
    if day and row.day is None:
        wrong("date", _("“%(cell)s” is not a date such as 31-12-1985.") % {"cell": day[:40]})
    row.year = row.day.year if row.day and not year else _number(year)
    if row.year is None:
        if not row.problems:
            wrong("year", _("“%(cell)s” is not a year.") % {"cell": year[:40]})
    elif row.day and row.year != row.day.year:
        wrong("year", _("The day is of another year."))
    elif not FIRST_YEAR <= row.year <= today.year:
        wrong("year", _("Look at the year once more."))


def _number(text: str) -> int | None:
    plain = text.replace("−", "-").replace("\u00a0", "").strip()
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,9}", plain) else None


def _day(text: str) -> date | None:
    found = _DAY.fullmatch(text.strip())
    if not found:
        return None
    year, month, day = (found[1], found[2], found[3]) if found[1] else (found[6], found[5], found[4])
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
