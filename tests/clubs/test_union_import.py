"""Importing the list of a whole union: every row belongs to the club that it names."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.utils import timezone

from clubs import member_import, member_jobs
from clubs.import_plan import NEW, SKIP
from clubs.lists.choice import ListTable, guess
from clubs.member_import import choose_clubs, confirm, dry_run, store_chosen_rows
from clubs.member_rows import UNION_FIELDS, as_members
from clubs.models import (
    Account,
    Affiliation,
    Club,
    Gives,
    MainClub,
    MemberImport,
    Membership,
    Player,
    Role,
    Transfer,
    UnionNumber,
)
from clubs.register import main_memberships
from clubs.union_import import MAKE, ClubPlan, stored_club
from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.evenings import make_evening
from tests.factories import affiliate, make_account, make_club, make_player
from tests.pages import words

pytestmark = pytest.mark.databases

TODAY = date(2026, 11, 21)


@pytest.fixture
def union(club) -> Club:
    """A union of Stilling and Viby."""
    union = make_club("Fyns Forbund")
    for one in (club, make_club("Viby")):
        affiliate(one, union)
    return union


@pytest.fixture
def viby(union) -> Club:
    return Club.objects.get(name="Viby")


@pytest.fixture
def ulla(union):
    return make_account("ulla", union)


def upload(union: Club, account, text: str) -> MemberImport:
    table = ListTable.read(text.encode(), UNION_FIELDS)
    file = replace(as_members(table, guess(table)), of_union=True)
    return store_chosen_rows(union, account, "list.csv", file, joined=TODAY, now=timezone.now())


def run(union: Club, account, text: str, choices: dict[int, str] | None = None, **clubs: str):
    """What importing a list did: the kind of each row by its number, and why rows were refused."""
    waiting = upload(union, account, text)
    choose_clubs(waiting, clubs)
    shown = dry_run(waiting, choices)
    done = confirm(waiting, choices or {}, shown.fingerprint, timezone.now())
    kinds = {line.row.row: line.kind.value for line in done.plan.lines}
    reasons = {line.row.row: [one.text for one in line.problems] for line in done.plan.lines if line.problems}
    return done.is_done, dict(sorted(kinds.items())), reasons


def members() -> list[tuple[str, str]]:
    found = Membership.objects.filter(left=None).order_by("club__name", "player__name")
    return list(found.values_list("club__name", "player__name"))


LIST = "Navn;Klub;Nr\nAnna Holm;Stilling;1\nBo Krogh;VIBY;1\nCarl Dam;Viby;2\nUlla Vest;Fyns Forbund;\n"


def test_each_row_joins_the_club_that_it_names(union, ulla) -> None:
    assert run(union, ulla, LIST) == (True, {2: "new", 3: "new", 4: "new", 5: "new"}, {})
    assert members() == [
        ("Fyns Forbund", "Ulla Vest"), ("Stilling", "Anna Holm"), ("Viby", "Bo Krogh"), ("Viby", "Carl Dam"),
    ]  # fmt: skip


def test_a_second_import_of_the_same_list_changes_nothing(union, ulla) -> None:
    text = (
        "Navn;Klub;Nr;Unionsnr;Indmeldt;Mail\nAnna Holm;Stilling;1;501;1.2.2020;a@x.dk\n"
        "Bo Krogh;Viby;1;502;;\nCarl Dam;Ny Klub;;503;;\n"
    )
    assert run(union, ulla, text, **{"ny klub": MAKE})[:2] == (True, {2: "new", 3: "new", 4: "new"})
    stored = [list(kind.objects.order_by("pk").values()) for kind in (Club, Player, Membership, UnionNumber)]
    assert run(union, ulla, text) == (True, dict.fromkeys((2, 3, 4), "unchanged"), {})
    assert stored == [
        list(kind.objects.order_by("pk").values()) for kind in (Club, Player, Membership, UnionNumber)
    ]


def test_rows_of_unknown_and_of_other_unions_clubs_are_refused_with_the_reason(union, viby, ulla) -> None:
    make_club("Odder")
    Affiliation.objects.filter(club=viby).update(gives=Gives.NAMES)
    text = "Navn;Klub\nAnna Holm;Ukendt\nBo Krogh;Odder\nCarl Dam;Viby\nDora Friis;\nEva Lund;Stilling\n"
    assert run(union, ulla, text) == (
        True,
        {2: "refused", 3: "refused", 4: "refused", 5: "refused", 6: "new"},
        {
            2: ["There is no club called Ukendt here. Choose one for it above."],
            3: ["Odder does not belong to the union."],
            4: ["Viby keeps its list of members itself."],
            5: ["The row names no club."],
        },
    )
    assert members() == [("Stilling", "Eva Lund")]


def test_an_unknown_club_is_added_or_is_one_that_is_there(union, viby, ulla) -> None:
    text = "Navn;Klub\nAnna Holm;LK Viby\nBo Krogh;Ny Klub\n"
    done = run(union, ulla, text, **{"lk viby": str(viby.pk), "ny klub": MAKE})
    assert done == (True, {2: "new", 3: "new"}, {})
    assert members() == [("Ny Klub", "Bo Krogh"), ("Viby", "Anna Holm")]
    assert Affiliation.objects.get(club__name="Ny Klub", left=None).gives == Gives.EVERYTHING


@pytest.mark.parametrize("chosen", ["999999", "x", ""])
def test_a_choice_that_is_no_club_of_the_union_refuses_the_rows(union, ulla, chosen) -> None:
    _done, kinds, _reasons = run(union, ulla, "Navn;Klub\nAnna Holm;Ukendt\n", ukendt=chosen)
    assert kinds == {2: "refused"}


def test_a_club_of_a_town_is_found_by_it(union, viby, ulla) -> None:
    Club.objects.filter(pk=viby.pk).update(name="Makkerne", town="Viby J")
    assert run(union, ulla, "Navn;Klub\nAnna Holm;viby j\n")[1] == {2: "new"}
    assert members() == [("Makkerne", "Anna Holm")]


def test_one_person_in_two_clubs_of_the_list_is_refused_in_both(union, ulla) -> None:
    text = (
        "Navn;Klub;Mail;Unionsnr\nAnna Holm;Stilling;a@x.dk;\nAnna Holm;Viby;A@x.dk;\n"
        "Bo Krogh;Stilling;;7\nBo Crogh;Viby;;7\nEva Lund;Stilling;;\nEva Lund;Viby;;\n"
    )
    _done, kinds, reasons = run(union, ulla, text)
    assert kinds == {2: "refused", 3: "refused", 4: "refused", 5: "refused", 6: "new", 7: "new"}
    assert reasons[2] == ["Row 3 has the same person in Viby: a person has one main club."]
    assert reasons[5] == ["Row 4 has the same person in Stilling: a person has one main club."]


def test_who_is_a_member_of_two_clubs_already_may_be_in_the_list_twice(union, viby, club, ulla) -> None:
    anna = make_player("Anna Holm", club, 1)
    Membership.objects.create(player=anna, club=viby, joined=date(2021, 1, 1))
    text = "Navn;Klub;Mail\nAnna Holm;Stilling;\nAnna Holm;Viby;\n"
    assert run(union, ulla, text)[1] == {2: "unchanged", 3: "unchanged"}


@pytest.fixture
def anna(club) -> Player:
    anna = make_player("Anna Holm", club, 1)
    Player.objects.filter(pk=anna.pk).update(email="a@x.dk")
    return anna


def test_who_is_in_another_clubs_rows_than_before_moves_there(union, viby, anna, ulla) -> None:
    text = "Navn;Klub;Nr;Mail\nBo Krogh;Stilling;2;\nAnna Holm;Viby;4;a@x.dk\n"
    assert run(union, ulla, text) == (True, {2: "new", 3: "moves"}, {})
    assert list(anna.memberships.order_by("pk").values_list("club__name", "number", "joined", "left")) == [
        ("Stilling", 1, date(2020, 1, 1), TODAY),
        ("Viby", 4, TODAY, None),
    ]
    (moved,) = Transfer.objects.all()
    assert (moved.player, moved.origin.name, moved.club.name, moved.day, moved.state) == (
        anna, "Stilling", "Viby", TODAY, Transfer.State.DONE,
    )  # fmt: skip
    assert run(union, ulla, text) == (True, {2: "unchanged", 3: "unchanged"}, {})


def test_who_comes_back_to_a_former_club_moves(union, viby, anna, ulla) -> None:
    Membership.objects.create(player=anna, club=viby, joined=date(2010, 1, 1), left=date(2020, 1, 1))
    UnionNumber.objects.create(player=anna, union=union, number=77)
    text = "Navn;Klub;Unionsnr\nBo Krogh;Stilling;\nAnna Holm;Viby;77\n"
    assert run(union, ulla, text) == (True, {2: "new", 3: "moves"}, {})
    assert members() == [("Stilling", "Bo Krogh"), ("Viby", "Anna Holm")]


def test_who_moves_leaves_their_main_club_and_the_new_one_is_it(union, viby, club, anna, ulla) -> None:
    odder = make_club("Odder", union)
    Affiliation.objects.update(joined=date(2020, 1, 1))
    Membership.objects.create(player=anna, club=odder, number=3, joined=date(2021, 1, 1))
    for main, left in ((None, "Stilling"), (odder, "Odder")):
        with transaction.atomic():
            if main:
                MainClub.objects.create(
                    player=anna, club=main, day=date(2022, 1, 1), chosen_by="ulla", chosen_at=timezone.now()
                )
            text = "Navn;Klub;Mail\nBo Krogh;Stilling;\nCarl Dam;Odder;\nAnna Holm;Viby;a@x.dk\n"
            assert run(union, ulla, text)[1] == {2: "new", 3: "new", 4: "moves"}
            assert anna.memberships.get(left=TODAY).club.name == left
            assert main_memberships(union, TODAY).get(player=anna).club == viby
            transaction.set_rollback(True)


def contact_of(player: Player) -> tuple[str, str, str]:
    return Player.objects.values_list("name", "email", "phone").get(pk=player.pk)


@pytest.mark.parametrize("left", [None, date(2024, 1, 1)])
@pytest.mark.parametrize(
    ("cells", "contact"),
    [
        (";", ("a@x.dk", "11 22 33 44")),
        ("55667788;", ("a@x.dk", "55667788")),
        (";b@x.dk", ("b@x.dk", "11 22 33 44")),
        ("55667788;b@x.dk", ("b@x.dk", "55667788")),
    ],
)
def test_blank_cells_leave_a_contact_that_the_union_does_not_see(
    union, viby, ulla, left, cells, contact
) -> None:
    anna = make_player("Anna Holm", viby, 1)
    Player.objects.filter(pk=anna.pk).update(email="a@x.dk", phone="11 22 33 44")
    UnionNumber.objects.create(player=anna, union=union, number=77)
    anna.memberships.update(left=left)
    Affiliation.objects.filter(club=viby).update(gives=Gives.NAMES)
    text = f"Navn;Klub;Unionsnr;Tlf;Mail\nAnna Holm;Stilling;77;{cells}\n"
    same = f"same-{anna.memberships.get().pk}"
    assert run(union, ulla, text, {2: same})[0]
    assert anna.memberships.filter(club__name="Stilling", left=None).exists()
    assert contact_of(anna) == ("Anna Holm", *contact)


def test_a_name_alone_in_another_club_is_doubtful(union, anna, ulla) -> None:
    text = "Navn;Klub\nBo Krogh;Stilling\nAnna Holm;Viby\n"
    assert run(union, ulla, text)[:2] == (False, {2: "new", 3: "doubtful"})
    assert members() == [("Stilling", "Anna Holm")]
    same = f"same-{anna.memberships.get().pk}"
    assert run(union, ulla, text, {3: SKIP})[:2] == (True, {2: "new", 3: "left_out"})
    assert run(union, ulla, text, {3: same})[:2] == (True, {2: "unchanged", 3: "moves"})
    assert members() == [("Stilling", "Bo Krogh"), ("Viby", "Anna Holm")]


def test_a_namesake_of_a_club_that_the_list_does_not_hold_is_another_person(union, anna, ulla) -> None:
    assert run(union, ulla, "Navn;Klub\nAnna Holm;Viby\n")[:2] == (True, {2: "new"})


def test_namesakes_in_one_club_are_asked_about(union, ulla) -> None:
    text = "Navn;Klub;Nr\nAnna Holm;Viby;1\nAnna Holm;Viby;2\n"
    assert run(union, ulla, text)[:2] == (False, {2: "new", 3: "doubtful"})
    assert run(union, ulla, text, {3: NEW})[:2] == (True, {2: "new", 3: "new"})
    assert run(union, ulla, text)[:2] == (True, {2: "unchanged", 3: "unchanged"})


def test_a_bad_date_costs_the_field_and_not_the_person(union, ulla) -> None:
    waiting = upload(union, ulla, "Navn;Klub;Indmeldt;Unionsnr\nAnna Holm;Viby;32.13.2020;x\n")
    (line,) = dry_run(waiting).plan.lines
    assert (line.kind, line.becomes.joined, [one.column for one in line.notes]) == (
        "new", TODAY, ["Indmeldt", "Unionsnr"],
    )  # fmt: skip


@pytest.mark.parametrize("joined", ["1.1.2019", "21.11.2026"])
def test_a_move_dated_before_a_game_for_the_old_club_is_refused(union, club, anna, ulla, joined) -> None:
    four = [anna, *(make_player(name, club, 20 + at) for at, name in enumerate(("Ea", "Ib", "Per")))]
    played = make_evening(four, club, ulla, date=TODAY)
    type(played).objects.filter(pk=played.pk).update(state="running")
    # An evening to come that they are entered for does not make the one that was played go away.
    make_evening(four, club, ulla, date=TODAY + timedelta(days=30))
    text = f"Navn;Klub;Mail;Indmeldt\nBo Krogh;Stilling;;\nAnna Holm;Viby;a@x.dk;{joined}\n"
    _done, kinds, reasons = run(union, ulla, text)
    assert kinds == {2: "new", 3: "refused"}
    assert reasons == {
        3: ["They joined or played for their present club after this day. Choose a later one."]
    }
    assert anna.memberships.get().left is None


def test_who_waits_for_a_transfer_is_refused(union, club, viby, anna, ulla) -> None:
    Transfer.objects.create(
        player=anna, origin=club, club=viby, day=TODAY, asked_by="bob", asked_at=timezone.now()
    )
    text = "Navn;Klub;Mail\nBo Krogh;Stilling;\nAnna Holm;Viby;a@x.dk\n"
    assert run(union, ulla, text)[2] == {3: ["A transfer of this person is already waiting for an answer."]}


def test_a_number_in_the_union_belongs_to_one_person(union, anna, ulla) -> None:
    UnionNumber.objects.create(player=anna, union=union, number=77)
    text = "Navn;Klub;Unionsnr\nBo Krogh;Stilling;77\nCarl Dam;Stilling;8\nDora Friis;Stilling;8\nAnna Holm;Stilling;\n"
    _done, kinds, reasons = run(union, ulla, text, {2: NEW, 4: NEW})
    assert kinds == {2: "refused", 3: "new", 4: "refused", 5: "unchanged"}
    assert reasons == {
        2: ["Number 77 in the union belongs to Anna Holm."], 4: ["Row 3 has the same number."],
    }  # fmt: skip
    assert sorted(UnionNumber.objects.values_list("player__name", "number")) == [
        ("Anna Holm", 77), ("Carl Dam", 8),
    ]  # fmt: skip


@pytest.mark.parametrize("left", [None, date(2024, 1, 1)])
@pytest.mark.parametrize("at", ["Stilling", "Viby"])
@pytest.mark.parametrize("name", ["Bo Krogh", "Anna Lund", "Ana Holm"])
def test_a_number_with_another_name_is_asked_about(union, anna, ulla, left, at, name) -> None:
    UnionNumber.objects.create(player=anna, union=union, number=77)
    anna.memberships.update(left=left)
    text = f"Navn;Klub;Unionsnr\nCarl Dam;Stilling;\n{name};{at};77\n"
    same = f"same-{anna.memberships.get().pk}"
    shown = dry_run(upload(union, ulla, text))
    (line,) = shown.plan.questions
    assert (line.row.row, line.kind, line.choices) == (3, "doubtful", [same, NEW, SKIP])

    assert run(union, ulla, text)[:2] == (False, {2: "new", 3: "doubtful"})
    assert run(union, ulla, text, {3: NEW}) == (
        True,
        {2: "new", 3: "refused"},
        {3: ["Number 77 in the union belongs to Anna Holm."]},
    )
    assert contact_of(anna)[0] == "Anna Holm"
    assert anna.memberships.get().left == left
    assert run(union, ulla, text, {3: same})[0]
    assert contact_of(anna)[0] == name
    assert (at, name) in members()
    assert UnionNumber.objects.get().player == anna


def test_a_row_refused_for_its_answer_can_be_answered_otherwise(union, anna, ulla) -> None:
    UnionNumber.objects.create(player=anna, union=union, number=77)
    text = "Navn;Klub;Unionsnr\nCarl Dam;Stilling;\nBo Krogh;Viby;77\n"
    (line,) = dry_run(upload(union, ulla, text), {3: NEW}).plan.questions
    assert (line.kind, line.choice) == ("refused", NEW)
    assert [one.text for one in line.problems] == ["Number 77 in the union belongs to Anna Holm."]
    assert line.choices == [f"same-{anna.memberships.get().pk}", NEW, SKIP]


def test_a_name_with_another_number_is_asked_about(union, club, anna, ulla) -> None:
    UnionNumber.objects.create(player=anna, union=union, number=77)
    text = "Navn;Klub;Unionsnr\nAnna Holm;Stilling;88\n"
    same = f"same-{anna.memberships.get().pk}"
    (line,) = dry_run(upload(union, ulla, text)).plan.questions
    assert (line.kind, line.choices) == ("doubtful", [same, NEW, SKIP])
    with transaction.atomic():
        assert run(union, ulla, text, {2: NEW}) == (True, {2: "new"}, {})
        assert set(UnionNumber.objects.values_list("number", "player__name")) == {
            (77, "Anna Holm"), (88, "Anna Holm"),
        }  # fmt: skip
        transaction.set_rollback(True)
    assert run(union, ulla, text, {2: same}) == (True, {2: "changed"}, {})
    assert UnionNumber.objects.get().number == 88


@pytest.mark.parametrize("row", ["Carl Dam;Stilling;;", "Carl Dam;Viby;;"])
def test_the_name_and_contact_of_another_club_with_another_number_is_asked_about(
    union, anna, ulla, row
) -> None:
    """The father and the son of one name have one address, and a number each."""
    UnionNumber.objects.create(player=anna, union=union, number=77)
    text = f"Navn;Klub;Mail;Unionsnr\n{row}\nAnna Holm;Viby;a@x.dk;88\n"
    same = f"same-{anna.memberships.get().pk}"
    (line,) = dry_run(upload(union, ulla, text)).plan.questions
    assert (line.kind, line.choices) == ("doubtful", [same, NEW, SKIP])
    assert run(union, ulla, text, {3: NEW}) == (True, {2: "new", 3: "new"}, {})
    assert UnionNumber.objects.get(number=77).player == anna
    assert anna.memberships.get().left is None


def test_two_of_one_name_and_address_in_two_clubs_are_two_where_their_numbers_differ(union, ulla) -> None:
    text = "Navn;Klub;Mail;Unionsnr\nBo Krogh;Stilling;b@x.dk;{}\nBo Krogh;Viby;b@x.dk;{}\n"
    assert set(run(union, ulla, text.format("5", ""))[1].values()) == {"refused"}
    assert set(run(union, ulla, text.format("5", "5"))[1].values()) == {"refused"}
    done, kinds, _reasons = run(union, ulla, text.format("5", "6"), {3: NEW})
    assert (done, kinds) == (True, {2: "new", 3: "new"})
    assert set(UnionNumber.objects.values_list("number", "player__memberships__club__name")) == {
        (5, "Stilling"), (6, "Viby"),
    }  # fmt: skip


def test_a_new_number_of_somebody_with_their_member_number_is_a_change(union, anna, ulla) -> None:
    UnionNumber.objects.create(player=anna, union=union, number=77)
    assert run(union, ulla, "Navn;Klub;Nr;Unionsnr\nAnna Holm;Stilling;1;88\n") == (True, {2: "changed"}, {})
    assert UnionNumber.objects.get().number == 88


@pytest.mark.parametrize("numbers", [(77, 78), (78, 77), (77, None), (None, 77)])
def test_namesakes_of_one_club_are_told_apart_by_their_numbers_in_the_union(
    union, club, ulla, numbers
) -> None:
    for number in numbers:
        anna = make_player("Anna Holm", club)
        if number:
            UnionNumber.objects.create(player=anna, union=union, number=number)
    before = set(UnionNumber.objects.values_list("player", "number"))
    text = "Navn;Klub;Unionsnr\n" + "".join(
        f"Anna Holm;Stilling;{number}\n" for number in (77, 78) if number in numbers
    )
    done, kinds, _reasons = run(union, ulla, text)
    assert (done, set(kinds.values())) == (True, {"unchanged"})
    assert set(UnionNumber.objects.values_list("player", "number")) == before


@pytest.mark.parametrize("name", ["Anna Holm", "Holm, Anna", "ANNA HOLM"])
def test_a_number_with_the_same_name_is_not_asked_about(union, anna, ulla, name) -> None:
    UnionNumber.objects.create(player=anna, union=union, number=77)
    text = f'Navn;Klub;Unionsnr\nCarl Dam;Stilling;\n"{name}";Viby;77\n'
    assert run(union, ulla, text) == (True, {2: "new", 3: "moves"}, {})
    assert contact_of(anna)[0] == "Anna Holm"


def test_nothing_is_stored_where_people_have_changed_since_it_was_shown(union, viby, ulla) -> None:
    waiting = upload(union, ulla, LIST)
    seen = dry_run(waiting).fingerprint
    make_player("Bo Krogh", viby, 1)
    assert not confirm(waiting, {}, seen, timezone.now()).is_done
    assert members() == [("Viby", "Bo Krogh")]


def posted(browser: Client, union: Club, text: str, **said):
    file = SimpleUploadedFile("unionen.csv", text.encode())
    return browser.post(
        f"/clubs/{union.slug}/import/", {"file": file, "joined": "2026-11-21", "of_union": "on"} | said
    )


@pytest.fixture
def as_union(ulla) -> Client:
    browser = Client()
    browser.force_login(ulla)
    return browser


def test_the_page_shows_every_club_and_an_unknown_one_can_be_added(union, as_union) -> None:
    address = posted(as_union, union, LIST + "Dora Friis;Ny Klub;\n").headers["Location"]
    page = as_union.get(address)
    shown = words(page.content.decode())
    assert "“Ny Klub” (1 row)" in shown
    assert "There is no club called Ny Klub here. Choose one for it above." in shown
    page = as_union.post(address, {"look": "1", "club-ny klub": MAKE})
    assert [(one["name"], one["is_made"], one["counts"][2]) for one in page.context["clubs"]] == [
        ("Fyns Forbund", False, 1), ("Ny Klub", True, 1), ("Stilling", False, 1), ("Viby", False, 2),
    ]  # fmt: skip
    assert Membership.objects.count() == 0
    done = as_union.post(address, {"seen": page.context["run"].fingerprint, "club-ny klub": MAKE})
    assert done.headers["Location"] == f"/clubs/{union.slug}/"
    assert len(members()) == 5


def test_a_list_of_the_union_needs_the_column_of_clubs(union, as_union) -> None:
    answer = posted(as_union, union, "Navn;Hold\nAnna Holm;Stilling\n", follow=True)
    page = as_union.get(answer.headers["Location"])
    assert "Choose the column that names each person’s club." in words(page.content.decode())


def test_a_club_that_belongs_to_a_union_imports_its_own_list_alone(union, club) -> None:
    browser = Client()
    browser.force_login(make_account("bob", club))
    assert "of_union" not in browser.get(f"/clubs/{club.slug}/import/").content.decode()
    address = posted(browser, club, LIST).headers["Location"]
    kinds = [line.kind.value for line in browser.get(address).context["run"].plan.lines]
    assert kinds == ["new", "refused", "refused", "refused"]


def signed_in(account) -> Client:
    browser = Client()
    browser.force_login(account)
    return browser


def test_who_may_not_add_clubs_imports_the_list_of_their_own_club_alone(db) -> None:
    alone = make_club("Odder")
    browser = signed_in(make_account("bob", alone))
    assert "of_union" not in browser.get("/clubs/odder/import/").content.decode()
    address = posted(browser, alone, LIST).headers["Location"]
    page = browser.post(address, {"look": "1", "club-viby": MAKE})
    browser.post(address, {"seen": page.context["run"].fingerprint, "club-viby": MAKE})
    assert list(Club.objects.values_list("name", flat=True)) == ["Odder"]
    assert not Affiliation.objects.exists()


@pytest.mark.parametrize("is_owner", [False, True])
def test_the_owner_of_the_program_begins_a_union_by_its_list_and_nobody_else(db, is_owner) -> None:
    alone = make_club("Odder")
    bob = make_account("bob", alone)
    Account.objects.filter(pk=bob.pk).update(is_superuser=is_owner)
    bob.refresh_from_db()
    assert ("of_union" in signed_in(bob).get("/clubs/odder/import/").content.decode()) is is_owner
    _done, kinds, reasons = run(alone, bob, "Navn;Klub\nAnna Holm;Ny Klub\n", **{"ny klub": MAKE})
    refused = {2: ["There is no club called Ny Klub here. Choose one for it above."]}
    assert (kinds, reasons) == (({2: "new"}, {}) if is_owner else ({2: "refused"}, refused))
    assert Affiliation.objects.filter(club__name="Ny Klub", union=alone).exists() is is_owner


def lose_role(union: Club) -> None:
    Role.objects.filter(club=union, account__username="ulla").update(club=Club.objects.get(name="Stilling"))


def lose_clubs(union: Club) -> None:
    Affiliation.objects.filter(union=union).update(left=timezone.localdate())


def join_another(union: Club) -> None:
    affiliate(union, make_club("Danmarks Forbund"))


@pytest.mark.parametrize("happens", [lose_role, lose_clubs, join_another])
def test_who_loses_the_right_after_the_upload_adds_no_club(union, ulla, happens) -> None:
    waiting = upload(union, ulla, "Navn;Klub\nAnna Holm;Ny Klub\n")
    choose_clubs(waiting, {"ny klub": MAKE})
    seen = dry_run(waiting).fingerprint
    happens(union)
    done = confirm(waiting, {}, seen, timezone.now())
    assert (done.is_done, done.plan.counts) == (False, {"refused": 1})
    assert not confirm(waiting, {}, done.fingerprint, timezone.now()).plan.clubs
    assert not Club.objects.filter(name="Ny Klub").exists()


def test_the_page_of_a_union_that_joined_another_offers_no_new_club(union, as_union) -> None:
    address = posted(as_union, union, "Navn;Klub\nAnna Holm;Ny Klub\n").headers["Location"]
    said = {"club-ny klub": MAKE}
    page = as_union.post(address, {"look": "1"} | said)
    assert f'value="{MAKE}"' in page.content.decode()
    join_another(union)
    page = as_union.post(address, {"seen": page.context["run"].fingerprint} | said)
    assert page.status_code == 200
    assert f'value="{MAKE}"' not in page.content.decode()
    assert "The members have changed since you saw this." in words(page.content.decode())
    assert not Club.objects.filter(name="Ny Klub").exists()


def test_nothing_is_stored_where_the_union_changes_while_the_list_is(union, as_union, monkeypatch) -> None:
    """As by a request beside this one, between the check and the change."""
    address = posted(as_union, union, LIST + "Dora Friis;Ny Klub;\n").headers["Location"]
    said = {"club-ny klub": MAKE}
    page = as_union.post(address, {"look": "1"} | said)

    def too_late(plan: ClubPlan, union: Club, *, account: Account, now: datetime) -> Club:
        if plan.club is None:
            join_another(union)
        return stored_club(plan, union, account=account, now=now)

    monkeypatch.setattr(member_import, "stored_club", too_late)
    page = as_union.post(address, {"seen": page.context["run"].fingerprint} | said)
    assert (page.status_code, members()) == (200, [])
    assert not Club.objects.filter(name="Ny Klub").exists()


def test_a_long_list_of_the_union_is_a_job_with_the_clubs_that_were_chosen(
    union, as_union, monkeypatch
) -> None:
    monkeypatch.setattr(member_jobs, "IMPORTED_AT_ONCE", 2)
    address = posted(as_union, union, LIST + "Dora Friis;Ny Klub;\n").headers["Location"]
    planned = as_union.get(address).headers["Location"]
    do_here(Job.objects.get())
    assert "“Ny Klub” (1 row)" in words(as_union.get(address).content.decode())
    again = as_union.post(address, {"look": "1", "club-ny klub": MAKE}).headers["Location"]
    assert again != planned
    do_here(Job.objects.first())
    page = as_union.get(address).content.decode()
    assert "Ny Klub is added" in words(page)
    seen = re.search(r'name="seen" value="([^"]+)"', page)[1]
    as_union.post(address, {"seen": unescape(seen), "club-ny klub": MAKE})
    assert do_here(Job.objects.first()).state == "done"
    assert len(members()) == 5
