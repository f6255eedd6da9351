"""Reads rows of old results one after the other: what is blank of an event is that of the row above."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.lists.cells import (
    SEVERAL,
    SKIP_ROW,
    TAKE_ROW,
    UNPLACED,
    RowDoubt,
    is_month_first,
    people_in,
    person_written,
    read_day,
    read_decimal,
)
from clubs.names import folded, given_first
from core.text import tidy
from tournaments.models.club import FIRST_YEAR
from tournaments.people.old_doubts import ROUNDS, doubt_of_person, doubt_of_sum
from tournaments.people.old_rows import Problem, Row, Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from clubs.lists.choice import Record

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
        # An event that is named anew has a day of its own.
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
        row.event = tidy(said.get("event", "")) or self.said.event
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
    text = tidy(cell).casefold()
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
        return _("“%(cell)s”: without a place.") % {"cell": cell[:40]}
    return _("“%(cell)s” is no place.") % {"cell": cell[:40]}
