"""What everybody may read by the API is what the hall shows, no more and no less."""

from __future__ import annotations

import pytest
from django.test import Client

from clubs.models import Club, Player
from tests.factories import first_round, first_table, make_player, make_tournament, newcomer, report, won
from tests.tournaments.api.world import make_world
from tournaments.api import base
from tournaments.lifecycle import ending
from tournaments.lifecycle.playing import close_round
from tournaments.models import Entry
from tournaments.models.names import NAMELESS

API = "/api/v1"


@pytest.fixture
def tournament(club, alice):
    return make_tournament(4, 1, club=club, account=alice, deals_per_round=4)


def read(address: str, **headers: str):
    answer = Client().get(address if address.startswith("/") else f"{API}/{address}", headers=headers)
    assert answer.status_code == 200, (address, answer.content)
    return answer.json()


def all_pages(address: str) -> list:
    items, behind = [], address
    while behind:
        page = read(behind)
        items += page["items"]
        behind = page["next"]
    return items


def test_a_program_finds_its_way_from_the_clubs_to_a_deal(club, alice):
    world = make_world(club, alice)
    assert [one["slug"] for one in all_pages(f"{API}/clubs?limit=1")] == ["stilling", "viby", "ry"]
    held = all_pages(f"{API}/tournaments?limit=1&club={club.slug}")
    assert [one["code"] for one in held] == [world.running.code]
    at = f"tournaments/{world.running.code}"
    assert [one["state"] for one in read(f"{at}/rounds")["items"]] == ["closed", "drawn"]
    assert read(at)["current_round"] == 1
    tables = all_pages(f"{API}/{at}/rounds/1/tables?limit=1")
    assert [(one["number"], one["reported"]) for one in tables] == [(1, 4), (2, 4)]
    sheet = read(f"{at}/rounds/1/tables/1")
    assert [sum(line["tokens"]) for line in sheet["lines"]] == [0, 0, 0, 0]
    assert sheet["lines"][-1]["running"] == [seat["tokens"] for seat in sheet["seats"]]
    standings = read(f"{at}/standings")
    seated = {seat["number"]: seat["tokens"] for table in tables for seat in table["seats"]}
    assert {line["number"]: line["total"] for line in standings["items"]} == seated
    assert next(line["place"] for line in standings["items"]) == 1
    first = read(f"{at}/entries/1")
    assert first["seats"][0]["tokens"] == seated[1]
    assert first["standing"] == next(line for line in standings["items"] if line["number"] == 1)
    person = read(f"persons/{first['person']}")
    assert [one["tournament"] for one in person["evenings"]] == [world.running.code]
    assert person["tokens"] == seated[1]
    ladder = read(f"seasons/{world.season.pk}?limit=3")
    assert (len(ladder["items"]), ladder["players"]) == (3, 8)
    assert len(all_pages(f"{API}/seasons/{world.season.pk}?limit=3")) == 8
    teams = read(f"tournaments/{world.teams.code}/teams")
    assert (len(teams["items"]), len(teams["matches"]), teams["items"][0]["points"]) == (4, 6, 0)
    assert Client().get(f"{API}/{at}/teams").status_code == 404


def test_pages_follow_one_another_whoever_comes_meanwhile(tournament, alice):
    at = f"{API}/tournaments/{tournament.code}/entries?limit=3"
    first = read(at)
    newcomer(tournament, {"account": alice, "now": tournament.created_at})
    assert [one["number"] for one in read(first["next"])["items"]] == [4, 5]
    assert [one["number"] for one in all_pages(at)] == [1, 2, 3, 4, 5]


def test_what_has_not_changed_is_not_sent_again(tournament):
    at = f"{API}/tournaments/{tournament.code}/standings"
    etag = Client().get(at).headers["ETag"]
    assert Client().get(at, headers={"If-None-Match": etag}).status_code == 304
    report(first_table(tournament), 1, won(1))
    again = Client().get(at, headers={"If-None-Match": etag})
    assert again.status_code == 200
    assert again.headers["ETag"] != etag
    rules = Client().get(f"{API}/rulebooks/union").headers["ETag"]
    assert Client().get(f"{API}/rulebooks/union", headers={"If-None-Match": rules}).status_code == 304
    danish = Client().get(f"{API}/rulebooks/union", headers={"If-None-Match": rules, "Accept-Language": "da"})
    assert danish.status_code == 200


def test_names_are_those_of_the_hall_and_who_is_hidden_there_is_hidden_here(tournament, club, alice):
    close_round(first_round(tournament), account=alice, now=tournament.created_at, force_reason="late")
    players = [entry.player for entry in tournament.entries.select_related("player").order_by("number")]
    at = f"tournaments/{tournament.code}"
    assert [one["person"] for one in read(f"{at}/entries")["items"]] == [player.pk for player in players]
    Player.objects.filter(pk=players[0].pk).update(name=NAMELESS)
    Player.objects.filter(pk=players[1].pk).update(has_objected=True)
    Club.objects.update(name_style=Club.NameStyle.INITIAL)
    shown = read(f"{at}/entries?limit=4")["items"]
    names = [entry.shown_name for entry in Entry.objects.filter(tournament=tournament).order_by("number")]
    assert [one["name"] for one in shown] == names
    assert [one["person"] for one in shown] == [None, None, players[2].pk, players[3].pk]
    gone = [Client().get(f"{API}/persons/{player.pk}").status_code for player in players]
    assert gone == [404, 404, 200, 200]
    Club.objects.update(name_style=Club.NameStyle.NUMBER)
    assert [(one["name"], one["person"]) for one in read(f"{at}/entries?limit=5")["items"]] == [
        (str(number), None) for number in (1, 2, 3, 4)
    ]
    assert Client().get(f"{API}/persons/{players[3].pk}").status_code == 404
    Club.objects.update(statistics=Club.Statistics.NOWHERE, shows_rating=False)
    assert Client().get(f"{API}/clubs/{club.slug}/records").status_code == 404
    assert Client().get(f"{API}/clubs/{club.slug}/rating").status_code == 404


def test_cards_that_others_are_still_to_play_are_not_told(club, alice):
    tournament = make_tournament(8, 1, club=club, account=alice, boards=True, deals_per_round=4)
    report(first_table(tournament), 1, won(1))
    sheet = read(f"tournaments/{tournament.code}/rounds/1/tables/1")
    assert (sheet["sealed"], sheet["reported"], sheet["lines"]) == (True, 1, [])
    assert any(seat["tokens"] for seat in sheet["seats"])
    assert [read(f"tournaments/{tournament.code}/entries/{number}")["deals"] for number in (1, 2, 3, 4)] == [
        0
    ] * 4


def test_a_correction_stands_with_its_reason(tournament):
    table = first_table(tournament)
    report(table, 1, won(1))
    report(table, 1, won(3), base=1, reason="wrong seat")
    line = read(f"tournaments/{tournament.code}/rounds/1/tables/1")["lines"][0]
    assert (line["revision"], line["declarer"]) == (2, 3)
    assert [(one["revision"], one["reason"]) for one in line["versions"]] == [(1, ""), (2, "wrong seat")]


def test_called_off_is_in_no_list_and_says_so_by_itself(club, alice):
    tournament = make_tournament(4, club=club, account=alice, started=False)
    ending.call_off(tournament, reason="snow", account=alice, now=tournament.created_at)
    assert read("tournaments")["items"] == []
    assert read(f"tournaments/{tournament.code.lower()}")["called_off_reason"] == "snow"


@pytest.mark.parametrize(
    ("asked", "status", "code", "field"),
    [
        ("nothing", 404, "not_found", ""),
        ("tournaments/ZZZZZZ", 404, "not_found", ""),
        ("tournaments/%00", 422, "invalid", "code"),
        ("tournaments?cursor=x", 400, "bad_cursor", ""),
        ("tournaments?cursor=WyIyMDI2LTExLTIzIiwiYSJd", 400, "bad_cursor", ""),
        ("tournaments?limit=0", 422, "invalid", "limit"),
        ("tournaments?since=yesterday", 422, "invalid", "since"),
        ("tournaments?season=99999999999999999999", 422, "invalid", "season"),
        ("clubs/nobody", 404, "not_found", ""),
        ("persons/0", 404, "not_found", ""),
        ("rulebooks/nope", 404, "not_found", ""),
    ],
)
def test_what_goes_wrong_is_told_as_a_problem_in_words(db, asked, status, code, field):
    answer = Client().get(f"{API}/{asked}")
    assert answer.headers["Content-Type"] == "application/problem+json"
    said = answer.json()
    assert (answer.status_code, said["status"], said["code"]) == (status, status, code)
    assert said["detail"]
    assert [one["field"] for one in said["errors"]] == [field] * bool(field)


def test_what_the_server_itself_refuses_is_a_problem_too(db, monkeypatch):
    client = Client(raise_request_exception=False)
    refused = client.post(f"{API}/clubs")
    assert (refused.status_code, refused.json()["status"], refused["Allow"]) == (405, 405, "GET")
    large = client.get(f"{API}/clubs", CONTENT_LENGTH="999999999999")
    assert (large.status_code, large.json()["code"]) == (413, "request_entity_too_large")
    monkeypatch.setattr("tournaments.api.base.read_cursor", lambda *_: 1 / 0)
    fault = client.get(f"{API}/clubs")
    assert (fault.status_code, fault.json()["code"]) == (500, "internal_server_error")


def test_pages_of_other_sites_may_read_and_may_send_nothing(db):
    answer = Client().get(f"{API}/clubs", headers={"Origin": "https://example.org"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    asked = Client().options(f"{API}/clubs", headers={"Access-Control-Request-Method": "POST"})
    assert (asked.status_code, asked.headers["Access-Control-Allow-Methods"]) == (204, "GET, HEAD")
    head = Client().head(f"{API}/clubs")
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", answer.headers["ETag"])


def test_a_stranger_who_asks_too_often_waits_a_minute(db, monkeypatch):
    monkeypatch.setattr(base, "MOST_ASKED", 2)
    here = [Client().get(f"{API}/clubs").status_code for _ in range(3)]
    assert here == [200, 200, 429]
    late = Client().get(f"{API}/clubs")
    assert (late.json()["code"], late.headers["Retry-After"]) == ("too_many_requests", "60")
    assert Client(REMOTE_ADDR="192.0.2.9").get(f"{API}/clubs").status_code == 200


def test_a_member_who_never_came_is_in_no_list(tournament, club, alice):
    make_player("Ulla Vest", club)
    gone = newcomer(tournament, {"account": alice, "now": tournament.created_at})
    Entry.objects.filter(pk=gone.pk).update(status=Entry.Status.WITHDRAWN)
    assert len(read(f"tournaments/{tournament.code}/entries")["items"]) == 4
