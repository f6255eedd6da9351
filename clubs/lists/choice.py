"""Find the lists in a file's sheets, and the field of each column: guessed, remembered or set by the user. Pure.

Every part of a sheet is found, also those that are not chosen in the end, so that a page can name them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from django.utils.translation import gettext as _

from clubs.names import folded
from core.languages import ranked_headings, words_of_lists
from core.tables.file_formats import UnreadableFileError
from core.tables.spreadsheet import Sheet, read_sheets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from django.utils.functional import _StrPromise as StrPromise

    from core.tables.spreadsheet import Grid


# Headings may be of any language that the program speaks. A heading that is not known is parsed word by word:
# "Tlf. privat" is a phone, "Indm. dato" the day of joining.

_AND = words_of_lists("and", "and")
_BESIDE = words_of_lists("beside", "private home work date no number address and") | _AND
# An abbreviation, "indm.", has at least so many letters.
_SHORTEST = 3
# A heading parsed by its words is less certain than any known one.
BY_WORDS = 100


@dataclass(frozen=True)
class ListFields:
    """The fields of a kind of list."""

    code: str
    """What the kind is called in `lists.toml`, and where choices are remembered."""
    labels: Mapping[str, StrPromise]
    """What each field is called, in the order in which they are offered."""
    english: Mapping[str, str]
    """The headings of each field in English, folded, without blanks; the clearest first."""
    several: frozenset[str]
    """The fields that may have several columns."""
    names: frozenset[str]
    """The fields of which a list needs one: without, it names nobody."""
    samples: Mapping[str, re.Pattern[str]]
    """What the cells of a field look like, the surest first: by these columns without a heading are recognised."""
    whole_file: bool = False
    """Whether sheets with equal headings are read together by default."""

    @cached_property
    def known(self) -> dict[str, tuple[str, int]]:
        found = ranked_headings(self.code, self.english)
        return {heading: meant for heading, meant in found.items() if meant[0] in self.labels}

    def is_heading(self, cell: str) -> bool:
        return plain(cell) in self.known

    def field_of(self, heading: str) -> tuple[str, int]:
        """The field that a heading means, "" for none, and how clear it is: the lower, the clearer."""
        if found := self.known.get(plain(heading)):
            return found
        words = [word for word in re.findall(r"[^\W\d_]+", folded(heading)) if word not in _BESIDE]
        if found := self.known.get("".join(words)):
            return found[0], BY_WORDS + found[1]
        fields = {self._field_of_word(word) for word in words}
        if len(fields) == 1:
            return fields.pop(), BY_WORDS
        # "For- og efternavn"
        if len(fields) > 1 and fields <= {"first", "middle", "last"}:
            return "name", BY_WORDS
        return "", BY_WORDS

    def _field_of_word(self, word: str) -> str:
        if word in self.known:
            return self.known[word][0]
        if len(word) < _SHORTEST:
            return ""
        fields = {field for heading, (field, _rank) in self.known.items() if heading.startswith(word)}
        return fields.pop() if len(fields) == 1 else ""


def plain(heading: str) -> str:
    """A heading without blanks, signs, capitals and accents."""
    return re.sub(r"\W|_", "", folded(heading))


# The heading is looked for in so many rows: lists have titles.
HEADING_WITHIN = 10
# Rows of one part have numbers below this one, those of the next begin here.
ROWS_OF_PART = 100_000


@dataclass(frozen=True)
class Part:
    """A list in a sheet: its headings, and the rows below them with their numbers in the sheet."""

    place: int
    """Which part of the file it is, from 0."""
    name: str
    """The name of its sheet, with its columns where the sheet has several parts."""
    sheet: str
    title: str = ""
    """The lines above the headings, such as a title."""
    headings: list[str] = field(default_factory=list)
    first_column: int = 0
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    repeats: list[int] = field(default_factory=list)
    """The rows that repeat the headings."""
    has_headings: bool = False
    problem: str = ""
    """Why the sheet cannot be read."""

    @cached_property
    def keys(self) -> list[str]:
        """A key for each column, the same for the same heading in any part; "#C" for a column without one."""
        found: list[str] = []
        for column, heading in enumerate(self.headings):
            key = plain(heading)[:100] or f"#{letters_of_column(self.first_column + column)}"
            again = sum(other.partition(" ")[0] == key for other in found)
            found.append(f"{key} {again + 1}" if again else key)
        return found

    def row_key(self, row: int) -> int:
        """A number for a row that no other row of the file has."""
        return self.place * ROWS_OF_PART + row


def letters_of_column(column: int) -> str:
    """The letters of a column in a spreadsheet: A for 0, AA for 26."""
    first, last = divmod(column, 26)
    return (letters_of_column(first - 1) if first else "") + chr(ord("A") + last)


def find_parts(
    sheets: Sequence[Sheet], fields: ListFields, *, has_headings: bool | None = None
) -> list[Part]:
    """All parts of all sheets that are not blank. `has_headings`: the first row is headings, though unknown ones."""
    parts: list[Part] = []
    for sheet in sheets:
        if sheet.problem:
            parts.append(Part(0, sheet.name, sheet.name, problem=sheet.problem))
        parts += _parts_of(sheet, fields, has_headings)
    return [replace(part, place=place) for place, part in enumerate(parts)]


@dataclass(frozen=True)
class _Headings:
    """The row of a sheet's headings, and their kind: "known", "said" (unknown headings), or "" for none."""

    row: int
    kind: str


def _headings_of(grid: Grid, filled: list[int], fields: ListFields, has_headings: bool | None) -> _Headings:
    row = max(filled[:HEADING_WITHIN], key=lambda number: _known_fields(grid[number], fields))
    if _known_fields(grid[row], fields):
        return _Headings(row, "known")
    if has_headings is None:
        has_headings = _looks_like_headings(grid, filled)
    return _Headings(filled[0], "said" if has_headings else "")


def _parts_of(sheet: Sheet, fields: ListFields, has_headings: bool | None) -> Iterator[Part]:
    grid = sheet.rows
    filled = [number for number, row in enumerate(grid) if any(row)]
    if not filled:
        return
    found = _headings_of(grid, filled, fields, has_headings)
    starts = [found.row]
    if found.kind == "known":
        starts += [n for n in filled if n > found.row and _headings_repeat(grid, n, found.row, fields)]
    title = " ".join(cell for n in filled if n < found.row for cell in grid[n] if cell)[:200]
    for start, end in pairwise([*starts, len(grid)]):
        section = [(n, grid[n]) for n in filled if (start < n if found.kind else start <= n) and n < end]
        cells = grid[start] if found.kind else []
        blocks = _blocks(cells, section, fields)
        for first, last in blocks:
            name = sheet.name
            if len(blocks) > 1:
                ends = {"first": letters_of_column(first), "last": letters_of_column(last - 1)}
                columns = _("columns %(first)s–%(last)s") % ends
                name = f"{name} {columns}".strip()
            if len(starts) > 1:
                lines = _("rows %(first)d–%(last)d") % {"first": start + 1, "last": end}
                name = f"{name} {lines}".strip()
            headings = [cells[column] if column < len(cells) else "" for column in range(first, last)]
            rows = [(n + 1, row[first:last]) for n, row in section if any(row[first:last])]
            repeats = [n for n, row in rows if found.kind == "known" and _is_same(row, headings)]
            yield Part(
                place=0,
                name=name,
                sheet=sheet.name,
                title=title,
                headings=headings,
                first_column=first,
                rows=[row for row in rows if row[0] not in repeats],
                repeats=repeats,
                has_headings=bool(found.kind),
            )


def _known_fields(row: Sequence[str], fields: ListFields) -> int:
    """The number of fields that the cells of a row are headings of; exact matches weigh most."""
    exact = {fields.known[plain(cell)][0] for cell in row if cell and fields.is_heading(cell)}
    if not exact:
        by_words = {fields.field_of(cell)[0] for cell in row if cell} - {""}
        return len(by_words) if by_words & fields.names else 0
    return len(exact | ({fields.field_of(cell)[0] for cell in row if cell} - {""}))


def _looks_like_headings(grid: Grid, filled: list[int]) -> bool:
    """Whether the first row has words where those below have numbers or addresses."""
    first, *below = filled
    head = grid[first]

    def has_signs(cell: str) -> bool:
        return "@" in cell or any(letter.isdigit() for letter in cell)

    if any(has_signs(cell) for cell in head):
        return False
    return any(
        has_signs(grid[number][column])
        for column, cell in enumerate(head)
        if cell
        for number in below[:HEADING_WITHIN]
        if column < len(grid[number])
    )


def _is_same(row: Sequence[str], headings: Sequence[str]) -> bool:
    cells = [plain(cell) for cell in row if cell]
    return cells == [plain(heading) for heading in headings if heading]


def _headings_repeat(grid: Grid, number: int, place: int, fields: ListFields) -> bool:
    """Whether a row further down has other headings than the first: another list begins there."""
    row = [cell for cell in grid[number] if cell]
    if _is_same(row, grid[place]) or not all(map(fields.is_heading, row)):
        return False
    found = {fields.known[plain(cell)][0] for cell in row}
    return len(found) > 1 and bool(found & fields.names)


def _blocks(
    headings: Sequence[str], section: list[tuple[int, list[str]]], fields: ListFields
) -> list[tuple[int, int]]:
    """The (first, last) columns of the lists that are next to each other: each names people, between them is a blank
    column, or the headings repeat."""
    width = max([len(headings), *(len(row) for _number, row in section)], default=0)
    cells = [headings[column] if column < len(headings) else "" for column in range(width)]
    used = [
        bool(cells[column]) or any(column < len(row) and row[column] for _number, row in section)
        for column in range(width)
    ]
    if not any(used):
        return []
    starts = [used.index(True)]
    for column in range(starts[0] + 1, width):
        if not used[column]:
            continue
        is_again = bool(cells[column]) and plain(cells[column]) == plain(cells[starts[-1]])
        if is_again or not used[column - 1]:
            starts.append(column)
    blocks = list(zip(starts, [*starts[1:], width], strict=True))
    named = [
        block
        for block in blocks
        if any(fields.field_of(cell)[0] in fields.names for cell in cells[slice(*block)] if cell)
    ]
    if len(named) < 2:  # a blank column, or a heading that is there twice, divides nothing then
        return [(starts[0], width)]
    # Columns without a name belong to the list before them.
    firsts = [named[0][0], *(first for first, _last in named[1:])]
    firsts[0] = starts[0]
    ends = [*firsts[1:], width]
    return [(first, _without_blank(used, first, end)) for first, end in zip(firsts, ends, strict=True)]


def _without_blank(used: list[bool], first: int, end: int) -> int:
    while end - 1 > first and not used[end - 1]:
        end -= 1
    return end


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
