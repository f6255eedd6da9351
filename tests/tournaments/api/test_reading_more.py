"""Championships, boards, stories, questions of games and money: what hall and desk show, as programs read it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from clubs.api_keys import make_key
from clubs.models import Scope
from tests.evenings import close_round, play_folders
from tests.factories import make_championship, make_club, make_tournament, tables_of
from tests.tournaments.api.test_reading import API, all_pages, read
from tests.tournaments.api.world import make_world
from tournaments.lifecycle import money as settling_up
from tournaments.models import Tournament
from tournaments.standings.players import standings


@pytest.fixture
def world(club, alice):
    return make_world(club, alice)


def test_a_championship_is_told_stage_by_stage(world, club):
    made = make_championship(club)
    Tournament.objects.filter(pk=world.running.pk).update(stage=made.stages.get(number=1))
    (line,) = all_pages(f"{API}/clubs/{club.slug}/championships")
    told = read(f"championships/{line['id']}")
    assert [stage["name"] for stage in told["stages"]] == ["Grupper", "Semifinale", "Finale"]
    (group,) = told["stages"][0]["groups"]
    rows = standings(world.running).rows
    assert [(one["number"], one["score"]) for one in group["items"]] == [
        (row.number, [row.total]) for row in rows
    ]
    assert sum(one["goes_on"] for one in group["items"]) == 4
    assert Client().get(f"{API}/championships/99").status_code == 404


def test_boards_are_told_when_their_round_is_over_and_no_sooner(club, alice):
    evening = make_tournament(8, club=club, account=alice, boards=True, deals_per_round=4, deals_at_three=3)
    at = f"tournaments/{evening.code}/boards"
    (dealt,) = read(at)["sets"]
    assert (len(dealt["fingerprint"]), dealt["seed"]) == (64, None)
    assert read(f"{at}/1/folders/1")["sealed"] is True
    for table in tables_of(evening):
        play_folders(table)
    close_round(evening, alice)
    told, folder = read(at), read(f"{at}/1/folders/1")
    assert told["sets"][0]["seed"]
    assert sum(one["difference"] for one in told["players"]) == 0
    assert [one["table"] for one in folder["items"]] == [1, 2]
    cards = [card for hand in folder["hands"] for card in hand["cards"]] + folder["talon"]
    assert len(set(cards)) == len(cards) == 40
    parts = [part for one in folder["items"] for part in one["places"] if part["difference"] is not None]
    assert {part["difference"] + part["datum"] - part["tokens"] for part in parts} == {0}
    for missing in (f"{at}/1/folders/99", f"{at}/9/folders/1", f"tournaments/{evening.code}9/boards"):
        assert Client().get(f"{API}/{missing}").status_code == 404


def test_a_story_counts_what_was_played(world):
    told = read(f"tournaments/{world.running.code}/story")
    games = sum(one["deals"] for one in told["contracts"])
    assert (told["deals"], told["declared"], told["declared"] + told["passed"]) == (8, games, 8)
    assert {lead["first"]["round"] for lead in told["leads"]} == {1}
    assert told["deal_of_the_evening"]["contract"] in {one["contract"] for one in told["contracts"]}
    assert Client().get(f"{API}/tournaments/{world.teams.code}/boards").status_code == 404


def test_a_question_of_games_is_answered_as_the_explorer_answers_it(world, club):
    person = world.running.entries.get(number=1).player_id
    asked = {at: read(f"{at}?by=outcome&then=seat") for at in ("games", f"clubs/{club.slug}/games")}
    for told in asked.values():
        assert (told["by"], told["outcome"]) == (["outcome", "seat"], "won")
        assert sum(row["games"]["deals"] for row in told["items"]) == told["whole"]["games"]["deals"] > 0
    own = all_pages(f"{API}/persons/{person}/games?by=contract&limit=1")
    assert {len(row["key"]) for row in own} == {1}
    refused = Client().get(f"{API}/games?by=weather&year=soon")
    assert refused.status_code == 422
    assert {one["field"] for one in refused.json()["errors"]} == {"by", "year"}
    assert Client().get(f"{API}/persons/999999/games").status_code == 404


def test_money_is_for_a_key_of_the_club(world, club, alice):
    running = world.running
    Tournament.objects.filter(pk=running.pk).update(entry_fee=5000, stake=25, state="finished")
    running.refresh_from_db()
    now = timezone.now()
    settling_up.make_list(running, with_box=True, account=alice, now=now)
    settling_up.tick(running, 1, paid=True, account=alice, now=now)
    at = f"{API}/club/tournaments/{running.code}"
    key = {"Authorization": f"Bearer {world.key}"}
    money, paid = Client().get(f"{at}/money", headers=key).json(), []
    assert (money["entry_fee"], money["fees_owed"], money["pool"]) == (5000, 8, 40_000)
    assert money["box"] == -sum(one["amount"] for one in money["items"])
    behind = f"{at}/payments?limit=3"
    while behind:
        page = Client().get(behind, headers=key).json()
        paid, behind = paid + page["items"], page["next"]
    assert [one["paid_at"] is not None for one in paid] == [True] + [False] * (len(paid) - 1)
    assert sum(one["amount"] for one in paid if one["payee"] is None) > 0
    _key, other = make_key(make_club("Aarhus"), name="x", scopes=[Scope.READ], account=alice, now=now)
    for words, status in (("", 401), (other, 403)):
        headers = {"Authorization": f"Bearer {words}"} if words else {}
        answers = [Client().get(f"{at}/{what}", headers=headers) for what in ("money", "payments")]
        assert {answer.status_code for answer in answers} == {status}
