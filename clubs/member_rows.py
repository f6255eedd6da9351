"""Parse a member list: a bad name or number is a problem of its row, other bad cells are left out.

Headings may be of any language that the program speaks, in any order, below a title; other columns are listed as
ignored, not stored. An invalid row carries its problems, each at the heading of its column; an invalid cell,
other than name and number, is left out with a note.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from io import StringIO
from typing import Any, Self, TypeVar

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.lists.cells import (
    SEVERAL,
    SKIP_ROW,
    TAKE_ROW,
    RowDoubt,
    is_month_first,
    not_a_person,
    people_in,
    person_written,
    read_day,
    read_phone,
    several_people,
)
from clubs.lists.choice import (
    Choice,
    ListFields,
    ListTable,
    Record,
    guess,
    problems_of,
    read_columns,
    records,
    unread,
    unread_columns,
)
from clubs.names import address_in, given_first, in_usual_letters
from core.forms import EARLIEST_YEAR
from core.tables.file_formats import UnreadableFileError
from core.text import clean_text, quote

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


@dataclass(frozen=True)
class MemberFile:
    """The columns of a file with fields of members, and their cells."""

    columns: list[tuple[str, str]]
    """(field, heading) of each column kept."""
    ignored: list[str]
    """The headings of the columns not kept."""
    lines: list[tuple[int, list[str]]]
    """(the row's number, its cells in these columns) of each row that is not blank."""
    labels: dict[str, str] = field(default_factory=dict)
    """Where a row is in the file, by its number, where that does not say it."""
    answers: dict[str, str] = field(default_factory=dict)
    """What was chosen for a doubtful row, by its number."""
    notes: list[str] = field(default_factory=list)
    """What was read otherwise, or is not read, of the file as a whole."""
    of_union: bool = False
    """Whether it is the list of a whole union, whose rows name their clubs."""
    clubs: dict[str, str] = field(default_factory=dict)
    """What was chosen for a name of a club that is not known here, by the folded name."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, contents: dict[str, Any]) -> Self:
        return cls(**contents)

    def rows(self, today: date) -> list[MemberRow]:
        """Parse the rows. `today` decides the century of a two-digit year."""
        return list(self.iterate_rows(today))

    def iterate_rows(self, today: date) -> Iterator[MemberRow]:
        """Iterate over the rows, for callers that need only the first."""
        reader = RowReader(self.columns, [cells for _number, cells in self.lines], today)
        for number, cells in self.lines:
            doubt, label = self.doubt(number, cells), self.labels.get(str(number), "")
            answer = self.answer(doubt) if doubt else TAKE_ROW
            if answer == SEVERAL:
                yield from reader.people(number, label, cells)
            elif answer != SKIP_ROW:
                yield reader.person(number, label, cells)

    def count_people(self, doubts: Iterable[RowDoubt]) -> int:
        """The number of people, by the doubts about the rows."""
        more = {SEVERAL: lambda doubt: doubt.people - 1, SKIP_ROW: lambda _doubt: -1}
        return len(self.lines) + sum(
            more[answer](doubt) for doubt in doubts if (answer := self.answer(doubt)) in more
        )

    @property
    def doubts(self) -> list[RowDoubt]:
        """The rows that may name no one, or several people."""
        found = (self.doubt(number, cells) for number, cells in self.lines)
        return [doubt for doubt in found if doubt]

    @property
    def left_out(self) -> list[RowDoubt]:
        """The rows that are skipped, since they name no one."""
        return [doubt for doubt in self.doubts if self.answer(doubt) == SKIP_ROW]

    def answer(self, doubt: RowDoubt) -> str:
        """The answer for a doubtful row: the user's choice, else the likely one."""
        chosen = self.answers.get(doubt.key, "")
        return chosen if chosen in dict(doubt.choices) else doubt.default

    def doubt(self, number: int, cells: list[str]) -> RowDoubt | None:
        """The doubt about a row; None for one that is a person's."""
        said = dict(zip((known for known, _heading in reversed(self.columns)), reversed(cells), strict=True))
        if "name" not in said:
            parts = filter(None, (said.get(name, "") for name in ("first", "middle", "last")))
            return not_a_person(
                str(number), self.label(number), " ".join(map(clean_text, parts)), _("a member")
            )
        written = person_written(said["name"]).name
        return not_a_person(
            str(number), self.label(number), written or clean_text(said["name"]), _("a member")
        ) or several_people(str(number), self.label(number), said["name"], _("exactly one member"))

    def label(self, number: int) -> str:
        return self.labels.get(str(number), str(number))

    def heading(self, field: str) -> str:
        """The file's heading of a field; "" if it has no such column."""
        return next((heading for known, heading in self.columns if known == field), "")


def read_member_file(data: bytes, *, put_above: int = 0) -> MemberFile:
    """Parse a file's bytes to the rows of a member list. Raises UnreadableFileError if it is none.

    Rows are numbered as the sender sees them: without those that were `put_above` what they typed.
    """
    table = ListTable.read(data, FIELDS, put_above=put_above)
    choice = guess(table)
    if problems_of(table, choice):
        raise _no_name_column(table)
    return as_members(table, choice)


def as_members(table: ListTable, choice: Choice, answers: dict[str, str] | None = None) -> MemberFile:
    """The rows and columns of a table to parse as members. Raises UnreadableFileError if there is no row."""
    found = list(records(table, choice))
    if not found:
        raise UnreadableFileError("no_members", _("The file has headings, but no members below them."))
    columns = read_columns(table, choice)
    return MemberFile(
        columns=columns,
        ignored=unread_columns(table, choice),
        lines=[(record.key, [_cell(record, *column) for column in columns]) for record in found],
        labels={str(record.key): record.label for record in found if record.label != str(record.key)},
        answers=answers or {},
        notes=[*table.notes, *unread(table, choice)],
    )


def _cell(record: Record, name: str, heading: str) -> str:
    return next((cell for known, cell in record.said.get(name, []) if known == heading), "")


def as_file(pasted: str) -> tuple[bytes, int]:
    """Convert typed or pasted text to the format of a file: names alone, one a line, get a heading.

    With it, how many rows were put above.
    """
    lines = [line.strip() for line in pasted.splitlines() if line.strip()]
    first = re.split("[;,\t]", lines[0]) if lines else []
    divided = len({line.count(";") for line in lines}) == 1 and len(lines) > 1 and ";" in lines[0]
    if "\t" in "".join(lines[:1]) or divided or any(map(FIELDS.is_heading, first)):
        return "\n".join(lines).encode(), 0
    heading, sheet = _("Name"), StringIO()
    known = heading if FIELDS.is_heading(heading) else "Name"
    names = [name for line in lines for name in re.split(r"(?<=>)\s*,\s*|\s*;\s*", line) if name]
    csv.writer(sheet, delimiter=";").writerows([[name] for name in (known, *names)])
    return sheet.getvalue().encode(), 1


def _no_name_column(table: ListTable) -> UnreadableFileError:
    part = max(table.parts, key=lambda part: len(part.rows))
    if part.problem:
        return UnreadableFileError("too_many_rows", part.problem)
    given = [heading for heading in part.headings if heading] or [cell for cell in part.rows[0][1] if cell]
    shown = ", ".join(quote(heading[:40]) for heading in given[:12])
    return UnreadableFileError(
        "no_name_column",
        _(
            "No column is headed Name, or First name and Last name. The first row must have headings; it "
            "has: %(headings)s."
        )
        % {"headings": shown},
    )
