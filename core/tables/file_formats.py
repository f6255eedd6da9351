"""Name the format of a file that is no list, and say how to make a list of it."""

from __future__ import annotations

import io
import zipfile
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import UserError

_OLE = b"\xd0\xcf\x11\xe0"
_IN_OLE = "WordDocument".encode("utf-16-le")
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"avif")
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"II*\x00", b"MM\x00*")


class UnreadableFileError(UserError):
    """A file from which no rows can be parsed: `name` for programs, the message for people."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message, "file")
        self.name = name


class Format(NamedTuple):
    """A format that cannot be parsed: `name` for programs, the message for people."""

    name: str
    message: str


_AS_XLSX = gettext_lazy("Open it, and save it as Excel (.xlsx) or CSV.")
_ASK = gettext_lazy("Ask for the list itself as Excel (.xlsx) or CSV.")
_TEXTS = {
    "old_or_locked_excel": gettext_lazy(
        "This Excel file has a password, or is in the old .xls format. Open it and save it as .xlsx."
    ),
    "word": gettext_lazy(
        "This is a Word document. Copy its table into a spreadsheet and save that as .xlsx."
    ),
    "pdf": gettext_lazy("This is a PDF. Save the list as CSV or Excel (.xlsx) instead."),
    "picture": gettext_lazy("This is a picture. Save the list as CSV or Excel (.xlsx) instead."),
    "photo": gettext_lazy("This is a photo from a phone (HEIC)."),
    "rtf": gettext_lazy("This is a text document (.rtf)."),
    "web_page": gettext_lazy("This is a web page, despite its file name."),
    "xml": gettext_lazy("This is an XML file."),
    "json": gettext_lazy("This is a JSON file."),
    "contacts": gettext_lazy("These are contacts (vCard)."),
    "numbers": gettext_lazy(
        "This is a Numbers file. In Numbers, choose File, Export To, Excel, then upload that file."
    ),
    "text_document": gettext_lazy("This is an OpenDocument text (.odt)."),
    "binary_excel": gettext_lazy("This is a binary Excel file (.xlsb)."),
    "locked_ods": gettext_lazy("This file has a password. Save it without one."),
    "archive": gettext_lazy("This is a zip archive. Unpack it and upload the list inside."),
}
# The text itself has the instructions.
_COMPLETE = {
    "old_or_locked_excel",
    "word",
    "pdf",
    "picture",
    "numbers",
    "locked_ods",
    "archive",
}
_TEXT_STARTS = (
    (b"{\\rtf", "rtf"),
    (b"<!doctype html", "web_page"),
    (b"<html", "web_page"),
    (b"<table", "web_page"),
    (b"<?xml", "xml"),
    (b"begin:vcard", "contacts"),
    (b'{"', "json"),
    (b"[{", "json"),
)


def _format_of(name: str) -> Format:
    text = str(_TEXTS[name])
    if name in _COMPLETE:
        return Format(name, text)
    return Format(name, f"{text} {_ASK if name == 'photo' else _AS_XLSX}")


def format_by_bytes(data: bytes) -> Format | None:
    """The format of a file that cannot be parsed, by its first bytes; None if it may be a list."""
    if data.startswith(_OLE):
        return _format_of("word" if _IN_OLE in data else "old_or_locked_excel")
    if data.startswith(b"%PDF"):
        return _format_of("pdf")
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        return _format_of("photo")
    if data.startswith(_PICTURES) or (data.startswith(b"BM") and b"\0" in data[:20]):
        return _format_of("picture")
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return next((_format_of(name) for begins, name in _TEXT_STARTS if start.startswith(begins)), None)


def format_of_zip(archive: zipfile.ZipFile) -> str:
    """The format of a zip: "xlsx", "ods", or the name of a format that cannot be parsed; "" for any other zip."""
    names = set(archive.namelist())
    if "xl/workbook.bin" in names:
        return "binary_excel"
    if "word/document.xml" in names:
        return "word"
    if "[Content_Types].xml" in names:
        return "xlsx"
    if "Index/Document.iwa" in names or "Index.zip" in names:
        return "numbers"
    if "content.xml" in names:
        return _format_of_open_document(archive, names)
    return (
        "archive" if any(name.lower().endswith((".csv", ".xlsx", ".ods", ".xls")) for name in names) else ""
    )


def _format_of_open_document(archive: zipfile.ZipFile, names: set[str]) -> str:
    if "META-INF/manifest.xml" in names and b"encryption-data" in archive.read("META-INF/manifest.xml"):
        return "locked_ods"
    kind = archive.read("mimetype") if "mimetype" in names else b"spreadsheet"
    return "ods" if b"spreadsheet" in kind else "text_document"


def unreadable(name: str) -> Format:
    """A format by its name; for an unknown one, the formats that can be parsed."""
    if name in _TEXTS:
        return _format_of(name)
    return Format("no_table", _("This is neither a CSV, an Excel (.xlsx) nor an OpenDocument file (.ods)."))


def open_zip(data: bytes) -> zipfile.ZipFile | None:
    """The zip that the bytes are; None if it is broken."""
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError):
        return None
