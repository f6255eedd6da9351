"""Final standings of old years as a table: a row for each place, to what it says of whom. Knows no database.

What a row leaves blank of the event is that of the row above it; what no column says of it may be said with the file.
A row that cannot be right carries its problems, each at the heading of its column; what is read otherwise than it is
written, a note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clubs.lists.choice import Choice, ListTable, guess, problems_of, records
from core.tables.file_formats import UnreadableFileError
from tournaments.people.old_doubts import doubt_of_person, doubt_of_sum
from tournaments.people.old_fields import FIELDS
from tournaments.people.old_reader import RowReader, year_named
from tournaments.people.old_rows import Problem, Row, Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from clubs.lists.cells import RowDoubt

MOST_ROWS = 5000


def read_old_file(data: bytes, today: date, *, answers: Mapping[str, str] | None = None) -> list[Row]:
    """The rows of a file whose headings are known. Raises UnreadableFileError where it is no such table.

    `answers` are those for doubtful rows, {} for what is likely; without, each row is taken as it is written.
    """
    table = ListTable.read(data, FIELDS)
    choice = guess(table)
    problems = [*problems_of(table, choice), *missing(table, choice, Said())]
    if problems:
        raise UnreadableFileError("headings", problems[0][0])
    return read_rows(table, choice, today, answers=answers)


def missing(table: ListTable, choice: Choice, said: Said) -> list[tuple[str, set[str]]]:
    """What a table does not say of its events, and nobody has said beside it."""
    read = choice.read(table)
    texts = []
    if "event" not in read and not said.event:
        texts.append(_("Choose the column with the event, or type its name."))
    if not read & {"year", "date"} and said.year is None and not all(_years(table, choice)):
        texts.append(_("Choose the column with the year or date, or type the year."))
    if not read & {"place", "tokens", "round"}:
        texts.append(_("Choose the column with the places or the tokens."))
    return [(text, set()) for text in texts]


def _years(table: ListTable, choice: Choice) -> list[int | None]:
    """The year in the name of each sheet that is read, or above its headings."""
    return [year_named(part.sheet, part.title) for part in table.parts if part.place in choice.parts]


def read_rows(
    table: ListTable,
    choice: Choice,
    today: date,
    said: Said | None = None,
    answers: Mapping[str, str] | None = None,
) -> list[Row]:
    """The rows of the parts that are read, with what was answered for doubtful ones by their keys.

    Without `answers` each row is taken as it is written. Raises UnreadableFileError where there is none, or too many.
    """
    found = list(records(table, choice))
    if not found:
        raise UnreadableFileError("no_results", _("There are no results below the headings."))
    if len(found) > MOST_ROWS:
        raise UnreadableFileError(
            "too_many_rows", _("The file has more than %(most)d rows. Split it.") % {"most": MOST_ROWS}
        )
    has_places = "place" in choice.read(table)
    reader = RowReader(found, today, said or Said(), answers, has_places=has_places)
    rows = [row for record in found for row in reader.rows(record)]
    if not has_places:
        _place_by_tokens(rows)
    return rows


def doubts_of(table: ListTable, choice: Choice) -> list[RowDoubt]:
    """The rows that may be about nobody, or about several people, or whose rounds do not add up to their sum."""
    found = []
    for record in records(table, choice):
        if doubt := doubt_of_person(record):
            found.append(doubt)
        if doubt := doubt_of_sum(record):
            found.append(doubt)
    return found


def _place_by_tokens(rows: Sequence[Row]) -> None:
    """Give places by the tokens, event by event; equal ones share a place."""
    events: dict[object, list[Row]] = {}
    for row in rows:
        if row.tokens is None:
            row.problems.append(Problem("", _("The place is missing.")))
        else:
            events.setdefault(row.key, []).append(row)
    for placed in events.values():
        tokens = [row.tokens for row in placed if row.tokens is not None]
        for row in placed:
            row.place = 1 + sum(row.tokens is not None and one > row.tokens for one in tokens)
