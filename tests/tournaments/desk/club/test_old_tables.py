"""Tables of old results as clubs have them: what is read of places, days, tokens and sheets, and what is asked."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from clubs.lists.choice import ListTable, guess, problems_of
from clubs.models import ColumnChoice, UploadedList
from core.tables.file_formats import UnreadableFileError
from tests.clubs.lists import columns_said
from tests.pages import text, words
from tournaments.changes.register import register_differences
from tournaments.models import OldEvent, OldPlace, RegisterLink
from tournaments.people.old_rows import (
    FIELDS,
    Row,
    Said,
    missing,
    read_old_file,
    read_place,
    read_rows,
    sealed,
    typed_to_csv,
    unsealed,
)

TODAY = date(2026, 11, 23)
AT = "/clubs/stilling/old-results/"


def rows(table: str | bytes, **said) -> list[Row]:
    data = table.encode() if isinstance(table, str) else table
    return read_old_file(data, TODAY, answers={}, **said)


def book(**sheets: list[list[object]]) -> bytes:
    made = Workbook()
    made.remove(made.active)
    for name, lines in sheets.items():
        sheet = made.create_sheet(name.strip("_"))
        for line in lines:
            sheet.append(line)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def given(client, data: str | bytes, name: str = "aftener.csv"):
    file = SimpleUploadedFile(name, data.encode() if isinstance(data, str) else data)
    return client.post(f"{AT}import/", {"kind": "evening", "file": file})


def stored(client, page, **chosen):
    shown = page.context
    sent = {"kind": shown["kind"], "seen": shown["plan"].mark, "table": shown["table"]}
    sent |= {"given": shown["upload"].pk} if shown["upload"] else {}
    return client.post(f"{AT}store/", sent | chosen, follow=True)


@pytest.mark.parametrize(
    ("cell", "place"),
    [
        ("1", 1), ("1.", 1), ("2-3", 2), ("2–3", 2), ("=4", 4), ("4=", 4), ("T6", 6), ("nr. 8", 8), ("1. plads", 1),
        ("3. plats", 3), ("2nd", 2), ("VII", 7), ("iv.", 4), ("(5)", 0), ("#9", 9), ("0", 0), ("", 0), ("DNF", 0),
        ("-", 0), ("udgået", 0), ("2001", 0), ("to", 0), ("1,5", 0),
    ],
)  # fmt: skip
def test_a_place_is_read_as_books_have_it(cell, place):
    assert read_place(cell) == place


@pytest.mark.parametrize(
    ("cell", "tokens"),
    [
        ("12,5", "12.5"), ("10,0", "10"), ("-22.5", "-22.5"), ("–12", "-12"), ("−12", "-12"), ("1.250", "1250"),
        ("1,250", "1250"), ("1 250", "1250"), ("+40", "40"), ("1.250,5", "1250.5"), ("0,25", "0.25"), ("", None),
    ],
)  # fmt: skip
def test_tokens_are_read_in_any_way_of_writing_numbers(cell, tokens):
    (row,) = rows(f"År;Turnering;Plads;Navn;Point\n2019;DM;1;Gro Vik;{cell}\n")
    assert (row.tokens, row.problems) == (None if tokens is None else Decimal(tokens), [])


@pytest.mark.parametrize("cell", ["tolv", "1/2", "99999999", "0,123", "12-5"])
def test_what_is_no_number_is_told_at_its_heading(cell):
    (row,) = rows(f"År;Turnering;Plads;Navn;Point\n2019;DM;1;Gro Vik;{cell}\n")
    assert [(problem.column, problem.text) for problem in row.problems] == [
        ("Point", f"“{cell}” is not a number.")
    ]


def test_days_are_read_as_in_a_member_list():
    days = ("5/9-19", "12-09-19", "5. september 2019", "43713", "tors 19-09-2019", "19-09-2019 19:00", "2018")
    found = rows("Dato;Turnering;Plads;Navn\n" + "".join(f"{day};Aften;1;Gro Vik\n" for day in days))
    assert [row.day for row in found] == [
        date(2019, 9, 5), date(2019, 9, 12), date(2019, 9, 5), date(2019, 9, 5), date(2019, 9, 19),
        date(2019, 9, 19), None,
    ]  # fmt: skip
    assert [row.year for row in found] == [2019] * 6 + [2018]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "mac_roman", "cp850", "utf-16"])
def test_the_same_encodings_are_read_as_in_a_member_list(encoding):
    (row,) = rows("År;Turnering;Plads;Navn\n2019;Påske på Ærø;1;Søren Kjær\n".encode(encoding))
    assert (row.event, row.name, row.year) == ("Påske på Ærø", "Søren Kjær", 2019)


def test_who_stands_in_one_cell_shares_the_place_and_a_sum_is_nobody():
    found = rows(
        "År;Turnering;Plads;Navn;Point\n2019;Par;1;Gro Vik / Ulf Ås;40\n;;2;Siv Moe & Tor By;30\n;;;I alt;70\n"
    )
    assert [(row.place, row.name, row.tokens) for row in found] == [
        (1, "Gro Vik", 40), (1, "Ulf Ås", 40), (2, "Siv Moe", 30), (2, "Tor By", 30),
    ]  # fmt: skip


def test_of_two_columns_the_one_whose_heading_is_clearer_is_the_place():
    table = ListTable.read(
        "År;Turnering;Nr;Plads;Navn;Jetoner;Point\n2019;DM;17;1;Gro Vik;40;12\n".encode(), FIELDS
    )
    choice = guess(table)
    assert {column.label: choice.fields[column.key] for column in table.columns} == {
        "År": "year", "Turnering": "event", "Nr": "", "Plads": "place", "Navn": "name", "Jetoner": "tokens",
        "Point": "",
    }  # fmt: skip


def test_sheets_of_years_are_read_together_and_give_their_year():
    heads = ["Dato", "Spiller", "1. rd", "2. rd", "Sum"]
    data = book(
        _2018=[heads, ["", "Gro Vik", 10, -4, 6], ["", "Ulf Ås", 2, 2, 4]],
        _2019=[["Sæson 2019"], heads, ["5.9.19", "Ulf Ås", 1, 2, 3]],
        Noter=[["Husk kage"]],
    )
    table = ListTable.read(data, FIELDS)
    choice = guess(table)
    assert [table.parts[place].name for place in sorted(choice.parts)] == ["2018", "2019"]
    assert missing(table, choice, Said()) == [("Choose the column with the event, or type its name.", set())]
    found = read_rows(table, choice, TODAY, Said(event="Klubaften"), {})
    assert [(row.row, row.year, row.place, row.name, row.tokens, row.rounds) for row in found] == [
        ("2, 2018", 2018, 1, "Gro Vik", 6, (10, -4)),
        ("3, 2018", 2018, 2, "Ulf Ås", 4, (2, 2)),
        ("3, 2019", 2019, 1, "Ulf Ås", 3, (1, 2)),
    ]


def test_a_table_without_what_it_needs_says_what_to_choose():
    table = ListTable.read(b"Hund;Navn\n1;Gro Vik\n", FIELDS)
    choice = guess(table)
    assert problems_of(table, choice) == []
    assert [said for said, _keys in missing(table, choice, Said())] == [
        "Choose the column with the event, or type its name.",
        "Choose the column with the year or date, or type the year.",
        "Choose the column with the places or the tokens.",
    ]
    with pytest.raises(UnreadableFileError):
        rows("Hund;Navn\n1;Gro Vik\n")


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        ("2. Bo / Ulf\n4. Dorte", [(2, "Bo"), (2, "Ulf"), (4, "Dorte")]),
        ("2. Bo\n2. Carl\n4. Dorte", [(2, "Bo"), (2, "Carl"), (4, "Dorte")]),
        ("Bo 12,5\nCarl\tDam; 1.250\nTotal Toft –3", [(1, "Bo"), (2, "Carl Dam"), (3, "Total Toft")]),
        ("1 Bo 40\n2-3 Carl 30\n2-3 Dorte 30", [(1, "Bo"), (2, "Carl"), (2, "Dorte")]),
        ("Bo & Carl", [(1, "Bo & Carl")]),
    ],
)
def test_typed_places_are_as_typed(lines, read):
    found = read_old_file(typed_to_csv("DM", 1990, None, lines), TODAY)
    assert [(row.place, row.name) for row in found] == read
    assert not any(row.problems for row in found)


def test_rows_that_a_form_carries_are_as_they_were_and_cannot_be_forged():
    kept = [Row("2, 2018", 2018, date(2018, 5, 6), "DM; “x”", 1, "Gro & Co", Decimal("12.5"), lacks=2)]
    assert unsealed(sealed(kept)) == kept
    assert unsealed(sealed(kept)[:-1]) == unsealed("") == unsealed("x:y") == []


HALF = "År;Turnering;Plads;Navn\n2019;DM;1;Gro Vik\n2019;DM;DNF;Ulf Ås\n2018;DM;1;Siv Moe\n"


def test_half_an_event_is_stored_only_where_somebody_wants_it(as_alice, club):
    looked = given(as_alice, HALF)
    said = words(text(looked))
    assert "“DM” 2019, with 1 of its rows, without 1" in said
    assert "“DNF” has no place." in said
    ((mark, _event, _read, _refused),) = looked.context["plan"].lacking
    stored(as_alice, looked)
    assert [event.year for event in OldEvent.objects.all()] == [2018]
    stored(as_alice, given(as_alice, HALF), **{mark: "1"})
    assert {event.year for event in OldEvent.objects.all()} == {2018, 2019}


def test_an_event_alone_of_which_half_cannot_be_read_is_asked_about_again(as_alice, club):
    looked = given(as_alice, "År;Turnering;Plads;Navn\n2019;DM;1;Gro Vik\n2019;DM;?;Ulf Ås\n")
    again = stored(as_alice, looked)
    assert "Nothing was saved" in text(again)
    assert not OldEvent.objects.exists()
    ((mark, *_counts),) = again.context["plan"].lacking
    stored(as_alice, again, **{mark: "1"})
    assert [str(place) for place in OldPlace.objects.all()] == ["1. Gro Vik"]


def test_columns_are_chosen_and_what_no_column_says_is_typed(as_alice, club):
    data = "Hvornår;Hvem;Resultat;Kr\n12-09-19;Gro Vik;40,5;10\n12-09-19;Ulf Ås;30;7,5\n"
    address = given(as_alice, data).headers["Location"]
    page = as_alice.get(address)
    chosen = {"column-0": "date", "column-1": "name", "column-2": "tokens", "event": "Klubaften", "year": ""}
    looked = as_alice.post(address, columns_said(page, look="1", **chosen))
    assert [(first, name) for first, name, _more in looked.context["preview"].rows] == [
        ("1", "Gro Vik"),
        ("2", "Ulf Ås"),
    ]
    assert looked.context["preview"].summary == "1 event, 2 results, 2 names"
    plan = as_alice.post(address, columns_said(looked, event="Klubaften", year=""))
    assert "Not read: Kr." in text(plan)
    assert f'href="{address}"' in text(plan)
    stored(as_alice, plan)
    assert list(OldPlace.objects.values_list("event__date", "place", "name", "tokens")) == [
        (date(2019, 9, 12), 1, "Gro Vik", Decimal("40.5")),
        (date(2019, 9, 12), 2, "Ulf Ås", 30),
    ]
    assert not UploadedList.objects.exists()
    assert dict(ColumnChoice.objects.values_list("column", "field"))["resultat"] == "tokens"
    # Half a token is shown, and taken along.
    assert "1. Gro Vik +40.50, 2. Ulf Ås +30" in words(text(as_alice.get(AT)))
    again = as_alice.get(f"{AT}results.csv").content
    assert [row.tokens for row in read_old_file(again, TODAY)] == [Decimal("40.5"), 30]


def test_halves_are_in_the_register_as_they_are_stored(as_alice, club):
    stored(
        as_alice, given(as_alice, "År;Turnering;Plads;Navn;Point\n2019;DM;1;Gro Vik;40,50\n2019;DM;2;Bo;7\n")
    )
    chained = [link.content for link in RegisterLink.objects.all()]
    amounts = [one["tokens"] for content in chained for key, one in content.items() if "old place" in key]
    assert sorted(amounts, key=str) == ["40.5", 7]
    assert list(register_differences()) == []


def test_rounds_that_do_not_make_the_sum_are_asked_about(as_alice, club):
    data = "Dato;Turnering;Navn;1. rd;2. rd;Sum\n12-09-19;Aften;Gro Vik;22;9;13\n;;Ulf Ås;1;2;3\n"
    address = given(as_alice, data).headers["Location"]
    page = as_alice.get(address)
    (question,) = page.context["questions"]
    assert question.rows[0].why == "the rounds add up to 31, but it says 13."
    plan = as_alice.post(address, columns_said(page, **{question.name: "written"}))
    assert [line.row.tokens for line in plan.context["plan"].lines] == [13, 3]
    plan = as_alice.post(address, columns_said(page))
    assert [line.row.tokens for line in plan.context["plan"].lines] == [31, 3]


@pytest.mark.parametrize(
    "said", [{"year": "19999"}, {"year": "²"}, {"event": "\x00" * 3}, {"event": "x" * 500}]
)
def test_forged_sayings_are_no_error(as_alice, club, said):
    address = given(as_alice, "Navn;Point\nGro Vik;1\n").headers["Location"]
    page = as_alice.get(address)
    assert as_alice.post(address, columns_said(page, **said)).status_code == 200


def test_only_who_uploaded_a_table_sees_it(as_alice, as_helper, as_charlie, club):
    address = given(as_alice, "Navn;Point\nGro Vik;1\n").headers["Location"]
    for other in (as_helper, as_charlie):
        assert other.get(address).status_code == 403
