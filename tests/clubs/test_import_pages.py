"""The three steps of an import as an organiser walks them."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs import member_jobs
from clubs.models import MemberImport, Membership, Player
from core.tables.spreadsheet import MOST_BYTES
from tests.clubs.lists import columns_said
from tests.factories import make_player

UPLOAD = "/clubs/stilling/import/"
LIST = "Nr;Navn;Tlf;CPR\n12;Anna Hansen;99;1\n14;Carl Dam;;2\nx;Dora Friis;;3\n15;Bo Krogh;;4\n"


@pytest.fixture(autouse=True)
def members(club) -> None:
    make_player("Anna Hansen", club, 12)
    make_player("Bo Krogh", club, 13)


def upload(client, data: bytes | str = LIST, name: str = "medlemmer.csv", **said):
    data = data.encode() if isinstance(data, str) else data
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, data), "joined": "2026-11-21"} | said)


def dry_run(client, **options):
    address = upload(client, **options).headers["Location"]
    page = client.get(address)
    if "columns" in address:
        address = client.post(address, columns_said(page)).headers["Location"]
        page = client.get(address)
    return address, page


def confirm(client, address, page, **said):
    return client.post(address, {"seen": page.context["run"].fingerprint} | said)


def bo() -> str:
    return f"same-{Membership.objects.get(player__name='Bo Krogh').pk}"


def test_the_dry_run_tells_what_happens_to_every_row_and_does_nothing(as_alice, club) -> None:
    _address, page = dry_run(as_alice)
    kinds = {line.row.row: line.kind for line in page.context["run"].plan.lines}
    assert kinds == {2: "changed", 3: "new", 4: "refused", 5: "doubtful"}
    text = page.content.decode()
    assert "“CPR”" in text
    assert "“Nr”: “x” is not a whole number." in text
    assert "the same person as Bo Krogh, no. 13, member since 1 January 2020" in text
    assert "Import without the rejected rows" in text
    assert Membership.objects.count() == 2


def test_an_import_is_confirmed(as_alice, club) -> None:
    address, page = dry_run(as_alice)
    done = confirm(as_alice, address, page, **{"row-5": bo()})
    assert done.headers["Location"] == "/clubs/stilling/"
    assert list(
        club.memberships.order_by("number").values_list("number", "player__name", "player__phone")
    ) == [
        (12, "Anna Hansen", "99"),
        (14, "Carl Dam", ""),
        (15, "Bo Krogh", ""),
    ]


def test_confirming_twice_imports_once(as_alice, club) -> None:
    address, page = dry_run(as_alice)
    for _time in range(2):
        answer = confirm(as_alice, address, page, **{"row-5": "skip"})
        assert answer.headers["Location"] == "/clubs/stilling/"
    assert Player.objects.count() == 3
    assert "already been imported" in as_alice.get(address, follow=True).content.decode()


def test_a_doubtful_row_without_an_answer_is_asked_about_at_the_row(as_alice, club) -> None:
    address, page = dry_run(as_alice)
    asked = confirm(as_alice, address, page)
    assert asked.status_code == 200
    assert "Nothing has been imported yet" in asked.context["warning"]
    assert asked.content.decode().count("Choose one.") == 1
    assert Membership.objects.count() == 2


def test_rows_of_the_very_same_name_are_answered_at_once_and_then_confirmed(as_alice, club) -> None:
    address, page = dry_run(as_alice)
    filled = confirm(as_alice, address, page, same_names="")
    assert f'value="{bo()}" checked' in filled.content.decode()
    assert Membership.objects.count() == 2
    assert confirm(as_alice, address, filled, **{"row-5": bo()}).status_code == 302


def test_if_the_members_changed_meanwhile_the_dry_run_is_shown_again(as_alice, club) -> None:
    address, page = dry_run(as_alice)
    make_player("Carl Dam", club, 14)
    again = confirm(as_alice, address, page, **{"row-5": bo()})
    assert "The members have changed" in again.context["warning"]
    assert f'value="{bo()}" checked' in again.content.decode()
    assert Membership.objects.count() == 3
    assert confirm(as_alice, address, again, **{"row-5": bo()}).status_code == 302


def test_if_a_choice_makes_a_row_refused_that_is_shown_first(as_alice, club) -> None:
    address, page = dry_run(as_alice, data="Nr;Navn\n13;Boline Krogager\n")
    again = confirm(as_alice, address, page, **{"row-2": "new"})
    assert "With your choices, different rows are now rejected" in again.context["warning"]
    assert "Number 13 belongs to Bo Krogh." in again.content.decode()
    assert Membership.objects.count() == 2


def test_a_list_is_dropped(as_alice, club) -> None:
    address, page = dry_run(as_alice)
    confirm(as_alice, address, page, drop="")
    assert not MemberImport.objects.exists()
    assert Membership.objects.count() == 2


def test_a_list_without_news_offers_nothing_to_confirm(as_alice, club) -> None:
    _address, page = dry_run(as_alice, data="Nr;Navn\n12;Anna Hansen\n")
    assert "There is nothing to import." in page.content.decode()


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"", "tom.csv", "The file is empty."),
        (b"%PDF-1.7", "liste.pdf", "This is a PDF."),
        (b"\x89PNG\r\n", "foto.png", "This is a picture."),
        (b"PK\x03\x04", "liste.xlsx", "This Excel file cannot be read."),
        (b"\xd0\xcf\x11\xe0", "liste.xls", "has a password"),
        (b'Navn\n"Anna\nBo\n', "liste.csv", "Row 2: a quotation mark"),
        (b"x" * (MOST_BYTES + 1), "stor.csv", "too large"),
    ],
)
def test_a_strange_file_is_refused_at_the_field_and_the_day_stays(
    as_alice, club, data, name, message
) -> None:
    page = upload(as_alice, data, name, joined="2025-05-01")
    assert page.status_code == 200
    assert message in page.context["form"].errors["file"][0]
    assert 'value="2025-05-01"' in page.content.decode()
    assert not MemberImport.objects.exists()


def test_no_file_is_told_at_the_field(as_alice, club) -> None:
    page = as_alice.post(UPLOAD, {"joined": "2026-11-21"})
    assert page.context["form"].errors["file"] == ["Choose a file, or type the names below."]


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", 'Ole "Skak" 🂡', "x" * 200, "x" * 5000, "=1+1"])
def test_a_strange_name_stays_text(as_alice, club, name) -> None:
    quoted = name.replace('"', '""')
    _address, page = dry_run(as_alice, data=f'Navn\n"{quoted}"\n')
    assert page.status_code == 200
    assert "<script>alert" not in page.content.decode()


@pytest.mark.parametrize(
    "said",
    [{"row-5": "same-999999"}, {"row-x": "new"}, {"row-999999999999999999999": "new"}, {"seen": "\x00"}, {}],
)
def test_a_forged_answer_imports_nothing(as_alice, club, said) -> None:
    address, page = dry_run(as_alice)
    assert confirm(as_alice, address, page, **said).status_code == 200
    assert Membership.objects.count() == 2


def test_more_doubtful_rows_than_forms_usually_have_fields_are_confirmed(as_alice, club, monkeypatch) -> None:
    monkeypatch.setattr(member_jobs, "IMPORTED_AT_ONCE", 2_000)
    address, page = dry_run(as_alice, data="Navn\n" + "Jens Hansen\n" * 1100)
    choices = {f"row-{line.row.row}": "new" for line in page.context["run"].plan.questions}
    assert len(choices) == 1099
    assert confirm(as_alice, address, page, **choices).status_code == 302


@pytest.mark.parametrize(
    ("pasted", "names", "first_row"),
    [
        ("Dora Friis\n\n  Lund, Erik \r\nFie Munk", ["Dora Friis", "Erik Lund", "Fie Munk"], 1),
        ("Nr\tNavn\n7\tGert Skov", ["Gert Skov"], 2),
        ("Navn;Tlf\nGert Skov;1", ["Gert Skov"], 2),
    ],
)
def test_names_that_are_typed_or_pasted_are_a_list_too(as_alice, club, pasted, names, first_row) -> None:
    address = as_alice.post(UPLOAD, {"pasted": pasted, "joined": "2026-11-21"}).headers["Location"]
    page = as_alice.get(address)
    assert page.context["run"].plan.lines[0].row.row == first_row
    confirm(as_alice, address, page)
    new = club.memberships.filter(joined="2026-11-21").values_list("player__name", flat=True)
    assert sorted(new) == names


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"pasted": " \n"}, "file"),
        ({"pasted": "Gert", "file": SimpleUploadedFile("a.csv", b"Navn\nBo")}, "pasted"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_and_what_was_typed_stays(as_alice, club, sent, field) -> None:
    page = as_alice.post(UPLOAD, sent | {"joined": "2026-11-21"})
    assert list(page.context["form"].errors) == [field]
    assert sent["pasted"].strip() in page.content.decode()
    assert not MemberImport.objects.exists()
