"""A file's bytes to its rows of text: CSV as programs and people write it, and Excel's XLSX.

Nothing here knows members or the database. A file that is no table is refused by a name and in words.
"""

import csv
import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from clubs.names import tidy
from clubs.refusals import Refusal

MOST_BYTES = 2 * 1024 * 1024
MOST_ROWS = 5000
MOST_COLUMNS = 60
MOST_SHEETS = 10
MOST_LINES_IN_CELL = 10
# An XLSX is a zip: what its parts may unfold to, and how much text its cells may hold together.
MOST_UNZIPPED = 25 * 1024 * 1024
MOST_TEXT = 8 * 1024 * 1024

Grid = list[list[str]]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM", b"II*\x00", b"MM\x00*")


class UnreadableFileError(Refusal):
    """A file from which no rows can be read: `name` for programs, the message for people."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message, "file")
        self.name = name


def read_grids(data: bytes) -> list[Grid]:
    """Every way to read the file as a table: one for each sheet of an XLSX, for each separator of a CSV.

    Cells are tidied text, dates as yyyy-mm-dd; a grid's first row is the file's. Raises UnreadableFileError.
    """
    if not data.strip():
        raise UnreadableFileError("empty", _("The file is empty."))
    if len(data) > MOST_BYTES:
        raise too_large()
    if data.startswith(_OLD_EXCEL):
        raise UnreadableFileError(
            "old_or_locked_excel",
            _("This Excel file is locked with a password, or old (.xls). Open it and save it as .xlsx."),
        )
    if data.startswith(b"PK"):
        return _sheets(data)
    if data.startswith(b"%PDF"):
        raise UnreadableFileError("pdf", _("This is a PDF. Save the list as CSV or Excel (.xlsx) instead."))
    if data.startswith(_PICTURES):
        raise UnreadableFileError(
            "picture", _("This is a picture. Save the list as CSV or Excel (.xlsx) instead.")
        )
    return _readings(_decoded(data))


def too_large() -> UnreadableFileError:
    return UnreadableFileError("too_large", _("The file is too large: a list may take up 2 MB."))


def _decoded(data: bytes) -> str:
    """UTF-8, UTF-16 as Excel's "Unicode text", or else Windows-1252."""
    encodings = ("utf-16",) if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(letter < " " and letter not in "\t\r\n\f\v" for letter in text):
            return text
    raise UnreadableFileError("no_table", _("This is neither a CSV nor an Excel file (.xlsx)."))


def _readings(text: str) -> list[Grid]:
    """The text read with each separator; a wrong one may stumble over a quotation mark: it does not count."""
    readings = []
    for separator in ";,\t":
        try:
            readings.append(_limited(_records(text, separator)))
        except csv.Error:
            continue
    if not readings:
        raise UnreadableFileError(
            "broken_csv", _("The CSV file is broken: a quotation mark that opens a text is never closed.")
        )
    return readings


def _records(text: str, separator: str) -> Iterator[list[str]]:
    lines = io.StringIO(text, newline="")
    if text.startswith("sep="):
        next(lines)
    for record in csv.reader(lines, delimiter=separator):
        if any(cell.count("\n") > MOST_LINES_IN_CELL for cell in record):
            raise csv.Error("a quotation mark has swallowed lines")
        yield record


def _sheets(data: bytes) -> list[Grid]:
    broken = UnreadableFileError(
        "broken_excel", _("The Excel file cannot be read. Open it, save it again as .xlsx and try once more.")
    )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            unzipped = sum(part.file_size for part in parts.infolist())
            names = set(parts.namelist())
    except (zipfile.BadZipFile, ValueError, OSError):
        raise broken from None
    if unzipped > MOST_UNZIPPED:
        raise too_large()
    if "[Content_Types].xml" not in names:
        raise UnreadableFileError("no_table", _("This is neither a CSV nor an Excel file (.xlsx)."))
    from openpyxl import load_workbook  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that only Excel itself understands
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            return [
                _limited(sheet.iter_rows(max_row=MOST_ROWS + 2, max_col=MOST_COLUMNS, values_only=True))
                for sheet in book.worksheets[:MOST_SHEETS]
            ]
    except UnreadableFileError:
        raise
    except Exception:  # noqa: BLE001 - a broken workbook fails inside the reader in as many ways as there are parts
        raise broken from None


def _limited(rows: Iterable[Iterable[Any]]) -> Grid:
    """The rows as text, unless there are too many of them; blank rows at the end are dropped."""
    grid: Grid = []
    letters = 0
    for row in rows:
        cells = [_text(value) for value in row][:MOST_COLUMNS]
        letters += sum(map(len, cells))
        if letters > MOST_TEXT:
            raise too_large()
        grid.append(cells)
    while grid and not any(grid[-1]):
        grid.pop()
    if len(grid) > MOST_ROWS + 1:
        raise UnreadableFileError(
            "too_many_rows", _("The file has more than %(most)d rows. Divide it.") % {"most": MOST_ROWS}
        )
    return grid


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
            return without_guard(tidy(str(value)))


def guarded(text: str) -> str:
    """The text for a cell: what a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def without_guard(text: str) -> str:
    """The text of a cell that `guarded` wrote."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_STARTS) else text
