"""A member list's rows of text to what they say of members.

Headings may be of any language that the program speaks, in any order, below a title; other columns are named as
ignored, not kept. A row that cannot be right carries its problems, each at the heading of its column.
"""

import csv
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from io import StringIO
from typing import Any, Self

from django.utils.translation import gettext as _

from clubs.as_written import address_in, given_first, in_usual_letters
from clubs.languages import fields_by_heading
from clubs.names import folded
from clubs.quoting import quoted
from clubs.spreadsheet import Grid, UnreadableFileError, read_grids

# The heading is looked for in so many rows: lists have titles.
HEADING_WITHIN = 10
MOST_LETTERS = {"name": 200, "email": 254, "phone": 40}
HIGHEST_NUMBER = 999_999_999
EARLIEST_YEAR = 1900

# field: its headings in English, folded, without blanks
HEADINGS = {
    "name": "name fullname member membername player",
    "first": "first firstname givenname",
    "middle": "middle middlename",
    "last": "last lastname surname familyname",
    "number": "no number membernumber memberno membershipnumber",
    "joined": "joined joineddate datejoined membersince",
    "left": "left leftdate dateleft",
    "email": "email mail emailaddress",
    "phone": "phone phonenumber telephone mobile mobilephone cell",
}
FIELD_OF = fields_by_heading("members", HEADINGS)

_DATE = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?|(\d{1,2})[-./ ](\d{1,2})[-./ ](\d{4}|\d{2})\.?", re.ASCII
)


@dataclass(frozen=True)
class CellProblem:
    """Why a row is refused, or a cell read otherwise or left out, at its heading ("" for the row as a whole)."""

    column: str
    text: str


@dataclass(frozen=True)
class MemberRow:
    """What one row says of a member. None and "" mean that it does not say."""

    row: int
    name: str
    number: int | None = None
    joined: date | None = None
    left: date | None = None
    email: str = ""
    phone: str = ""
    problems: tuple[CellProblem, ...] = ()
    # What was read otherwise than it stands in the file, or left out.
    notes: tuple[CellProblem, ...] = ()
    # The name as it stands in the file, where it is read in another way.
    written: str = ""
    # Whether the file has it in capitals, or in small letters, alone.
    recased: bool = False


@dataclass(frozen=True)
class MemberFile:
    """The columns of a file that are about members, and what stands in them."""

    columns: list[tuple[str, str]]
    """(field, heading) of each column kept."""
    ignored: list[str]
    """The headings of the columns not kept."""
    lines: list[tuple[int, list[str]]]
    """(the row's place in the file, its cells in these columns) of each row that is not blank."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, contents: dict[str, Any]) -> Self:
        return cls(**contents)

    def rows(self, today: date) -> list[MemberRow]:
        """What the rows say. `today` tells which century a year of two digits is in."""
        return [_row(place, self.columns, cells, today) for place, cells in self.lines]

    def heading(self, field: str) -> str:
        """What the file calls a field; "" if it has no such column."""
        return next((heading for known, heading in self.columns if known == field), "")


def read_member_file(data: bytes, *, put_above: int = 0) -> MemberFile:
    """A file's bytes to the rows of a member list. Raises UnreadableFileError if it is none.

    Rows are counted as whoever gave them sees them: without those that were `put_above` what they typed.
    """
    grids = [grid for grid in read_grids(data) if any(_plain(cell) for cells in grid for cell in cells)]
    if not grids:
        raise UnreadableFileError("empty", _("The file is empty."))
    grid = max(grids, key=lambda grid: len(_fields(grid[_heading_place(grid)])))
    place = _heading_place(grid)
    headings = grid[place]
    fields = _fields(headings)
    if not {"name", "first", "last"} & set(fields.values()):
        raise _no_name_column(headings)
    columns = sorted(fields)
    lines = [
        (number, kept)
        for number, cells in enumerate(grid[place + 1 :], start=place + 2 - put_above)
        if any(kept := [cells[column] if column < len(cells) else "" for column in columns])
    ]
    if not lines:
        raise UnreadableFileError("no_members", _("The file has headings, but no members below them."))
    return MemberFile(
        columns=[(fields[column], headings[column]) for column in columns],
        ignored=[heading for column, heading in enumerate(headings) if heading and column not in fields],
        lines=lines,
    )


def as_file(pasted: str) -> tuple[bytes, int]:
    """What was typed or pasted as a file would have it: names alone, one a line, are put under a heading.

    With it, how many rows were put above.
    """
    lines = [line.strip() for line in pasted.splitlines() if line.strip()]
    first = re.split("[;,\t]", lines[0]) if lines else []
    if "\t" in "".join(lines[:1]) or any(_plain(cell) in FIELD_OF for cell in first):
        return "\n".join(lines).encode(), 0
    heading, sheet = _("Name"), StringIO()
    known = heading if _plain(heading) in FIELD_OF else "Name"
    csv.writer(sheet, delimiter=";").writerows([[name] for name in (known, *lines)])
    return sheet.getvalue().encode(), 1


def _heading_place(grid: Grid) -> int:
    return max(range(min(len(grid), HEADING_WITHIN)), key=lambda place: len(_fields(grid[place])))


def _fields(headings: Iterable[str]) -> dict[int, str]:
    """Which columns are about which field."""
    known = {column: FIELD_OF.get(_plain(heading)) for column, heading in enumerate(headings)}
    return {column: field for column, field in known.items() if field}


def _plain(heading: str) -> str:
    return re.sub(r"\W|_", "", folded(heading))


def _no_name_column(headings: list[str]) -> UnreadableFileError:
    given = [heading for heading in headings if heading]
    if len(given) == 1 and re.search("[;,\t|]", given[0]):
        return UnreadableFileError(
            "one_column",
            _("Everything stands in one column. Give name, number and so on columns of their own."),
        )
    shown = ", ".join(quoted(heading[:40]) for heading in given[:12])
    return UnreadableFileError(
        "no_name_column",
        _(
            "No column has the heading Name, or First name and Last name. The first row must hold headings;"
            " it holds: %(headings)s."
        )
        % {"headings": shown},
    )


def _row(place: int, columns: list[tuple[str, str]], cells: list[str], today: date) -> MemberRow:
    said: dict[str, tuple[str, str]] = {}
    for (field, heading), cell in zip(columns, cells, strict=True):
        if cell and field not in said:
            said[field] = (heading, cell)
    problems: list[CellProblem] = []
    notes: list[CellProblem] = []

    def read(field: str, reader: Any, default: Any, *, costs: list[CellProblem] = problems) -> Any:
        heading, cell = said.get(field, ("", ""))
        try:
            return reader(cell) if cell else default
        except ValueError as problem:
            costs.append(CellProblem(heading, str(problem)))
            return default

    parts = [said[field][1] for field in ("first", "middle", "last") if field in said]
    written = said["name"][1] if "name" in said else " ".join(parts)
    in_order = given_first(written) if "name" in said else written
    name = in_usual_letters(in_order)
    if name != written:
        notes.append(_read_as(_name_heading(columns), written, name))
    if not name:
        problems.append(CellProblem(_name_heading(columns), _("There is no name.")))
    elif len(name) > MOST_LETTERS["name"]:
        problems.append(CellProblem(_name_heading(columns), _too_long("name")))
    email = read("email", _email, "", costs=notes)
    if email and email != said["email"][1]:
        notes.append(_read_as(*said["email"], email))
    return MemberRow(
        row=place,
        name=name,
        number=read("number", _number, None),
        joined=read("joined", lambda cell: _day(cell, today), None),
        left=read("left", lambda cell: _day(cell, today), None),
        # What cannot be an address or a number is left out: the member is one all the same.
        email=email,
        phone=read("phone", _phone, "", costs=notes),
        problems=tuple(problems),
        notes=tuple(notes),
        written=written if name != written else "",
        recased=name != in_order,
    )


def _read_as(heading: str, written: str, read: str) -> CellProblem:
    text = _("“%(written)s” is read as %(read)s.") % {"written": written[:80], "read": read[:80]}
    return CellProblem(heading, text)


def _name_heading(columns: list[tuple[str, str]]) -> str:
    return next(heading for field, heading in columns if field in {"name", "first", "last"})


def _too_long(field: str) -> str:
    return _("Longer than %(most)d letters.") % {"most": MOST_LETTERS[field]}


def _number(cell: str) -> int:
    digits = cell.removesuffix(".").removesuffix(".0").removesuffix(",0")
    if not re.fullmatch(r"[0-9]{1,12}", digits) or not 0 < int(digits) <= HIGHEST_NUMBER:
        raise ValueError(_("“%(cell)s” is not a whole number.") % {"cell": cell[:40]})
    return int(digits)


def _email(cell: str) -> str:
    try:
        address = address_in(cell)
    except ValueError:
        text = _("“%(cell)s” is not an e-mail address: it is left out.")
        raise ValueError(text % {"cell": cell[:80]}) from None
    if len(address) > MOST_LETTERS["email"]:
        raise ValueError(_too_long("email"))
    return address


def _phone(cell: str) -> str:
    if len(cell) > MOST_LETTERS["phone"]:
        text = _("“%(cell)s” is longer than a phone number: it is left out.")
        raise ValueError(text % {"cell": cell[:40]})
    return cell


def _day(cell: str, today: date) -> date:
    """A date as Danes and programs write it; a two-digit year is the latest that is not after next year."""
    found = _DATE.fullmatch(cell)
    if not found:
        raise ValueError(
            _("“%(cell)s” is not a date such as %(date)s.") % {"cell": cell[:40], "date": f"{today:%d-%m-%Y}"}
        )
    year, month, day = (int(part) for part in (found.group(1, 2, 3) if found[1] else found.group(6, 5, 4)))
    if year < 100:  # noqa: PLR2004 - two digits
        year += 2000 if year <= (today.year + 1) % 100 else 1900
    try:
        said = date(year, month, day)
    except ValueError:
        raise ValueError(_("There is no date “%(cell)s”.") % {"cell": cell}) from None
    if not EARLIEST_YEAR <= year <= today.year + 100:
        raise ValueError(_("The year of “%(cell)s” cannot be right.") % {"cell": cell})
    return said
