"""Choose the parts of a file and the field of each column: guessed, remembered or set by the user. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from django.utils.translation import gettext as _

from clubs.lists.parts import Part, find_parts, letters_of_column
from core.tables.file_formats import UnreadableFileError
from core.tables.spreadsheet import Sheet, read_sheets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from clubs.lists.fields import ListFields

EXAMPLES = 2
SAMPLED = 300
# The minimum share of a column's cells that look like a field, if it has no known heading.
_MOST = 0.6


@dataclass(frozen=True)
class Column:
    """A column of one or several parts: its heading, and example cells."""

    key: str
    label: str
    examples: list[str]
    cells: list[str] = field(repr=False)
    """The first cells that are not blank."""


@dataclass(frozen=True)
class Record:
    """A row: its number and label in the file, and its values by field, with the heading of each."""

    key: int
    label: str
    part: Part
    said: dict[str, list[tuple[str, str]]]
    headings: dict[str, str] = field(default_factory=dict)
    """How the first column of each field is headed, also where its cell is blank."""


@dataclass(frozen=True)
class ListTable:
    """An uploaded file, before its columns are chosen."""

    fields: ListFields
    sheets: list[Sheet]
    notes: list[str] = field(default_factory=list)
    put_above: int = 0
    """The number of rows inserted above the typed ones."""
    has_headings: bool | None = None
    """The user's answer whether the first row has headings, where none is known."""

    @classmethod
    def read(cls, data: bytes, fields: ListFields, *, put_above: int = 0) -> Self:
        """Raises UnreadableFileError."""
        book = read_sheets(data, fields.is_heading)
        table = cls(fields, book.sheets, book.notes, put_above)
        if not table.parts:
            raise UnreadableFileError("empty", _("The file is empty."))
        return table

    def as_json(self) -> dict[str, Any]:
        sheets = [[sheet.name, sheet.rows, sheet.problem] for sheet in self.sheets]
        return {"sheets": sheets, "notes": self.notes, "put_above": self.put_above}

    @classmethod
    def from_json(cls, fields: ListFields, kept: Mapping[str, Any], *, has_headings: bool | None) -> Self:
        sheets = [Sheet(*sheet) for sheet in kept["sheets"]]
        return cls(fields, sheets, list(kept["notes"]), kept["put_above"], has_headings)

    @cached_property
    def parts(self) -> list[Part]:
        return find_parts(self.sheets, self.fields, has_headings=self.has_headings)

    @cached_property
    def columns(self) -> list[Column]:
        """All columns of all parts, those with the same heading once."""
        return self.columns_of({part.place for part in self.parts})

    def columns_of(self, places: Collection[int]) -> list[Column]:
        """The columns of some parts, with their example cells."""
        found: dict[str, Column] = {}
        for part in self.parts:
            if part.place not in places:
                continue
            for place, key in enumerate(part.keys):
                cells = [row[place] for _number, row in part.rows if place < len(row) and row[place]]
                if not cells and not part.headings[place]:
                    continue
                before = found.get(key)
                if before is None:
                    label = part.headings[place] or column_label(part, place)
                    before = Column(key, label, [], [])
                all_cells = [*before.cells, *cells][:SAMPLED]
                found[key] = Column(key, before.label, list(dict.fromkeys(all_cells))[:EXAMPLES], all_cells)
        return list(found.values())

    @property
    def knows_headings(self) -> bool:
        """Whether any heading is known; if none is, the user can choose whether the first row has headings."""
        return any(self.fields.field_of(heading)[0] for part in self.parts for heading in part.headings)


@dataclass(frozen=True)
class Choice:
    """The chosen parts, and the field of each column by its key; "" for ignored columns."""

    parts: frozenset[int]
    fields: dict[str, str]

    def columns(self, table: ListTable) -> list[Column]:
        """The columns of the chosen parts."""
        return table.columns_of(self.parts)

    def read(self, table: ListTable) -> set[str]:
        """The fields that have a column."""
        return {self.fields.get(column.key, "") for column in self.columns(table)} - {""}


def guess(table: ListTable, remembered: Mapping[str, str] | None = None) -> Choice:
    """The default choice: as remembered, else by the headings, or by the contents of the columns."""
    remembered = remembered or {}
    found = {column.key: table.fields.field_of(column.label) for column in table.columns}
    # What was chosen against the heading counts most; what was left as it is, as the heading does.
    found |= {key: (name, -1) for key, name in remembered.items() if key in found and name != found[key][0]}
    for part in table.parts:
        if not part.has_headings:
            found |= {
                key: (name, 0) for key, name in _by_contents(table, part).items() if key not in remembered
            }
    fields = {key: name for key, (name, _rank) in found.items()}
    for part in table.parts:
        for key in _outdone(part, found, table.fields.several):
            fields[key] = ""
    return Choice(_best_parts(table, fields), fields)


def _by_contents(table: ListTable, part: Part) -> dict[str, str]:
    """The field that the cells of a column without a heading look like; each field once."""
    found: dict[str, str] = {}
    keys = set(part.keys)
    for name, pattern in table.fields.samples.items():
        for column in table.columns:
            if column.key not in keys or column.key in found or name in found.values():
                continue
            alike = sum(bool(pattern.fullmatch(cell)) for cell in column.cells)
            if alike > len(column.cells) * _MOST:
                found[column.key] = name
    return found


def _outdone(part: Part, found: Mapping[str, tuple[str, int]], several: frozenset[str]) -> Iterator[str]:
    """The keys of columns whose field another column of the part has by a clearer heading, or before it."""
    best: dict[str, str] = {}
    for key in part.keys:
        name, rank = found.get(key, ("", 0))
        if not name or name in several:
            continue
        if name in best and found[best[name]][1] <= rank:
            yield key
            continue
        if name in best:
            yield best[name]
        best[name] = key


def _best_parts(table: ListTable, fields: Mapping[str, str]) -> frozenset[int]:
    """The part with the most fields, and those with its headings next to or below it; of some kinds, in all sheets."""
    names = table.fields.names

    def worth(part: Part) -> tuple[bool, int, bool, int]:
        read = {fields.get(key, "") for key in part.keys} - {""}
        return bool(read & names), len(read - {"left"}), "left" not in read, len(part.rows)

    best = max(table.parts, key=worth)
    alike = {
        part.place
        for part in table.parts
        if part.keys == best.keys and (table.fields.whole_file or part.sheet == best.sheet)
    }
    return frozenset(alike | {best.place})


def problems_of(table: ListTable, choice: Choice) -> list[tuple[str, set[str]]]:
    """The reason why the list cannot be parsed so: a text, and the keys of the columns concerned."""
    if not choice.parts:
        return [(_("Choose at least one sheet."), set())]
    problems: list[tuple[str, set[str]]] = []
    for part in table.parts:
        if part.place not in choice.parts:
            continue
        if part.problem:
            problems.append((f"{part.name}: {part.problem}", set()))
            continue
        by_field: dict[str, set[str]] = defaultdict(set)
        for key in part.keys:
            by_field[choice.fields.get(key, "")].add(key)
        if not table.fields.names & set(by_field):
            text = _("Choose the column with the names.")
            problems.append((f"{part.name}: {text}" if len(choice.parts) > 1 else text, set()))
        for name, keys in by_field.items():
            if name and len(keys) > 1 and name not in table.fields.several:
                text = _("More than one column is read as %(field)s. Choose one.")
                problems.append((text % {"field": table.fields.labels[name]}, keys))
    return list({text: (text, keys) for text, keys in problems}.values())


def read_columns(table: ListTable, choice: Choice) -> list[tuple[str, str]]:
    """(field, heading) of each column with a field, in the order of the file."""
    found = dict.fromkeys(
        (choice.fields[key], part.headings[place] or column_label(part, place))
        for part in table.parts
        if part.place in choice.parts
        for place, key in enumerate(part.keys)
        if choice.fields.get(key)
    )
    return list(found)


def records(table: ListTable, choice: Choice) -> Iterator[Record]:
    """The rows of the chosen parts, without those that are blank in all columns with a field."""
    several = len(choice.parts) > 1
    for part in table.parts:
        if part.place not in choice.parts:
            continue
        columns = [
            (place, choice.fields[key], part.headings[place] or column_label(part, place))
            for place, key in enumerate(part.keys)
            if choice.fields.get(key)
        ]
        headings = {name: heading for _place, name, heading in reversed(columns)}
        for number, row in part.rows:
            said: dict[str, list[tuple[str, str]]] = defaultdict(list)
            for place, name, heading in columns:
                if place < len(row) and row[place]:
                    said[name].append((heading, row[place]))
            if said:
                shown = number - table.put_above
                label = f"{shown}, {part.name}" if several and part.name else str(shown)
                yield Record(part.row_key(number) - table.put_above, label, part, dict(said), headings)


def column_label(part: Part, place: int) -> str:
    """The label of a column without a heading."""
    return _("Column %(letter)s") % {"letter": letters_of_column(part.first_column + place)}


def unread(table: ListTable, choice: Choice) -> list[str]:
    """The parts of a file that are not imported, as text: other tables, columns, rows above and between."""
    said: list[str] = []
    others = [part for part in table.parts if part.place not in choice.parts]
    if others:
        said.append(_("Not read: %(parts)s.") % {"parts": _join_names(part.name for part in others)})
    for part in table.parts:
        if part.place not in choice.parts:
            continue
        if part.title:
            said.append(_("Above the headings and not read: %(text)s.") % {"text": part.title})
        if part.repeats:
            rows = ", ".join(map(str, part.repeats))
            said.append(_("These rows repeat the headings: %(rows)s.") % {"rows": rows})
    return list(dict.fromkeys(said))


def is_plain(table: ListTable, choice: Choice, remembered: Mapping[str, str]) -> bool:
    """Whether nothing of a file is to be chosen: one list, each column of it known or decided about before."""
    decided = all(choice.fields.get(column.key) or column.key in remembered for column in table.columns)
    is_whole = len(table.parts) == 1 and table.parts[0].has_headings and not table.notes
    return is_whole and decided and not problems_of(table, choice)


def unread_columns(table: ListTable, choice: Choice) -> list[str]:
    return [column.label for column in choice.columns(table) if not choice.fields.get(column.key)]


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(name for name in names if name))
