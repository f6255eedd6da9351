"""Lists as clubs have them, each a file of `given/`: whom they name, what is told, and what is asked."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

import pytest

from clubs.lists.choice import Choice, ListTable, guess, is_plain, problems_of, records
from clubs.member_rows import FIELDS, MemberFile, as_file, as_members, read_member_file
from core.tables.file_formats import UnreadableFileError
from core.tables.spreadsheet import decode_text, read_sheets, repair_doubled

GIVEN = Path(__file__).parent / "given"
TODAY = date(2026, 11, 21)


def file_of(name: str) -> MemberFile:
    return read_member_file((GIVEN / name).read_bytes())


def people(name: str) -> list[tuple[str, str]]:
    return [(row.place_in_file, row.name) for row in file_of(name).rows(TODAY)]


@pytest.mark.parametrize(
    "name",
    [
        *("windows.csv", "mac_roman.csv", "dos_850.csv", "dos_865.csv", "utf_16_without_mark.txt"),
        *("utf_8_twice.csv", "utf_8_three_times.csv", "utf_8_taken_for_mac.csv"),
    ],
)
def test_nordic_letters_are_read_whatever_the_list_was_saved_as(name):
    assert people(name) == [("2", "Kåre Bjørnsøn"), ("3", "Ærlig Ø. Dæhlie"), ("4", "Göran Ängström")]


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "cp850", "cp865", "utf-8", "utf-16"])
@pytest.mark.parametrize(
    "text",
    [
        *("Søren Kjær", "SØREN KJÆR", "Åge", "Björn Åkesson", "Gård", "Ærø", "Øster Ås", "André Lindén"),
        *("Læsø;Ølgod", "Jörgen Mårtensson", "ÆBLE ØL ÅL", "Çelik Gül", "Zoë Ærø"),
    ],
)
def test_one_name_is_enough_to_tell_the_encoding(encoding, text):
    assert decode_text(f"Navn;By\r\n{text};x\r\n".encode(encoding)).text == f"Navn;By\r\n{text};x\r\n"


@pytest.mark.parametrize("text", ["Ærø L’Hombreklub", "“Åse” – 20 €", "D’Arcy", "Anna – formand"])
def test_the_signs_of_windows_are_no_letters_of_dos(text):
    assert decode_text(text.encode("cp1252")).text == text


@pytest.mark.parametrize(
    "text", ["Ærø – “Åse”", "SPAß“", "Å”", "Søren Ã", "Köln", "naïve", "São Paulo", "Łódź", "Nguyễn"]
)
def test_what_is_not_garbled_is_left_as_it_is(text):
    assert repair_doubled(text) == text


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("three_beside.csv", [
            ("2, columns A–B", "Gro Vik"), ("3, columns A–B", "Pål Lie"), ("2, columns C–D", "Ulf Ås"),
            ("2, columns F–G", "Siv Moe"), ("3, columns F–G", "Tor By"),
        ]),
        ("two_below.csv", [("3", "Gro Vik"), ("4", "Ulf Ås")]),
        ("sums_and_headings.csv", [("3", "Gro Vik"), ("4", "Ulf Ås"), ("7", "Siv Moe")]),
        ("couples.csv", [
            ("2 (1)", "Gro Vik"), ("2 (2)", "Ulf Vik"), ("3 (1)", "Siv Moe"), ("3 (2)", "Tor By"),
            ("4", "Pål Lie"),
        ]),
        ("no_headings.csv", [("1", "Gro Vik"), ("2", "Ulf Ås")]),
        ("csv_in_one_column.xlsx", [("2", "Gro Vik"), ("3", "Ulf Ås")]),
        ("sheets_left_and_members.xlsx", [("4", "Gro Vik"), ("5", "Ulf Ås")]),
        ("libreoffice.ods", [("2", "Gro Vik"), ("5", "Ulf Ås")]),
    ],
)  # fmt: skip
def test_everybody_in_a_list_is_read_and_nobody_else(name, read):
    assert people(name) == read


def test_the_cells_of_an_ods_are_days_and_numbers_and_text_without_a_type():
    gro, ulf = file_of("libreoffice.ods").rows(TODAY)
    assert (gro.number, gro.joined, gro.phone) == (1, date(1998, 9, 1), "62520101")
    assert (ulf.number, ulf.joined, ulf.phone) == (2, None, "+45 62520102")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("quotation_never_closed.csv", "broken_csv"),
        ("quotation_at_the_end.csv", "broken_csv"),
        ("locked.ods", "locked_ods"),
        ("repeats_without_end.ods", "too_many_rows"),
        ("photo.heic", "photo"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(name, problem):
    with pytest.raises(UnreadableFileError) as refused:
        file_of(name)
    assert refused.value.name == problem


def test_a_quotation_mark_that_is_never_closed_is_told_with_its_row():
    with pytest.raises(UnreadableFileError, match="Row 3: a quotation mark"):
        file_of("quotation_never_closed.csv")


def test_sums_headings_and_addresses_are_told_and_can_be_taken_all_the_same():
    file = file_of("sums_and_headings.csv")
    assert [(doubt.label, doubt.written, doubt.kind) for doubt in file.left_out] == [
        ("2", "Aktive medlemmer:", "heading"),
        ("6", "Passive", "heading"),
        ("8", "Medlemmer i alt 3", "total"),
        ("9", "Total", "total"),
        ("10", "www.example.org", "address"),
        ("11", "8300 Odder", "address"),
    ]
    assert file.notes == ["These rows repeat the headings: 5."]
    file.answers["6"] = "take"
    assert [row.name for row in file.rows(TODAY)] == ["Gro Vik", "Ulf Ås", "Passive", "Siv Moe"]


@pytest.mark.parametrize(
    "name", ["Alt Holm", "Sum Li", "Bo Aktiv", "Total Toft", "Karen Sidenius", "Ole Vej"]
)
def test_a_name_with_a_word_of_sums_is_a_person(name):
    assert [row.name for row in read_member_file(f"Navn\n{name}\n".encode()).rows(TODAY)] == [name]


def test_couples_are_two_unless_somebody_says_that_they_are_one():
    file = file_of("couples.csv")
    rows = {row.name: row for row in file.rows(TODAY)}
    assert (rows["Gro Vik"].email, rows["Ulf Vik"].email) == ("vik@example.org", "")
    assert (rows["Siv Moe"].phone, rows["Tor By"].phone) == ("62520103", "62520105")
    file.answers.update({"2": "take", "3": "skip"})
    assert [row.name for row in file.rows(TODAY)] == ["Gro og Ulf Vik", "Pål Lie"]


def test_the_month_comes_first_where_a_column_cannot_be_read_otherwise():
    assert [row.joined for row in file_of("american_days.csv").rows(TODAY)] == [
        date(2021, 9, 14),
        date(1998, 3, 1),
    ]


def test_what_is_not_read_of_a_file_is_told():
    file = file_of("sheets_left_and_members.xlsx")
    assert file.notes == ["Not read: Slettede, Kasse.", "Above the headings and not read: Medlemsliste."]
    assert file_of("two_below.csv").notes == [
        "Not read: rows 6–7.",
        "Above the headings and not read: Aktive.",
    ]


def test_another_sheet_is_read_where_it_is_chosen():
    table = ListTable.read((GIVEN / "sheets_left_and_members.xlsx").read_bytes(), FIELDS)
    choice = guess(table)
    both = Choice(frozenset({0, 2}), choice.fields)
    assert [(row.place_in_file, row.name, row.left) for row in as_members(table, both).rows(TODAY)] == [
        ("2, Slettede", "Tor By", date(2019, 12, 31)),
        ("4, 2026", "Gro Vik", None),
        ("5, 2026", "Ulf Ås", None),
    ]
    assert problems_of(table, Choice(frozenset({1}), choice.fields)) == [
        ("Choose the column with the names.", set())
    ]


def test_columns_that_nobody_knows_are_chosen_and_remembered_ones_are_known():
    table = ListTable.read((GIVEN / "strange_headings.csv").read_bytes(), FIELDS)
    assert guess(table).read(table) == set()
    known = {"hvem": "name", "hvornaar": "joined", "ringtil": "phone", "kontingent": ""}
    choice = guess(table, known)
    assert is_plain(table, choice, known)
    assert [(row.name, row.joined, row.phone) for row in as_members(table, choice).rows(TODAY)] == [
        ("Gro Vik", date(1998, 3, 1), "62520101"),
        ("Ulf Ås", date(2021, 9, 4), "62520102"),
    ]


def test_a_remembered_column_does_not_outdo_a_clearer_heading():
    table = ListTable.read(b"Fornavn;Efternavn;Nr;Medlemsnr\nGro;Vik;1;7\n", FIELDS)
    assert guess(table).fields["medlemsnr"] == guess(table, {"nr": "number"}).fields["medlemsnr"] == "number"
    assert guess(table, {"nr": "number", "medlemsnr": ""}).fields["nr"] == "number"


@pytest.mark.parametrize("cell", ["a" * 32_000, "a@" * 16_000, "1 " * 16_000, "a " * 16_000, "6252" * 8_000])
def test_a_very_long_cell_is_refused_in_no_time(cell):
    begun = time.process_time()
    (row,) = read_member_file(f"Navn;Tlf;Indmeldt\n{cell};{cell};{cell}\n".encode()).rows(TODAY) or [None]
    assert row is None or row.problems
    assert time.process_time() - begun < 20  # 0.1 s here; a pattern that goes back over the cell took minutes


def test_a_first_row_that_is_no_heading_is_a_row_where_somebody_says_so():
    table = ListTable.read(b"Gro Vik;62520101\nUlf Moe;62520102\n", FIELDS)
    assert len(list(records(table, guess(table)))) == 2
    said = ListTable(FIELDS, table.sheets, has_headings=True)
    assert [part.headings for part in said.parts] == [["Gro Vik", "62520101"]]


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("For- og efternavn", "name"), ("Tlf. privat", "phone"), ("Tlf. mobil", "phone"), ("Indm. dato", "joined"),
        ("Membership No.", "number"), ("Forename", "first"), ("Tel (home)", "phone"), ("Mobile No", "phone"),
        ("Date Joined", "joined"), ("E-mail privat", "email"), ("Medl. nr.", "number"), ("Udm.", "left"),
        ("Tel. hem", "phone"), ("Medlem siden", "joined"), ("Telefon/mobil", "phone"),
        ("Kontaktdato", ""), ("Født", "birth_year"),
        ("Fødselsdag", "birth_year"), ("Navn på ægtefælle", ""), ("Kontingent 2026", ""), ("Adresse", ""),
        ("Postnr. og by", ""), ("Title", ""), ("Dato", ""), ("2026", ""),
    ],
)  # fmt: skip
def test_a_heading_is_read_by_its_words(heading, field):
    assert FIELDS.field_of(heading)[0] == field


@pytest.mark.parametrize(
    ("pasted", "read"),
    [
        ("1. Gro Vik\n2) Ulf Ås\n(3) Siv Moe", [("Gro Vik", "", ""), ("Ulf Ås", "", ""), ("Siv Moe", "", "")]),
        ("- Gro Vik\n• Ulf Ås\n*  Siv Moe\n–\tTor By", [
            ("Gro Vik", "", ""), ("Ulf Ås", "", ""), ("Siv Moe", "", ""), ("Tor By", "", ""),
        ]),
        ("Gro Vik <gro@example.org>, Ulf Ås <ulf@example.org>; Siv Moe", [
            ("Gro Vik", "gro@example.org", ""), ("Ulf Ås", "ulf@example.org", ""), ("Siv Moe", "", ""),
        ]),
        ("Gro Vik 62520101\nUlf Ås, tlf. 62 52 01 02\nSiv Moe (siv@example.org)", [
            ("Gro Vik", "", "62520101"), ("Ulf Ås", "", "62 52 01 02"), ("Siv Moe", "siv@example.org", ""),
        ]),
        ("Gro Vik; Ulf Ås", [("Gro Vik", "", ""), ("Ulf Ås", "", "")]),
    ],
)  # fmt: skip
def test_numbers_bullets_and_addresses_are_no_part_of_a_typed_name(pasted, read):
    data, above = as_file(pasted)
    rows = read_member_file(data, put_above=above).rows(TODAY)
    assert [(row.name, row.email, row.phone) for row in rows] == read


@pytest.mark.parametrize(
    ("text", "phone"),
    [
        ("62521044.0", "62521044"), ('="62521045"', "62521045"), ("'62521047", "62521047"),
        ("+45 62 52 10 42", "+45 62 52 10 42"), ("(+45) 6252-1043", "(+45) 6252-1043"),
        ("62 52 10 46 / 20 30 40 50 (efter kl. 17 helst)", "62 52 10 46"),
        ("4.56252E+09", ""), ("ingen", ""), ("hemmeligt nr.", ""), ("?", ""),
        ("62521040 / 62521041", "62521040 / 62521041"),
    ],
)  # fmt: skip
def test_a_phone_number_is_read_without_what_a_spreadsheet_did_to_it(text, phone):
    (row,) = read_member_file(f"Navn;Tlf\nGro Vik;{text}\n".encode()).rows(TODAY)
    assert (row.phone, row.problems, bool(phone) or bool(row.notes)) == (phone, (), True)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("18628", date(1950, 12, 31)), ("1. januar 1998", date(1998, 1, 1)), ("1 Jan 1998", date(1998, 1, 1)),
        ("sept. 2001", date(2001, 9, 1)), ("maj 2001", date(2001, 5, 1)), ("5. mars 2001", date(2001, 3, 5)),
        ("19980901", date(1998, 9, 1)), ("01091998", date(1998, 9, 1)), ("010998", date(1998, 9, 1)),
        ("1.9.1998 00:00", date(1998, 9, 1)), ("1998-09-01T00:00:00", date(1998, 9, 1)),
        ("tors 19-09-2019", date(2019, 9, 19)), ("lørdag d. 5. maj 2001", date(2001, 5, 5)),
        ("5/9-19", date(2019, 9, 5)), ("den 5. maj 2001 kl. 19", date(2001, 5, 5)), ("9/2001", date(2001, 9, 1)),
        ("12/31/1998", None), ("00-00-0000", None), ("30-02-2001", None), ("?", None), ("ca. 1975", None),
        ("01-09-2045", None), ("99999", None), ("ja", None),
    ],
)  # fmt: skip
def test_days_are_read_as_people_and_programs_write_them(text, day):
    (row,) = read_member_file(f"Navn;Indmeldt\nGro Vik;{text}\nUlf Ås;13-01-2000\n".encode()).rows(TODAY)[:1]
    assert (row.joined, row.problems) == (day, ())


def test_columns_behind_the_last_that_is_read_are_told():
    data = ("Navn" + ";" * 59 + ";Bagest\nGro Vik" + ";" * 59 + ";x\n").encode()
    assert read_sheets(data).notes == ["Columns after number 60 are not read."]
