"""Files that are no member list: each is refused by a name and in words, and none makes the reader fail."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.member_rows import MemberRow, read_member_file
from core.tables import file_formats
from core.tables.file_formats import UnreadableFileError
from core.tables.spreadsheet import MOST_BYTES, MOST_ROWS, MOST_UNZIPPED
from tests.clubs.lists import xlsx

TODAY = date(2026, 11, 21)


def rows(data: bytes) -> list[MemberRow]:
    return read_member_file(data).rows(TODAY)


def problem(data: bytes) -> str:
    with pytest.raises(UnreadableFileError) as refused:
        read_member_file(data)
    assert refused.value.message
    return refused.value.name


def zipped(**parts: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/"), content)
    return stream.getvalue()


def ods(doctype: str, text: str) -> bytes:
    names = {"office": "office", "table": "table", "text": "text"}
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"' for name, space in names.items()
    )
    cell = f"<table:table-cell><text:p>{text}</text:p></table:table-cell>"
    body = (
        f'<?xml version="1.0"?>{doctype}<office:document-content {spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="A"><table:table-row>{cell}</table:table-row></table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    manifest = b'<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return zipped(mimetype=kind, **{"content.xml": body.encode(), "META-INF__manifest.xml": manifest})


STRANGE = {
    "nothing": (b"", "empty"),
    "blanks": (b" \r\n\n", "empty"),
    "separators": (b";;;\n;;;\n", "empty"),
    "blank sheet": (xlsx(), "empty"),
    "headings only": (b"Navn;Nr\n", "no_members"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "picture"),
    "photo": (b"\xff\xd8\xff\xe0" + bytes(100), "picture"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "pdf"),
    "xls or locked xlsx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "old_or_locked_excel"),
    "program": (b"\x7fELF\x02\x01\x01\x00" + bytes(100), "no_table"),
    "broken zip": (b"PK\x03\x04" + bytes(100), "broken_excel"),
    "half an xlsx": (xlsx(["Navn"], ["Anna"])[:-400], "broken_excel"),
    "zip": (zipped(a=b"Navn"), "no_table"),
    "xlsx without a book": (zipped(**{"[Content_Types].xml": b"<x/>"}), "broken_excel"),
    "xlsx of nonsense": (
        zipped(**{"[Content_Types].xml": b"<", "xl__workbook.xml": b"\x00"}),
        "broken_excel",
    ),
    "zip bomb": (zipped(**{"[Content_Types].xml": bytes(MOST_UNZIPPED + 1)}), "too_large"),
    "large file": (b"Navn\n" + b"Anna\n" * (MOST_BYTES // 5), "too_large"),
    "many rows": (b"Navn\n" + b"Anna\n" * (MOST_ROWS + 1), "too_many_rows"),
    "many rows of xlsx": (xlsx(["Navn"], *([["Anna"]] * (MOST_ROWS + 1))), "too_many_rows"),
    "much text": (xlsx(["Navn"], *([["x" * 32000] * 10] * 30)), "too_large"),
    "no headings": (b"Anna;12\nBo;13\n", "no_name_column"),
    "no names": (b"Nr;Mail\n12;a@b.dk\n", "no_name_column"),
    "a letter": ("Kære Anna!\nTak for sidst.\n".encode(), "no_name_column"),
    "word": (zipped(**{"word__document.xml": b"<x/>"}), "word"),
    "photo of a phone": (b"\x00\x00\x00\x18ftypheic" + bytes(20), "photo"),
    "web page": (b"<HTML><table><tr><td>Navn</td></tr></table>", "web_page"),
    "text document": (b"{\\rtf1 Navn}", "rtf"),
    "contacts": (b"BEGIN:VCARD\r\nFN:Anna\r\n", "contacts"),
    "numbers": (zipped(Index__Document=b"x", **{"Index__Document.iwa": b"x"}), "numbers"),
    "binary excel": (zipped(**{"[Content_Types].xml": b"<x/>", "xl__workbook.bin": b"x"}), "binary_excel"),
    "open document text": (
        zipped(**{"content.xml": b"<x/>", "mimetype": b"application/vnd.oasis.opendocument.text"}),
        "text_document",
    ),
    "ods of nonsense": (zipped(**{"content.xml": b"<"}), "broken_ods"),
    "ods that names a file of the machine": (
        ods('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>', "x&e;y"),
        "broken_ods",
    ),
    "ods whose entities unfold without end": (
        ods(
            '<!DOCTYPE x [<!ENTITY a0 "lol">'
            + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
            + "]>",
            "&a9;",
        ),
        "broken_ods",
    ),
    "open quotation mark": (b'Navn;Nr\n"Anna;12\n' + b"Bo;13\n" * 20, "broken_csv"),
}


OUTCOMES = {"read", *file_formats._TEXTS} | {name for _data, name in STRANGE.values()}


@pytest.mark.parametrize(("data", "name"), STRANGE.values(), ids=STRANGE)
def test_a_strange_file_is_refused_by_name(data, name) -> None:
    assert problem(data) == name


def test_as_many_rows_as_allowed_are_read() -> None:
    assert len(rows(b"Navn\n" + b"Anna\n" * MOST_ROWS)) == MOST_ROWS


def test_a_cell_may_hold_lines() -> None:
    assert rows(b'Navn;Nr\n"Anna\r\nHolm";12\n') == [MemberRow(2, "Anna Holm", 12)]


def outcome(data: bytes) -> str:
    """What became of a file: the name of its problem, or "read"."""
    try:
        found = rows(data)
    except UnreadableFileError as refused:
        return refused.name if refused.message else "refused without words"
    return "read" if all(row.name or row.problems for row in found) else "read without a name"


@given(st.binary(max_size=300))
def test_no_bytes_make_the_reader_fail(data) -> None:
    assert outcome(data) in OUTCOMES


@pytest.mark.slow
@given(st.text(max_size=300))
def test_no_text_below_headings_makes_the_reader_fail(text) -> None:
    assert outcome(b"Navn;Nr;Indmeldt;Mail\n" + text.encode()) in OUTCOMES
