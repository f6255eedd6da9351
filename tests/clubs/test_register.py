"""A union's register: its people on any day, their numbers, counts that are kept."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from clubs.models import Affiliation, Club, MemberCount, Membership, UnionNumber
from clubs.register import (
    count_members,
    differences,
    give_numbers,
    keep_count,
    main_memberships,
    register_of,
)
from core.errors import UserError
from tests.factories import affiliate, make_account, make_club, make_player
from tests.pages import words
from tournaments.entries.merging import merge
from tournaments.entries.personal_data import erase

DAY = date(2026, 10, 1)


@pytest.fixture
def union(club) -> Club:
    """A union of two clubs since 2000."""
    union = make_club("Fyns Forbund")
    for one in (club, make_club("Viby")):
        affiliate(one, union)
    Affiliation.objects.update(joined=date(2000, 1, 1))
    return union


@pytest.fixture
def viby(union) -> Club:
    return Club.objects.get(name="Viby")


@pytest.fixture
def as_union(union) -> Client:
    browser = Client()
    browser.force_login(make_account("ulla", union))
    return browser


def member(name: str, club: Club, number: int, joined: date, left: date | None = None) -> Membership:
    player = make_player(name, club, number)
    Membership.objects.filter(player=player, club=club).update(joined=joined, left=left)
    return Membership.objects.get(player=player, club=club)


def names_on(union: Club, day: date, query: str = "") -> list[tuple[str, str]]:
    return [(one.player.name, one.club.name) for one in register_of(union, day, query)]


def test_who_is_a_member_is_asked_of_any_day(club, viby, union) -> None:
    member("Anna", club, 1, date(2020, 1, 1), left=DAY)
    member("Bo", viby, 1, DAY)
    eve = DAY - timedelta(days=1)
    assert names_on(union, eve) == [("Anna", "Stilling")]
    assert names_on(union, DAY) == [("Bo", "Viby")]
    assert names_on(union, date(2019, 12, 31)) == []
    Affiliation.objects.filter(club=viby).update(joined=DAY + timedelta(days=1))
    assert names_on(union, DAY) == []


def test_of_somebody_in_two_clubs_one_membership_a_day_is_the_main_one(club, viby, union) -> None:
    anna = member("Anna", club, 1, date(2020, 1, 1), left=DAY)
    Membership.objects.create(player=anna.player, club=viby, number=9, joined=date(2021, 1, 1))
    assert names_on(union, DAY - timedelta(days=1)) == [("Anna", "Stilling")]
    assert names_on(union, DAY) == [("Anna", "Viby")]
    same_day = Membership.objects.create(player=anna.player, club=union, joined=date(2021, 1, 1))
    assert same_day not in main_memberships(union, DAY)
    (counted, other) = count_members(union, DAY - timedelta(days=1))
    assert (counted.name, counted.members, counted.main) == ("Stilling", 1, 1)
    assert (other.name, other.members, other.main) == ("Viby", 1, 0)


def test_a_club_that_gives_no_names_is_counted_as_unknown(club, viby, union, as_union) -> None:
    member("Anna", club, 1, date(2020, 1, 1))
    Affiliation.objects.filter(club=club).update(gives="nothing")
    assert names_on(union, DAY) == []
    assert [(one.name, one.members) for one in count_members(union, DAY)] == [("Stilling", None), ("Viby", 0)]
    page = words(as_union.get("/clubs/fyns-forbund/register/").content.decode())
    assert "gives the union no names" in page
    assert "Anna" not in page
    Affiliation.objects.filter(club=club).update(gives="names")
    page = words(as_union.get("/clubs/fyns-forbund/register/").content.decode())
    assert "Anna" in page
    assert as_union.get("/clubs/stilling/").status_code == 403


def test_everybody_gets_one_number_and_keeps_it(club, viby, union, as_union) -> None:
    anna, bo = member("Anna", club, 1, date(2020, 1, 1)), member("Bo", viby, 5, date(2020, 1, 1))
    as_union.post("/clubs/fyns-forbund/register/numbers/")
    as_union.post("/clubs/fyns-forbund/register/numbers/")
    given = dict(UnionNumber.objects.values_list("player", "number"))
    assert given == {anna.player_id: 1, bo.player_id: 2}
    member("Aage", viby, 6, date(2020, 1, 1))
    give_numbers(union, account=make_account("olga", union), now=timezone.now())
    assert UnionNumber.objects.get(player__name="Aage").number == 3
    assert names_on(union, timezone.localdate(), "2") == [("Bo", "Viby")]
    assert names_on(union, timezone.localdate(), "5") == [("Bo", "Viby")]  # the club's number
    assert "Number in Fyns Forbund" in as_union.get(f"/clubs/viby/members/{bo.pk}/").content.decode()
    with pytest.raises(IntegrityError):
        UnionNumber.objects.create(player=anna.player, union=union, number=9)


def test_a_count_is_kept_as_it_was_and_names_what_changed_since(club, viby, union, as_union) -> None:
    anna = member("Anna", club, 1, date(2020, 1, 1))
    as_union.post("/clubs/fyns-forbund/register/count/", {"day": DAY.isoformat()})
    kept = MemberCount.objects.get()
    address = f"/clubs/fyns-forbund/register/counts/{kept.pk}/"
    assert "still give these figures" in as_union.get(address).content.decode()
    # Somebody is entered late, and a club is said to have left before.
    member("Bo", viby, 1, date(2026, 9, 1))
    Affiliation.objects.filter(club=club).update(left=date(2026, 9, 30))
    assert sorted(differences(kept)) == [
        ("Stilling", "1 (1)", "not in the union"),
        ("Viby", "0 (0)", "1 (1)"),
    ]
    assert "1 (1)" in as_union.get(address).content.decode()
    Membership.objects.filter(pk=anna.pk).update(joined=DAY)
    kept.refresh_from_db()
    assert [(row["name"], row["members"]) for row in kept.rows] == [("Stilling", 1), ("Viby", 0)]


def test_a_day_to_come_is_not_counted(union, as_union) -> None:
    later = timezone.localdate() + timedelta(days=1)
    for typed, why in (
        (later.isoformat(), "in the future"),
        ("never", "not a valid date"),
        ("", "required"),
    ):
        page = as_union.post("/clubs/fyns-forbund/register/count/", {"day": typed}, follow=True)
        assert list(page.context["form"].errors) == ["day"]
        assert why in page.content.decode()
    with pytest.raises(UserError):
        keep_count(union, later, account=make_account("olga", union), now=timezone.now())
    assert not MemberCount.objects.exists()
    assert as_union.get("/clubs/fyns-forbund/register/?day=never").status_code == 200


def test_a_union_does_not_open_the_count_of_another(union, as_union) -> None:
    other = make_club("Danmark")
    kept = keep_count(other, DAY, account=make_account("dan", other), now=timezone.now())
    assert as_union.get(f"/clubs/fyns-forbund/register/counts/{kept.pk}/").status_code == 404
    assert as_union.get(f"/clubs/danmark/register/counts/{kept.pk}/").status_code == 403


def test_a_number_goes_with_whom_somebody_is_joined_and_is_erased_with_them(club, union, alice) -> None:
    anna, twin = member("Anna", club, 1, date(2020, 1, 1)), member("Anna", club, 2, date(2020, 1, 1))
    UnionNumber.objects.create(player=twin.player, union=union, number=7)
    merge(anna.player, twin.player, account=alice, now=timezone.now())
    assert UnionNumber.objects.get().player == anna.player
    erase(anna.player, account=alice, now=timezone.now(), today=timezone.localdate())
    assert not UnionNumber.objects.exists()


def test_the_registers_pages_take_as_many_queries_for_many_as_for_few(
    club, union, as_union, django_assert_max_num_queries
) -> None:
    for number in range(1, 61):
        member(f"Anna {number}", club, number, date(2020, 1, 1))
    with django_assert_max_num_queries(20):
        page = as_union.get("/clubs/fyns-forbund/register/?page=2")
    assert len(page.context["page"]) == 10
