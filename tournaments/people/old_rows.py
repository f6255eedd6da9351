"""Rows of old results, as a file, a form or typed lines have them."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from django.core import signing
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.lists.cells import (
    SEVERAL,
    SKIP_ROW,
    TAKE_ROW,
    UNPLACED,
    RowDoubt,
    is_month_first,
    not_a_person,
    people_in,
    person_written,
    read_day,
    read_decimal,
    several_people,
)
from clubs.lists.choice import Choice, ListFields, ListTable, guess, problems_of, records
from clubs.names import folded, given_first
from core.tables.file_formats import UnreadableFileError
from core.text import clean_text
from tournaments.models.club import FIRST_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clubs.lists.choice import Record


# Rows of old results: parsed from a file, from typed lines, or from a form.

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
        """The tokens, as int if they are a whole number."""
        if self.tokens is None:
            return None
        return int(self.tokens) if self.tokens == int(self.tokens) else Fraction(self.tokens)

    @property
    def key(self) -> tuple[str, int | None, date | None]:
        """The key of the row's event."""
        return self.event, self.year, self.day


@dataclass(frozen=True)
class Said:
    """Values for a whole file, used where its rows have none."""

    event: str = ""
    year: int | None = None


def typed_to_csv(event: str, year: int, day: date | None, lines: str) -> bytes:
    """Convert one event's typed standings, a player per line, to the format of a file.

    A line is a name, optionally preceded by the place if it is not the line's number, and followed, after a
    semicolon, a tab or the last space, by the tokens. Names on one line divided by “/” share the place.
    """
    rows: list[Sequence[object]] = []
    for line in filter(None, map(clean_text, lines.splitlines())):
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


# Doubtful rows: perhaps no player, several players, or rounds that do not add up to the sum.

# What is chosen where the rounds do not add up to the sum.
ROUNDS, WRITTEN = "rounds", "written"


def doubt_of_person(record: Record) -> RowDoubt | None:
    if not (cells := record.said.get("name")):
        return None
    key, cell = str(record.key), cells[0][1]
    name = person_written(cell).name or clean_text(cell)
    return not_a_person(key, record.label, name, _("a player")) or several_people(
        key, record.label, cell, _("one player")
    )


def doubt_of_sum(record: Record) -> RowDoubt | None:
    """Whether the rounds add up to something else than what is written as their sum."""
    rounds = _decimals(record.said.get("round", []))
    total = _decimals(record.said.get("tokens", []))
    if not rounds or None in rounds or not total or total[0] is None:
        return None
    adds_up = sum((one for one in rounds if one is not None), Decimal(0))
    if adds_up == total[0]:
        return None
    name = record.said["name"][0][1] if "name" in record.said else ""
    why = _("the rounds add up to %(rounds)s, but it says %(written)s.")
    why %= {"rounds": f"{adds_up.normalize():f}", "written": f"{total[0].normalize():f}"}
    choices = [
        (ROUNDS, f"{adds_up.normalize():f}"),
        (WRITTEN, f"{total[0].normalize():f}"),
        (SKIP_ROW, _("leave this row out")),
    ]
    for_all = [
        (ROUNDS, _("what the rounds add up to")),
        (WRITTEN, _("what is written")),
        (SKIP_ROW, _("leave these rows out")),
    ]
    return RowDoubt(f"{record.key}-sum", record.label, "sum", name, why, choices, ROUNDS, for_all)


def _decimals(cells: Iterable[tuple[str, str]]) -> list[Decimal | None]:
    found: list[Decimal | None] = []
    for _heading, cell in cells:
        try:
            found.append(read_decimal(cell))
        except ValueError:
            found.append(None)
    return found


# The columns of tables of old results: what they are called, and the headings that they are known by.

FIELDS = ListFields(
    code="old_results",
    labels={
        "date": gettext_lazy("Date"),
        "year": gettext_lazy("Year"),
        "event": gettext_lazy("Event"),
        "place": gettext_lazy("Place"),
        "name": gettext_lazy("Name"),
        "tokens": gettext_lazy("Tokens in all"),
        "round": gettext_lazy("Tokens of a round"),
    },
    english={
        "year": "year season",
        "date": "date day",
        "event": "event evening tournament title championship",
        "place": "place rank position no number",
        "name": "name player member",
        "tokens": "tokens total sum score points point",
        "round": "round",
    },
    several=frozenset({"round"}),
    names=frozenset({"name"}),
    samples={
        "date": re.compile(r"\d{4}-\d\d?-\d\d?.*|\d\d?[-./]\d\d?[-./]\d{2,4}"),
        "year": re.compile(r"(?:18|19|20)\d\d"),
        "place": re.compile(r"\d{1,3}\."),
        "name": re.compile(r"[^\W\d_][^\d@]*[\s,][^\d@]*"),
        "tokens": re.compile(r"[+−–-]?\d{1,5}(?:[.,]\d{1,2})?"),
    },
    whole_file=True,
)


# Parser for final standings of old years as a table: one row per place. Knows no database.
#
# Event columns left blank are filled from the row above; missing columns can be supplied for the whole file. An
# invalid row has its problems by column heading, and a note for each value read otherwise than it is written.

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
    """Event values that neither the table nor the form supplies."""
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
    """The rows that may be no player, several players, or whose rounds do not add up to their sum."""
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


# Reads rows of old results one after the other: what is blank of an event is that of the row above.

OF_EVENT = ("year", "date", "event")
MOST_PLACE, MOST_TOKENS = 2000, 1_000_000
LONGEST = {"event": 120, "name": 200}
_YEAR_IN_NAME = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_PLACE = re.compile(
    r"(?:nr\.?|no\.?|t|=|#|place|plads|plats)?\s*(\d{1,4})\s*(?:[-–/&]\s*\d{1,4})?"
    r"\s*[.)=:]*\s*(?:st|nd|rd|th|pl\.?|place|plads|plats)?\.?"
)
_ROMAN = re.compile(r"(X{0,3})(IX|IV|V?I{0,3})\.?", re.IGNORECASE)
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}


def year_named(*texts: str) -> int | None:
    """The year that one of the texts names, if it names one alone."""
    for text in texts:
        if len(found := set(_YEAR_IN_NAME.findall(text))) == 1:
            return int(found.pop())
    return None


class RowReader:
    """Reads one row after the other; what is blank of an event is that of the row above."""

    def __init__(
        self,
        found: Sequence[Record],
        today: date,
        said: Said,
        answers: Mapping[str, str] | None,
        *,
        has_places: bool,
    ) -> None:
        self.today, self.said, self.answers, self.has_places = today, said, answers, has_places
        self.above: dict[str, str] = {}
        self.part = -1
        self.month_first = is_month_first(
            cell for record in found for _heading, cell in record.said.get("date", [])
        )

    def rows(self, record: Record) -> Iterable[Row]:
        if record.part.place != self.part:
            self.part, self.above = record.part.place, {}
        said = {name: cells[0][1] for name, cells in record.said.items()}
        # A row with another event name does not inherit the day.
        of_event = {name: said.get(name, "") for name in OF_EVENT}
        is_anew = any(value and value != self.above.get(name) for name, value in of_event.items())
        self.above = of_event if is_anew else self.above or of_event
        if not said.keys() - set(OF_EVENT):
            return []  # the name of an event alone, above its places
        answer, of_sum = self._answer(doubt_of_person(record)), self._answer(doubt_of_sum(record))
        if SKIP_ROW in {answer, of_sum}:
            return []
        row = self._row(record, said | self.above)
        if of_sum == ROUNDS:
            row.tokens = sum(row.rounds, Decimal(0))
        if answer != SEVERAL:
            return [row]
        names = [given_first(name) for name in people_in(said["name"])]
        return [replace(row, name=name, problems=list(row.problems)) for name in names]

    def _answer(self, doubt: RowDoubt | None) -> str:
        if doubt is None or self.answers is None:
            return TAKE_ROW
        chosen = self.answers.get(doubt.key, "")
        return chosen if chosen in dict(doubt.choices) else doubt.default

    def _row(self, record: Record, said: Mapping[str, str]) -> Row:
        row = Row(record.label)

        def wrong(name: str, text: str) -> None:
            row.problems.append(Problem(record.headings.get(name, ""), text))

        self._read_day(row, said, year_named(record.part.sheet, record.part.title), wrong)
        row.event = clean_text(said.get("event", "")) or self.said.event
        row.name = given_first(person_written(said.get("name", "")).name)
        for name, value in (("event", row.event), ("name", row.name)):
            if not value:
                wrong(name, _("This is missing."))
            elif len(value) > LONGEST[name]:
                wrong(name, _("At most %(most)d characters.") % {"most": LONGEST[name]})
        if self.has_places:
            row.place = read_place(said.get("place", ""))
            if not row.place:
                wrong("place", _no_place(said.get("place", "")))
        self._read_tokens(row, record)
        return row

    def _read_tokens(self, row: Row, record: Record) -> None:
        for name in ("round", "tokens"):
            for heading, cell in record.said.get(name, []):
                try:
                    amount = read_decimal(cell)
                except ValueError:
                    amount = None
                if amount is None or abs(amount) > MOST_TOKENS or amount != round(amount, 2):
                    text = _("“%(cell)s” is not a number.") % {"cell": cell[:40]}
                    row.problems.append(Problem(heading, text))
                elif name == "round":
                    row.rounds = (*row.rounds, amount)
                else:
                    row.tokens = amount
        if row.tokens is None and row.rounds:
            row.tokens = sum(row.rounds, Decimal(0))

    def _read_day(
        self, row: Row, said: Mapping[str, str], of_sheet: int | None, wrong: Callable[[str, str], None]
    ) -> None:
        day, year = said.get("date", ""), said.get("year", "")
        if re.fullmatch(r"\d{4}", day.strip(), re.ASCII):
            day, year = "", year or day.strip()  # a year in the column of days
        if day:
            self._read_date(row, day, wrong)
        row.year = row.day.year if row.day and not year else _year(year)
        if row.day and row.year == row.day.year - 1 and not year.strip().isdecimal():
            row.year = row.day.year  # in the spring of the season 2018/19
        if row.year is None and not year:
            row.year = of_sheet or self.said.year
        if row.year is None:
            if not row.problems:
                wrong("year", _("“%(cell)s” is not a year.") % {"cell": year[:40]})
        elif row.day and row.year != row.day.year:
            wrong("year", _("The date is in a different year."))
        elif not FIRST_YEAR <= row.year <= self.today.year:
            wrong("year", _("Check the year again."))

    def _read_date(self, row: Row, cell: str, wrong: Callable[[str, str], None]) -> None:
        try:
            found = read_day(cell, self.today, month_first=self.month_first)
        except ValueError as problem:
            wrong("date", str(problem))
            return
        row.day = found.day
        if not found.is_exact:
            told = _("“%(written)s” is read as %(read)s.")
            row.notes.append(told % {"written": cell[:40], "read": date_format(found.day, "DATE_FORMAT")})


def _year(text: str) -> int | None:
    """A year, or the first of a season: 2018/19."""
    found = re.fullmatch(r"(\d{4})(?:\s*[/–-]\s*\d{2,4})?(?:[.,]0)?", text.strip(), re.ASCII)
    return int(found[1]) if found else None


def read_place(cell: str) -> int:
    """A place as books have it: 1., =4, T6, no. 8, VII, and 2-3 for who shares second place; 0 for none."""
    text = clean_text(cell).casefold()
    if found := _PLACE.fullmatch(text):
        return int(found[1]) if 1 <= int(found[1]) <= MOST_PLACE else 0
    if text and (found := _ROMAN.fullmatch(text)) and (found[1] or found[2]):
        values = [_ROMAN_DIGITS[letter] for letter in (found[1] + found[2]).upper()]
        pairs = zip(values, [*values[1:], 0], strict=True)
        return sum(-one if one < after else one for one, after in pairs)
    return 0


def _no_place(cell: str) -> str:
    if not cell:
        return _("The place is missing.")
    if set(folded(cell).split()) & UNPLACED or not any(letter.isalnum() for letter in cell):
        return _("“%(cell)s” has no place.") % {"cell": cell[:40]}
    return _("“%(cell)s” is not a place.") % {"cell": cell[:40]}
