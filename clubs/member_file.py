"""Parse the text rows of a member list into rows of members.

Headings may be of any language that the program speaks, in any order, below a title; other columns are listed as
ignored, not stored. An invalid row carries its problems, each at the heading of its column; an invalid cell,
other than name and number, is left out with a note.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import date
from io import StringIO
from typing import Any, Self

from django.utils.translation import gettext as _

from clubs.lists.cells import (
    SEVERAL,
    SKIP_ROW,
    TAKE_ROW,
    RowDoubt,
    not_a_person,
    person_written,
    several_people,
)
from clubs.lists.choice import (
    Choice,
    ListTable,
    Record,
    guess,
    problems_of,
    read_columns,
    records,
    unread,
    unread_columns,
)
from clubs.member_rows import FIELDS, MemberRow, RowReader
from core.tables.file_formats import UnreadableFileError
from core.text import clean_text, quote


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


def is_typed_names(table: ListTable) -> bool:
    """Whether names were typed one a line."""
    return table.put_above > 0


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
