"""A file's bytes to its sheets of text: CSV of any encoding as programs write it, Excel's XLSX, OpenDocument's ODS.

Nothing here knows members or the database. A file that is no table is refused by a name and in words.

UTF-8 and UTF-16 prove themselves. The encodings of one byte a letter (Windows-1252, Mac Roman, DOS code page 850)
decode anything: each is tried, and the one whose words look most like names wins. Text that was encoded as UTF-8 twice
("KÃ¥re") is decoded once more.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
import warnings
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _

from core.tables.file_formats import UnreadableFileError, format_by_bytes, format_of_zip, open_zip, unreadable
from core.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


NORDIC = frozenset("æøåÆØÅäöÄÖ")
# Other letters of European names.
FAMILIAR = frozenset("éèêëáàâíïóôúüçñðþýßÉÈÁÍÓÚÜÇÐÞÝ")
# In the order of preference where two decode the text equally well.
ONE_BYTE_ENCODINGS = ("cp1252", "mac_roman", "cp850")
_ALLOWED_CONTROLS = frozenset("\t\r\n\f\v")
_WORD = re.compile(r"[^\W\d_]+")
# A letter on both sides of a sign that no name has.
_SIGN_IN_WORD = re.compile(r"(?<=[^\W\d_])[^\w\s\x00-\x7f](?=[^\W\d_])")
_NO_SIGN = frozenset("’‘´`–-·")
# A share of bytes that are zero at even or odd places is UTF-16 without a byte order mark.
_MOST_ZEROS = 0.3
_MOST_TIMES_ENCODED = 3
# Replacement characters for a letter that some program could not encode.
REPLACEMENT = "\ufffd"


class Decoded(NamedTuple):
    """The text, the encoding it was read with, and whether it had been encoded as UTF-8 twice."""

    text: str
    encoding: str
    was_doubled: bool = False


def decode_text(data: bytes) -> Decoded | None:
    """The text of a file, or None for bytes that are no text."""
    for encoding in _certain_encodings(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _is_text(text):
            return None
        repaired = repair_doubled(text)
        return Decoded(repaired, encoding, was_doubled=repaired != text)
    candidates = []
    for encoding in ONE_BYTE_ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _is_text(text):
            candidates.append(Decoded(text, encoding))
    return max(candidates, key=lambda one: likeness_to_names(one.text), default=None)


def _certain_encodings(data: bytes) -> list[str]:
    """The encodings that can be recognised from the bytes themselves."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ["utf-16"]
    half = max(len(data) // 2, 1)
    if data[1::2].count(0) > half * _MOST_ZEROS:
        return ["utf-16-le"]
    if data[0::2].count(0) > half * _MOST_ZEROS:
        return ["utf-16-be"]
    return ["utf-8-sig"]


def _is_text(text: str) -> bool:
    return not any(letter < " " and letter not in _ALLOWED_CONTROLS for letter in text)


def likeness_to_names(text: str) -> int:
    """The similarity of a text to Nordic names: a higher number is more likely the right encoding."""
    score = 0
    for word in set(_WORD.findall(text)):
        if word.isascii():
            continue
        score += sum(_points(letter) for letter in word if not letter.isascii())
        is_sign = len(word) == 1 and word.islower() and word not in NORDIC
        if is_sign or not (word.islower() or word.isupper() or word.istitle()):
            score -= 6
    return score - 3 * sum(sign not in _NO_SIGN for sign in _SIGN_IN_WORD.findall(text))


def _points(letter: str) -> int:
    if letter in NORDIC:
        return 3
    return 1 if letter in FAMILIAR else -2


def repair_doubled(text: str) -> str:
    """The text with what was encoded as UTF-8 twice decoded once more: "KÃ¥re" becomes "Kåre"."""
    for _time in range(_MOST_TIMES_ENCODED):
        repaired = _GARBLED.sub(lambda found: _LETTER_OF[found[0]], text)
        if repaired == text:
            break
        text = repaired
    return text


def _garbled(letter: str, encoding: str) -> str:
    """A UTF-8 letter as decoded with another encoding."""
    data = letter.encode()
    return "".join(_decode_byte(data[place : place + 1], encoding) for place in range(len(data)))


def _decode_byte(byte: bytes, encoding: str) -> str:
    try:
        return byte.decode(encoding)
    except UnicodeDecodeError:  # Windows shows nothing for five of them, and preserves them
        return byte.decode("latin-1")


_OF_WINDOWS = [chr(code) for code in range(0xA0, 0x100)] + list("€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ")
_LETTER_OF = {
    **{
        _garbled(letter, encoding): letter
        for encoding in ("mac_roman", "cp850")
        for letter in NORDIC | FAMILIAR
    },
    **{_garbled(letter, "cp1252"): letter for letter in _OF_WINDOWS},
}
_GARBLED = re.compile("|".join(map(re.escape, sorted(_LETTER_OF, key=len, reverse=True))))


MOST_BYTES = 2 * 1024 * 1024
MOST_ROWS = 5000
MOST_COLUMNS = 60
MOST_SHEETS = 60
# XLSX and ODS are zips: what their parts may unfold to, and how much text all cells may hold together.
MOST_UNZIPPED = 25 * 1024 * 1024
MOST_TEXT = 8 * 1024 * 1024

Grid = list[list[str]]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
# A text that a spreadsheet is to take for no number: ="62521045".
_TEXT_FORMULA = re.compile(r'="([^"]*)"')


@dataclass(frozen=True)
class Sheet:
    """A sheet's name ("" in a CSV), its rows of tidied text, and in `problem` why it cannot be parsed."""

    name: str
    rows: Grid
    problem: str = ""


@dataclass(frozen=True)
class FileContents:
    """All sheets of a file, and notes on what was read otherwise or is not read."""

    sheets: list[Sheet]
    notes: list[str] = field(default_factory=list)


def read_sheets(data: bytes, is_heading: Callable[[str], bool] = lambda _cell: False) -> FileContents:
    """The sheets of a file; a CSV has one. Cells are tidied text, dates yyyy-mm-dd, lines in a cell kept.

    `is_heading` returns whether a cell is a known heading, by which a CSV's separator is found. Raises
    UnreadableFileError.
    """
    if not data.strip():
        raise UnreadableFileError("empty", _("The file is empty."))
    if len(data) > MOST_BYTES:
        raise too_large()
    if data.startswith(b"PK"):
        return _read_zip(data, is_heading)
    if known := format_by_bytes(data):
        raise UnreadableFileError(*known)
    decoded = decode_text(data)
    if decoded is None:
        raise UnreadableFileError(*unreadable(""))
    grid, is_wide = _cut(_limited(read_csv(decoded.text, is_heading)))
    return FileContents([Sheet("", grid)], [*_notes_on(decoded), *([_note_on_width("")] if is_wide else [])])


def too_large() -> UnreadableFileError:
    return UnreadableFileError("too_large", _("The file is too large: a list can be at most 2 MB."))


def _notes_on(decoded: Decoded) -> list[str]:
    notes = []
    example = next((word for word in re.findall(r"\w+", decoded.text) if not word.isascii()), "")
    if decoded.was_doubled:
        notes.append(
            _("The letters in this file were garbled and have been repaired, for example %(word)s.")
            % {"word": example}
        )
    elif decoded.encoding in {"mac_roman", "cp850"}:
        system = {"mac_roman": _("an old Mac"), "cp850": _("DOS")}[decoded.encoding]
        notes.append(
            _("The file comes from %(system)s: its letters are read as in %(word)s.")
            % {"system": system, "word": example}
        )
    if REPLACEMENT in decoded.text:
        notes.append(_("Some letters in the file are lost and shown as �. Correct these names."))
    return notes


def _read_zip(data: bytes, is_heading: Callable[[str], bool]) -> FileContents:
    archive = open_zip(data)
    if archive is None:
        raise _broken()
    with archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_UNZIPPED:
            raise too_large()
        kind = ""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of parts that only Excel itself understands
                kind = format_of_zip(archive)
                if reader := {"ods": _ods_sheets, "xlsx": _xlsx_sheets}.get(kind):
                    return _as_contents(reader(data), is_heading)
        except UnreadableFileError:
            raise
        except Exception:  # noqa: BLE001 - a broken document fails inside the reader in as many ways as it has parts
            raise _broken(kind) from None
    raise UnreadableFileError(*unreadable(kind))


def _broken(kind: str = "") -> UnreadableFileError:
    if kind == "ods":
        return UnreadableFileError(
            "broken_ods", _("This .ods file cannot be read. Open it, save it again and try once more.")
        )
    return UnreadableFileError(
        "broken_excel",
        _("This Excel file cannot be read. Open it, save it again as .xlsx and try once more."),
    )


def _as_contents(
    sheets: list[tuple[str, Iterable[Iterable[Any]]]], is_heading: Callable[[str], bool]
) -> FileContents:
    """The sheets as text. One that has too many rows is named with its problem, unless it is the only one."""
    notes, read, letters = [], [], 0
    for name, rows in sheets[:MOST_SHEETS]:
        try:
            grid, is_wide = _cut(_limited(rows))
        except UnreadableFileError as problem:
            if problem.name != "too_many_rows" or len(sheets) == 1:
                raise
            read.append(Sheet(name, [], problem.message))
            continue
        letters += sum(len(cell) for row in grid for cell in row)
        if letters > MOST_TEXT:
            raise too_large()
        if is_wide:
            notes.append(_note_on_width(name))
        read.append(Sheet(name, divided(grid, is_heading)))
    if len(sheets) > MOST_SHEETS:
        text = _("Only the first %(most)d sheets are read. Not read: %(names)s.")
        unread = ", ".join(name for name, _rows in sheets[MOST_SHEETS:])
        notes.append(text % {"most": MOST_SHEETS, "names": unread[:200]})
    if read and all(sheet.problem for sheet in read):
        raise UnreadableFileError("too_many_rows", read[0].problem)
    return FileContents(read, notes)


def _xlsx_sheets(data: bytes) -> list[tuple[str, Iterable[Iterable[Any]]]]:
    from openpyxl import load_workbook  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    limits = {"max_row": MOST_ROWS + 2, "max_col": MOST_COLUMNS + 1}
    return [(sheet.title, sheet.iter_rows(**limits, values_only=True)) for sheet in book.worksheets]


def _ods_sheets(data: bytes) -> list[tuple[str, Iterable[Iterable[Any]]]]:
    from odfdo import Document  # noqa: PLC0415 - seldom needed: not while the program starts

    body: Any = Document(io.BytesIO(data)).body
    return [(table.name or "", _ods_rows(table)) for table in body.get_elements("table:table")]


def _ods_rows(table: Any) -> Iterator[list[Any]]:
    """The rows of an ODS sheet: what repeats is repeated, within the limits; blank rows at the end are not there."""
    blank = 0
    for row in table.get_elements("descendant::table:table-row"):
        cells = _ods_cells(row)
        times = min(row.repeated or 1, MOST_ROWS + 2)
        if not cells:
            blank += times
            continue
        yield from ([] for _blank in range(min(blank, MOST_ROWS + 2)))
        yield from (cells for _time in range(times))
        blank = 0


def _ods_cells(row: Any) -> list[Any]:
    cells: list[Any] = []
    for cell in row.get_elements("table:table-cell|table:covered-table-cell"):
        room = MOST_COLUMNS + 1 - len(cells)
        if room <= 0:
            break
        cells += [_ods_value(cell)] * min(cell.repeated or 1, room)
    while cells and cells[-1] in (None, ""):
        cells.pop()
    return cells


def _ods_value(cell: Any) -> Any:
    """A date, a number, or what is shown: some programs write text without saying that it is text."""
    try:
        if cell.type == "date":
            return cell.value
        if cell.type in {"float", "currency"}:
            return float(cell.value)
    except (ValueError, TypeError):
        pass  # the displayed text is clearer than an error value
    return "\n".join(part.inner_text for part in cell.get_elements("text:p")) or None


def _limited(rows: Iterable[Iterable[Any]]) -> Grid:
    """The rows as text, unless there are too many of them; blank cells and rows at the end are dropped."""
    grid: Grid = []
    letters = 0
    for row in rows:
        cells = [_text(value) for value in row]
        while cells and not cells[-1]:
            cells.pop()
        letters += sum(map(len, cells))
        if letters > MOST_TEXT:
            raise too_large()
        grid.append(cells)
        if len(grid) > MOST_ROWS + 1 and cells:
            raise UnreadableFileError(
                "too_many_rows", _("The file has more than %(most)d rows. Split it.") % {"most": MOST_ROWS}
            )
    while grid and not any(grid[-1]):
        grid.pop()
    return grid


def _cut(grid: Grid) -> tuple[Grid, bool]:
    """The rows cut behind the last column to be parsed, and whether any cells were cut."""
    is_wide = any(len(row) > MOST_COLUMNS for row in grid)
    return ([row[:MOST_COLUMNS] for row in grid] if is_wide else grid), is_wide


def _note_on_width(name: str) -> str:
    text = _("Columns after number %(most)d are not read.") % {"most": MOST_COLUMNS}
    return f"{name}: {text}" if name else text


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case datetime():
            return value.date().isoformat()
        case date():
            return value.isoformat()
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return _tidy_lines(str(value))


def _tidy_lines(text: str) -> str:
    """The text of a cell, each of its lines tidied and in composed letters."""
    if found := _TEXT_FORMULA.fullmatch(text.strip()):
        text = found[1]
    lines = (clean_text(unicodedata.normalize("NFC", line)) for line in text.splitlines())
    return without_guard("\n".join(filter(None, lines)))


def guarded(text: str) -> str:
    """The text for a cell of a CSV: what a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def without_guard(text: str) -> str:
    """The text of a cell that `guarded` wrote."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_STARTS) else text


SEPARATORS = ";,\t|"
MOST_LINES_IN_CELL = 10
# The separator is detected from this many lines, and this many letters of each.
SAMPLED, LONGEST_LINE = 20, 10_000
_END = "\x1e"


def read_csv(text: str, is_heading: Callable[[str], bool]) -> Iterator[list[str]]:
    """The records of a text, by the separator that divides them best, or that its first line names.

    Raises UnreadableFileError where a quotation mark has swallowed rows.
    """
    if named := re.match(r"sep=(.)\r?\n", text):
        yield []
        yield from _records(text[named.end() :], named[1])
        return
    lines = (line[:LONGEST_LINE] for line in text.splitlines() if line.strip())
    sample = list(islice(lines, SAMPLED))
    yield from _records(text, max(SEPARATORS, key=lambda one: _rank_of(one, sample, is_heading)))


def _rank_of(separator: str, sample: list[str], is_heading: Callable[[str], bool]) -> tuple[int, int]:
    """A rank of a separator by the first lines: known headings, then rows of equal width."""
    records = [next(csv.reader([line], delimiter=separator), []) for line in sample]
    known = max((sum(map(is_heading, record)) for record in records[:10]), default=0)
    widths = Counter(len(record) for record in records if len(record) > 1)
    width, times = widths.most_common(1)[0] if widths else (0, 0)
    # A name alone, "Lund, Anna", has a comma, too.
    is_table = times > len(records) / 2 and (separator != "," or width > 2 or known)
    return known, times * width if is_table else 0


def _records(text: str, separator: str) -> Iterator[list[str]]:
    """The records of a CSV. Raises UnreadableFileError where a quotation mark has swallowed rows."""
    # The last record is none of the file, unless the file ends within quotation marks.
    reader = csv.reader(io.StringIO(f"{text}\n{_END}", newline=""), delimiter=separator)
    width, row, record = 0, 0, list[str]()
    try:
        for row, record in enumerate(reader, start=1):
            if record == [_END]:
                return
            width = max(width, len(record))
            if any(_has_swallowed(cell, separator, width) for cell in record):
                raise _unclosed(row)
            yield record
    except csv.Error:
        raise _unclosed(row + 1) from None
    raise _unclosed(row)


def _has_swallowed(cell: str, separator: str, width: int) -> bool:
    """Whether a cell holds entire rows of the file, since a quotation mark before them was never closed."""
    if "\n" not in cell and "\r" not in cell:
        return False
    lines = cell.splitlines()
    if len(lines) > MOST_LINES_IN_CELL + 1:
        return True
    # "Marstal, Ærø" is a line of an address.
    if separator == ",":
        return any(line.count(separator) >= max(width - 1, 2) for line in lines[1:])
    return any(separator in line for line in lines[1:])


def _unclosed(row: int) -> UnreadableFileError:
    text = _("Row %(row)d: a quotation mark is opened but never closed. Close it or remove it.")
    return UnreadableFileError("broken_csv", text % {"row": row})


def divided(grid: list[list[str]], is_heading: Callable[[str], bool]) -> list[list[str]]:
    """The rows, where a CSV was put into the first column of a sheet as the rows that it is."""
    cells = ["".join(row) for row in grid]
    if any(len(row) > 1 for row in grid) or any("\n" in cell for cell in cells):
        return grid
    sample = [cell for cell in cells if cell][:SAMPLED]
    separator = max(SEPARATORS, key=lambda one: _rank_of(one, sample, is_heading))
    if not sample or not _rank_of(separator, sample, is_heading)[1]:
        return grid
    return [
        [clean_text(part) for part in next(csv.reader([cell], delimiter=separator), [])] for cell in cells
    ]
