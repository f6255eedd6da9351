"""A season is planned at the desk by dates and wishes; what is not granted is named there."""

from __future__ import annotations

import html
from datetime import date, timedelta

import pytest
from django.urls import reverse

from clubs.models import Club
from core.errors import NotPossible
from tests.factories import make_club
from tests.tournaments.seasons.test_season import make_teams
from tournaments.entries.teams import withdraw_team
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.fixtures import (
    add_wish,
    away_kilometres,
    refused_wishes,
    season_dates,
    team_journeys,
)
from tournaments.lifecycle.home_matches import plan_season, start_match
from tournaments.lifecycle.rulings import postpone
from tournaments.models import FixtureWish, Match

FIRST = date(2027, 1, 5)


@pytest.fixture
def eight(club, by_alice):
    return make_teams(club, by_alice, teams=8, drawn=False, date=FIRST)


def at_home_on(tournament, day):
    found = Match.objects.filter(round__tournament=tournament, round__date=day, away__isnull=False)
    return set(found.values_list("home__number", flat=True))


def test_dates_skip_the_weeks_left_out():
    skipped = [date(2026, 12, 24), date(2026, 12, 30)]
    found = season_dates(date(2026, 12, 15), 1, skipped, 3)
    assert found == [date(2026, 12, 15), date(2027, 1, 5), date(2027, 1, 12)]
    assert season_dates(FIRST, 2, [], 2) == [FIRST, FIRST + timedelta(weeks=2)]


def test_a_plan_keeps_to_the_wishes_and_gives_each_match_its_day(eight, by_alice):
    one, two, three = (eight.teams.get(number=number) for number in (1, 2, 3))
    add_wish(eight, one, day=FIRST + timedelta(days=2), is_hard=True, **by_alice)
    add_wish(eight, three, other=two, **by_alice)
    plan_season(eight, first=FIRST, weeks=1, at_home=True, **by_alice)
    eight.refresh_from_db()
    assert 1 not in at_home_on(eight, FIRST)
    for round_ in eight.rounds.all():
        assert not {2, 3} <= at_home_on(eight, round_.date)
        assert {match.day for match in round_.matches.exclude(away=None)} == {round_.date}
    assert refused_wishes(eight) == {}
    assert not list(differences(eight))


def test_wishes_that_cannot_be_granted_together_are_named(as_alice, eight, by_alice):
    for number in range(1, 9):
        add_wish(eight, eight.teams.get(number=number), day=FIRST, **by_alice)
    plan_season(eight, first=FIRST, weeks=1, at_home=False, **by_alice)
    assert len(refused_wishes(eight)) == 4
    page = html.unescape(as_alice.get(reverse("desk_fixtures", args=[eight.code])).content.decode())
    assert "4 wishes are not met by the plan." in page
    assert "round 1, 5 January 2027" in page


def test_a_second_plan_goes_on_behind_what_has_been_started(eight, by_alice):
    plan_season(eight, first=FIRST, weeks=1, at_home=True, **by_alice)
    eight.refresh_from_db()
    match = Match.objects.select_related("round__tournament", "home", "away").get(
        round__tournament=eight, round__number=1, number=1
    )
    start_match(match, **by_alice)
    add_wish(eight, eight.teams.get(number=1), day=date(2027, 2, 2), is_hard=True, **by_alice)
    plan_season(eight, first=date(2027, 2, 2), weeks=1, at_home=True, **by_alice)
    first, second, *_more = eight.rounds.order_by("number")
    assert (first.date, second.date) == (FIRST, date(2027, 2, 2))
    assert 1 not in at_home_on(eight, date(2027, 2, 2))
    pairs = Match.objects.filter(round__tournament=eight, away__isnull=False).values_list("home", "away")
    assert len({frozenset(pair) for pair in pairs}) == 28


def test_planning_again_forgets_the_days_that_were_agreed(eight, by_alice):
    plan_season(eight, first=FIRST, weeks=1, at_home=True, **by_alice)
    match = Match.objects.select_related("round__tournament", "home").filter(away__isnull=False).first()
    postpone(match, FIRST + timedelta(days=100), **by_alice)
    plan_season(eight, first=FIRST, weeks=1, at_home=True, **by_alice)
    assert not Match.objects.exclude(postponed_to=None).exists()


def test_a_withdrawn_team_is_planned_no_more(eight, by_alice):
    gone = eight.teams.get(number=8)
    add_wish(eight, gone, day=FIRST, **by_alice)
    plan_season(eight, first=FIRST, weeks=1, at_home=True, **by_alice)
    withdraw_team(gone, reason="for få", **by_alice)
    plan_season(eight, first=FIRST, weeks=1, at_home=True, **by_alice)
    assert not Match.objects.filter(round__tournament=eight, home=gone).exists()


def test_the_page_takes_wishes_and_dates(as_alice, eight):
    page = reverse("desk_fixtures", args=[eight.code])
    wish = reverse("desk_fixture_wish", args=[eight.code])
    as_alice.post(wish, {"team": "1", "day": "2027-01-05", "is_hard": "on"})
    as_alice.post(wish, {"team": "3", "other": "2"})
    assert [
        (row.team.number, row.other and row.other.number, row.is_hard) for row in FixtureWish.objects.all()
    ] == [
        (1, None, True),
        (2, 3, False),
    ]
    as_alice.post(page, {"first": "2027-01-05", "weeks": "1", "left_out": "2027-01-12", "at_home": "on"})
    assert list(eight.rounds.order_by("number").values_list("date", flat=True)[:2]) == [
        FIRST,
        date(2027, 1, 19),
    ]
    for row in FixtureWish.objects.all():
        as_alice.post(reverse("desk_fixture_wish_remove", args=[eight.code, row.pk]))
    assert not FixtureWish.objects.exists()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"team": "1"}, "day"),
        ({"team": "1", "day": "2027-01-05", "other": "2"}, "day"),
        ({"team": "1", "other": "1"}, "other"),
        ({"team": "99", "day": "2027-01-05"}, "team"),
        ({"team": "1", "day": "i morgen"}, "day"),
    ],
)
def test_a_wish_that_says_too_little_or_too_much_is_refused_at_its_field(as_alice, eight, sent, field):
    answer = as_alice.post(reverse("desk_fixture_wish", args=[eight.code]), sent)
    assert field in answer.context["wish"].errors
    assert not FixtureWish.objects.exists()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"first": ""}, "first"),
        ({"first": "1027-01-05"}, "first"),
        ({"weeks": "0"}, "weeks"),
        ({"left_out": "12/10/2026, jul"}, "left_out"),
    ],
)
def test_dates_that_cannot_be_are_refused_at_their_field(as_alice, eight, sent, field):
    typed = {"first": "2027-01-05", "weeks": "1", "left_out": ""} | sent
    answer = as_alice.post(reverse("desk_fixtures", args=[eight.code]), typed)
    assert field in answer.context["plan"].errors
    assert not eight.rounds.exists()


def test_a_wish_twice_is_one_and_may_become_hard(eight, by_alice):
    team, other = eight.teams.get(number=1), eight.teams.get(number=2)
    add_wish(eight, team, other=other, **by_alice)
    add_wish(eight, other, other=team, is_hard=True, **by_alice)
    (row,) = FixtureWish.objects.all()
    assert row.is_hard
    with pytest.raises(NotPossible):
        add_wish(eight, team, other=team, **by_alice)


def test_who_does_not_organise_plans_nothing(client, as_helper, as_charlie, eight, by_alice):
    wish = add_wish(eight, eight.teams.get(number=1), day=FIRST, **by_alice)
    for visitor in (client, as_helper, as_charlie):
        visitor.post(reverse("desk_fixture_wish_remove", args=[eight.code, wish.pk]))
        visitor.post(reverse("desk_fixtures", args=[eight.code]), {"first": "2027-01-05", "weeks": "1"})
        visitor.post(reverse("desk_fixture_wish", args=[eight.code]), {"team": "2", "day": "2027-01-05"})
    assert (list(FixtureWish.objects.all()), eight.rounds.exists()) == ([wish], False)


def test_journeys_alike_are_planned_kept_and_shown_with_the_teams_that_have_more_breaks(
    as_alice, eight, by_alice
):
    page = reverse("desk_fixtures", args=[eight.code])
    typed = {"first": FIRST.isoformat(), "weeks": "1", "left_out": "", "alike_journeys": "on"}
    as_alice.post(page, typed)
    eight.refresh_from_db()
    assert eight.alike_journeys
    journeys = team_journeys(eight)
    away = [one.away for _name, one, _more in journeys]
    assert max(away) - min(away) <= 1
    assert max(one.breaks for _name, one, _more in journeys) <= 3
    shown = html.unescape(as_alice.get(page).content.decode())
    assert "A break is two home matches or two away matches in a row." in shown
    assert not list(differences(eight))
    as_alice.post(page, typed | {"alike_journeys": ""})
    eight.refresh_from_db()
    assert not eight.alike_journeys
    texts = eight.log.values_list("text", flat=True)
    assert {"Season plan: journeys alike", "Season plan: journeys need not be alike"} <= set(texts)


def test_kilometres_of_each_teams_journeys_are_shown_where_all_positions_are_known(as_alice, eight, by_alice):
    page = reverse("desk_fixtures", args=[eight.code])
    typed = {"first": FIRST.isoformat(), "weeks": "1", "left_out": "", "alike_journeys": "on"}
    as_alice.post(page, typed)
    clubs = [make_club(f"K{number}", position=f"{55 + number / 10:.5f}, 10.00000") for number in range(8)]
    for team, club in zip(eight.teams.order_by("number"), clubs, strict=True):
        eight.teams.filter(pk=team.pk).update(club=club)
    # A tenth of a degree of latitude is 11.12 km.
    away = Match.objects.filter(round__tournament=eight, away__isnull=False)
    steps = dict.fromkeys(range(1, 9), 0)
    for home, visitor in away.values_list("home__number", "away__number"):
        steps[visitor] += abs(home - visitor)
    assert {number: round(km) for number, km in away_kilometres(eight).items()} == {
        number: round(count * 11.1195) for number, count in steps.items() if count
    }
    Club.objects.filter(pk=clubs[0].pk).update(position="")
    lost = {
        visitor for home, visitor in away.values_list("home__number", "away__number") if 1 in (home, visitor)
    }
    shown = {one["name"]: one["km"] for one in as_alice.get(page).context["journeys"]}
    names = dict(eight.teams.values_list("number", "name"))
    assert {name for name, km in shown.items() if km is None} == {names[number] for number in lost}
    assert as_alice.get(page).content.decode().count("not known") == len(lost)
