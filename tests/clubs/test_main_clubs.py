"""Who is a member of several clubs has one main club a day, chosen at a club's desk or the union's."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.models import Affiliation, ClubLogEntry, MainClub, Membership
from clubs.register import choose_main_club, count_members, keep_count, main_memberships
from clubs.register import differences as changed_since
from core.errors import UserError
from tests.clubs.test_register import DAY, as_union, member, union, viby
from tests.factories import make_club
from tests.pages import words
from tournaments.changes.register import register_differences
from tournaments.entries.merging import merge
from tournaments.entries.personal_data import erase, known_of
from tournaments.people.points_lists import clubs_of_members

pytestmark = pytest.mark.databases

__all__ = ["as_union", "union", "viby"]

REGISTER = "/clubs/fyns-forbund/register/"


@pytest.fixture
def anna(club, viby):
    """A member of Stilling since 2020, and of Viby since 2021."""
    anna = member("Anna", club, 1, date(2020, 1, 1)).player
    Membership.objects.create(player=anna, club=viby, number=9, joined=date(2021, 1, 1))
    return anna


@pytest.fixture
def choose(anna, club, alice):
    def choose(chosen, day, desk=club):
        return choose_main_club(anna, chosen, day, desk=desk, account=alice, now=timezone.now())

    return choose


def main_on(union, day):
    return [one.club.name for one in main_memberships(union, day).select_related("club")]


def test_from_the_day_chosen_on_the_person_is_counted_in_that_club(club, viby, union, choose):
    choose(viby, DAY)
    eve = DAY - timedelta(days=1)
    assert (main_on(union, eve), main_on(union, DAY)) == (["Stilling"], ["Viby"])
    assert [(one.members, one.main) for one in count_members(union, DAY)] == [(1, 0), (1, 1)]
    choose(club, DAY + timedelta(days=30))
    assert main_on(union, DAY + timedelta(days=29)) == ["Viby"]
    assert main_on(union, DAY + timedelta(days=30)) == ["Stilling"]
    assert list(register_differences()) == []


def test_the_points_list_counts_the_person_in_the_main_club_of_the_day(club, viby, union, anna, choose):
    member("Bo", viby, 2, date(2020, 1, 1))
    choose(viby, DAY)
    eve = DAY - timedelta(days=1)
    assert (clubs_of_members(union, eve)[anna.pk], clubs_of_members(union, DAY)[anna.pk]) == (
        club.pk,
        viby.pk,
    )
    # A club that gives no names is in the points list all the same.
    Affiliation.objects.filter(club=viby).update(gives="nothing")
    assert set(clubs_of_members(union, DAY).values()) == {club.pk, viby.pk}


def test_a_choice_counts_while_the_membership_lasts_that_it_was_made_for(club, viby, union, anna, choose):
    choose(viby, date(2022, 1, 1))
    anna.memberships.filter(club=viby).update(left=date(2023, 1, 1))
    assert (main_on(union, date(2022, 6, 1)), main_on(union, DAY)) == (["Viby"], ["Stilling"])
    Membership.objects.create(player=anna, club=viby, number=9, joined=date(2024, 1, 1))
    assert main_on(union, DAY) == ["Stilling"]
    assert choose(viby, DAY).pk != MainClub.objects.earliest("pk").pk
    assert main_on(union, DAY) == ["Viby"]


def test_of_two_choices_for_one_day_the_later_one_counts(club, viby, union, choose):
    choose(viby, DAY)
    choose(club, DAY)
    assert main_on(union, DAY) == ["Stilling"]


def test_a_club_that_gives_no_names_is_nobodys_main_club(viby, union, choose):
    choose(viby, DAY)
    Affiliation.objects.filter(club=viby).update(gives="nothing")
    assert main_on(union, DAY) == ["Stilling"]


def test_choosing_twice_is_choosing_once(viby, choose):
    first = choose(viby, DAY)
    assert choose(viby, DAY) == choose(viby, DAY + timedelta(days=1)) == first
    assert ClubLogEntry.objects.filter(text__contains="main club").count() == 2  # one in each club


def test_the_main_club_is_named_to_itself_and_where_it_was_chosen(club, viby, union, anna, choose):
    Membership.objects.create(player=anna, club=make_club("Odense"), joined=date(2022, 1, 1))
    choose(viby, DAY, desk=union)
    logs = ClubLogEntry.objects.filter(text__contains="main club")
    named = {one.club.name: one.params.get("main_club") for one in logs.select_related("club")}
    assert named == {"Fyns Forbund": "Viby", "Viby": "Viby", "Stilling": None, "Odense": None}
    assert set(logs.filter(club__name="Odense").values_list("text", flat=True)) == {
        "The main club of {member} is another club from {day}"
    }


def test_who_is_no_member_on_that_day_is_refused(club, viby, choose):
    for chosen, day in ((viby, date(2020, 12, 31)), (club, date(2019, 1, 1))):
        with pytest.raises(UserError, match="is not a member of") as refused:
            choose(chosen, day)
        assert refused.value.field == "club"
    assert not MainClub.objects.exists()


def test_a_kept_count_shows_what_a_later_choice_changes(viby, union, alice, choose):
    kept = keep_count(union, DAY, account=alice, now=timezone.now())
    choose(viby, DAY)
    assert sorted(changed_since(kept)) == [("Stilling", "1 (1)", "1 (0)"), ("Viby", "1 (0)", "1 (1)")]


def test_the_union_chooses_on_the_persons_page_of_its_register(as_union, anna, viby, union):
    page = f"{REGISTER}people/{anna.pk}/"
    assert page in as_union.get(REGISTER).content.decode()
    today = timezone.localdate()
    for _twice in range(2):
        sent = {"club": viby.pk, "day": today.isoformat()}
        assert as_union.post(page, sent).status_code == 302
    assert MainClub.objects.get().chosen_by == "Ulla"
    shown = words(as_union.get(page).content.decode())
    assert "Main club Viby" in shown
    assert "Viby, chosen by Ulla" in shown
    logs = ClubLogEntry.objects.filter(text__contains="main club")
    assert sorted(logs.values_list("club__name", flat=True)) == ["Fyns Forbund", "Stilling", "Viby"]


@pytest.mark.parametrize(
    "sent",
    [{}, {"club": "x"}, {"club": "999999"}, {"day": ""}, {"day": "2099-01-01"}, {"day": "1800-01-01"}],
)
def test_bad_input_is_named_at_its_field_and_changes_nothing(as_union, anna, viby, sent):
    given = {"club": viby.pk, "day": timezone.localdate().isoformat()} | sent if sent else {}
    answer = as_union.post(f"{REGISTER}people/{anna.pk}/", given)
    assert (answer.status_code, MainClub.objects.exists()) == (200, False)
    assert 'class="errorlist"' in answer.content.decode() or "aria-invalid" in answer.content.decode()


def test_a_club_chooses_at_its_desk_among_the_clubs_that_it_may_see(as_alice, anna, club, viby, choose):
    here = anna.memberships.get(club=club)
    page = f"/clubs/stilling/members/{here.pk}/main/"
    assert page in as_alice.get(f"/clubs/stilling/members/{here.pk}/").content.decode()
    form = as_alice.get(page).content.decode()
    assert ("Stilling</option>" in form, "Viby</option>" in form) == (True, False)
    today = timezone.localdate()
    assert as_alice.post(page, {"club": viby.pk, "day": today.isoformat()}).status_code == 200
    assert as_alice.post(page, {"club": club.pk, "day": today.isoformat()}).status_code == 302
    assert MainClub.objects.get().club == club
    shown = f"/clubs/stilling/members/{here.pk}/"
    assert "Main club Stilling" in words(as_alice.get(shown).content.decode())
    choose(viby, today)
    assert "Main club another club" in words(as_alice.get(shown).content.decode())
    assert "Viby" not in as_alice.get(shown).content.decode()
    assert "from" in words(as_alice.get(f"/clubs/stilling/members/{here.pk}/").content.decode())


def test_who_is_in_one_club_has_nothing_to_choose(as_alice, as_union, club, viby, union):
    bo = member("Bo", club, 2, date(2020, 1, 1))
    assert "/main/" not in as_alice.get(f"/clubs/stilling/members/{bo.pk}/").content.decode()
    assert "Choose the main club" not in as_union.get(f"{REGISTER}people/{bo.player_id}/").content.decode()


def test_a_union_knows_nobody_of_clubs_that_are_not_its_own(as_union, union, viby, anna):
    Affiliation.objects.update(gives="nothing")
    assert as_union.get(f"{REGISTER}people/{anna.pk}/").status_code == 404
    assert as_union.get(f"{REGISTER}people/999999/").status_code == 404


def test_choices_go_with_who_is_joined_and_stay_nameless_with_who_is_erased(
    club, viby, union, anna, alice, choose
):
    choose(viby, DAY)
    again = member("Anna", union, 3, date(2025, 1, 1)).player
    alice.is_superuser = True
    by = {"account": alice, "now": timezone.now()}
    merge(again, anna, **by)
    assert main_on(union, DAY) == ["Viby"]
    assert known_of(again)["main_clubs"] == [{"club": "Viby", "from": DAY}]
    erase(again, today=timezone.localdate(), **by)
    assert main_on(union, DAY) == ["Viby"]
    assert not ClubLogEntry.objects.filter(params__icontains="Anna").exists()
