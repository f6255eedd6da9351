"""Who a newcomer may be is asked of the database: it finds whom a look at everybody finds, by what is kept of names."""

from __future__ import annotations

from datetime import date

import pytest

from clubs import known_people, names
from clubs.import_plan import make_plan
from clubs.known_people import FEW_ROWS, people_like
from clubs.matching import Doubts, Known
from clubs.member_rows import MemberRow
from clubs.models import KEPT_OF_NAMES, Membership, Player, kept_of
from clubs.names import CROWD, letters_near, letters_of
from tests.factories import make_club, make_player

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
    for module in (names, known_people):
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
