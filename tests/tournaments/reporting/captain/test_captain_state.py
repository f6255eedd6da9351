"""What a captain's phone is told: the table, its deals, and what it may report."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.factories import first_table, make_tournament, play_out, report
from tournaments.lifecycle.playing import start_round

pytestmark = pytest.mark.databases


def state(client, table, query: str = "") -> dict[str, object]:
    return client.get(f"/c/{table.secret}/state{query}").json()


def test_the_state_tells_the_table_its_seats_deals_and_choices(client, bobs_table) -> None:
    told = state(client, bobs_table)
    assert told["table"] | {"tournament": ""} == {
        "tournament": "",
        "round": 1,
        "number": 1,
        "deals": 40,
        "folders": [],
        "first_dealer": 0,
        "turns": 0,
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


def test_a_phone_that_knows_it_all_is_told_nothing(client, bobs_table) -> None:
    told = state(client, bobs_table)
    assert client.get(f"/c/{bobs_table.secret}/state?v={told['version']}").status_code == 204
    report(bobs_table, 1)
    assert client.get(f"/c/{bobs_table.secret}/state?v={told['version']}").status_code == 200


def test_a_phone_is_told_only_the_deals_that_changed_since(client, bobs_table) -> None:
    report(bobs_table, 1)
    report(bobs_table, 2)
    seen = state(client, bobs_table)
    report(
        bobs_table,
        1,
        {"contract": "solo", "declarer": 1, "trump": "S", "outcome": "won"},
        base=1,
        reason="typed wrong",
    )
    told = state(client, bobs_table, f"?v={seen['version']}&seq={seen['sequence']}")
    assert told["partial"]
    assert [deal["number"] for deal in told["deals"]] == [1]
    assert [version["revision"] for version in told["deals"][0]["older"]] == [1]
    assert told["deals"][0]["reason"] == "typed wrong"
    assert "choices" not in told


@pytest.mark.parametrize("query", ["?v=", "?v=x&seq=y", "?seq=-1", "?seq=²", "?seq=" + "9" * 50])
def test_a_strange_question_gets_the_whole_state(client, bobs_table, query) -> None:
    assert len(state(client, bobs_table, query)["deals"]) == 40


def test_the_state_costs_the_same_number_of_queries_with_one_deal_and_with_many(
    client, bobs_table, django_assert_num_queries
) -> None:
    with django_assert_num_queries(4):
        state(client, bobs_table)
    play_out(bobs_table)
    with django_assert_num_queries(4):
        state(client, bobs_table)


def test_a_phone_that_has_all_costs_one_query_however_often_it_asks(
    client, bobs_table, django_assert_num_queries
) -> None:
    version = state(client, bobs_table)["version"]
    with django_assert_num_queries(1):
        assert client.get(f"/c/{bobs_table.secret}/state?v={version}").status_code == 204


def test_before_the_round_starts_the_page_waits(client, alice) -> None:
    tournament = make_tournament(players=4, account=alice, started=False)
    table = first_table(tournament)
    assert client.get(f"/c/{table.secret}/").status_code == 200
    told = state(client, table)
    assert told["table"]["started"] is False
    start_round(table.round, account=alice, now=timezone.now())
    assert state(client, table)["table"]["started"] is True


def test_names_of_contracts_and_results_come_with_the_choices(client, bobs_table) -> None:
    told = state(client, bobs_table)["choices"]
    solo = next(one for one in told["contracts"] if one["id"] == "solo")
    assert solo["name"] == "Solo"
    assert [told["names"][patch["code"]] for patch in solo["results"]] == ["won", "bête", "kruk"]


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
