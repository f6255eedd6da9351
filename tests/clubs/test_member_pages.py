"""Adding, changing, leaving, coming back, and members as a file."""

from __future__ import annotations

import io
from datetime import date

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from clubs.mail.kinds import set_consent
from clubs.members import Details, add_member
from clubs.models import Membership, Player
from tests.factories import make_club, make_player

pytestmark = pytest.mark.databases

ANNA = {
    "name": "Anna Holm",
    "number": "12",
    "joined": "2024-02-01",
    "email": "anna@example.dk",
    "phone": "12 34",
}


@pytest.fixture
def bo(club) -> Membership:
    return make_player("Bo Krogh", club, 13).memberships.get()


def add(client, **said):
    return client.post("/clubs/stilling/members/new/", ANNA | said)


def errors(page) -> dict[str, list[str]]:
    return {field: list(texts) for field, texts in page.context["form"].errors.items()}


def test_a_member_is_added(as_alice, club) -> None:
    assert add(as_alice).headers["Location"] == "/clubs/stilling/"
    member = club.memberships.get()
    assert (str(member.player), member.number, member.joined, member.left) == (
        "Anna Holm",
        12,
        date(2024, 2, 1),
        None,
    )
    assert (member.player.email, member.player.phone) == ("anna@example.dk", "12 34")


def test_the_year_of_birth_is_organisers_alone_and_can_be_taken_away(as_alice, as_helper, club) -> None:
    add(as_alice, birth_year="1950")
    member = club.memberships.get()
    assert member.player.birth_year == 1950
    page = f"/clubs/stilling/members/{member.pk}/"
    shown = {
        name: "1950" in browser.get(page).content.decode()
        for name, browser in (("a", as_alice), ("h", as_helper))
    }
    assert shown == {"a": True, "h": False}
    seen = as_alice.get(f"{page}edit/").context["form"].initial_digest
    as_alice.post(f"{page}edit/", ANNA | {"birth_year": "", "seen": seen})
    member.player.refresh_from_db()
    assert member.player.birth_year is None


def test_a_member_needs_neither_number_nor_contact(as_alice, club) -> None:
    add(as_alice, name="  Anna \t Holm ", number="", email="", phone="")
    assert (str(club.memberships.get().player), club.memberships.get().number) == ("Anna Holm", None)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("name", ""),
        ("name", " \t "),
        ("name", "x" * 201),
        ("number", "tolv"),
        ("number", "0"),
        ("number", "-1"),
        ("number", "1" * 30),
        ("number", "13"),
        ("joined", ""),
        ("joined", "31-02-2024"),
        ("joined", "0024-01-01"),
        ("joined", "2999-01-01"),
        ("email", "anna"),
        ("email", "a" * 250 + "@example.dk"),
        ("phone", "1" * 41),
        ("birth_year", "1899"),
        ("birth_year", "2999"),
        ("birth_year", "halvtreds"),
    ],
)
def test_a_wrong_field_is_told_at_the_field_and_nothing_typed_is_lost(
    as_alice, club, bo, field, typed
) -> None:
    page = add(as_alice, **{field: typed})
    assert list(errors(page)) == [field]
    kept = {name: value for name, value in ANNA.items() if name != field}
    assert all(f'value="{value}"' in page.content.decode() for value in kept.values())
    assert Membership.objects.get() == bo


def test_the_holder_of_a_number_is_named(as_alice, club, bo) -> None:
    assert errors(add(as_alice, number="13")) == {"number": ["Number 13 belongs to Bo Krogh."]}


def test_a_newcomer_who_looks_like_a_member_is_asked_about(as_alice, club) -> None:
    make_player("anna  HOLM", club, 1)
    assert errors(add(as_alice)) == {"who": ["Choose one."]}
    assert Player.objects.count() == 1


def test_sending_a_newcomer_twice_adds_them_once(as_alice, club) -> None:
    add(as_alice, number="")
    assert list(errors(add(as_alice, number=""))) == ["who"]
    assert Membership.objects.count() == 1


def test_a_newcomer_may_be_somebody_new_of_the_same_name(as_alice, club) -> None:
    make_player("Anna Holm", club, 1)
    add(as_alice, who="new")
    assert Player.objects.filter(name="Anna Holm").count() == 2


def test_a_newcomer_who_is_a_member_is_not_added_again(as_alice, club) -> None:
    member = make_player("Anna Holm", club, 1).memberships.get()
    assert errors(add(as_alice, who=f"same-{member.pk}")) == {"who": ["Anna Holm is already a member."]}
    assert Membership.objects.count() == 1


def test_a_newcomer_may_be_a_player_of_another_club_of_mine(as_alice, alice, club) -> None:
    viby = make_club("Viby")
    viby.roles.create(account=alice, kind="helper")
    anna = make_player("Anna Holm", viby, 1)
    add(as_alice, who=f"same-{anna.memberships.get().pk}")
    assert anna.memberships.count() == 2
    assert Player.objects.count() == 1


def test_a_player_of_a_club_that_is_not_mine_is_not_offered(as_alice, club) -> None:
    stranger = make_player("Anna Holm", make_club("Viby"), 1).memberships.get()
    assert add(as_alice, who=f"same-{stranger.pk}").status_code == 302
    assert club.memberships.get().player != stranger.player


def test_somebody_who_left_comes_back_as_the_same_player(as_alice, club) -> None:
    anna = make_player("Anna Holm", club, 1)
    anna.memberships.update(left=date(2023, 1, 1))
    add(as_alice, who=f"same-{anna.memberships.get().pk}")
    assert list(anna.memberships.order_by("joined").values_list("number", "left")) == [
        (1, date(2023, 1, 1)),
        (12, None),
    ]


def test_somebody_who_comes_back_to_the_club_keeps_the_contact_that_is_not_given_anew(as_alice, club) -> None:
    anna = make_player("Anna Holm", club, 1)
    Player.objects.filter(pk=anna.pk).update(
        email="a@x.dk", phone="11 22 33 44", birth_year=1950, language="sv", has_objected=True
    )
    set_consent(anna, ["result"], now=timezone.now())
    anna.memberships.update(left=date(2023, 1, 1))
    add(as_alice, who=f"same-{anna.memberships.get().pk}", email="", phone="55 66 77 88", birth_year="")
    anna.refresh_from_db()
    assert (anna.email, anna.phone, anna.birth_year) == ("a@x.dk", "55 66 77 88", 1950)
    assert (anna.language, anna.has_objected) == ("sv", True)
    assert list(anna.agreements.values_list("topic", flat=True)) == ["result"]


def test_somebody_who_comes_from_another_club_brings_no_contact_along(as_alice, alice, club) -> None:
    viby = make_club("Viby")
    anna = make_player("Anna Holm", viby, 1)
    Player.objects.filter(pk=anna.pk).update(email="a@x.dk", phone="11 22 33 44")
    details = Details("Anna Holm", 3, date(2026, 1, 1))
    add_member(club, details, anna, account=alice, now=timezone.now())
    anna.refresh_from_db()
    assert (anna.email, anna.phone) == ("", "")


def change(client, bo, **said):
    opened = client.get(f"/clubs/stilling/members/{bo.pk}/edit/")
    seen = opened.context["form"].initial_digest
    said = {
        "name": "Bo Krogh",
        "number": "13",
        "joined": "2020-01-01",
        "email": "",
        "phone": "",
        "seen": seen,
    } | said
    return client.post(f"/clubs/stilling/members/{bo.pk}/edit/", said)


def test_a_member_is_changed(as_alice, bo) -> None:
    assert change(as_alice, bo, name="Bo Holm", number="14", phone="99").status_code == 302
    bo.refresh_from_db()
    assert (bo.player.name, bo.number, bo.player.phone) == ("Bo Holm", 14, "99")


def test_a_member_keeps_their_own_number(as_alice, bo) -> None:
    assert change(as_alice, bo, phone="99").status_code == 302


def test_who_changes_a_member_after_somebody_else_is_told_and_may_insist(as_alice, bo) -> None:
    opened = as_alice.get(f"/clubs/stilling/members/{bo.pk}/edit/").context["form"].initial_digest
    Player.objects.update(phone="11")
    page = change(as_alice, bo, phone="22", seen=opened)
    assert "11" in errors(page)["__all__"][0]
    assert 'value="22"' in page.content.decode()
    assert Player.objects.get().phone == "11"
    assert change(as_alice, bo, phone="22", seen=page.context["form"].initial_digest).status_code == 302


def test_a_former_member_may_keep_a_number_that_is_anothers_now(as_alice, club, bo) -> None:
    Membership.objects.update(left=date(2024, 1, 1))
    make_player("Carl Dam", club, 13)
    assert change(as_alice, bo, name="Bo K. Krogh").status_code == 302
    assert list(errors(change(as_alice, bo, joined="2024-02-01"))) == ["joined"]


def leave(client, member, day="2026-01-01"):
    return client.post(f"/clubs/stilling/members/{member.pk}/leave/", {"left": day})


def test_a_member_leaves_and_is_one_until_that_day(as_alice, club, bo) -> None:
    leave(as_alice, bo)
    assert [club.memberships.on(date(*day)).exists() for day in ((2025, 12, 31), (2026, 1, 1))] == [
        True,
        False,
    ]


@pytest.mark.parametrize("day", ["2019-12-31", "", "i dag"])
def test_a_day_nobody_can_leave_on_is_told(as_alice, bo, day) -> None:
    assert list(errors(leave(as_alice, bo, day))) == ["left"]
    assert Membership.objects.get().left is None


def test_leaving_is_undone(as_alice, bo) -> None:
    leave(as_alice, bo)
    as_alice.post(f"/clubs/stilling/members/{bo.pk}/return/")
    bo.refresh_from_db()
    assert bo.left is None


def test_leaving_is_not_undone_while_the_number_is_anothers(as_alice, club, bo) -> None:
    leave(as_alice, bo)
    make_player("Carl Dam", club, 13)
    page = as_alice.post(f"/clubs/stilling/members/{bo.pk}/return/", follow=True).content.decode()
    assert "Number 13 now belongs to Carl Dam." in page
    bo.refresh_from_db()
    assert bo.left == date(2026, 1, 1)


def test_leaving_is_not_undone_once_they_have_joined_again(as_alice, club, bo) -> None:
    leave(as_alice, bo)
    bo.player.memberships.create(club=club, joined=date(2026, 2, 1))
    page = as_alice.post(f"/clubs/stilling/members/{bo.pk}/return/", follow=True).content.decode()
    assert "has already rejoined" in page


def test_a_csv_opens_in_spreadsheets_and_runs_no_formula(as_alice, club) -> None:
    player = make_player('=HYPERLINK("x")', club, 12)
    player.phone, player.email, player.birth_year = "+45 12", "@x", 1950
    player.save()
    response = as_alice.get("/clubs/stilling/members.csv")
    assert response["Content-Disposition"] == 'attachment; filename="stilling.csv"'
    assert response.content.decode("utf-8") == (
        "\ufeffNumber,Name,Email,Phone,Joined,Left,Year of birth\r\n"
        '12,"\'=HYPERLINK(""x"")",\'@x,\'+45 12,2020-01-01,,1950\r\n'
    )


def test_an_xlsx_holds_numbers_and_dates_as_such(as_alice, club) -> None:
    make_player("=1+1", club, 12).memberships.update(left=date(2024, 1, 1))
    file = as_alice.get("/clubs/stilling/members.xlsx?who=former").content
    rows = list(load_workbook(io.BytesIO(file)).active.iter_rows(min_row=2))
    assert [cell.data_type for cell in rows[0]] == ["n", "s", "n", "n", "d", "d", "n"]
    assert [rows[0][column].value for column in (0, 1)] == [12, "=1+1"]


def test_an_export_holds_what_is_searched_and_sorted(as_alice, club) -> None:
    for number, name in enumerate(("Anna Holm", "Bo Krogh", "Bodil Dam"), start=1):
        make_player(name, club, number)
    lines = as_alice.get("/clubs/stilling/members.csv?q=bo&sort=-name").content.decode().splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == ["Bodil Dam", "Bo Krogh"]


def test_another_kind_of_file_is_not_found(as_alice, club) -> None:
    assert as_alice.get("/clubs/stilling/members.pdf").status_code == 404


def test_a_newcomer_joins_today_unless_told(as_alice, club) -> None:
    page = as_alice.get("/clubs/stilling/members/new/").content.decode()
    assert f'value="{timezone.localdate().isoformat()}"' in page


def test_a_member_who_wants_no_page_is_marked_and_stays_so(as_alice, club) -> None:
    add(as_alice)
    member = club.memberships.get()
    edit = f"/clubs/stilling/members/{member.pk}/edit/"
    form = as_alice.get(edit).context["form"]
    as_alice.post(edit, ANNA | {"has_objected": "on", "seen": form.initial_digest})
    assert Player.objects.get().has_objected
    assert "wants no page" in as_alice.get(f"/clubs/stilling/members/{member.pk}/").content.decode()
    # Whoever has the form open from before is told.
    page = as_alice.post(edit, ANNA | {"seen": form.initial_digest})
    assert "Wants no page about their evenings over the years" in errors(page)["__all__"][0]
    # Joining another club does not take it back: nobody is asked there.
    viby = make_club("Viby")
    known = member.player
    details = Details("Anna Holm", 3, date(2026, 1, 1))
    add_member(viby, details, known, account=club.roles.get().account, now=timezone.now())
    assert Player.objects.get().has_objected


def test_a_helper_of_a_union_is_offered_nobody_of_its_clubs_and_gets_no_contact(
    as_alice, alice, club
) -> None:
    union = make_club("Union")
    anna = make_player("Anna Holm", make_club("Viby", union), 1)
    Player.objects.filter(pk=anna.pk).update(email="a@x.dk", phone="11 22 33 44")
    union.roles.create(account=alice, kind="helper")
    assert "Viby" not in add(as_alice, name="Anna Holmm").content.decode()
    add_member(club, Details("Anna Holm", 3, date(2026, 1, 1)), anna, account=alice, now=timezone.now())
    anna.refresh_from_db()
    assert (anna.email, anna.phone) == ("", "")
