"""A tournament set up as a copy of an earlier one: all but the date, its players if asked for."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_account, make_club, make_tournament
from tournaments.entries import entering
from tournaments.lifecycle.creating import next_evening
from tournaments.models import Season, Tournament

NEW = "tournament_new"


def page(name, tournament):
    return reverse(name, args=[tournament.code])


@pytest.fixture
def earlier(club):
    old = make_tournament(
        5, club=club, started=False, drawn=False, date=date(2025, 11, 22), place="Kroen", stake=50,
        rulebook="rasle", options={"kaske": True}, tie_breaks=["lot"], rounds_planned=2,
    )  # fmt: skip
    account, now = make_account("anders", club), timezone.now()
    entering.withdraw(old.entries.get(number=2), reason="ill", account=account, now=now)
    return old


def test_a_copy_has_everything_but_the_date(as_alice, earlier):
    form = as_alice.get(reverse(NEW), {"copy": earlier.code}).context["form"]
    assert form["date"].value() == next_evening(earlier, timezone.localdate())[1] >= timezone.localdate()
    assert (form["place"].value(), form["stake"].value(), form["rounds_planned"].value()) == (
        "Kroen",
        "0.50",
        2,
    )
    assert form.book.id == "rasle"
    assert form["rasle-kaske"].value() is True
    assert [field.value() for field in form.tie_break_fields] == ["lot", "", "", ""]


def test_of_twenty_years_the_seasons_about_the_evening_are_offered_and_the_one_it_is_in(
    as_alice, club, alice
):
    for year in (2006, 2015, 2016, 2017, 2026):
        Season.objects.create(host=club, name=str(year), starts=date(year, 1, 1), ends=date(year, 12, 31))

    def offered(tournament):
        page = as_alice.get(reverse("tournament_setup", args=[tournament.code]))
        return [season.name for season in page.context["form"].fields["season"].queryset]

    evening = make_tournament(4, club=club, account=alice, date=date(2016, 2, 1))
    assert [name for name in offered(evening) if int(name) < 2020] == ["2016", "2015"]
    Tournament.objects.filter(pk=evening.pk).update(season=Season.objects.get(name="2006"))
    assert [name for name in offered(evening) if int(name) < 2020] == ["2016", "2015", "2006"]


def test_a_season_is_chosen_only_where_the_evening_that_is_copied_was_in_it(as_alice, earlier, club):
    season = Season.objects.create(host=club, name="S", starts=date(2020, 1, 1), ends=date(2099, 1, 1))
    assert as_alice.get(reverse(NEW)).context["form"]["season"].value() is None
    Tournament.objects.filter(pk=earlier.pk).update(season=season)
    form = as_alice.get(reverse(NEW), {"copy": earlier.code}).context["form"]
    assert form["season"].value() == season.pk


def test_the_players_are_copied_if_asked_for_and_only_once(as_alice, earlier, typed):
    url = f"{reverse(NEW)}?copy={earlier.code}"
    as_alice.post(url, typed | {"copy_players": "on"})
    as_alice.post(url, typed | {"copy_players": "on"})
    copy = Tournament.objects.get(code="ABCDEF")
    kept = earlier.entries.exclude(number=2)
    assert list(copy.entries.values_list("player", flat=True)) == list(kept.values_list("player", flat=True))
    assert set(copy.entries.values_list("status", "number")) == {("entered", n) for n in (1, 2, 3, 4)}


def test_without_asking_no_player_is_copied(as_alice, earlier, typed):
    as_alice.post(f"{reverse(NEW)}?copy={earlier.code}", typed)
    assert not Tournament.objects.get(code="ABCDEF").entries.exists()


def test_a_copy_keeps_how_the_pool_is_shared_the_clock_and_what_the_wall_shows(as_alice, earlier, typed):
    kept = {
        "prize_shares": [60, 40],
        "prize_amounts": [30000],
        "round_minutes": 90,
        "projector": {"shows": ["tables"], "seconds": 20, "on_paper": True},
    }
    Tournament.objects.filter(pk=earlier.pk).update(**kept)
    as_alice.post(f"{reverse(NEW)}?copy={earlier.code}", typed)
    copied = Tournament.objects.get(code="ABCDEF")
    assert {name: getattr(copied, name) for name in kept} == kept


def test_somebody_elses_tournament_cannot_be_copied(as_alice):
    other = make_tournament(0, club=make_club("Ørbæk"))
    assert as_alice.get(reverse(NEW), {"copy": other.code}).status_code == 404


def test_a_copied_league_keeps_how_many_teams_of_a_club_a_division_has(as_alice, earlier, typed):
    Tournament.objects.filter(pk=earlier.pk).update(most_of_club=2, alike_journeys=True)
    as_alice.post(f"{reverse(NEW)}?copy={earlier.code}", typed)
    copy = Tournament.objects.get(code="ABCDEF")
    assert (copy.most_of_club, copy.alike_journeys) == (2, True)
