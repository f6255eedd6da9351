"""Reading a member list: every file is either rows or a named problem in words."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from clubs.member_file import CellProblem, MemberFile, MemberRow, read_member_file
from clubs.spreadsheet import (
    MOST_BYTES,
    MOST_ROWS,
    MOST_UNZIPPED,
    UnreadableFileError,
    guarded,
    without_guard,
)
from tests.clubs.lists import xlsx

TODAY = date(2026, 11, 21)
ANNA = MemberRow(2, "Anna Ærø", 12, date(2001, 2, 3), None, "anna@example.dk", "12 34 56 78")


def rows(data: bytes) -> list[MemberRow]:
    return read_member_file(data).rows(TODAY)


def problem(data: bytes) -> str:
    with pytest.raises(UnreadableFileError) as refused:
        read_member_file(data)
    assert refused.value.message
    return refused.value.name


LIST = "Navn;Medlemsnr.;Indmeldt;E-mail;Telefon\nAnna Ærø;12;03-02-2001;anna@example.dk;12 34 56 78\n"


@pytest.mark.parametrize(
    "data",
    [
        LIST.encode(),
        LIST.encode("utf-8-sig"),
        LIST.encode("cp1252"),
        LIST.encode("utf-16"),
        LIST.replace("\n", "\r\n").encode(),
        LIST.replace("\n", "\r").encode(),
        LIST.replace(";", ",").encode(),
        LIST.replace(";", "\t").encode(),
        ("sep=;\n" + LIST).encode(),
        LIST.replace("Anna Ærø", '"Anna Ærø"').encode(),
        LIST.replace("Medlemsnr.", "Medl. nr.").encode(),
        xlsx(
            ["Navn", "Medlemsnr.", "Indmeldt", "E-mail", "Telefon"],
            ["Anna Ærø", 12, date(2001, 2, 3), "anna@example.dk", "12 34 56 78"],
        ),
        xlsx(
            ["Navn", "Medlemsnr.", "Indmeldt", "E-mail", "Telefon"],
            ["Anna Ærø", 12.0, "3/2/2001", "anna@example.dk", "12 34 56 78"],
        ),
        "PHONE,Joined,Number,First name,LAST NAME,Mail\n"
        "12 34 56 78,2001-02-03,12,Anna,Ærø,anna@example.dk\n".encode(),
    ],
    ids=[
        *(
            "utf-8",
            "byte order mark",
            "windows-1252",
            "utf-16",
            "crlf",
            "cr",
            "comma",
            "tab",
            "sep line",
            "quotes",
            "shortened heading",
        ),
        *("xlsx", "xlsx with text dates", "english, other order"),
    ],
)
def test_the_same_list_is_read_however_it_was_saved(data) -> None:
    place = 3 if b"sep=" in data else 2
    expected = MemberRow(
        place, *[getattr(ANNA, field) for field in ("name", "number", "joined", "left", "email", "phone")]
    )
    assert rows(data) in ([ANNA], [expected])


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        *[
            (heading, "number")
            for heading in (
                "Nr",
                "nr.",
                "No",
                "No.",
                "NUMBER",
                "Medlems nr.",
                "Medlemsnummer",
                "Member number",
            )
        ],
        *[
            (heading, "joined")
            for heading in (
                "Indmeldt",
                "INDMELDT",
                "Joined",
                "Inträde",
                "Medlem sedan",
                "Indmeldelsesdato",
                "Member since",
            )
        ],
        *[(heading, "left") for heading in ("Udmeldt", "Left", "Utträde", "UTTRADE", "udmeldt dato")],
        *[(heading, "email") for heading in ("E-mail", "email", "Mail", "E-post", "Mejl", "Mailadresse")],
        *[
            (heading, "phone")
            for heading in ("Telefon", "Tlf.", "Tfn", "Mobil", "Phone", "Mobile phone", "Telefonnr.")
        ],
    ],
)
def test_a_heading_is_known_in_every_language(heading, field) -> None:
    assert read_member_file(f"Navn;{heading}\nAnna;x\n".encode()).columns == [
        ("name", "Navn"),
        (field, heading),
    ]


def test_titles_above_the_headings_and_blank_rows_are_passed_over() -> None:
    found = rows(b"Medlemsliste 2026;;\n;;\nNr;Navn;By\n;;\n12;Anna;Viby\n;;Aarhus\n")
    assert found == [MemberRow(5, "Anna", 12)]


def test_unknown_columns_are_named_and_not_kept() -> None:
    file = read_member_file(b"Navn;CPR;Adresse;\nAnna;010203-1234;Vej 1;x\n")
    assert file.ignored == ["CPR", "Adresse"]
    assert "010203" not in str(file.as_json())


def test_what_was_kept_reads_the_same_again() -> None:
    file = read_member_file(LIST.encode())
    assert MemberFile.from_json(file.as_json()).rows(TODAY) == [ANNA]


def test_of_two_columns_for_one_field_the_first_that_says_something_counts() -> None:
    assert [row.phone for row in rows(b"Navn;Mobil;Telefon\nAnna;;11\nBo;22;33\n")] == ["11", "22"]


def test_the_sheet_that_looks_most_like_a_member_list_is_read() -> None:
    book = Workbook()
    book.active.append(["Regnskab", 2026])
    book.create_sheet("Medlemmer").append(["Navn", "Nr"])
    book["Medlemmer"].append(["Anna", 12])
    stream = io.BytesIO()
    book.save(stream)
    assert rows(stream.getvalue()) == [MemberRow(2, "Anna", 12)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("03-02-2001", date(2001, 2, 3)),
        ("3-2-2001", date(2001, 2, 3)),
        ("03.02.01", date(2001, 2, 3)),
        ("3/2/01", date(2001, 2, 3)),
        ("3. 2. 2001", None),
        ("3.2.98", date(1998, 2, 3)),
        ("3.2.27", date(2027, 2, 3)),
        ("3.2.28", date(1928, 2, 3)),
        ("2001-02-03", date(2001, 2, 3)),
        ("2001-02-03 00:00:00", date(2001, 2, 3)),
        ("29-02-2024", date(2024, 2, 29)),
        ("29-02-2023", None),
        ("31-12-1899", None),
        ("2001", None),
        ("i går", None),
    ],
)
def test_a_date_is_read_as_danes_write_it(text, day) -> None:
    found = rows(f"Navn;Indmeldt\nAnna;{text}\n".encode())[0]
    assert found.joined == day
    assert [problem.column for problem in found.problems] == ([] if day else ["Indmeldt"])


@pytest.mark.parametrize(
    ("heading", "cell", "text"),
    [
        ("Nr", "tolv", "“tolv” is not a whole number."),
        ("Nr", "-1", "“-1” is not a whole number."),
        ("Nr", "0", "“0” is not a whole number."),
        ("Nr", "1234567890", "“1234567890” is not a whole number."),
        ("Udmeldt", "snart", "“snart” is not a date such as 21-11-2026."),
    ],
)
def test_a_wrong_cell_is_named_with_its_column(heading, cell, text) -> None:
    found = rows(f'Navn;{heading}\nAnna;"{cell}"\n'.encode())[0]
    assert found.problems == (CellProblem(heading, text),)


@pytest.mark.parametrize(
    ("heading", "cell", "text"),
    [
        ("Mail", "anna", "“anna” is not an e-mail address: it is left out."),
        ("Mail", "anna@localhost@x.dk", "“anna@localhost@x.dk” is not an e-mail address: it is left out."),
        ("Tlf", "1" * 41, f"“{'1' * 40}” is longer than a phone number: it is left out."),
    ],
)
def test_a_bad_address_or_number_costs_itself_and_not_the_person(heading, cell, text) -> None:
    found = rows(f'Navn;{heading}\nAnna;"{cell}"\n'.encode())[0]
    assert (found.name, found.email, found.phone, found.problems) == ("Anna", "", "", ())
    assert found.notes == (CellProblem(heading, text),)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("Lund, Anna", "Anna Lund"),
        ("Lund Jensen, Anna Marie", "Anna Marie Lund Jensen"),
        ("von Düring, Karl", "Karl von Düring"),
        ("de la Cour,Anna", "Anna de la Cour"),
        ("ANNA LUND", "Anna Lund"),
        ("anna von düring-lund", "Anna von Düring-Lund"),
        ("LUND, ANNA-MARIE", "Anna-Marie Lund"),
        ("Lund, jr.", "Lund, jr."),
        ("Lund, Anna, Stilling", "Lund, Anna, Stilling"),
        ("Bord 3, Anna", "Bord 3, Anna"),
        ("Anna McDonald", "Anna McDonald"),
        ("AB", "AB"),
    ],
)
def test_a_name_is_read_first_names_first_and_in_usual_letters(name, read) -> None:
    found = rows(f'Navn\n"{name}"\n'.encode())[0]
    notes = () if name == read else (CellProblem("Navn", f"“{name}” is read as {read}."),)
    assert (found.name, found.notes) == (read, notes)


@pytest.mark.parametrize(
    "cell", ["Anna Lund <anna@x.dk>", "mailto:anna@x.dk", "anna@x.dk; bo@x.dk", "anna@x.dk, bo@x.dk"]
)
def test_the_first_address_of_a_cell_is_read_and_told(cell) -> None:
    found = rows(f'Navn;Mail\nAnna;"{cell}"\n'.encode())[0]
    assert (found.email, found.notes) == (
        "anna@x.dk",
        (CellProblem("Mail", f"“{cell}” is read as anna@x.dk."),),
    )


@pytest.mark.parametrize("number", ["0012", "12", "12.", "12,0", "12.0"])
def test_a_member_number_is_a_number_however_it_is_written(number) -> None:
    assert rows(f'Navn;Nr\nAnna;"{number}"\n'.encode())[0].number == 12


@pytest.mark.parametrize(
    ("name", "wrong"), [("", True), ("x" * 200, False), ("x" * 201, True), ("\"🂡 O'Hara", False)]
)
def test_a_name_has_1_to_200_letters_of_any_kind(name, wrong) -> None:
    quoted = name.replace('"', '""')
    found = rows(f'Nr;Navn\n12;"{quoted}"\n'.encode())[0]
    assert (found.name, bool(found.problems)) == (name, wrong)


def zipped(**parts: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/"), content)
    return stream.getvalue()


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
    "one column": (xlsx(["Navn;Nr"], ["Anna;12"]), "one_column"),
    "no headings": (b"Anna;12\nBo;13\n", "no_name_column"),
    "no names": (b"Nr;Mail\n12;a@b.dk\n", "no_name_column"),
    "a letter": ("Kære Anna!\nTak for sidst.\n".encode(), "no_name_column"),
    "open quotation mark": (b'Navn;Nr\n"Anna;12\n' + b"Bo;13\n" * 20, "broken_csv"),
}


OUTCOMES = {"read"} | {name for _data, name in STRANGE.values()}


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


@pytest.mark.parametrize("text", ["=1+1", "+45 12", "-", "@x", "Anna", "'Anna", "", "'"])
def test_a_guarded_cell_is_no_formula_and_reads_as_it_was(text) -> None:
    assert guarded(text)[:1] not in {"=", "+", "-", "@"}
    assert without_guard(guarded(text)) == text
