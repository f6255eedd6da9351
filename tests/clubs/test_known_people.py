"""Who a newcomer may be is asked of the database: it finds whom a look at everybody finds, by what is kept of names."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone

from clubs import matching, names
from clubs.import_plan import make_plan
from clubs.matching import FEW_ROWS, Doubts, Known, people_like, similar_people
from clubs.member_import import confirm, dry_run, store_upload
from clubs.member_rows import MemberRow
from clubs.models import KEPT_OF_NAMES, Affiliation, Membership, Player, kept_of
from clubs.names import CROWD, letters_near, letters_of
from tests.factories import affiliate, make_account, make_club, make_player

pytestmark = pytest.mark.databases

DAY = date(2020, 1, 1)
NAMES = (
    "Anna Holm", "Anna Hom", "Annna Holmm", "Ana Holm", "Hanna Holm", "Anna Holme", "Nana Holm", "Holm, Anna",
    "ANNA HOLM", "Anna Maria Holm", "Anna Bodil Holm", "Holm Anna", "Anne Holm", "Bo Ø", "Bo Oe", "Bo", "Søren Møller",
    "Soeren Moeller", "Sören Möller", "Åge Aagaard", "Aage Ågård", "Wilhelm Zahle", "Vilhelm Sahle", "Å", "(?)",
    "Christian Thomsen", "Kristian Tomsen", "Kristina Tomsen", "Ђорђе Ђ", "Erik Lund", "Nils Ny", "Bob Bobson",
)  # fmt: skip


@pytest.fixture
def everybody(club, alice) -> list[Known]:
    """All whom Alice may know; some are of another club of hers, some have left."""
    other = make_club("Other", club)
    make_player("Anna Holm", make_club("Stranger"), 12)
    for number, name in enumerate(NAMES, 1):
        player = Player.objects.create(name=name, email=f"{name[:3]}@Example.dk" if name.isascii() else "")
        for of in [club, other][number % 3 == 0 : 1 + (number % 4 == 0)]:
            Membership.objects.create(player=player, club=of, number=number, joined=DAY)
    Membership.objects.filter(club=club, number__in=(3, 7, 20)).update(left=date(2021, 1, 1))
    found = Membership.objects.filter(club__in=(club, other)).select_related("player", "club").order_by("pk")
    return [
        Known(
            one.pk, one.player_id, one.player.name, one.number, one.joined, one.left,
            one.player.email, one.player.phone, "" if one.club == club else one.club.name,
        )
        for one in found
    ]  # fmt: skip


def rows_asked() -> list[MemberRow]:
    written = (*NAMES, "Anna Holn", "Anna Xolm", "nna Holm", "Anna Holm Holm", "Carl Ukendt", "bO ANNA")
    return [
        MemberRow(
            row=place,
            name=name,
            number=place if place % 3 else None,
            email="ann@example.dk" * (place % 5 == 0),
        )
        for place, name in enumerate(written, 2)
    ]


def test_a_newcomer_is_likened_to_all_whom_a_look_at_everybody_finds(club, alice, everybody) -> None:
    for row in rows_asked():
        expected = Doubts(everybody, [row]).about(row)
        assert Doubts(people_like(alice, club, [row]), [row]).about(row) == expected, row.name


@pytest.mark.parametrize("crowd", [1, 2, CROWD])
def test_a_member_list_is_planned_as_if_everybody_were_read(
    club, alice, everybody, monkeypatch, crowd
) -> None:
    for module in (names, matching):
        monkeypatch.setattr(module, "CROWD", crowd)
    rows = rows_asked()
    assert len(rows) > FEW_ROWS
    few, many = rows[:FEW_ROWS], rows
    for some in (few, many):
        planned = make_plan(some, people_like(alice, club, some), joined=DAY)
        assert planned == make_plan(some, everybody, joined=DAY)


def test_of_a_crowd_with_one_name_only_those_are_read_whom_a_row_is_compared_with(club, alice) -> None:
    for number in range(3 * CROWD):
        make_player(f"Anna {'BCDEFGHIJKLM'[number % 12] * 9} Holm", club, number)
    row = MemberRow(row=2, name="Anna Xxyy Holm")
    assert len(people_like(alice, club, [row])) == CROWD + 1


def test_names_that_sound_the_same_but_for_one_letter_have_near_letters() -> None:
    for other in ("anna holm", "ana hol", "anna hola", "hanna holm", "nna holmx", "anna holm"):
        assert letters_of(other) in letters_near("Anna Holm")
    assert letters_of("Anna Hobn") not in letters_near("Anna Holm")


@pytest.mark.parametrize("by", ["save", "save_one_field", "update", "bulk_update", "bulk_create"])
def test_what_is_kept_of_a_name_changes_with_it_by_every_door(db, by) -> None:
    player = Player.objects.create(name="Anna Holm")
    player.name = "Åse Øst"
    match by:
        case "save":
            player.save()
        case "save_one_field":
            player.save(update_fields=["name"])
        case "update":
            Player.objects.filter(pk=player.pk).update(name="Åse Øst")
        case "bulk_update":
            Player.objects.bulk_update([player], ["name"])
        case "bulk_create":
            player = Player.objects.bulk_create([Player(name="Åse Øst")])[0]
    kept = Player.objects.filter(pk=player.pk).values(*KEPT_OF_NAMES).get()
    assert kept == kept_of("Åse Øst")
    assert kept["sought"] == "aase oest"


# Who is known to the union, in clubs that who asks may not see.


@pytest.fixture
def elsewhere(club) -> Membership:
    """Orla, a member of another club of the union, with an address that this club is not told."""
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    orla = make_player("Orla Iversen", make_club("Viby", union), 7)
    Player.objects.filter(pk=orla.pk).update(email="orla@example.dk", phone="12 34 56 78")
    return orla.memberships.get()


def left(membership: Membership) -> Membership:
    membership.left = date(2026, 5, 1)
    membership.save()
    return membership


def add(browser, **said):
    return browser.post(
        "/clubs/stilling/members/new/", {"name": "orla iversen", "joined": "2026-06-01"} | said
    )


def test_who_has_left_another_club_of_the_union_is_no_second_person(as_alice, club, elsewhere) -> None:
    choice = f"same-{left(elsewhere).pk}"
    page = add(as_alice).content.decode()
    assert "orla iversen, known to the union" in page
    for untold in ("Viby", "orla@example.dk", "12 34 56 78", "2026-05-01", "May 2026", "2020"):
        assert untold not in page
    add(as_alice, who=choice, email="orla@new.dk")
    assert club.memberships.get().player == elsewhere.player
    # What the other club wrote is not passed on, and the name stays as it is spelt.
    orla = Player.objects.get()
    assert (orla.name, orla.email, orla.phone) == ("Orla Iversen", "orla@new.dk", "")


def test_of_a_member_elsewhere_one_can_say_that_it_is_somebody_new(as_alice, club, elsewhere) -> None:
    add(as_alice, who="new")
    assert club.memberships.get().player != elsewhere.player


@pytest.mark.parametrize("name", ["Orla Ivarsen", "Orla", "Iversen"])
def test_by_another_name_nobody_elsewhere_is_told_of(as_alice, club, elsewhere, name) -> None:
    left(elsewhere)
    add(as_alice, name=name)
    assert club.memberships.get().player.name == name


def test_nobody_of_another_union_is_told_of(as_alice, club, elsewhere) -> None:
    left(elsewhere)
    Affiliation.objects.filter(club=elsewhere.club).delete()
    affiliate(elsewhere.club, make_club("Danmarks Forbund"))
    add(as_alice)
    assert club.memberships.get().player != elsewhere.player


def imported(club, alice, choices=None, *, name="Orla Iversen"):
    upload = store_upload(
        club, alice, "a.csv", f"Navn;E-mail\n{name};orla@new.dk\n".encode(), joined=DAY, now=timezone.now()
    )
    run = dry_run(upload)
    done = confirm(upload, choices or {}, run.fingerprint, timezone.now())
    (line,) = done.plan.lines
    return done.is_done, line


def test_an_import_asks_about_who_has_left_another_club_of_the_union(club, alice, elsewhere) -> None:
    choice = f"same-{left(elsewhere).pk}"
    is_done, line = imported(club, alice)
    assert (is_done, line.choices) == (False, [choice, "new", "skip"])
    is_done, _line = imported(club, alice, {2: choice})
    orla = Player.objects.get()
    assert (is_done, club.memberships.get().player) == (True, orla)
    assert (orla.name, orla.email, orla.phone) == ("Orla Iversen", "orla@new.dk", "")


def test_an_import_lets_a_member_elsewhere_be_added_by_the_union_alone(club, alice, elsewhere) -> None:
    is_done, line = imported(club, alice)
    assert (is_done, line.choices) == (False, ["new", "skip"])
    is_done, _line = imported(club, alice, {2: f"same-{elsewhere.pk}"})
    assert (is_done, club.memberships.count()) == (False, 0)


def test_a_union_sees_the_clubs_of_both_and_is_told_of_them(club, elsewhere) -> None:
    uwe = make_account("uwe", club.unions.get())
    (known,) = similar_people(uwe, club, "Orla Iversen", "")
    assert (known.club, known.number, known.known_to_union) == ("Viby", 7, False)
