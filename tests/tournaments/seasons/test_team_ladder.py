"""The ladder of a season's pairs and teams: who is the same on two evenings, what counts, and where it is shown."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.urls import reverse
from time_machine import travel

from tests.evenings import make_evening, play_evening, play_round
from tests.factories import make_club, make_tournament
from tests.pages import words, words_at
from tests.tournaments.seasons.conftest import DAYS
from tests.tournaments.seasons.test_season import make_teams
from tests.tournaments.seasons.test_season import play_round as play_season_round
from tournaments.changes.versions import announce
from tournaments.entries import entering
from tournaments.entries import teams as making
from tournaments.lifecycle.drawing import draw
from tournaments.models import Season
from tournaments.seasons.team_ladder import has_teams, is_of_teams, team_table
from tournaments.standings.teams import team_standings


@pytest.fixture
def pairs_of(club, by_alice, season):
    """Play an evening of four pairs: the players two by two, as they are given."""

    def played(players, day):
        evening = make_tournament(0, club=club, season=season, date=day, format="pairs", deals_per_round=4)
        for player in players:
            entry = entering.enter(evening, player, club=club, **by_alice)
            entering.check_in(entry, present=True, **by_alice)
        making.put_together(evening, **by_alice)
        draw(evening, seed=7, **by_alice)
        play_round(evening.rounds.get(), by_alice["account"])
        evening.refresh_from_db()
        return evening

    return played


@pytest.fixture
def two_evenings(pairs_of, players):
    """Two pairs play both evenings, the others change partners."""
    a, b, c, d, *same = players
    return pairs_of([*same, a, b, c, d], DAYS[0]), pairs_of([a, c, b, d, *same], DAYS[1])


def tokens(evening):
    return {row.name: row.tokens for row in team_standings(evening).rows}


def test_a_pair_is_the_same_while_the_same_two_play_in_any_order_and_under_any_number(two_evenings, season):
    first, second = map(tokens, two_evenings)
    table = team_table(season)
    assert {row.name: row.line.played for row in table.rows} == {
        name: (name in first) + (name in second) for name in first | second
    }
    assert sorted(row.line.played for row in table.rows) == [1, 1, 1, 1, 2, 2]
    for row in table.rows:
        assert row.line.total == first.get(row.name, 0) + second.get(row.name, 0)


def test_who_has_played_too_little_has_no_place(two_evenings, season):
    assert season.least_evenings == 2
    assert [bool(row.line.rank) for row in team_table(season).rows] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_points_go_by_the_pairs_place(two_evenings, season):
    Season.objects.filter(pk=season.pk).update(rule="places", place_points=[10, 6, 3, 1], least_evenings=0)
    season.refresh_from_db()
    points = {1: 10, 2: 6, 3: 3, 4: 1}
    expected = {}
    for evening in two_evenings:
        for row in team_standings(evening).rows:
            expected[row.name] = expected.get(row.name, 0) + points[row.rank]
    assert {row.name: row.line.total for row in team_table(season).rows} == expected


def test_evenings_of_single_players_are_no_column(two_evenings, players, club, alice, season):
    assert (has_teams(season), is_of_teams(season)) == (True, True)
    play_evening(make_evening(players, club, alice, date=DAYS[2], season=season), alice)
    assert (has_teams(season), is_of_teams(season)) == (True, False)
    assert [evening.code for evening in team_table(season).evenings] == [one.code for one in two_evenings]


def test_the_page_leads_from_players_to_pairs_and_its_lines_to_their_pages(client, two_evenings, season):
    page = client.get(season.get_absolute_url())
    assert 'href="?teams"' in page.content.decode()
    shown = client.get(f"{season.get_absolute_url()}?teams").content.decode()
    first = team_table(season).rows[0]
    assert reverse("hall_team", args=[first.code, first.number]) in shown
    said = words(shown)
    assert all(row.name in said for row in team_table(season).rows)
    assert "Pairs and teams without a place have not played enough yet." in said


def test_a_season_without_pairs_has_one_ladder(client, evening, season):
    assert not has_teams(season)
    assert "?teams" not in client.get(season.get_absolute_url()).content.decode()
    assert "No evening of the season" in words_at(client, f"{season.get_absolute_url()}?teams")


def test_files_have_the_pairs(client, two_evenings, season):
    names = [row.name for row in team_table(season).rows]
    address = reverse("hall_season_file", args=[season.pk, "csv"])
    rows = list(csv.reader(io.StringIO(client.get(f"{address}?teams").getvalue().decode("utf-8-sig"))))
    assert [row[1] for row in rows[1:]] == names
    told = json.loads(client.get(reverse("hall_season_file", args=[season.pk, "json"]) + "?teams").getvalue())
    assert [row["name"] for row in told["ladder"]] == names
    printed = client.get(reverse("hall_season_pdf", args=[season.pk]) + "?teams")
    assert printed.content.startswith(b"%PDF")


@travel("2026-11-21 12:00:00+00:00", tick=False)
def test_the_clubs_page_names_the_pairs_that_lead_a_season_of_pairs(client, two_evenings, club, season):
    page = client.get(reverse("hall_club", args=[club.slug]))
    leading = [line.row.name for line in page.context["season_now"]["leading"]]
    assert leading == [row.name for row in team_table(season).rows if row.line.rank][:3]
    assert f"{season.get_absolute_url()}?teams" in page.content.decode()


def test_teams_without_a_name_of_their_own_are_the_same_by_their_players(club, by_alice, season):
    evenings = [
        make_teams(host, by_alice, teams=4, season=season, date=day)
        for host, day in zip((club, make_club("Viby")), DAYS[:2], strict=True)
    ]
    for evening in evenings:
        evening.teams.update(club=club)
        play_season_round(evening.rounds.get(number=1), by_alice)
    first, second = evenings
    assert set(first.teams.values_list("name", flat=True)) == set(second.teams.values_list("name", flat=True))
    assert len(team_table(season).rows) == 8, "other players each evening"
    for evening in evenings:
        for team in evening.teams.all():
            team.name = f"Viby {team.number}"
            team.save()
        announce(evening.pk)
    assert [row.line.played for row in team_table(season).rows] == [2, 2, 2, 2]


def test_two_teams_of_one_evening_are_two_though_their_names_differ_in_capitals_alone(club, by_alice, season):
    evening = make_teams(club, by_alice, teams=4, season=season, date=DAYS[0])
    play_season_round(evening.rounds.get(number=1), by_alice)
    for number, name in ((1, "Hold"), (2, "hold")):
        evening.teams.filter(number=number).update(name=name)
    announce(evening.pk)
    assert len(team_table(season).rows) == 4


def test_tokens_of_the_stage_before_are_of_another_day(two_evenings, season):
    evening = two_evenings[0]
    before = {row.name: row.line.total for row in team_table(season).rows}
    evening.teams.update(carried_tokens=10_000, carried_points=100)
    announce(evening.pk)
    assert {row.name: row.line.total for row in team_table(season).rows} == before
