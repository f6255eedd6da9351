"""Who still has to meet whom in a season: counted at the tables of closed rounds."""

from __future__ import annotations

from itertools import combinations

import pytest
from django.urls import reverse

from tests.evenings import make_evening, play_evening
from tests.pages import words
from tests.tournaments.seasons.conftest import DAYS
from tournaments.models import Round, Seat
from tournaments.seasons.ladder_table import season_table
from tournaments.seasons.season import meetings_of, met_in


@pytest.fixture
def two_tables(club, alice, players, season):
    """An evening of one round at two tables."""
    return play_evening(make_evening(players, club, alice, date=DAYS[1], season=season), alice)


def pairs_at_tables(tournament) -> set[frozenset[int]]:
    """An independent count, table by table."""
    found = set()
    for table in {seat.table_id for seat in Seat.objects.filter(round__tournament=tournament)}:
        players = Seat.objects.filter(table=table).values_list("entry__player", flat=True)
        found |= {frozenset(pair) for pair in combinations(players, 2)}
    return found


def test_players_have_met_who_sat_at_one_table(two_tables, season) -> None:
    met = met_in(season, [row.player_id for row in season_table(season).rows])
    counted = {frozenset((one, other)) for one in met for other in met[one] if one != other}
    assert counted == pairs_at_tables(two_tables)


def test_of_some_players_nobody_else_is_read(two_tables, season) -> None:
    first, second, *_others = (row.player_id for row in season_table(season).rows)
    met = met_in(season, [first, second])
    assert set().union(*met.values()) <= {first, second}


def test_each_player_meets_or_has_still_to_meet_each_of_the_others(two_tables, season) -> None:
    rows = season_table(season).rows
    meetings = meetings_of(season, rows)
    assert [one.name for one in meetings] == [row.name for row in rows]
    assert {one.met + len(one.not_met) for one in meetings} == {7}
    assert sum(one.met for one in meetings) == 2 * len(pairs_at_tables(two_tables))


def test_a_round_that_is_not_closed_counts_for_nothing(two_tables, season) -> None:
    Round.objects.filter(tournament=two_tables).update(state="running")
    assert met_in(season, [row.player_id for row in season_table(season).rows]) == {}


def test_the_page_names_them_for_who_works_in_the_club(as_alice, as_charlie, two_tables, season) -> None:
    page = reverse("club_season_meetings", args=[season.host.slug, season.pk])
    shown = words(as_alice.get(page).content.decode())
    for one in meetings_of(season, season_table(season).rows):
        left = f": {', '.join(one.not_met)}" if one.not_met else ""
        assert f"{one.name} has played with {one.met}, {len(one.not_met)} left{left}" in shown
    assert as_charlie.get(page).status_code == 403


def test_a_season_without_evenings_says_so(as_alice, season) -> None:
    page = reverse("club_season_meetings", args=[season.host.slug, season.pk])
    assert "No evening of the season has been played yet." in words(as_alice.get(page).content.decode())
