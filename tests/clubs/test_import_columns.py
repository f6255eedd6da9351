"""Columns and sheets of an uploaded member list: shown, chosen by hand, remembered for the club."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.member_import import forget_old_uploads
from clubs.models import ColumnChoice, MemberImport, UploadedList
from tests.clubs.lists import columns_said
from tests.factories import make_club
from tests.pages import text, words
from tournaments.management.commands import jobs

pytestmark = pytest.mark.databases

GIVEN = Path(__file__).parent / "given"
UPLOAD = "/clubs/stilling/import/"


def upload(client, name: str, data: bytes | None = None, **said):
    file = SimpleUploadedFile(name, (GIVEN / name).read_bytes() if data is None else data)
    return client.post(UPLOAD, {"file": file, "joined": "2026-11-21"} | said)


def columns_of(client, name: str, data: bytes | None = None):
    """The address of the page of columns, and the page."""
    address = upload(client, name, data).headers["Location"]
    assert "/import/columns/" in address
    return address, client.get(address)


def fields_of(page) -> dict[str, str]:
    return {one["column"].label: one["field"] for one in page.context["columns"]}


def test_a_list_that_is_clear_goes_on_to_its_dry_run_at_once(as_alice, club):
    answer = upload(as_alice, "liste.csv", b"Nr;Navn;Tlf\n1;Gro Vik;62520101\n")
    assert answer.headers["Location"] == f"/clubs/stilling/import/{MemberImport.objects.get().pk}/"


def test_sheets_and_columns_that_are_not_read_are_named_and_can_be_chosen(as_alice, club):
    address, page = columns_of(as_alice, "sheets_left_and_members.xlsx")
    said = words(text(page))
    assert "Slettede 1 row" in said
    assert "Kasse 1 row" in said
    assert fields_of(page) == {
        "Nr": "number", "Navn": "name", "Indm. dato": "joined", "E-mail privat": "email",
    }  # fmt: skip
    both = as_alice.post(address, columns_said(page, part=[0, 2]))
    assert "Udmeldt" in fields_of(both)
    answer = as_alice.post(address, columns_said(both))
    plan = as_alice.get(answer.headers["Location"]).context["run"].plan
    assert [line.row.place_in_file for line in plan.lines] == ["2, Slettede", "4, 2026", "5, 2026"]


def test_columns_are_chosen_by_hand_and_remembered_for_the_club(as_alice, club):
    address, page = columns_of(as_alice, "strange_headings.csv")
    assert set(fields_of(page).values()) == {""}
    assert "Choose the column with the names." in text(page)
    chosen = {"column-0": "name", "column-1": "joined", "column-2": "phone"}
    answer = as_alice.post(address, columns_said(page, **chosen))
    run = as_alice.get(answer.headers["Location"]).context["run"]
    assert [(line.row.name, line.row.phone) for line in run.plan.lines] == [
        ("Gro Vik", "62520101"),
        ("Ulf Ås", "62520102"),
    ]
    assert run.file.ignored == ["Kontingent"]
    assert dict(ColumnChoice.objects.values_list("column", "field")) == {
        "hvem": "name", "hvornaar": "joined", "ringtil": "phone", "kontingent": "",
    }  # fmt: skip
    # The next one is clear.
    assert "columns" not in upload(as_alice, "strange_headings.csv").headers["Location"]


def test_another_club_chooses_for_itself(as_alice, club, alice):
    ColumnChoice.objects.create(club=make_club("Viby"), kind="members", column="hvem", field="name")
    _address, page = columns_of(as_alice, "strange_headings.csv")
    assert fields_of(page)["Hvem"] == ""


def test_a_choice_may_be_made_another_time_otherwise(as_alice, club):
    address, page = columns_of(as_alice, "strange_headings.csv")
    for field in ("name", "last"):
        answer = as_alice.post(address, columns_said(page, **{"column-0": field}))
    assert dict(ColumnChoice.objects.values_list("column", "field"))["hvem"] == "last"
    # From the dry run one comes back to the columns.
    assert f'href="{address}"' in text(as_alice.get(answer.headers["Location"]))
    assert fields_of(as_alice.get(address))["Hvem"] == "last"


def test_two_columns_of_one_name_wait_for_a_choice(as_alice, club):
    address, page = columns_of(as_alice, "strange_headings.csv")
    again = as_alice.post(address, columns_said(page, **{"column-0": "name", "column-2": "name"}))
    assert again.status_code == 200
    assert again.context["problems"] == ["More than one column is read as Name. Choose one."]
    assert [one["is_wrong"] for one in again.context["columns"]] == [True, False, True, False]
    assert not MemberImport.objects.exists()


def test_doubtful_rows_are_answered_there(as_alice, club):
    address, page = columns_of(as_alice, "couples.csv")
    assert [one.choices[0][1] for one in page.context["questions"]] == [
        "Gro Vik and Ulf Vik",
        "Siv Moe and Tor By",
    ]
    assert page.context["preview"].summary == "5 people"
    looked = as_alice.post(address, columns_said(page, look="1", **{"answer-3": "take"}))
    assert looked.context["preview"].summary == "4 people"
    answer = as_alice.post(address, columns_said(looked))
    lines = as_alice.get(answer.headers["Location"]).context["run"].plan.lines
    assert [line.row.name for line in lines] == ["Gro Vik", "Ulf Vik", "Siv Moe & Tor By", "Pål Lie"]


def test_many_doubts_of_one_kind_are_one_question(as_alice, club):
    data = "Navn\n" + "".join(f"Gro{n} Vik & Ulf{n} Vik\n" for n in "abcdefgh")
    address, page = columns_of(as_alice, "par.csv", data.encode())
    (question,) = page.context["questions"]
    assert len(question.rows) == 8
    answer = as_alice.post(address, columns_said(page, **{question.name: "take"}))
    assert len(as_alice.get(answer.headers["Location"]).context["run"].plan.lines) == 8


def test_rows_about_nobody_are_told_in_the_dry_run(as_alice, club):
    address, page = columns_of(as_alice, "sums_and_headings.csv")
    answer = as_alice.post(address, columns_said(page))
    said = words(text(as_alice.get(answer.headers["Location"])))
    assert "These rows do not describe a person and are left out: “Aktive medlemmer:” (row 2)" in said
    assert "These columns are ignored: “Kontingent”" in said


def test_a_list_without_headings_is_read_by_what_is_in_it_and_its_first_row_is_asked_about(as_alice, club):
    address, page = columns_of(as_alice, "no_headings.csv")
    assert fields_of(page) == {"Column A": "name", "Column B": "phone", "Column C": "email"}
    other = as_alice.post(address, columns_said(page, headings="yes"))
    assert list(fields_of(other)) == ["Gro Vik", "62520101", "gro@example.org"]
    back = as_alice.post(address, columns_said(other, headings="no"))
    answer = as_alice.post(address, columns_said(back))
    lines = as_alice.get(answer.headers["Location"]).context["run"].plan.lines
    assert [line.row.name for line in lines] == ["Gro Vik", "Ulf Ås"]


def test_what_is_not_chosen_is_kept_until_the_import_and_no_longer(as_alice, club):
    address, page = columns_of(as_alice, "cpr.csv", b"Navn;CPR\nGro Vik;010203-1234\n")
    assert "010203" in str(UploadedList.objects.get().contents)
    dry_run = as_alice.post(address, columns_said(page)).headers["Location"]
    assert "010203" not in str(MemberImport.objects.get().contents)
    as_alice.post(dry_run, {"seen": as_alice.get(dry_run).context["run"].fingerprint})
    assert not UploadedList.objects.exists()


def test_a_dropped_list_is_dropped_with_its_file(as_alice, club):
    address, page = columns_of(as_alice, "couples.csv")
    dry_run = as_alice.post(address, columns_said(page)).headers["Location"]
    as_alice.post(dry_run, {"drop": ""})
    assert not UploadedList.objects.exists()


def test_uploaded_lists_are_forgotten_after_a_day(as_alice, club):
    address, page = columns_of(as_alice, "couples.csv")
    as_alice.post(address, columns_said(page))
    now = UploadedList.objects.get().made_at
    forget_old_uploads(now + timedelta(days=1))
    assert MemberImport.objects.count() == UploadedList.objects.count() == 1
    forget_old_uploads(now + timedelta(days=1, seconds=1))
    assert MemberImport.objects.count() == UploadedList.objects.count() == 0
    assert forget_old_uploads in {done for again in jobs.DUE for done in again.does}


def test_only_who_uploaded_a_list_sees_it(as_alice, as_helper, as_charlie, club):
    address, _page = columns_of(as_alice, "couples.csv")
    for other in (as_helper, as_charlie):
        assert other.get(address).status_code == 403
    UploadedList.objects.update(account=club.roles.get(kind="helper").account)
    assert as_alice.get(address).headers["Location"] == UPLOAD


def test_a_second_click_leads_to_one_dry_run(as_alice, club):
    address, page = columns_of(as_alice, "couples.csv")
    for _time in range(2):
        answer = as_alice.post(address, columns_said(page))
    assert answer.headers["Location"] == f"/clubs/stilling/import/{MemberImport.objects.get().pk}/"


def test_another_file_drops_the_list(as_alice, club):
    address, page = columns_of(as_alice, "couples.csv")
    assert as_alice.post(address, columns_said(page, drop="")).headers["Location"] == UPLOAD
    assert not UploadedList.objects.exists()


@pytest.mark.parametrize(
    "said",
    [
        {"part": ["99", "x", "²"]},
        {"part": []},
        {"column-0": "password"},
        {"column-999": "name", "column-x": "name"},
        {"answer-2": "\x00", "answer-x": "take"},
        {"headings": "perhaps", "headings_shown": "perhaps"},
        {"shown": ["x", "1" * 40]},
    ],
)
def test_a_forged_choice_is_no_error(as_alice, club, said):
    address, page = columns_of(as_alice, "couples.csv")
    assert as_alice.post(address, columns_said(page) | said).status_code in {200, 302}


def test_days_that_can_be_read_in_two_ways_are_asked_about(as_alice, club):
    address, page = columns_of(as_alice, "strange_headings.csv")
    looked = as_alice.post(
        address, columns_said(page, look="1", **{"column-0": "name", "column-1": "joined"})
    )
    hints = {one["column"].label: one["hint"] for one in looked.context["columns"]}
    assert hints["Hvornår"] == "Day first? Read as 1 March 1998"
    assert [name for _first, name, _more in looked.context["preview"].rows] == ["Gro Vik", "Ulf Ås"]
