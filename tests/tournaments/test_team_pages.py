"""Teams in the hall and at the desk: places, matches, cross table, a team's page, line-ups and rulings."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.test_season import make_teams, play, play_round
from tournaments import rounds
from tournaments.team_standings import team_standings


@pytest.fixture
def by(alice):
    return {"account": alice, "now": timezone.now()}


@pytest.fixture
def begun(club, by):
    """Five teams, one with a reserve: one round played, one running, the rest to come."""
    tournament = make_teams(club, by, teams=5, reserves=[1])
    first, second, *_more = tournament.rounds.order_by("number")
    rounds.set_dates(tournament, {1: date(2026, 9, 1)}, **by)
    play_round(first, by)
    rounds.close_round(first, **by)
    rounds.start_round(second, **by)
    tournament.refresh_from_db()
    return tournament


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def shown(client, name, tournament, *which):
    answer = client.get(page(name, tournament, *which))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_hall_shows_places_matches_and_who_met_whom(client, begun):
    best = team_standings(begun).rows[0]
    for name, which in (
        ("standings", ()), ("hall_matches", ()), ("hall_cross_table", ()), ("hall_team", (best.number,)),
        ("hall", ()), ("projector", ()), ("hall_player", (best.players[0].number,)),
    ):  # fmt: skip
        assert best.name in shown(client, name, begun, *which), name
    assert "provisional" in shown(client, "standings", begun)
    assert "Spiller 22" in shown(client, "hall_team", begun, 1)
    assert "Anna Holm" in shown(client, "hall_players", begun)
    assert "1 September 2026" in shown(client, "hall_matches", begun)


def test_the_pages_of_teams_are_not_there_where_everybody_plays_alone(client, begun):
    type(begun).objects.filter(pk=begun.pk).update(format="individual")
    for name, which in (
        ("hall_matches", ()),
        ("hall_cross_table", ()),
        ("hall_team", (1,)),
        ("hall_players", ()),
    ):
        assert client.get(page(name, begun, *which)).status_code == 404


def test_the_standings_know_a_match_that_is_being_played(client, begun, by):
    match = begun.rounds.get(number=2).matches.filter(away__isnull=False).first()
    play(match.tables.select_related("round__tournament", "match").first(), deals=2)
    begun.refresh_from_db()
    (result,) = [found for found in team_standings(begun).rounds[2] if found.number == match.number]
    assert result.in_play
    assert sum(result.points) == 2
    assert "being played" in shown(client, "hall_matches", begun)
