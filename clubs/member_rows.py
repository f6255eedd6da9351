"""Fields and rows of a member list: a bad name or number is a problem of its row, other bad cells are left out."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TypeVar

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.lists.cells import is_month_first, people_in, person_written, read_day, read_phone
from clubs.lists.fields import ListFields
from clubs.names import address_in, given_first, in_usual_letters
from core.forms import EARLIEST_YEAR
from core.text import clean_text

MOST_LETTERS = {"name": 200, "email": 254}
AHEAD = timedelta(days=366)
# The second and third person of one row have numbers from here on.
PEOPLE_OF_ROW = 100_000_000

T = TypeVar("T")


@dataclass(frozen=True)
class CellProblem:
    """Why a row is refused, or a cell parsed differently or left out, at its heading ("" for the entire row)."""

    column: str
    text: str


@dataclass(frozen=True)
class MemberRow:
    """The fields of a member in one row, with its row number. None and "" mean that it is blank."""

    row: int
    name: str
    number: int | None = None
    joined: date | None = None
    left: date | None = None
    email: str = ""
    phone: str = ""
    birth_year: int | None = None
    # The club named in the file.
    club: str = ""
    union_number: int | None = None
    problems: tuple[CellProblem, ...] = ()
    # What was parsed to another value than the file's text, or left out.
    notes: tuple[CellProblem, ...] = ()
    # The name as written in the file, where it was parsed differently.
    written: str = ""
    # Whether the file has it in capitals, or in small letters, alone.
    recased: bool = False
    # Where it is in the file, if its number does not say that: "12, Udmeldte".
    label: str = ""

    @property
    def place_in_file(self) -> str:
        """The row's position in the file, for people."""
        return self.label or str(self.row)


class RowReader:
    """Reads the rows of a member file with these (field, heading) columns."""

    def __init__(self, columns: list[tuple[str, str]], rows: list[list[str]], today: date) -> None:
        self.columns, self.today = columns, today
        self.month_first = {
            heading
            for place, (name, heading) in enumerate(columns)
            if name in {"joined", "left"} and is_month_first(cells[place] for cells in rows)
        }

    def person(self, number: int, label: str, cells: list[str]) -> MemberRow:
        """Parse the cells of a row to one person's values."""
        return self._row(number, self._cells_by_field(cells), label)

    def people(self, number: int, label: str, cells: list[str]) -> Iterator[MemberRow]:
        """A row for each of the people in one cell; what can be of one person alone stays with the first."""
        said = self._cells_by_field(cells)
        heading, cell = said["name"][0]
        names = people_in(cell)
        for place, name in enumerate(names):
            own = {known: _of_person(cells, place, len(names)) for known, cells in said.items()}
            if place:
                own.pop("number", None)
                own.pop("union_number", None)
            own["name"] = [(heading, name)]
            own["club"] = said.get("club", [])
            yield self._row(number + place * PEOPLE_OF_ROW, own, f"{label or number} ({place + 1})")

    def _cells_by_field(self, cells: list[str]) -> dict[str, list[tuple[str, str]]]:
        """The cells that are not blank, by field, with their headings."""
        said: dict[str, list[tuple[str, str]]] = {}
        for (name, heading), cell in zip(self.columns, cells, strict=True):
            if cell:
                said.setdefault(name, []).append((heading, cell))
        return said

    def _row(self, number: int, said: dict[str, list[tuple[str, str]]], label: str) -> MemberRow:
        problems: list[CellProblem] = []
        notes: list[CellProblem] = []
        name, written, recased, besides = self._name(said, problems, notes)
        said = {**besides, **{known: cells for known, cells in said.items() if cells}}
        return MemberRow(
            row=number,
            label=label,
            name=name,
            number=_first(said.get("number", []), _number, problems),
            joined=_first(said.get("joined", []), self._day(notes), notes),
            left=_first(said.get("left", []), self._day(notes), notes),
            # What cannot be an address or a number is left out: the member is one all the same.
            email=_first(said.get("email", []), _with_note(_email, notes), notes) or "",
            phone=_first(said.get("phone", []), _with_note(read_phone, notes), notes) or "",
            birth_year=_first(said.get("birth_year", []), self._birth_year(notes), notes),
            club=clean_text(said["club"][0][1]) if said.get("club") else "",
            union_number=_first(said.get("union_number", []), _union_number, notes),
            problems=tuple(problems),
            notes=tuple(notes),
            written=written if name != written else "",
            recased=recased,
        )

    def _name(
        self,
        said: dict[str, list[tuple[str, str]]],
        problems: list[CellProblem],
        notes: list[CellProblem],
    ) -> tuple[str, str, bool, dict[str, list[tuple[str, str]]]]:
        """The parsed name, its text, whether it is in other letters, and further values of its cell."""
        heading = next(heading for name, heading in self.columns if name in FIELDS.names)
        besides: dict[str, list[tuple[str, str]]] = {}
        if "name" in said:
            heading, cell = said["name"][0]
            written, person = clean_text(cell), person_written(cell)
            in_order = given_first(person.name)
            besides = {"email": [(heading, person.email)], "phone": [(heading, person.phone)]}
        else:
            parts = [clean_text(said[name][0][1]) for name in ("first", "middle", "last") if said.get(name)]
            written = in_order = " ".join(parts)
        name = in_usual_letters(in_order)
        if name != written:
            notes.append(_read_as(heading, written, name))
        if not name:
            problems.append(CellProblem(heading, _("There is no name.")))
        elif len(name) > MOST_LETTERS["name"]:
            problems.append(CellProblem(heading, _too_long("name")))
        besides = {known: cells for known, cells in besides.items() if cells[0][1]}
        return name, written, name != in_order, besides

    def _day(self, notes: list[CellProblem]) -> Callable[[str, str], date]:
        def read(heading: str, cell: str) -> date:
            try:
                found = read_day(cell, self.today, month_first=heading in self.month_first)
            except ValueError as problem:
                raise ValueError(_("%(problem)s It is left out.") % {"problem": problem}) from None
            if not found.day.year >= EARLIEST_YEAR or found.day > self.today + AHEAD:
                text = _("The year in “%(cell)s” cannot be right. It is left out.")
                raise ValueError(text % {"cell": cell[:40]})
            if not found.is_exact:
                notes.append(_read_as(heading, cell, date_format(found.day, "DATE_FORMAT")))
            return found.day

        return read

    def _birth_year(self, notes: list[CellProblem]) -> Callable[[str, str], int]:
        """Parse a year, or the year of a date."""

        def read(heading: str, cell: str) -> int:
            try:
                year = read_day(cell, self.today, month_first=is_month_first([cell])).day.year
            except ValueError:
                year = 0
            if not EARLIEST_YEAR <= year <= self.today.year:
                text = _("“%(cell)s” is not a year of birth such as 1950. It is left out.")
                raise ValueError(text % {"cell": cell[:40]})
            if str(year) != cell:
                notes.append(_read_as(heading, cell, str(year)))
            return year

        return read


def _of_person(cells: list[tuple[str, str]], place: int, people: int) -> list[tuple[str, str]]:
    """The cells of one of several people who share a row: divided as the names are, else the same for each."""
    found = []
    for heading, cell in cells:
        parts = [part for part in re.split(r"\s*[/;\n&]\s*", cell) if part]
        if len(parts) == people:
            found.append((heading, parts[place]))
        elif place == 0 or "@" not in cell:
            found.append((heading, cell))
    return found


def _first(
    cells: list[tuple[str, str]], reader: Callable[[str, str], T], costs: list[CellProblem]
) -> T | None:
    """The value of the first valid cell; if none is valid, a problem for each."""
    problems = []
    for heading, cell in cells:
        try:
            return reader(heading, cell)
        except ValueError as problem:
            problems.append(CellProblem(heading, str(problem)))
    costs += problems
    return None


def _with_note(reader: Callable[[str], str], notes: list[CellProblem]) -> Callable[[str, str], str]:
    """Parse a cell, and note where its value differs from its text."""

    def read(heading: str, cell: str) -> str:
        found = reader(cell)
        if found != cell:
            notes.append(_read_as(heading, cell, found))
        return found

    return read


def _read_as(heading: str, written: str, read: str) -> CellProblem:
    text = _("“%(written)s” is read as %(read)s.") % {"written": written[:80], "read": read[:80]}
    return CellProblem(heading, text)


def _too_long(field: str) -> str:
    return _("Longer than %(most)d characters.") % {"most": MOST_LETTERS[field]}


def _number(_heading: str, cell: str) -> int:
    digits = cell.removesuffix(".").removesuffix(".0").removesuffix(",0")
    if not re.fullmatch(r"[0-9]{1,12}", digits) or not 0 < int(digits) <= HIGHEST_NUMBER:
        raise ValueError(_("“%(cell)s” is not a whole number.") % {"cell": cell[:40]})
    return int(digits)


def _union_number(heading: str, cell: str) -> int:
    try:
        return _number(heading, cell)
    except ValueError as problem:
        raise ValueError(_("%(problem)s It is left out.") % {"problem": problem}) from None


def _email(cell: str) -> str:
    try:
        address = address_in(cell)
    except ValueError:
        text = _("“%(cell)s” is not an email address. It is left out.")
        raise ValueError(text % {"cell": cell[:80]}) from None
    if len(address) > MOST_LETTERS["email"]:
        raise ValueError(_too_long("email"))
    return address


HIGHEST_NUMBER = 999_999_999

FIELDS = ListFields(
    code="members",
    labels={
        "name": gettext_lazy("Name"),
        "first": gettext_lazy("First name"),
        "middle": gettext_lazy("Middle name"),
        "last": gettext_lazy("Last name"),
        "number": gettext_lazy("Member number"),
        "phone": gettext_lazy("Phone"),
        "email": gettext_lazy("Email"),
        "joined": gettext_lazy("Joined"),
        "left": gettext_lazy("Left"),
        "birth_year": gettext_lazy("Year of birth"),
        "club": gettext_lazy("Club"),
    },
    english={
        "name": "name fullname membername player member",
        "first": "firstname first givenname forename forenames christianname",
        "middle": "middlename middle",
        "last": "lastname last surname familyname",
        "number": "membernumber memberno membershipnumber membershipno number no",
        "joined": "joined joineddate datejoined membersince",
        "left": "left leftdate dateleft",
        "birth_year": "yearofbirth birthyear born dateofbirth birthdate birthday",
        "email": "email mail emailaddress",
        "club": "club clubname",
        "phone": "phone phonenumber telephone telephonenumber mobile mobilephone cell cellphone",
    },
    several=frozenset({"phone", "email"}),
    names=frozenset({"name", "first", "last"}),
    samples={
        "email": re.compile(r".*\S+@\S+\.\S+.*"),
        "joined": re.compile(r"\d{4}-\d\d?-\d\d?.*|\d\d?[-./]\d\d?[-./]\d{2,4}"),
        "phone": re.compile(r"[+(]?\d[\d ()-]{6,16}\d"),
        "number": re.compile(r"\d{1,5}"),
        "name": re.compile(
            r"(?:[^\W\d_a-zæøåäö][^\s\d@]*[\s,]+)(?:(?:[^\W\d_a-zæøåäö][^\s\d@]*|af|von|van|de)\s*)+"
        ),
    },
)

# A union's list names the club of each row, and may hold the union's own numbers.
UNION_FIELDS = replace(
    FIELDS,
    labels={**FIELDS.labels, "union_number": gettext_lazy("Number in the union")},
    english={**FIELDS.english, "union_number": "unionnumber unionno federationnumber licence"},
)
