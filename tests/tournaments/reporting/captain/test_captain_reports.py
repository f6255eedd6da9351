"""POST /c/<secret>/reports: every report has an answer of its own, and nothing sent ends in an error page."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.factories import first_round, report
from tournaments.lifecycle.playing import close_round, revoke_link
from tournaments.models import KeptReport, Report

pytestmark = pytest.mark.databases

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}
LOST = GAME | {"outcome": "bete"}


def item(deal: int = 1, base: int = 0, result: object = None, **more: object) -> dict[str, object]:
    return {"key": str(uuid4()), "deal": deal, "base": base, "result": result or GAME} | more


def send(client, table, *items, secret=None):
    body = json.dumps({"reports": list(items)})
    return client.post(f"/c/{secret or table.secret}/reports", body, content_type="application/json")


def statuses(response) -> list[str]:
    return [answer["status"] for answer in response.json()["results"]]


def test_a_deal_is_accepted_and_its_tokens_are_told(client, bobs_table) -> None:
    response = send(client, bobs_table, item())
    assert response.status_code == 200
    assert statuses(response) == ["accepted"]
    assert response.json()["results"][0]["revision"] == 1
    assert response.json()["tokens"] == [-1, 2, 0, -1]
    bobs_table.refresh_from_db()
    assert response.json()["state_version"] == bobs_table.version


def test_sending_twice_is_sending_once(client, bobs_table) -> None:
    deal = item()
    send(client, bobs_table, deal)
    assert statuses(send(client, bobs_table, deal)) == ["duplicate"]
    assert Report.objects.count() == 1


def test_the_same_result_under_another_key_changes_nothing(client, bobs_table) -> None:
    send(client, bobs_table, item())
    assert statuses(send(client, bobs_table, item())) == ["duplicate"]
    assert Report.objects.count() == 1


def test_two_phones_that_differ_the_second_is_told_what_the_first_said(client, bobs_table) -> None:
    send(client, bobs_table, item())
    answer = send(client, bobs_table, item(result=LOST)).json()["results"][0]
    assert (answer["status"], answer["revision"]) == ("conflict", 1)
    assert answer["current"]["result"] == GAME
    assert answer["current"]["tokens"] == [-1, 2, 0, -1]
    assert answer["current"]["outcome"] == "won"
    assert set(answer["current"]) >= {"revision", "text", "reported_at"}
    assert Report.objects.count() == 1


def test_mine_is_right_is_a_correction_on_top_of_theirs(client, bobs_table) -> None:
    send(client, bobs_table, item())
    response = send(client, bobs_table, item(base=1, result=LOST, reason="two phones differed"))
    assert statuses(response) == ["accepted"]
    assert response.json()["tokens"] == [1, -2, 0, 1]


def test_a_correction_without_a_reason_is_refused_at_the_reason(client, bobs_table) -> None:
    send(client, bobs_table, item())
    answer = send(client, bobs_table, item(base=1, result=LOST)).json()["results"][0]
    assert answer["status"] == "refused"
    assert [problem["field"] for problem in answer["problems"]] == ["reason"]


def test_an_undo_takes_the_deal_back(client, bobs_table) -> None:
    send(client, bobs_table, item())
    response = send(client, bobs_table, {"key": str(uuid4()), "deal": 1, "base": 1, "result": None})
    assert statuses(response) == ["accepted"]
    assert response.json()["tokens"] == [0, 0, 0, 0]


def test_each_report_of_a_batch_has_its_own_answer_in_the_order_sent(client, bobs_table) -> None:
    wrong = item(deal=2, result=GAME | {"declarer": 3})  # position 3 sits out deal 2
    batch = [item(deal=1), wrong, item(deal=99), item(deal="3"), item(deal=5)]
    response = send(client, bobs_table, *batch)
    assert statuses(response) == ["accepted", "refused", "refused", "refused", "accepted"]
    assert [answer["key"] for answer in response.json()["results"]] == [sent["key"] for sent in batch]
    fields = [
        problem["field"] for answer in response.json()["results"] for problem in answer.get("problems", [])
    ]
    assert fields == ["declarer", "deal", "deal"]


def test_a_closed_rounds_reports_are_kept_for_the_organiser(client, bobs_table, alice) -> None:
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    late = item()
    response = send(client, bobs_table, late)
    assert response.status_code == 410
    assert response.json()["error"] == "closed"
    assert [(answer["key"], answer["status"]) for answer in response.json()["results"]] == [
        (late["key"], "kept")
    ]
    assert KeptReport.objects.get().why == "closed"
    send(client, bobs_table, late)
    assert KeptReport.objects.count() == 1


def test_a_revoked_links_reports_are_kept_for_the_organiser(client, bobs_table, alice) -> None:
    old = bobs_table.secret
    revoke_link(bobs_table, account=alice, now=timezone.now())
    response = send(client, bobs_table, item(), secret=old)
    assert (response.status_code, response.json()["error"]) == (410, "revoked")
    assert statuses(response) == ["kept"]
    assert KeptReport.objects.get().why == "revoked"


def test_a_report_that_was_stored_before_the_round_closed_is_still_a_duplicate(
    client, bobs_table, alice
) -> None:
    sent = item()
    send(client, bobs_table, sent)
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    assert statuses(send(client, bobs_table, sent)) == ["duplicate"]


def test_an_unknown_secret_is_no_table(client, bobs_table) -> None:
    response = send(client, bobs_table, item(), secret="nobody-knows-it")
    assert (response.status_code, response.json()["error"]) == (404, "unknown")


NOT_THE_PROTOCOL = [
    b"",
    b"reports",
    b"\xff\xfe",
    b"[]",
    b"7",
    b"null",
    b"{}",
    b'{"reports": null}',
    b'{"reports": {}}',
    b'{"reports": [null]}',
    b'{"reports": [[]]}',
    b'{"reports": [{"deal": 1}]}',
    b'{"reports": [{"key": "1", "deal": 1, "base": 0, "result": null}]}',
    b'{"reports": [{"key": null}]}',
    b'{"reports": NaN}',
    b'{"reports": ' + b"9" * 5000 + b"}",
    b'{"reports": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b'{"reports": [' + b" " * (256 * 1024) + b"]}",
    json.dumps({"reports": [item() for _unused in range(101)]}).encode(),
]


@pytest.mark.parametrize("body", NOT_THE_PROTOCOL, ids=range(len(NOT_THE_PROTOCOL)))
def test_what_is_not_the_protocol_is_400_in_words(client, bobs_table, body) -> None:
    response = client.post(f"/c/{bobs_table.secret}/reports", body, content_type="application/json")
    assert response.status_code == 400
    assert response.json()["error"] == "protocol"
    assert response.json()["message"]


NONSENSE = [
    {"deal": None},
    {"deal": 1.5},
    {"deal": True},
    {"deal": -1},
    {"deal": 10**30},
    {"base": "0"},
    {"result": 7},
    {"result": []},
    {"result": {}},
    {"result": {"contract": "solitaire"}},
    {"result": {"contract": "\ud800"}},
    {"result": {"contract": "\x00"}},
    {"result": GAME | {"declarer": 10**400}},
    {"result": GAME | {"declarer": None}},
    {"result": GAME | {"tricks": {"0": 10**30}}},
    {"result": GAME | {"unheard": "of"}},
    {"result": {"ruled": [4, -4, 0, 0]}},
    {"reason": 7},
    {"reason": "\ud800"},
    {"reason": "x" * 201},
]


@pytest.mark.parametrize("wrong", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_under_a_valid_key_is_refused_by_itself(client, bobs_table, wrong) -> None:
    response = send(client, bobs_table, item() | wrong, item(deal=2))
    assert response.status_code == 200
    assert statuses(response) == ["refused", "accepted"]
    assert response.json()["results"][0]["problems"][0]["message"]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("depth", [20, 500, 900, 960, 990])
def test_a_report_nested_deep_is_refused_wherever_it_would_break(
    client, bobs_table, alice, depth, closed
) -> None:
    if closed:
        close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    text = json.dumps({"reports": [item(result={"contract": "HERE"})]})
    text = text.replace('"HERE"', "[" * depth + "]" * depth)
    response = client.post(f"/c/{bobs_table.secret}/reports", text, content_type="application/json")
    assert response.status_code in (200, 400, 410)
    if response.status_code != 400:
        assert statuses(response) == ["refused"]


@pytest.mark.parametrize(("number", "status"), [("1e999", 200), ("NaN", 400)])
def test_numbers_that_are_none_never_reach_the_ledger(client, bobs_table, number, status) -> None:
    text = json.dumps({"reports": [item(result=GAME | {"declarer": "HERE"})]}).replace('"HERE"', number)
    response = client.post(f"/c/{bobs_table.secret}/reports", text, content_type="application/json")
    assert response.status_code == status
    assert not Report.objects.exists()


@pytest.mark.parametrize("number", ["1e999", '"\\ud800"', '"\\u0000"'])
def test_a_late_report_that_nobody_can_store_is_refused(client, bobs_table, alice, number) -> None:
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    text = json.dumps({"reports": [item(result={"contract": "HERE"})]}).replace('"HERE"', number)
    response = client.post(f"/c/{bobs_table.secret}/reports", text, content_type="application/json")
    assert response.status_code == 410
    assert statuses(response) == ["refused"]
    assert not KeptReport.objects.exists()


def test_reports_are_posted(client, bobs_table) -> None:
    assert client.get(f"/c/{bobs_table.secret}/reports").status_code == 405


def test_the_answer_to_a_deal_is_small_on_the_wire(client, bobs_table) -> None:
    sent = json.dumps({"reports": [item(made_at="2026-11-21T19:30:00+01:00")]})
    response = client.post(f"/c/{bobs_table.secret}/reports", sent, content_type="application/json")
    state = client.get(f"/c/{bobs_table.secret}/state?v=1&seq=1")
    assert len(sent) + len(response.content) + len(state.content) < 2000


def test_a_report_costs_the_same_number_of_queries_early_and_late(
    client, bobs_table, django_assert_max_num_queries
) -> None:
    send(client, bobs_table, item())
    for deal in range(2, 12):
        report(bobs_table, deal)
    with django_assert_max_num_queries(20):
        send(client, bobs_table, item(deal=12, result={"all_passed": True}))


def test_the_answers_are_in_the_phones_language(client, bobs_table) -> None:
    round_ = first_round(bobs_table.round.tournament)
    assert round_.is_running
    response = client.post(
        f"/c/{bobs_table.secret}/reports",
        "{}",
        content_type="application/json",
        headers={"accept-language": "en"},
    )
    assert response.json()["message"] == "“reports” must be a list."
