"""A season is set up with its evenings: days with what speaks against them, hosts in turn, all or nothing."""

from __future__ import annotations

from datetime import date, time

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club
from tests.factories import affiliate, make_account, make_club, make_tournament
from tests.pages import words
from tests.tournaments.seasons.test_seasons import FORM
from tournaments.models import Season, Tournament
from tournaments.seasons.season import plan_evenings

PLAN = FORM | {
    "first": "2026-12-03", "every": "1", "evening": "Klubaften 1", "begins_at": "19:00", "place": "Kroen",
    "entry_fee": "50", "like": "",
}  # fmt: skip


def test_days_name_holidays_and_other_evenings_and_hosts_take_turns_on_free_ones(club, alice) -> None:
    union = make_club("Fyns Forbund")
    viby = make_club("Viby")
    for one in (club, viby):
        affiliate(one, union)
    make_tournament(0, club=viby, account=alice, name="Julefrokost", date=date(2026, 12, 17))
    make_tournament(
        0,
        club=union,
        account=alice,
        name="Aflyst",
        date=date(2026, 12, 10),
        called_off_at="2026-12-01T12:00:00Z",
    )
    Club.objects.filter(pk=viby.pk).update(position="56.12900, 10.15900")
    planned = plan_evenings(union, [club, viby], date(2026, 12, 3), 1, date(2026, 12, 31))
    assert [(one.day.day, one.host.name, one.holiday, one.clashes) for one in planned] == [
        (3, "Stilling", "", ()),
        (10, "Viby", "", ()),
        (17, "Stilling", "", ("Julefrokost (Viby)",)),
        (24, "Stilling", "Christmas Eve", ()),
        (31, "Stilling", "New Year’s Eve", ()),
    ]


def test_a_day_names_how_far_the_other_club_plays_where_both_positions_are_known(club, alice) -> None:
    union, viby = make_club("Fyns Forbund"), make_club("Viby", position="56.12900, 10.15900")
    Club.objects.filter(pk=club.pk).update(position="56.06200, 9.98900")
    for one in (club, viby):
        affiliate(one, union)
        make_tournament(0, club=one, account=alice, name="Jul", date=date(2026, 12, 17))
    host = Club.objects.get(pk=club.pk)
    (planned,) = plan_evenings(union, [host], date(2026, 12, 17), 1, date(2026, 12, 17))
    assert planned.clashes == ("Jul (Stilling)", "Jul (Viby, 13 km)")


def test_evenings_are_shown_before_they_are_set_up_with_the_season(as_alice, club) -> None:
    new = reverse("club_season_new", args=[club.slug])
    page = as_alice.post(new, PLAN)
    assert "Check the dates below" in words(page.content.decode())
    assert not club.seasons.exists()
    plan = page.context["plan"]
    assert [(one.day.day, ticked) for one, ticked in plan.rows] == [
        (3, True), (10, True), (17, True), (24, False), (31, False),
    ]  # fmt: skip
    sent = PLAN | {"plan_seen": plan.days_digest, "plan_day": ["2026-12-03", "2026-12-17"]}
    for _click in range(2):
        answer = as_alice.post(new, sent)
        assert answer.headers["Location"] == reverse("club_season", args=[club.slug, club.seasons.get().pk])
    evenings = Tournament.objects.order_by("date")
    assert list(evenings.values_list("name", "date", "begins_at", "place", "entry_fee", "season__name")) == [
        ("Klubaften 1", date(2026, 12, 3), time(19), "Kroen", 5000, "Efterår 2026"),
        ("Klubaften 2", date(2026, 12, 17), time(19), "Kroen", 5000, "Efterår 2026"),
    ]


def test_a_day_that_is_taken_meanwhile_is_shown_again(as_alice, club) -> None:
    new = reverse("club_season_new", args=[club.slug])
    plan = as_alice.post(new, PLAN).context["plan"]
    make_tournament(0, club=club, name="Fødselsdag", date=date(2026, 12, 10))
    page = as_alice.post(new, PLAN | {"plan_seen": plan.days_digest, "plan_day": ["2026-12-10"]})
    assert "Fødselsdag (Stilling)" in words(page.content.decode())
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"first": "2026-08-31"}, "first"),
        ({"first": "2027-01-01"}, "first"),
        ({"first": "soon"}, "first"),
        ({"evening": ""}, "evening"),
        ({"begins_at": "late"}, "begins_at"),
        ({"entry_fee": "-5"}, "entry_fee"),
        ({"every": "9"}, "every"),
        ({"like": "999999"}, "like"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_no_season_is_made(as_alice, club, typed, field) -> None:
    page = as_alice.post(reverse("club_season_new", args=[club.slug]), PLAN | typed)
    assert list(page.context["plan"].errors) == [field]
    assert not Season.objects.exists()


def test_evenings_are_played_like_an_earlier_one(as_alice, club) -> None:
    like = make_tournament(
        0, 2, club=club, name="Vejle", date=date(2026, 1, 1), deals_per_round=24, rulebook="union"
    )
    new = reverse("club_season_new", args=[club.slug])
    typed = PLAN | {"like": str(like.pk)}
    plan = as_alice.post(new, typed).context["plan"]
    as_alice.post(new, typed | {"plan_seen": plan.days_digest, "plan_day": ["2026-12-10"]})
    made = Tournament.objects.get(season__name="Efterår 2026")
    assert (made.deals_per_round, made.rounds_planned, made.name) == (24, 2, "Klubaften 1")


def test_a_season_gets_further_evenings_when_it_is_changed(as_alice, club, season) -> None:
    edit = reverse("club_season_edit", args=[club.slug, season.pk])
    plan = as_alice.post(edit, PLAN).context["plan"]
    sent = PLAN | {"plan_seen": plan.days_digest, "plan_day": ["2026-12-10"]}
    as_alice.post(edit, sent)
    as_alice.post(edit, sent)
    assert season.evenings.count() == 1


def test_hosts_are_clubs_that_give_the_union_everything(club) -> None:
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    affiliate(make_club("Odder"), union, gives="names")
    browser = Client()
    browser.force_login(make_account("ulla", union))
    new = reverse("club_season_new", args=[union.slug])
    odder = Club.objects.get(name="Odder")
    assert list(browser.post(new, PLAN | {"hosts": [odder.pk]}).context["plan"].errors) == ["hosts"]
    plan = browser.post(new, PLAN | {"hosts": [club.pk]}).context["plan"]
    assert {one.host for one in plan.days} == {club}
