"""Clubs and persons are told by what other addresses of the API take."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Club, Player
from tests.factories import first_round, first_table, make_championship, make_club, make_tournament, play_out
from tests.tournaments.api.test_reading import API, all_pages, read
from tests.tournaments.api.world import make_world
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round
from tournaments.models import Tournament


@pytest.fixture
def world(club, alice):
    return make_world(club, alice)


def clubs_in(value, found):
    """Every reference to a club in an answer."""
    if isinstance(value, dict):
        if value.keys() >= {"slug", "name"}:
            found.append(value)
        for one in value.values():
            clubs_in(one, found)
    for one in value if isinstance(value, list) else ():
        clubs_in(one, found)


def test_a_club_is_one_thing_wherever_it_is_told_of(world, club):
    made = make_championship(club)
    Tournament.objects.filter(pk=world.running.pk).update(stage=made.stages.get(number=1))
    at = f"tournaments/{world.running.code}"
    person = world.running.entries.get(number=1).player_id
    answers = [
        read(address)
        for address in (
            "clubs", "tournaments", at, f"{at}/entries", f"{at}/standings", f"tournaments/{world.teams.code}/teams",
            f"seasons/{world.season.pk}", f"persons/{person}", f"championships/{made.pk}",
        )
    ]  # fmt: skip
    for answer in answers:
        found = []
        clubs_in(answer, found)
        assert found, answer
        for one in found:
            assert Club.objects.filter(pk=one["id"], slug=one["slug"], name=one["name"]).exists()
    by_number = {line["number"]: line["club_ref"]["slug"] for line in answers[4]["items"]}
    assert by_number == dict.fromkeys(range(1, 9), club.slug)
    assert answers[8]["stages"][0]["groups"][0]["items"][0]["club_ref"]["id"] == club.pk
    assert answers[7]["evenings"][0]["host_ref"]["slug"] == club.slug


def test_lists_name_the_persons_who_have_a_page_and_no_others(world, club):
    at = f"tournaments/{world.running.code}/standings"

    def persons():
        return {line["number"]: line["person"] for line in read(at)["items"]}

    players = dict(world.running.entries.values_list("number", "player"))
    assert persons() == players
    ladder = {line["person"] for line in all_pages(f"{API}/seasons/{world.season.pk}")}
    assert ladder == set(players.values())
    records = read(f"clubs/{club.slug}/records")["items"]
    assert {one["person"] for one in records} <= set(players.values())
    Player.objects.filter(pk=players[1]).update(has_objected=True)
    Tournament.objects.filter(pk=world.running.pk).update(version=1000)
    assert persons() == players | {1: None}
    assert None in {line["person"] for line in all_pages(f"{API}/seasons/{world.season.pk}")}
    Club.objects.update(name_style=Club.NameStyle.NUMBER)
    Tournament.objects.filter(pk=world.running.pk).update(version=1001)
    assert set(persons().values()) == {None}
    assert {line["person"] for line in all_pages(f"{API}/seasons/{world.season.pk}")} == {None}
    assert {one["person"] for one in read(f"clubs/{club.slug}/records")["items"]} == {None}


def test_the_players_of_a_team_are_named_by_person(world):
    teams = read(f"tournaments/{world.teams.code}/teams")["items"]
    assert all(line["club_ref"] is None or line["club_ref"]["id"] for line in teams)
    assert all("person" in player for line in teams for player in line["players"])


def test_ratings_name_persons_and_clubs(club, alice, monkeypatch):
    monkeypatch.setattr("tournaments.seasons.ratings.LEAST_TABLES", 1)
    evening = make_tournament(4, 1, club=club, account=alice, deals_per_round=4)
    play_out(first_table(evening), agreed=True)
    by = {"account": alice, "now": timezone.now()}
    close_round(first_round(evening), **by)
    evening.refresh_from_db()
    finish(evening, **by)
    lines = read(f"clubs/{club.slug}/rating")["items"]
    assert {line["club_ref"]["id"] for line in lines} == {club.pk}
    assert {line["person"] for line in lines} == set(evening.entries.values_list("player", flat=True))
    Club.objects.update(name_style=Club.NameStyle.NUMBER)
    assert {line["person"] for line in read(f"clubs/{club.slug}/rating")["items"]} == {None}


def test_games_are_asked_for_by_the_hosts_slug_as_by_its_id(world, club):
    by_slug, by_id = read(f"games?club={club.slug}"), read(f"games?club={club.pk}")
    assert by_slug["whole"] == by_id["whole"]
    assert by_slug["whole"]["games"]["deals"] > 0
    other = make_club(str(club.pk))  # a short name like another club's id: the id keeps its meaning
    assert other.slug == str(club.pk)
    assert read(f"games?club={club.pk}")["whole"] == by_id["whole"]
    for wrong in ("nobody", "999999", "9" * 50, "%00"):
        refused = Client().get(f"{API}/games?club={wrong}")
        assert (refused.status_code, [one["field"] for one in refused.json()["errors"]]) == (422, ["club"])


def test_an_evening_begins_at_a_moment_of_a_zone(club, alice):
    evening, version = make_tournament(4, club=club, account=alice, started=False), 1000
    for day, moment in (("2026-12-01", "2026-12-01T18:30:00Z"), ("2026-07-01", "2026-07-01T17:30:00Z")):
        version += 1
        Tournament.objects.filter(pk=evening.pk).update(date=day, begins_at="19:30", version=version)
        told = read(f"tournaments/{evening.code}")
        assert (told["begins_at"], told["time_zone"], told["begins"]) == (
            "19:30:00",
            "Europe/Copenhagen",
            moment,
        )
    Tournament.objects.filter(pk=evening.pk).update(begins_at=None, version=version + 1)
    told = read(f"tournaments/{evening.code}")
    assert (told["begins_at"], told["begins"]) == (None, None)


def test_each_answer_says_how_often_one_may_ask(world):
    assert Client().get(f"{API}/clubs").headers["RateLimit-Policy"] == '"api";q=600;w=60'
    games = Client().get(f"{API}/games")
    assert games.headers["RateLimit-Policy"] == '"api";q=600;w=60, "games";q=60;w=60'
    assert "RateLimit-Policy" in games.headers["Access-Control-Expose-Headers"]
    answers = [Client().get(f"{API}/games") for _question in range(60)]
    assert [answer.status_code for answer in answers] == [200] * 59 + [429]
    assert answers[-1].headers["RateLimit-Policy"] == games.headers["RateLimit-Policy"]
