"""Nothing reported is lost, and nobody fills the desk: other content under a known key, and how much may wait."""

from __future__ import annotations

import json
from uuid import UUID, uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_table, make_tournament, report
from tournaments.ledger import Author, Submission, record, set_aside, take_in
from tournaments.ledger.recording import MOST_VERSIONS
from tournaments.ledger.submissions import FEWEST_WAITING, MOST_WAITING_A_DEAL, most_waiting
from tournaments.lifecycle.playing import close_round, revoke_link
from tournaments.models import KeptReport, Report, Table
from tournaments.reporting.captain_page import LARGEST_REPORT

pytestmark = pytest.mark.databases

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}
LOST = GAME | {"outcome": "bete"}
PASSED = {"all_passed": True}
KEY = UUID(int=7)


@pytest.fixture
def bobs_table(alice) -> Table:
    return first_table(make_tournament(players=4, account=alice, deals_per_round=4))


@pytest.fixture
def close(bobs_table, alice):
    def closed() -> None:
        close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")

    return closed


def item(deal: int = 1, result: object = GAME, key: object = KEY, **more: object) -> dict[str, object]:
    return {"key": str(key), "deal": deal, "base": 0, "result": result} | more


def send(client, table, *items, secret=None):
    body = json.dumps({"reports": list(items)})
    return client.post(f"/c/{secret or table.secret}/reports", body, content_type="application/json")


def statuses(response) -> list[str]:
    return [answer["status"] for answer in response.json()["results"]]


def kept() -> list[tuple[int, object, str]]:
    return [(one.item["deal"], one.item["result"], one.why) for one in KeptReport.objects.order_by("pk")]


OTHERS = {"another result": item(result=LOST), "another deal": item(deal=2), "undone": item(result=None)}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_other_content_under_a_known_key_is_kept_for_the_organiser_and_said_so(client, bobs_table, other):
    send(client, bobs_table, item())
    for _time in range(2):
        (answer,) = send(client, bobs_table, other).json()["results"]
        assert (answer["key"], answer["status"]) == (str(KEY), "kept")
        assert (
            answer["problems"][0]["message"]
            == "It does not match what was sent before; the organiser decides."
        )
    assert kept() == [(other["deal"], other["result"], "key")]
    assert Report.objects.count() == 1


def test_a_phone_that_sends_the_same_again_is_told_so_whatever_stands_around_it(client, bobs_table):
    send(client, bobs_table, item(), item(deal=2, result=GAME | {"declarer": 2}, key=UUID(int=8)))
    again = item(
        base=1, reason="sent again", made_at="2026-11-22T12:00:00Z", result=dict(reversed(GAME.items()))
    )
    assert statuses(send(client, bobs_table, again)) == ["duplicate"]
    report(bobs_table, 1, LOST, base=1, reason="typed wrong")
    assert statuses(send(client, bobs_table, again)) == ["duplicate"]
    assert kept() == []


def test_what_was_stored_before_totals_took_its_place_is_still_known(client, bobs_table):
    """Its key says that it came; that it could not be stored now says nothing of that."""
    sent = item(deal=2, result=PASSED)
    send(client, bobs_table, sent)
    desk = Author("desk")
    taken_back = Submission(key=uuid4(), deal=2, base=1, result=None, reason="the slip is lost")
    totals = Submission(key=uuid4(), deal=1, base=0, result={"ruled": [4, -4, 0, 0], "totals_only": True})
    for step in (taken_back, totals):
        assert record(bobs_table, [step], desk, now=timezone.now())[0].status == "accepted"
    assert statuses(send(client, bobs_table, sent)) == ["duplicate"]


def test_twice_under_one_key_in_one_batch(client, bobs_table):
    assert statuses(send(client, bobs_table, item(), item(result=LOST), item())) == [
        "accepted",
        "kept",
        "duplicate",
    ]
    assert kept() == [(1, LOST, "key")]


def test_a_dead_link_keeps_everything_too(client, bobs_table, alice):
    send(client, bobs_table, item())
    old = bobs_table.secret
    revoke_link(bobs_table, account=alice, now=timezone.now())
    sent = [item(), item(result=LOST), item(deal=2, key=UUID(int=8)), item(deal=3, key=UUID(int=8))]
    for _time in range(2):
        assert statuses(send(client, bobs_table, *sent, secret=old)) == ["duplicate", "kept", "kept", "kept"]
    assert kept() == [(1, LOST, "revoked"), (2, GAME, "revoked"), (3, GAME, "revoked")]


@pytest.mark.parametrize("before", ["live", "dead"])
def test_what_was_kept_so_can_be_taken_in_and_then_counts_once(client, bobs_table, alice, before):
    if before == "live":
        send(client, bobs_table, item())
        send(client, bobs_table, item(result=LOST))
    else:  # the other one came by a dead link first, under the key that was stored afterwards
        old = bobs_table.secret
        revoke_link(bobs_table, account=alice, now=timezone.now())
        bobs_table.refresh_from_db()
        send(client, bobs_table, item(result=LOST), secret=old)
        send(client, bobs_table, item())
    answer = take_in(KeptReport.objects.get(), alice, now=timezone.now())
    assert (answer.status, answer.revision) == ("accepted", 2)
    assert bobs_table.dealt.get(number=1).current.result == LOST
    for sent in (item(), item(result=LOST)):
        assert statuses(send(client, bobs_table, sent)) == ["duplicate"]
    assert (Report.objects.count(), KeptReport.objects.count()) == (2, 1)


def test_a_form_of_the_desk_that_was_sent_and_changed_is_shown_beside_what_counts(as_alice, bobs_table):
    address = reverse("desk_deal", args=[bobs_table.round.tournament.code, 1, 1, 1])
    form = {"base": 0, "key": str(KEY), "line": "B game h won"}
    as_alice.post(address, form)
    page = as_alice.post(address, form | {"line": "B game h bete"}).content.decode()
    assert "This deal was changed while you were typing." in page
    assert 'value="B game h bete"' in page
    assert Report.objects.count() == 1


# How much may wait


def test_so_many_reports_of_a_table_wait_and_no_more(client, bobs_table, close):
    close()
    most = most_waiting(bobs_table)
    assert most == FEWEST_WAITING == max(FEWEST_WAITING, MOST_WAITING_A_DEAL * 4)
    sent = [item(result=PASSED, key=uuid4()) for _report in range(most + 2)]
    response = send(client, bobs_table, *sent)
    assert response.status_code == 410
    assert statuses(response) == ["kept"] * most + ["refused"] * 2
    said = response.json()["results"][-1]["problems"]
    assert [(one["code"], one["message"]) for one in said] == [
        (
            "no_room",
            "Too many reports from this table are waiting for the organiser; this one stays on the phone.",
        )
    ]
    assert statuses(send(client, bobs_table, *sent)) == ["kept"] * most + ["refused"] * 2
    assert KeptReport.objects.count() == most


def test_what_is_decided_makes_room(client, bobs_table, close, alice):
    close()
    sent = [item(result=PASSED, key=uuid4()) for _report in range(most_waiting(bobs_table) + 1)]
    send(client, bobs_table, *sent)
    set_aside(KeptReport.objects.first(), alice, now=timezone.now())
    assert statuses(send(client, bobs_table, sent[-1])) == ["kept"]


def test_a_long_round_has_room_for_every_deal_of_two_phones_with_corrections(alice):
    table = first_table(make_tournament(players=4, account=alice, deals_per_round=40))
    assert most_waiting(table) == 160


def test_other_content_under_a_known_key_has_no_more_room(client, bobs_table):
    send(client, bobs_table, item())
    for wrong in range(2, most_waiting(bobs_table) + 2):
        assert statuses(send(client, bobs_table, item(result=GAME | {"declarer": wrong}))) == ["kept"]
    assert statuses(
        send(client, bobs_table, item(result=LOST), item(deal=2, key=uuid4(), result=PASSED))
    ) == [
        "refused",
        "accepted",
    ]


@pytest.mark.slow
def test_a_deal_is_corrected_so_often_by_a_link_and_then_at_the_desk_alone(client, bobs_table, alice):
    for base in range(MOST_VERSIONS):
        one = item(result=LOST if base % 2 else GAME, key=uuid4(), base=base, reason="again")
        assert statuses(send(client, bobs_table, one)) == ["accepted"]
    more = item(result=GAME, key=uuid4(), base=MOST_VERSIONS, reason="again")
    (answer,) = send(client, bobs_table, more).json()["results"]
    assert answer["problems"][0]["message"] == "This deal has been changed too many times: ask the organiser."
    assert (
        report(
            bobs_table, 1, GAME, base=MOST_VERSIONS, reason="so it was", author=Author("desk", alice)
        ).status
        == "accepted"
    )


@pytest.mark.parametrize("closed", [True, False])
def test_a_report_is_small(client, bobs_table, close, closed):
    if closed:
        close()
    largest = item(result=GAME | {"said": "Æ" * LARGEST_REPORT}, reason="")
    (answer,) = send(client, bobs_table, largest).json()["results"]
    assert answer["status"] == "refused"
    assert answer["problems"][0]["message"] == "This is more than a report can hold."
    assert kept() == []


def test_the_longest_reason_fits(client, bobs_table):
    letters = "\N{SMILING FACE WITH SUNGLASSES}" * 200
    assert statuses(send(client, bobs_table, item(reason=letters))) == ["accepted"]
