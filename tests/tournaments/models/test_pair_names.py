"""What pairs and teams are called that have no name of their own: no more than the hall may show."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Player
from tests.factories import make_tournament
from tournaments.entries import personal_data, teams


def put_together(club, account, players, **fields):
    tournament = make_tournament(players, club=club, drawn=False, **fields)
    return teams.put_together(tournament, account=account, now=timezone.now())


@pytest.mark.parametrize(
    ("style", "name"), [("full", "Anna Holm / Bo Krogh"), ("initial", "Anna H. / Bo K."), ("number", "1 / 2")]
)
def test_a_pair_is_called_by_its_players_as_the_hall_may_show_them_now(client, club, alice, style, name):
    (first, *_more) = put_together(club, alice, 4, format="pairs")
    page = reverse("hall_team", args=[first.tournament.code, 1])
    assert "Anna Holm / Bo Krogh" in client.get(page).content.decode()
    for club.name_style in ("number", "initial", style):
        club.save()
    first.refresh_from_db()
    assert first.name == name
    assert ("Holm" in client.get(page).content.decode()) is (style == "full")


def test_a_name_of_its_own_stays(club, alice):
    (first, _second) = put_together(club, alice, 4, format="pairs")
    first.name = "Anna / De Røde"
    first.save()
    club.name_style = Club.NameStyle.NUMBER
    club.save()
    first.refresh_from_db()
    assert first.name == "Anna / De Røde"


def test_a_team_of_four_is_called_by_its_number(club, alice):
    assert [team.name for team in put_together(club, alice, 8, format="teams")] == ["Team 1", "Team 2"]


def test_who_is_erased_is_in_no_pairs_name_and_in_no_line_about_it(as_alice, club, alice):
    (first, _second) = put_together(club, alice, 4, format="pairs")
    for name in ("Anna Holm", "Bo Krogh"):
        player = Player.objects.get(name=name)
        personal_data.erase(player, account=alice, today=date(2026, 12, 1), now=timezone.now())
    first.refresh_from_db()
    assert first.name == "N.N. / N.N."
    code = first.tournament.code
    for page in ("desk_log", "desk_teams", "hall"):
        text = as_alice.get(reverse(page, args=[code])).content.decode()
        assert [name for name in ("Anna", "Holm", "Krogh") if name in text] == []
