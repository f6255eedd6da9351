"""One convention for files: what a spreadsheet gets, in Danish and in English."""

from __future__ import annotations

import io
import weakref
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from openpyxl import load_workbook

from core.tables.files import MEASURED, Table, number_of, table_file, write_tables
from tests.languages import LANGUAGES

ROWS = [
    ["Ærø; by, =1", 7, Fraction(19, 2), Fraction(-1, 3), date(2026, 11, 22), None],
    ["=1+1", -2, 0.25, 1, "", ""],
]
TABLE = Table(["Navn", "+1", "a", "b", "c", "d"], ROWS, "Liste")


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("da", ["Navn;'+1;a;b;c;d", '"Ærø; by, =1";7;9,5;-0,3333;2026-11-22;', "'=1+1;-2;0,25;1;;"]),
        ("sv", ["Navn;'+1;a;b;c;d", '"Ærø; by, =1";7;9,5;-0,3333;2026-11-22;', "'=1+1;-2;0,25;1;;"]),
        ("en", ["Navn,'+1,a,b,c,d", '"Ærø; by, =1",7,9.5,-0.3333,2026-11-22,', "'=1+1,-2,0.25,1,,"]),
    ],
)
def test_a_csv_is_written_as_the_readers_spreadsheet_reads_it(language, lines):
    with translation.override(language):
        data = table_file("csv", TABLE)
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.decode("utf-8-sig") == "".join(f"{line}\r\n" for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_an_xlsx_numbers_and_days_are_such_in_any_language(language):
    with translation.override(language):
        book = load_workbook(io.BytesIO(table_file("xlsx", TABLE, Table(["x"], [], "To"))))
    first, second = book
    assert (first.title, second.title) == ("Liste", "To")
    assert [cell.data_type for cell in first[2]][:5] == ["s", "n", "n", "n", "d"]
    assert [cell.value for cell in first[2]][1:4] == [7, 9.5, -0.3333]
    assert (first["A3"].value, first["A3"].data_type) == ("=1+1", "s")
    assert (first["B1"].value, first["B1"].data_type) == ("+1", "s")


@pytest.mark.parametrize("text", ["+45 62 52 10 40", "=1+1", "-", "@x", '=HYPERLINK("http://x")', "\t=1"])
def test_an_xlsx_has_no_apostrophe_and_still_no_formula(text):
    sheet = load_workbook(io.BytesIO(table_file("xlsx", Table(["a"], [[text]])))).active
    assert (sheet["A2"].value, sheet["A2"].data_type) == (text, "s")
    assert sheet["A2"].quotePrefix


@pytest.mark.parametrize(
    ("amount", "number"),
    [(3, 3), (Fraction(9), 9), (Fraction(19, 2), 9.5), (Fraction(1, 3), 0.3333), (2.5, 2.5)],
)
def test_what_is_no_whole_number_has_four_decimals(amount, number):
    assert number_of(amount) == number
    assert type(number_of(amount)) is type(number)


def test_no_other_place_writes_a_table():
    sources = [
        *Path(settings.BASE_DIR, "clubs").rglob("*.py"),
        *Path(settings.BASE_DIR, "core").rglob("*.py"),
        *Path(settings.BASE_DIR, "tournaments").rglob("*.py"),
    ]
    writers = {
        path.name
        for path in sources
        if any(way in path.read_text("utf-8") for way in ("csv.writer", ".export(", "tablib", "Workbook("))
    }
    # Names that are typed or pasted are read as the file that they would be.
    assert writers == {"files.py", "member_rows.py", "old_rows.py"}


class Row:
    def __iter__(self):
        yield from (1, "Anna Holm")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_long_list_is_written_as_its_rows_come_and_is_never_there_as_a_whole(kind):
    alive: weakref.WeakSet[Row] = weakref.WeakSet()
    held = []

    def rows():
        for _number in range(2 * MEASURED):
            row = Row()
            alive.add(row)
            held.append(len(alive))
            yield row

    write_tables(file := io.BytesIO(), kind, Table(["Number", "Name"], rows()))
    assert len(held) == 2 * MEASURED
    assert max(held) <= 2
    assert file.getvalue()
