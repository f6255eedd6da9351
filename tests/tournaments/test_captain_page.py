"""The captain's page, its state, and what a table says to the desk besides deals."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from tests.factories import first_table, make_tournament, play_out, report
from tournaments import rounds
from tournaments.models import Flag, Table
from tournaments.views.captain import LATE_MODULES, LATER, MODULES


@pytest.fixture
def table(alice) -> Table:
    return first_table(make_tournament(players=4, account=alice))


def state(client, table, query: str = "") -> dict[str, object]:
    return client.get(f"/c/{table.secret}/state{query}").json()


def post(client, table, path, body):
    return client.post(f"/c/{table.secret}/{path}", json.dumps(body), content_type="application/json")


# The way in


def test_the_link_opens_the_table_and_tells_nobody(client, table) -> None:
    response = client.get(f"/c/{table.secret}/")
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    assert response["Referrer-Policy"] == "no-referrer"
    assert "noindex" in response["X-Robots-Tag"]


def test_the_page_has_no_inline_script_or_style(client, table) -> None:
    page = client.get(f"/c/{table.secret}/").content.decode()
    scripts = [tag.split(">")[0] for tag in page.split("<script")[1:]]
    assert all("src=" in tag or 'type="application/json"' in tag for tag in scripts)
    assert "<style" not in page
    assert "style=" not in page


def test_the_page_asks_for_all_its_modules_at_once() -> None:
    folder = Path(settings.BASE_DIR) / "static/js/captain"
    started = {"js/captain/main.js", "js/captain/late.js", "js/captain/worker.js"}
    assert {f"js/captain/{path.name}" for path in folder.glob("*.js")} == {*MODULES, *LATER} | started
    assert set(LATE_MODULES) < set(MODULES)


def test_the_page_shows_names_but_neither_phone_nor_address(client, table) -> None:
    player = table.seats.first().entry.player
    player.phone, player.email = "12 34 56 78", "anna@example.org"
    player.save()
    page = client.get(f"/c/{table.secret}/").content.decode()
    assert player.name in page
    assert "12 34 56 78" not in page
    assert "anna@example.org" not in page


@pytest.mark.parametrize("name", ["</script><script>alert(1)</script>", 'Ole "Skakbræt" Ø. 🂡', "x" * 200])
def test_a_strange_name_stays_text(client, table, name) -> None:
    player = table.seats.first().entry.player
    player.name = name
    player.save()
    page = client.get(f"/c/{table.secret}/").content.decode()
    assert "<script>alert" not in page
    assert state(client, table)["seats"][0]["name"] == name


def test_an_unknown_link_says_so_and_offers_the_code(client, db) -> None:
    response = client.get("/c/nobody-knows-it/")
    assert response.status_code == 404
    assert 'href="/c/"' in response.content.decode()
    assert client.get("/c/nobody-knows-it/state").status_code == 404


def test_a_replaced_link_says_what_to_do(client, table, alice) -> None:
    old = table.secret
    rounds.revoke_link(table, account=alice, now=timezone.now())
    response = client.get(f"/c/{old}/")
    assert response.status_code == 410
    assert "replaced" in response.content.decode()
    answer = client.get(f"/c/{old}/state")
    assert (answer.status_code, answer.json()["error"]) == (410, "revoked")


def test_a_closed_rounds_link_leads_to_the_sheet_in_the_hall(client, table, alice) -> None:
    rounds.close_round(table.round, account=alice, now=timezone.now(), force_reason="late")
    response = client.get(f"/c/{table.secret}/")
    assert response.status_code == 410
    assert f"/t/{table.round.tournament.code}/round/1/table/1/" in response.content.decode()
    answer = client.get(f"/c/{table.secret}/state")
    assert (answer.status_code, answer.json()["error"]) == (410, "closed")


def test_a_reopened_rounds_link_lives_again(client, table, alice) -> None:
    rounds.close_round(table.round, account=alice, now=timezone.now(), force_reason="late")
    rounds.reopen_round(table.round, reason="a mistake", account=alice, now=timezone.now())
    assert client.get(f"/c/{table.secret}/").status_code == 200


@pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{spaced}", "{dashed}"])
def test_the_code_is_read_as_people_type_it(client, table, typed) -> None:
    code = table.code
    text = typed.format(code, lower=code.lower(), spaced=" ".join(code), dashed=f"{code[:3]}-{code[3:]}")
    response = client.get("/c/", {"code": text})
    assert response.status_code == 302
    assert response["Location"] == f"/c/{table.secret}/"


def test_a_wrong_code_stays_in_its_field_with_the_reason(client, table) -> None:
    response = client.get("/c/", {"code": "WRONG<1"})
    assert response.status_code == 404
    page = response.content.decode()
    assert 'value="WRONG&lt;1"' in page
    assert 'role="alert"' in page


def test_ten_wrong_codes_a_minute_are_enough(client, table) -> None:
    cache.clear()
    for _unused in range(10):
        client.get("/c/", {"code": "WRONG1"})
    response = client.get("/c/", {"code": table.code})
    assert response.status_code == 404
    assert "Wait a minute" in response.content.decode()


# State


def test_the_state_tells_the_table_its_seats_deals_and_choices(client, table) -> None:
    told = state(client, table)
    assert told["table"] | {"tournament": ""} == {
        "tournament": "",
        "round": 1,
        "number": 1,
        "deals": 40,
        "folders": [],
        "first_dealer": 0,
        "started": True,
        "ended": False,
        "sums": True,
        "sides": False,
    }
    assert [seat["position"] for seat in told["seats"]] == [0, 1, 2, 3]
    assert [deal["number"] for deal in told["deals"]] == list(range(1, 41))
    assert told["deals"][:2] == [{"number": 1, "dealer": 0}, {"number": 2, "dealer": 1}]
    assert told["seatings"][0] == {"roles": ["BH", "FH", "IDLE", "MH"], "sits_out": 2}
    assert told["choices"]["rulebook"] == "union"


def test_at_a_table_of_three_nobody_sits_out(client, alice) -> None:
    told = state(client, first_table(make_tournament(players=3, account=alice)))
    assert told["seatings"][1] == {"roles": ["MH", "BH", "FH"], "sits_out": None}


def test_a_phone_that_knows_it_all_is_told_nothing(client, table) -> None:
    told = state(client, table)
    assert client.get(f"/c/{table.secret}/state?v={told['version']}").status_code == 204
    report(table, 1)
    assert client.get(f"/c/{table.secret}/state?v={told['version']}").status_code == 200


def test_a_phone_is_told_only_the_deals_that_changed_since(client, table) -> None:
    report(table, 1)
    report(table, 2)
    seen = state(client, table)
    report(
        table,
        1,
        {"contract": "solo", "declarer": 1, "trump": "S", "outcome": "won"},
        base=1,
        reason="typed wrong",
    )
    told = state(client, table, f"?v={seen['version']}&seq={seen['sequence']}")
    assert told["partial"]
    assert [deal["number"] for deal in told["deals"]] == [1]
    assert [version["revision"] for version in told["deals"][0]["older"]] == [1]
    assert told["deals"][0]["reason"] == "typed wrong"
    assert "choices" not in told


@pytest.mark.parametrize("query", ["?v=", "?v=x&seq=y", "?seq=-1", "?seq=²", "?seq=" + "9" * 50])
def test_a_strange_question_gets_the_whole_state(client, table, query) -> None:
    assert len(state(client, table, query)["deals"]) == 40


def test_the_state_costs_the_same_number_of_queries_with_one_deal_and_with_many(
    client, table, django_assert_num_queries
) -> None:
    with django_assert_num_queries(4):
        state(client, table)
    play_out(table)
    with django_assert_num_queries(4):
        state(client, table)


def test_a_phone_that_has_all_costs_one_query_however_often_it_asks(
    client, table, django_assert_num_queries
) -> None:
    version = state(client, table)["version"]
    with django_assert_num_queries(1):
        assert client.get(f"/c/{table.secret}/state?v={version}").status_code == 204


def test_before_the_round_starts_the_page_waits(client, alice) -> None:
    tournament = make_tournament(players=4, account=alice, started=False)
    table = first_table(tournament)
    assert client.get(f"/c/{table.secret}/").status_code == 200
    told = state(client, table)
    assert told["table"]["started"] is False
    rounds.start_round(table.round, account=alice, now=timezone.now())
    assert state(client, table)["table"]["started"] is True


def test_names_of_contracts_and_results_come_with_the_choices(client, table) -> None:
    told = state(client, table)["choices"]
    solo = next(one for one in told["contracts"] if one["id"] == "solo")
    assert solo["name"] == "Solo"
    assert [told["names"][patch["code"]] for patch in solo["results"]] == ["won", "bête", "kodille"]


@pytest.mark.parametrize("rulebook", ["union", "rasle"])
def test_what_is_rare_is_asked_back(client, alice, rulebook) -> None:
    told = state(client, first_table(make_tournament(players=4, account=alice, rulebook=rulebook)))
    contracts = {one["id"]: one for one in told["choices"]["contracts"]}
    assert contracts["nolo_ouvert"]["asks"] == {"": "Nolo ouvert is rare. Is that right?"}
    assert contracts["simple_game"]["asks"] == {}
    assert list(contracts["solo"]["asks"]) == ["S"]
    touts = {extra["code"]: extra["ask"] for extra in contracts["solo"]["extras"]}
    assert touts == dict.fromkeys(["tout_won", "tout_failed"], "A tout is rare. Is that right?")


def test_every_button_has_a_name_of_its_own(client, alice) -> None:
    everything = {
        "forced_spadille": False, "kaske": True, "mort": True, "grand": True, "joint_simple_nolo": True,
        "first_five_bonus": True, "repeat_exchange": True, "aces_bonus": 2,
    }  # fmt: skip
    table = first_table(make_tournament(players=4, account=alice, rulebook="rasle", options=everything))
    told = state(client, table)["choices"]
    assert [code for code, name in told["names"].items() if name == code and "_" in code] == []
    accounts = [
        account
        for contract in told["contracts"]
        for joiner in contract["joiners"]
        for account in joiner["results"]
    ]
    assert {account["text"] for account in accounts if account["name"] == "1"} == {
        "{IDLE} 1 trick",
        "{MH} 1 trick",
        "{BH} 1 trick",
        "{FH} 1 trick",
    }


# Agreement


def test_each_player_agrees_to_the_tokens_they_saw(client, table) -> None:
    play_out(table)
    for seat in table.seats.all():
        response = post(client, table, "agree", {"position": seat.position, "tokens": seat.tokens})
        assert response.status_code == 200
    assert all(seat["agreed"] for seat in state(client, table)["seats"])


def test_a_yes_to_other_tokens_than_the_sheets_is_not_taken(client, table) -> None:
    play_out(table)
    seat = table.seats.first()
    response = post(client, table, "agree", {"position": 0, "tokens": seat.tokens + 1})
    assert (response.status_code, response.json()["field"]) == (409, "tokens")
    assert not table.seats.exclude(agreed_at=None).exists()


def test_nobody_agrees_to_an_unfinished_sheet(client, table) -> None:
    report(table, 1)
    response = post(client, table, "agree", {"position": 0, "tokens": 0})
    assert response.status_code == 409
    assert response.json()["message"] == "Not every deal has been reported yet."


def test_a_yes_can_be_taken_back_and_a_correction_takes_all_back(client, table) -> None:
    play_out(table, agreed=True)
    assert post(client, table, "agree", {"position": 1, "agreed": False}).status_code == 200
    assert [seat["agreed"] for seat in state(client, table)["seats"]] == [True, False, True, True]
    report(table, 1, base=1, reason="it was passed out")
    assert not any(seat["agreed"] for seat in state(client, table)["seats"])


@pytest.mark.parametrize("position", [None, -1, 4, "0", True, 1.0, [0], 10**30])
def test_only_a_seat_of_the_table_agrees(client, table, position) -> None:
    response = post(client, table, "agree", {"position": position, "tokens": 0})
    assert response.status_code == 400
    assert post(client, table, "first-dealer", {"position": position}).status_code == 400


# The desk is called


def test_the_organiser_is_called_with_a_few_words_once(client, table) -> None:
    call = {"kind": "call", "deal": None, "words": "who deals?"}
    assert post(client, table, "flag", call).status_code == 200
    assert post(client, table, "flag", call).status_code == 200
    assert [(flag.kind, flag.words) for flag in Flag.objects.all()] == [("call", "who deals?")]
    assert state(client, table)["flags"] == [{"kind": "call", "deal": None, "words": "who deals?"}]


def test_a_deal_is_marked_for_later(client, table) -> None:
    assert post(client, table, "flag", {"kind": "later", "deal": 3}).status_code == 200
    assert state(client, table)["flags"] == [{"kind": "later", "deal": 3, "words": ""}]


@pytest.mark.parametrize(
    ("call", "status"),
    [
        ({"kind": "dance", "words": ""}, 409),
        ({"kind": "call", "words": "x" * 201}, 409),
        ({"kind": "later", "deal": 41}, 409),
        ({"kind": 7}, 400),
        ({"kind": "call", "words": None}, 400),
        ({"kind": "call", "words": "\ud800"}, 400),
        ({"kind": "call", "words": "\x00"}, 400),
        ({"kind": "later", "deal": "3"}, 400),
        ({"kind": "later", "deal": True}, 400),
        ([], 400),
    ],
)
def test_a_strange_call_is_answered_in_words(client, table, call, status) -> None:
    response = post(client, table, "flag", call)
    assert response.status_code == status
    assert response.json()["message"]
    assert not Flag.objects.exists()


# Who deals first


def test_the_first_dealer_is_set_before_deal_1_only(client, table) -> None:
    assert post(client, table, "first-dealer", {"position": 2}).status_code == 200
    told = state(client, table)
    assert (told["table"]["first_dealer"], told["deals"][0]["dealer"]) == (2, 2)
    report(table, 1)
    response = post(client, table, "first-dealer", {"position": 0})
    assert (response.status_code, response.json()["field"]) == (409, "first_dealer")


@pytest.mark.parametrize("path", ["agree", "flag", "first-dealer"])
def test_what_changes_something_is_posted_and_a_closed_round_takes_nothing(
    client, table, alice, path
) -> None:
    assert client.get(f"/c/{table.secret}/{path}").status_code == 405
    rounds.close_round(table.round, account=alice, now=timezone.now(), force_reason="late")
    assert post(client, table, path, {"position": 0, "tokens": 0, "kind": "call"}).status_code == 410


def test_a_table_ended_early_takes_agreement_but_no_deals(client, table, alice) -> None:
    report(table, 1)
    rounds.end_table_early(table, reason="it got late", account=alice, now=timezone.now())
    assert state(client, table)["table"]["ended"] is True
    assert post(client, table, "agree", {"position": 0, "tokens": 0}).status_code == 200


# Which phone enters


def test_the_first_phone_enters_and_a_second_is_told_of_it_and_may_take_over(client, table) -> None:
    assert post(client, table, "phone", {"phone": "bobs"}).json() == {"phone": "bobs"}
    assert post(client, table, "phone", {"phone": "carls"}).json() == {"phone": "bobs"}
    seen = state(client, table)
    assert seen["phone"] == "bobs"
    assert post(client, table, "phone", {"phone": "carls", "take": True}).json() == {"phone": "carls"}
    assert state(client, table, f"?v={seen['version']}&seq={seen['sequence']}")["phone"] == "carls"


def test_a_phone_that_has_gone_gives_way_to_the_next(client, table) -> None:
    post(client, table, "phone", {"phone": "bobs"})
    Table.objects.update(phone_seen_at=timezone.now() - timedelta(minutes=4))
    assert state(client, table)["phone"] == ""
    assert post(client, table, "phone", {"phone": "carls"}).json() == {"phone": "carls"}


def test_a_phone_that_says_again_that_it_is_there_wakes_nobody(client, table) -> None:
    post(client, table, "phone", {"phone": "bobs"})
    version = state(client, table)["version"]
    post(client, table, "phone", {"phone": "bobs"})
    assert state(client, table, "")["version"] == version


def test_any_phone_with_the_link_may_report_whoever_enters(client, table) -> None:
    post(client, table, "phone", {"phone": "bobs"})
    assert report(table, 1).status == "accepted"


@pytest.mark.parametrize("name", [None, 7, "", "x" * 37, "\ud800", "a b", []])
def test_a_phone_has_a_plain_name(client, table, name) -> None:
    assert post(client, table, "phone", {"phone": name}).status_code == 400
