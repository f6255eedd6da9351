"""A season's pages as people see and hear them, and the line-up that a team's captain chooses on the phone."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.browser.test_axe import in_lines, wrong
from tests.tournaments.seasons.test_season import make_teams, play_round
from tournaments.lifecycle.line_ups import line_ups_to_come, seats_of
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import award, postpone
from tournaments.models import Entry

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def season(club, alice):
    """Five teams in their second round, one match on another day, one decided by a ruling."""
    by = {"account": alice, "now": timezone.now()}
    tournament = make_teams(club, by, teams=5, reserves=[1], promoted=1, relegated=1)
    first, second, *_more = tournament.rounds.order_by("number")
    play_round(first, by)
    close_round(first, **by)
    start_round(second, **by)
    one, other = second.matches.filter(away__isnull=False)
    postpone(one, date(2026, 12, 24), **by)
    award(other, {"home": 2, "away": 0}, reason="did not turn up", **by)
    return tournament


def looked_at(page, live_server, paths, *, phone):
    said = {}
    for path in paths:
        page.goto(live_server.url + path)
        if found := wrong(page, phone=phone):
            said[path] = found
    return in_lines(said)


def test_everybody_can_read_a_seasons_pages(season, open_looked_at, live_server):
    names = ("hall", "standings", "hall_players", "hall_matches", "hall_cross_table", "projector")
    paths = [reverse(name, args=[season.code]) for name in names]
    team = season.teams.get(number=1)
    paths += [
        reverse("hall_team", args=[season.code, 1]),
        reverse("hall_table", args=[season.code, 2, 1]),
        reverse("team_line_up", args=[team.secret]),
    ]
    assert {Client().get(path).status_code for path in paths} == {200}
    assert not looked_at(open_looked_at(phone=True), live_server, paths, phone=True)


def test_the_desk_can_read_a_seasons_pages(season, as_alice, open_looked_at, live_server):
    paths = [reverse(name, args=[season.code]) for name in ("desk_matches", "desk_teams", "desk_penalties")]
    paths += [reverse("desk_match", args=[season.code, number, 1]) for number in (2, 3)]
    paths += [reverse("desk_team_link", args=[season.code, 1]), reverse("desk_round", args=[season.code, 2])]
    page = open_looked_at()
    page.context.add_cookies(
        [{"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": live_server.url}]
    )
    assert not looked_at(page, live_server, paths, phone=False)


def test_the_set_up_asks_for_what_a_season_has_as_soon_as_teams_are_chosen(
    season, as_alice, open_page, live_server
):
    page = open_page("/")
    page.context.add_cookies(
        [{"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(live_server.url + reverse("tournament_new"))
    page.fill("input[name=name]", "Holdturnering")
    page.locator("summary:has(#said-played)").click()
    page.check("input[name=format][value=teams]")
    page.locator("input[name=promoted]").wait_for(state="attached")
    assert page.locator("input[name=deals_at_three]").count() == 0
    assert page.input_value("input[name=name]") == "Holdturnering"


def test_a_captain_lets_the_reserve_play(season, open_page):
    team, reserve = season.teams.get(number=1), Entry.objects.get(reserve=True)
    match = next(found for found in line_ups_to_come(team) if found.round.is_drawn)
    page = open_page(reverse("team_line_up", args=[team.secret]), phone=True)
    page.locator(f"select[name=match{match.pk}-player_1]").select_option(str(reserve.number))
    page.get_by_role("button", name="Save the line-up").tap()
    page.locator(".message.success, .messages .success").first.wait_for()
    assert reserve in [seat.entry for seat in seats_of(match, team)]
