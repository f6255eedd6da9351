"""Reading a member list: every file is either rows or a named problem in words."""

from __future__ import annotations

import io
from datetime import date

import pytest
from openpyxl import Workbook

from clubs.member_rows import CellProblem, MemberFile, MemberRow, read_member_file
from core.tables.spreadsheet import guarded, without_guard
from tests.clubs.lists import xlsx

TODAY = date(2026, 11, 21)
ANNA = MemberRow(2, "Anna Ærø", 12, date(2001, 2, 3), None, "anna@example.dk", "12 34 56 78")


def rows(data: bytes) -> list[MemberRow]:
    return read_member_file(data).rows(TODAY)


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
            ["Navn", "Medlemsnr.", "Indmeldt", "Email", "Telefon"],
            ["Anna Ærø", 12, date(2001, 2, 3), "anna@example.dk", "12 34 56 78"],
        ),
        xlsx(
            ["Navn", "Medlemsnr.", "Indmeldt", "Email", "Telefon"],
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
        *[(heading, "email") for heading in ("Email", "email", "Mail", "E-post", "Mejl", "Mailadresse")],
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


@pytest.mark.parametrize(
    "heading", ["Født", "Fødselsår", "Fødselsdato", "Född", "Födelseår", "Year of birth", "Born"]
)
@pytest.mark.parametrize(
    ("cell", "year", "note"),
    [
        ("1950", 1950, None),
        ("12-03-1950", 1950, "“12-03-1950” is read as 1950."),
        ("3/25/1950", 1950, "“3/25/1950” is read as 1950."),
        ("12.3.50", 1950, "“12.3.50” is read as 1950."),
        ("", None, None),
        *(
            (odd, None, f"“{odd}” is not a year of birth such as 1950. It is left out.")
            for odd in ("halvtreds", "2999", "1850", "50", "120350-1234")
        ),
    ],
)
def test_a_year_of_birth_is_read_in_three_languages_and_an_odd_one_costs_the_field(
    heading, cell, year, note
) -> None:
    (row,) = rows(f"Navn;{heading};Medlemsnr.\nAnna Ærø;{cell};12\n".encode())
    assert (row.name, row.number, row.birth_year, row.problems) == ("Anna Ærø", 12, year, ())
    assert [one.text for one in row.notes] == ([note] if note else [])


def test_titles_above_the_headings_and_blank_rows_are_passed_over() -> None:
    found = rows(b"Medlemsliste 2026;;\n;;\nNr;Navn;By\n;;\n12;Anna;Viby\n;;Aarhus\n")
    assert found == [MemberRow(5, "Anna", 12)]


def test_unknown_columns_are_named_and_not_kept() -> None:
    file = read_member_file(b"Navn;CPR;Adresse;\nAnna;010203-1234;Vej 1;x\n")
    assert file.ignored == ["CPR", "Adresse", "Column D"]
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
    (read,) = rows(stream.getvalue())
    assert (read.place_in_file, read.name, read.number) == ("2", "Anna", 12)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("03-02-2001", date(2001, 2, 3)),
        ("3-2-2001", date(2001, 2, 3)),
        ("03.02.01", date(2001, 2, 3)),
        ("3/2/01", date(2001, 2, 3)),
        ("3. 2. 2001", date(2001, 2, 3)),
        ("3.2.98", date(1998, 2, 3)),
        ("3.2.27", date(2027, 2, 3)),
        ("3.2.28", date(1928, 2, 3)),
        ("2001-02-03", date(2001, 2, 3)),
        ("2001-02-03 00:00:00", date(2001, 2, 3)),
        ("29-02-2024", date(2024, 2, 29)),
        ("29-02-2023", None),
        ("31-12-1899", None),
        ("2001", date(2001, 1, 1)),
        ("i går", None),
        ("31-12-2027", None),
    ],
)
def test_a_date_is_read_as_danes_write_it_and_costs_itself_alone(text, day) -> None:
    found = rows(f"Navn;Indmeldt\nAnna;{text}\n".encode())[0]
    assert (found.joined, found.problems) == (day, ())
    assert day or [note.column for note in found.notes] == ["Indmeldt"]


@pytest.mark.parametrize(
    ("heading", "cell", "text"),
    [
        ("Nr", "tolv", "“tolv” is not a whole number."),
        ("Nr", "-1", "“-1” is not a whole number."),
        ("Nr", "0", "“0” is not a whole number."),
        ("Nr", "1234567890", "“1234567890” is not a whole number."),
    ],
)
def test_a_wrong_cell_is_named_with_its_column(heading, cell, text) -> None:
    found = rows(f'Navn;{heading}\nAnna;"{cell}"\n'.encode())[0]
    assert found.problems == (CellProblem(heading, text),)


@pytest.mark.parametrize(
    ("heading", "cell", "text"),
    [
        ("Mail", "anna", "“anna” is not an email address. It is left out."),
        ("Mail", "anna@localhost@x.dk", "“anna@localhost@x.dk” is not an email address. It is left out."),
        ("Udmeldt", "snart", "“snart” is not a date such as 21-11-2026. It is left out."),
        ("Indmeldt", "30-02-2001", "There is no date “30-02-2001”. It is left out."),
        ("Tlf", "4,56E+09", "“4,56E+09” is a phone number that a spreadsheet has damaged. It is left out."),
        ("Tlf", "--------", "“--------” is not a phone number. It is left out."),
        ("Tlf", "1" * 41, f"“{'1' * 40}” is too long for a phone number. It is left out."),
    ],
)
def test_a_bad_address_number_or_day_costs_itself_and_not_the_person(heading, cell, text) -> None:
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


@pytest.mark.parametrize("text", ["=1+1", "+45 12", "-", "@x", "Anna", "'Anna", "", "'"])
def test_a_guarded_cell_is_no_formula_and_reads_as_it_was(text) -> None:
    assert guarded(text)[:1] not in {"=", "+", "-", "@"}
    assert without_guard(guarded(text)) == text
