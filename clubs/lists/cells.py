"""Parse cells of lists: dates, numbers, phone numbers, people; and find rows that may be no person or several."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import translation
from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.names import folded, given_first
from core.languages import words_of_lists
from core.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable


_NUMERIC_DAY = re.compile(
    r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})|(\d{1,2})[-./ ]+(\d{1,2})[-./ ]+(\d{4}|\d{2})\.?", re.ASCII
)
_WRITTEN_DAY = re.compile(r"(?:(\d{1,2})\.?\s*(?:of\s+|den\s+)?)?([^\W\d_]{3,})\.?,?\s*(\d{4})")
_MONTH_FIRST_DAY = re.compile(r"([^\W\d_]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_TIME_OF_DAY = re.compile(
    r"(?:[T ]\d{1,2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?|\s+kl\.?\s*\d{1,2}([:.]\d{2})?)$"
)
_DIGITS_ALONE = re.compile(r"\d{8}|\d{6}", re.ASCII)
_SERIAL = re.compile(r"\d{5}(\.\d+)?", re.ASCII)
_MONTH_OF_YEAR = re.compile(r"(\d{1,2})[-./](\d{4})|(\d{4})[-./](\d{1,2})", re.ASCII)
# Excel counts days from here; these are the days of 1918 to 2064.
_SERIAL_BEGINS, _SERIAL_FIRST, _SERIAL_LAST = date(1899, 12, 30), 6600, 60000
_SHORTEST_WORD = 3
_MONTHS_OF_YEAR = 12
_SCIENTIFIC = re.compile(r"\d([.,]\d+)?E\+?\d+", re.IGNORECASE)
_PHONE = re.compile(r"[+(]?\d[\d\s().–-]{3,24}\d")
_PHONE_BEHIND = re.compile(
    r"[,;:]?\s*(?:\b(?:tlf|tel|mobil|phone|tfn)\w*[.:]*\s*)?([+(]?\d[\d\s()–-]{5,20}\d)$", re.IGNORECASE
)
_FEWEST_DIGITS, _MOST_DIGITS = 2, 15
MOST_PHONE = 40
_BULLET = re.compile(r"\s*(?:\(?\d{1,4}[.):]+\s+|\d{1,3}\s+(?=[^\W\d_])|[-–—•*·‣▪●○◦+]+\s+|[•‣▪●○◦]\s*)")
_ADDRESS_BEHIND = re.compile(
    r"\s*[<(\[]?\s*(?:mailto:)?([^\s<>()\[\],;]+@[^\s<>()\[\],;]+\.[^\s<>()\[\],;]+)\s*[>)\]]?"
)
_AND = "|".join(sorted(words_of_lists("and", "and"), key=len, reverse=True))
_BETWEEN = re.compile(rf"\s*(?:[/\n&+]|\s(?:{_AND})\s)\s*", re.IGNORECASE)
_TOTAL, _IN_TOTAL = (
    words_of_lists("total", "total totals sum subtotal average count"),
    words_of_lists("in_total", "of in members member active passive players participants people rows"),
)
_NO_PERSON = words_of_lists("no_person", "active passive members committee board vacant nn none page")
UNPLACED = words_of_lists("unplaced", "dnf dns dq dsq wd withdrawn retired absent")
_STREETS = "|".join(words_of_lists("street", "street road lane avenue"))
_POSTAL = re.compile(
    rf"(?:[a-z]{{1,2}} )?\d{{3}} ?\d{{1,2}} [^\W\d_].*|[^\W\d_]+(?:{_STREETS})(?: [^\W\d_]+)* \d+.*"
)
# Of a longer cell no more is looked at: patterns would take their time over it.
LONGEST_NAME, LONGEST_DAY = 500, 80
_MOST_PEOPLE, _FEWEST_WORDS = 8, 2


@dataclass(frozen=True)
class ReadDay:
    """A date parsed from a cell, and whether it was corrected or completed while parsing."""

    day: date
    is_exact: bool = True


def read_day(cell: str, today: date, *, month_first: bool = False) -> ReadDay:
    """A day as people and programs write it. A year of two digits is the latest that is not after next year.

    With a time of day behind it and a weekday before it; as Excel's number of a day; a month or a year alone is its
    first day. Raises ValueError in words.
    """
    text = _without_weekday(_TIME_OF_DAY.sub("", clean_text(cell)[:LONGEST_DAY]))
    found = (
        _numeric_day(cell, text, today, month_first=month_first)
        or _written_day(cell, text, today)
        or _day_of_digits(cell, text, today)
    )
    if found is None:
        text = _("“%(cell)s” is not a date such as %(date)s.")
        raise ValueError(text % {"cell": cell[:40], "date": f"{today:%d-%m-%Y}"})
    return found


def _numeric_day(cell: str, text: str, today: date, *, month_first: bool) -> ReadDay | None:
    if found := _NUMERIC_DAY.fullmatch(text):
        if found[1]:
            return ReadDay(_day(cell, found[1], found[2], found[3], today))
        day, month = (found[5], found[4]) if month_first else (found[4], found[5])
        return ReadDay(_day(cell, found[6], month, day, today), is_exact=not month_first)
    if found := _MONTH_OF_YEAR.fullmatch(text):
        year, number = (found[2], found[1]) if found[2] else (found[3], found[4])
        return ReadDay(_day(cell, year, number, 1, today), is_exact=False)
    return None


def _written_day(cell: str, text: str, today: date) -> ReadDay | None:
    if (found := _WRITTEN_DAY.fullmatch(text)) and (month := _month_number(found[2])):
        return ReadDay(_day(cell, found[3], month, found[1] or 1, today), is_exact=bool(found[1]))
    if (found := _MONTH_FIRST_DAY.fullmatch(text)) and (month := _month_number(found[1])):
        return ReadDay(_day(cell, found[3], month, found[2], today))
    return None


def _day_of_digits(cell: str, text: str, today: date) -> ReadDay | None:
    """A year, a day without signs, or the number by which Excel knows a day."""
    if re.fullmatch(r"(?:18|19|20)\d{2}", text, re.ASCII):
        return ReadDay(_day(cell, text, 1, 1, today), is_exact=False)
    if _DIGITS_ALONE.fullmatch(text):
        return ReadDay(_packed_day(cell, text, today), is_exact=False)
    if _SERIAL.fullmatch(text) and _SERIAL_FIRST <= int(float(text)) <= _SERIAL_LAST:
        return ReadDay(_SERIAL_BEGINS + timedelta(days=int(float(text))), is_exact=False)
    return None


def _day(cell: str, year: str, month: str | int, day: str | int, today: date) -> date:
    number = int(year)
    if len(year) == 2:  # two digits
        number += 2000 if number <= (today.year + 1) % 100 else 1900
    try:
        return date(number, int(month), int(day))
    except ValueError:
        raise ValueError(_("There is no date “%(cell)s”.") % {"cell": cell[:40]}) from None


def _packed_day(cell: str, digits: str, today: date) -> date:
    """yyyymmdd, ddmmyyyy or ddmmyy."""
    ways = [(digits[:4], digits[4:6], digits[6:]), (digits[4:], digits[2:4], digits[:2])]
    for year, month, day in ways if len(digits) == 8 else ways[1:]:
        try:
            found = _day(cell, year, month, day, today)
        except ValueError:
            continue
        if found.year >= 1800:  # no list is older
            return found
    raise ValueError(_("There is no date “%(cell)s”.") % {"cell": cell[:40]})


def is_month_first(cells: Iterable[str]) -> bool:
    """Whether the days of a column are written with the month first: some can be parsed only so, none otherwise."""
    found = [
        match
        for cell in cells
        if (match := _NUMERIC_DAY.fullmatch(_TIME_OF_DAY.sub("", clean_text(cell)))) and match[4]
    ]
    return any(int(match[5]) > _MONTHS_OF_YEAR for match in found) and not any(
        int(match[4]) > _MONTHS_OF_YEAR for match in found
    )


def is_ambiguous_day(cell: str) -> bool:
    """Whether a day can be parsed with the day first and with the month first, with different results."""
    match = _NUMERIC_DAY.fullmatch(_TIME_OF_DAY.sub("", clean_text(cell)))
    if not match or not match[4]:
        return False
    return int(match[4]) != int(match[5]) and max(int(match[4]), int(match[5])) <= _MONTHS_OF_YEAR


@cache
def _words_of_time() -> tuple[dict[str, int], set[str]]:
    """The months with their numbers, and the weekdays, in all languages of the program, folded."""
    months: dict[str, int] = {}
    weekdays: set[str] = set()
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            months |= {folded(str(name)): number for number, name in MONTHS.items()}
            weekdays |= {folded(str(name)) for name in WEEKDAYS.values()}
    return months, weekdays


def _month_number(word: str) -> int | None:
    """The month that a word names or abbreviates; None if it is none, or might be two."""
    months, _weekdays = _words_of_time()
    if (sought := folded(word)) in months:
        return months[sought]
    found = {number for name, number in months.items() if name.startswith(sought)}
    return found.pop() if len(found) == 1 and len(sought) >= _SHORTEST_WORD else None


def _without_weekday(text: str) -> str:
    word, _blank, rest = text.partition(" ")
    sought = folded(word.rstrip(".,"))
    weekdays = _words_of_time()[1]
    is_weekday = len(sought) > 1 and sought.isalpha() and any(name.startswith(sought) for name in weekdays)
    rest = rest.strip() if is_weekday else text
    return re.sub(r"^(?:den|d\.)\s+", "", rest)


def read_decimal(cell: str) -> Decimal:
    """A number as it is written in any of the languages: 10,0; 1.250; -12. Raises ValueError without words.

    A dot or a comma before the last three digits of several is taken for the mark of thousands.
    """
    text = re.sub(r"[\s\u00a0\u202f']", "", cell)
    text = re.sub("^[−–—]", "-", text)
    if not re.fullmatch(r"[+-]?\d[\d.,]{0,14}", text, re.ASCII):
        raise ValueError(cell)
    sign, digits = ("-" if text[0] == "-" else ""), text.lstrip("+-")
    if re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+(,\d*)?", digits):
        digits = digits.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+(\.\d*)?", digits):
        digits = digits.replace(",", "")
    else:
        digits = digits.replace(",", ".")
    if digits.count(".") > 1:
        raise ValueError(cell)
    return Decimal(f"{sign}{digits.removesuffix('.')}")


def read_phone(cell: str) -> str:
    """A phone number, without what a spreadsheet has put to it; the first of several that are too long together.

    Raises ValueError in words for what is no number, or one whose digits a spreadsheet has lost ("4,56E+09").
    """
    text = re.sub(r"(?<=\d{6})[.,]0$", "", clean_text(cell).removeprefix("'"))
    if _SCIENTIFIC.fullmatch(text):
        lost = _("“%(cell)s” is a phone number that a spreadsheet has damaged. It is left out.")
        raise ValueError(lost % {"cell": text[:40]})
    digits = sum(letter.isdigit() for letter in text)
    if digits < _FEWEST_DIGITS:
        raise ValueError(_("“%(cell)s” is not a phone number. It is left out.") % {"cell": text[:40]})
    if len(text) <= MOST_PHONE and not (digits > _MOST_DIGITS and re.fullmatch(r"\d+", text)):
        return text
    found = _PHONE.search(text)
    if not found or len(re.sub(r"\D", "", found[0])) > _MOST_DIGITS:
        long = _("“%(cell)s” is too long for a phone number. It is left out.")
        raise ValueError(long % {"cell": text[:40]})
    return found[0].strip()


@dataclass(frozen=True)
class Written:
    """The parsed values of one cell, or one line, besides the name."""

    name: str
    email: str = ""
    phone: str = ""


def person_written(text: str) -> Written:
    """A name without the number or bullet before it, and the address and phone number behind it."""
    whole = clean_text(text)[:LONGEST_NAME]
    rest = whole[found.end() :] if (found := _BULLET.match(whole)) else whole
    email = phone = ""
    if found := _ADDRESS_BEHIND.search(rest):
        email, rest = found[1], (rest[: found.start()] + " " + rest[found.end() :]).strip()
    if (found := _PHONE_BEHIND.search(rest)) and _letters(rest[: found.start()]):
        phone, rest = found[1].strip(), rest[: found.start()]
    if rest != whole:
        rest = rest.strip(' ,;:"')
    return Written(clean_text(rest), email, phone)


def people_in(cell: str) -> list[str]:
    """The names of the people in a cell: one, unless several are surely written in it.

    "Anna og Bo Lund" are Anna Lund and Bo Lund; of three names divided by commas each has two words.
    """
    parts = [part for part in map(clean_text, _BETWEEN.split(cell)) if part]
    if len(parts) <= 1:
        by_comma = [part for part in map(clean_text, cell.split(",")) if part]
        if len(by_comma) > _FEWEST_WORDS and all(len(part.split()) >= _FEWEST_WORDS for part in by_comma):
            return by_comma[:_MOST_PEOPLE]
        return [clean_text(cell)]
    # "Holm & Søn A/S" is no three people.
    if not all(len(re.findall(r"[^\W\d_]", part)) > 1 for part in parts) or len(parts) > _MOST_PEOPLE:
        return [clean_text(cell)]
    if "\n" in cell and not all(len(part.split()) >= _FEWEST_WORDS for part in parts):
        return [clean_text(cell)]  # one name on two lines
    if len(parts) > _FEWEST_WORDS and any("," in part for part in parts):
        parts = [one for part in parts for one in map(clean_text, part.split(",")) if one]
    last = given_first(parts[-1]).split()
    if len(last) < _FEWEST_WORDS:
        return parts if "/" in cell or "&" in cell else [clean_text(cell)]
    return [part if len(part.split()) > 1 else f"{part} {last[-1]}" for part in parts]


def _letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def why_no_person(name: str) -> str:
    """Why a name is probably not a person's: "total", "heading", "address", "sign"; "" for a person's."""
    name = name[:LONGEST_NAME]
    words = re.findall(r"[^\W\d_]+", folded(name))
    if any(word in _TOTAL for word in words) and all(word in _TOTAL | _IN_TOTAL for word in words):
        return "total"
    if name.rstrip().endswith(":") or (words and all(word in _NO_PERSON for word in words)):
        return "heading"
    if "@" in name[1:] or "://" in name or "www." in name.casefold() or _POSTAL.fullmatch(folded(name)):
        return "address"
    return "sign" if name.isascii() and name and not _letters(name) else ""


SKIP_ROW, TAKE_ROW, SEVERAL = "skip", "take", "several"

_WHY = {
    "total": gettext_lazy("looks like a sum."),
    "heading": gettext_lazy("looks like a heading."),
    "address": gettext_lazy("looks like an address."),
    "sign": gettext_lazy("contains no letters."),
}


@dataclass(frozen=True)
class RowDoubt:
    """A doubtful row: its position, its text, the reason for the doubt, and the choices offered."""

    key: str
    label: str
    kind: str
    written: str
    why: str
    choices: list[tuple[str, str]] = field(default_factory=list)
    default: str = ""
    choices_for_all: list[tuple[str, str]] = field(default_factory=list)
    """The choices in words that fit all rows of the kind."""
    people: int = 1
    """How many people seem to be in the cell."""


def not_a_person(key: str, label: str, name: str, person: str) -> RowDoubt | None:
    """The doubt about a name that is probably not a person's; `person` is the row if it is one."""
    if not (why := why_no_person(name)):
        return None
    choices = [(SKIP_ROW, _("leave this row out")), (TAKE_ROW, person)]
    for_all = [(SKIP_ROW, _("leave these rows out")), (TAKE_ROW, person)]
    return RowDoubt(key, label, why, name, str(_WHY[why]), choices, SKIP_ROW, for_all)


def several_people(key: str, label: str, cell: str, one: str) -> RowDoubt | None:
    """The doubt about a cell that seems to have the names of several people; `one` is what it would be else."""
    names = people_in(cell)
    if len(names) == 1:
        return None
    why = _("looks like %(people)d people.") % {"people": len(names)}
    choices = [(SEVERAL, _(" and ").join(names)), (TAKE_ROW, one), (SKIP_ROW, _("leave this row out"))]
    for_all = [
        (SEVERAL, _("each name on its own")),
        (TAKE_ROW, one),
        (SKIP_ROW, _("leave these rows out")),
    ]
    return RowDoubt(
        key, label, "several", " / ".join(cell.splitlines()), why, choices, SEVERAL, for_all, len(names)
    )
