"""Clubs ranked by their best players: the rule, and the pages and files of a tournament, a season and a list."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from django.urls import reverse

from tests.evenings import make_evening, play_evening
from tests.factories import make_club, make_player, player_name
from tests.pages import text
from tournaments.models import Season, Tournament
from tournaments.seasons.points import Scored, rank_clubs
from tournaments.standings.players import standings


def scored(club, *amounts):
    return [Scored(club, f"{club} {number}", amount) for number, amount in enumerate(amounts)]


def said(rows):
    return [(row.place, row.shared, row.club, row.total, row.players) for row in rows]


def test_clubs_stand_by_the_sum_of_their_best_and_share_a_place_where_it_is_the_same():
    results = [*scored("Viby", 10, -3, 7), *scored("Odder", 9, 8, -50), *scored("Nim", 30, -40, 1)]
    assert said(rank_clubs(results, 2)) == [
        (1, False, "Nim", 31, 3),
        (2, True, "Odder", 17, 3),
        (2, True, "Viby", 17, 3),
    ]


def test_a_club_with_too_few_players_has_no_place_and_guests_count_for_none():
    results = [*scored("Viby", -10, -20), *scored("Odder", 99), *scored("", 500, 500)]
    assert said(rank_clubs(results, 2)) == [(1, False, "Viby", -30, 2), (0, False, "Odder", 99, 1)]
    assert said(rank_clubs(results, 1)) == [(1, False, "Odder", 99, 1), (2, False, "Viby", -10, 2)]


def test_averages_are_added_exactly():
    results = scored("Viby", Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    assert said(rank_clubs(results, 3)) == [(1, False, "Viby", 1, 3)]
    assert rank_clubs([], 3) == []


@pytest.fixture
def played(club, alice):
    """A tournament of two clubs that is over, in a season."""
    season = Season.objects.create(host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    other = make_club("Viby")
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    evening = make_evening(players, club, alice, date=date(2026, 9, 5), name="Efterår")
    evening.entries.filter(number__in=(1, 2, 3)).update(club=other)
    play_evening(evening, alice, seed=5)
    Tournament.objects.filter(pk=evening.pk).update(season=season)
    return evening


def test_a_tournament_ranks_its_clubs_by_as_many_as_are_asked_for(client, played):
    page = reverse("hall_tournament_clubs", args=[played.code])
    of = {
        name: sorted((row.total for row in standings(played).rows if row.club == name), reverse=True)
        for name in ("Viby", "Stilling")
    }
    answer = client.get(page, {"best": 2})
    assert {row.club: row.total for row, _total, _names in answer.context["rows"]} == {
        name: sum(totals[:2]) for name, totals in of.items()
    }
    assert len(client.get(page).context["rows"][0][0].best) == 3
    for wrong in ("0", "x", "999", ""):
        assert client.get(page, {"best": wrong}).context["count"] == 3
    assert "At least 1." in text(client.get(page, {"best": "0"}))
    assert page in client.get(reverse("standings", args=[played.code])).content.decode()


@pytest.mark.parametrize("kind", ["csv", "xlsx", "pdf"])
def test_a_seasons_clubs_are_saved_and_printed(client, played, kind):
    answer = client.get(
        reverse("hall_season_clubs_file", args=[played.season_id or Season.objects.get().pk, kind])
    )
    assert answer.status_code == 200
    begins = {"csv": "Place".encode("utf-8-sig")[:3], "xlsx": b"PK", "pdf": b"%PDF"}[kind]
    assert answer.content.startswith(begins)
    page = client.get(reverse("hall_season_clubs", args=[Season.objects.get().pk]))
    assert {row.club for row, _total, _names in page.context["rows"]} == {"Viby", "Stilling"}


def test_an_unknown_kind_of_file_is_not_there(client, played):
    assert client.get(reverse("hall_tournament_clubs_file", args=[played.code, "doc"])).status_code == 404
