"""Teams in the hall: places, matches and who met whom, also as a file."""

from __future__ import annotations

import json
from io import BytesIO
from types import SimpleNamespace

from django.urls import reverse
from openpyxl import load_workbook

from core.pdf import store
from tests.tournaments.seasons.test_season import play
from tournaments.models import Seat
from tournaments.paper import teams
from tournaments.standings import team_text
from tournaments.standings.players import standings
from tournaments.standings.team_ranking import Result
from tournaments.standings.team_text import RoundOfMatches
from tournaments.standings.teams import team_standings


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def shown(client, name, tournament, *which):
    answer = client.get(page(name, tournament, *which))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_hall_shows_places_matches_and_who_met_whom(client, five_teams):
    best = team_standings(five_teams).rows[0]
    for name, which in (
        ("standings", ()), ("hall_matches", ()), ("hall_cross_table", ()), ("hall_team", (best.number,)),
        ("hall", ()), ("projector", ()), ("hall_player", (best.players[0].number,)),
    ):  # fmt: skip
        assert best.name in shown(client, name, five_teams, *which), name
    assert "provisional" in shown(client, "standings", five_teams)
    assert "Spiller 22" in shown(client, "hall_team", five_teams, 1)
    assert "Anna Holm" in shown(client, "hall_players", five_teams)
    assert "1 September 2026" in shown(client, "hall_matches", five_teams)


def test_the_pages_of_teams_are_not_there_where_everybody_plays_alone(client, five_teams):
    type(five_teams).objects.filter(pk=five_teams.pk).update(format="individual")
    for name, which in (
        ("hall_matches", ()),
        ("hall_cross_table", ()),
        ("hall_team", (1,)),
        ("hall_players", ()),
    ):
        assert client.get(page(name, five_teams, *which)).status_code == 404


def test_the_standings_know_a_match_that_is_being_played(client, five_teams, by_alice):
    match = five_teams.rounds.get(number=2).matches.filter(away__isnull=False).first()
    play(match.tables.select_related("round__tournament", "match").first(), deals=2)
    five_teams.refresh_from_db()
    (result,) = [found for found in team_standings(five_teams).rounds[2] if found.number == match.number]
    assert result.in_play
    assert sum(result.points) == 2
    assert "being played" in shown(client, "hall_matches", five_teams)


def test_a_reserve_who_never_sat_is_not_ranked_among_those_who_played(client, five_teams):
    """Five teams of four: one has had a bye each time it could have played, or not."""
    reserve = five_teams.entries.get(reserve=True)
    sat = set(
        Seat.objects.filter(round__tournament=five_teams, round__number__lte=2).values_list(
            "entry", flat=True
        )
    )
    assert {row.entry_id for row in standings(five_teams).rows} == sat
    assert reserve.pk not in sat


def test_the_standings_and_matches_are_a_file(client, five_teams):
    rows = {row.number: row for row in team_standings(five_teams).rows}
    told = json.loads(client.get(page("hall_teams_file", five_teams, "json")).content)
    (division,) = told["divisions"]
    assert {team["number"]: team["points"] for team in division["teams"]} == {
        number: row.points for number, row in rows.items()
    }
    assert len(told["matches"]) == 5 * 3
    lines = client.get(page("hall_teams_file", five_teams, "csv")).content.decode("utf-8-sig").splitlines()
    assert len(lines) == 1 + 5
    book = load_workbook(BytesIO(client.get(page("hall_teams_file", five_teams, "xlsx")).content))
    assert [sheet.max_row for sheet in book] == [1 + 5, 1 + 5 * 3]
    assert client.get(page("hall_teams_file", five_teams, "doc")).status_code == 404


def test_the_schedule_is_had_to_print_without_signing_in(client, five_teams, monkeypatch):
    answer = client.get(page("hall_teams_pdf", five_teams, "schedule"))
    assert answer.content.startswith(b"%PDF")
    # A cross table of so many that it would keep all others waiting is not: at the desk it is long work.
    monkeypatch.setattr(store, "MOST_CELLS", 5 * 5 - 1)
    monkeypatch.setitem(teams.MAKE, "cross", None)
    told = client.get(page("hall_teams_pdf", five_teams, "cross"), follow=True)
    assert "This is too long to be made while you wait." in told.content.decode()
    assert client.get(page("hall_teams_pdf", five_teams, "money")).status_code == 404


def test_a_long_season_shows_the_rounds_of_now(monkeypatch):
    def of_round(number: int, *points: tuple[int, int] | None) -> RoundOfMatches:
        played = (Result(number, 1, None, 1, 2, points=one) for one in points)
        return RoundOfMatches(number, None, [SimpleNamespace(result=one) for one in played], [])

    over, begun, coming = ((2, 0), (1, 1)), ((2, 0), None), (None, None)
    rounds = [of_round(number, *one) for number, one in enumerate((over, over, begun, coming, coming), 1)]
    assert team_text._unfolded(rounds) == {1, 2, 3, 4, 5}
    monkeypatch.setattr(team_text, "FEW_MATCHES", 9)
    assert team_text._unfolded(rounds) == {2, 3, 4}
