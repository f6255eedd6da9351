"""Somebody who stands in the members' list twice becomes one person, with everything of both."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from clubs.models import Membership, Player
from tests.evenings import make_evening, play_evening
from tests.factories import make_club, make_player
from tests.pages import text, words
from tournaments.files.recount import differences
from tournaments.models import Award, Entry, Season
from tournaments.people.person import over_the_years
from tournaments.seasons.rating_list import ratings

pytestmark = pytest.mark.databases


@pytest.fixture
def twice(club, alice):
    """Anna Holm, who has played the first evening, and Anna Holm Jensen, who has played the second: one human."""
    others = [make_player(name, club, number) for number, name in enumerate(("Bo", "Carl", "Dora"), 2)]
    anna, again = make_player("Anna Holm", club), make_player("Anna Holm Jensen", club, 9)
    Player.objects.filter(pk=again.pk).update(email="anna@example.dk", has_objected=False)
    for player, day in ((anna, date(2025, 3, 1)), (again, date(2026, 3, 1))):
        play_evening(make_evening([player, *others], club, alice, date=day), alice, seed=day.year)
    return anna, again


def address(player, other=None):
    member = Membership.objects.get(player=player)
    page = reverse("member_same", args=[member.club.slug, member.pk])
    return f"{page}?other={Membership.objects.get(player=other).pk}" if other else page


def test_two_lines_of_the_list_become_one_person(as_alice, twice, club):
    anna, again = twice
    season = Season.objects.create(host=club, name="Vinter", starts="2025-09-01", ends="2026-05-01")
    Award.objects.create(season=season, player=again, title="Jokum")
    before = {entry.pk: (entry.number, entry.tournament_id) for entry in Entry.objects.all()}
    tables = ratings(club)[anna.pk].tables + ratings(club)[again.pk].tables
    assert "Anna Holm Jensen" in text(as_alice.get(address(anna)))
    asked = words(text(as_alice.get(address(anna, again))))
    assert "1 evening of Anna Holm Jensen, with its results, becomes Anna Holm’s" in asked
    assert "This cannot be undone." in asked
    as_alice.post(address(anna, again))
    assert not Player.objects.filter(pk=again.pk).exists()
    assert {entry.pk: (entry.number, entry.tournament_id) for entry in Entry.objects.all()} == before
    anna.refresh_from_db()
    held = anna.memberships.get()
    assert (anna.name, anna.email, held.number) == ("Anna Holm", "anna@example.dk", 9)
    assert [one.day.year for one in over_the_years(anna).evenings] == [2025, 2026]
    assert anna.awards.get().title == "Jokum"
    assert ratings(club)[anna.pk].tables == tables
    for evening in club.tournaments.all():
        assert [str(one) for one in differences(evening)] == []
        assert "Anna Holm" in text(as_alice.get(reverse("standings", args=[evening.code])))
    assert "listed twice" in text(as_alice.get(reverse("club_log", args=[club.slug])))
    moved = club.tournaments.get(date__year=2026)
    assert "listed twice" in text(as_alice.get(reverse("desk_log", args=[moved.code])))


def test_who_were_at_one_evening_are_two(as_alice, twice):
    anna, _again = twice
    bo = Player.objects.get(name="Bo")
    page = as_alice.post(address(anna, bo), follow=True)
    assert "were both at Efterårsturnering on 1 March 2025: they are two people." in text(page)
    assert Player.objects.count() == 5
    assert "they are two people" in text(as_alice.get(address(anna, bo), follow=True))


def test_another_clubs_member_is_asked_for_there(as_alice, twice):
    anna, again = twice
    viby = make_club("Viby")
    Membership.objects.create(player=again, club=viby, joined=date(2020, 1, 1))
    stilling = Membership.objects.get(player=again, club__slug="stilling").pk
    page = as_alice.post(f"{address(anna)}?other={stilling}", follow=True)
    assert "is a member of Viby too, which you do not organise" in text(page)
    assert Player.objects.filter(pk=again.pk).exists()


@pytest.mark.parametrize("other", ["", "0", "999999", "x", "self"])
def test_nobody_is_made_one_with_nobody(as_alice, twice, other):
    anna, _again = twice
    own = str(Membership.objects.get(player=anna).pk)
    page = f"{address(anna)}?other={other.replace('self', own)}"
    assert as_alice.get(page).status_code == 200
    assert "Choose first who else it is." in text(as_alice.post(page, follow=True))
    assert Player.objects.count() == 5


def test_who_wants_no_page_wants_none_as_one_person(as_alice, twice):
    anna, again = twice
    Player.objects.filter(pk=again.pk).update(has_objected=True)
    page = address(anna, again)
    as_alice.post(page)
    anna.refresh_from_db()
    assert anna.has_objected
    # The second of two clicks finds nobody to be one with.
    assert "Choose first who else it is." in text(as_alice.post(page, follow=True))
