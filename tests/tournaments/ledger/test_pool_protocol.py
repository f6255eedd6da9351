"""A table with a pool whose phones send what they like: every answer is one of the five, and the recount agrees."""

from __future__ import annotations

import json
import random
from uuid import UUID

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament
from tests.tournaments.exports.test_transfer import forget
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.lifecycle.playing import close_round, reopen_round
from tournaments.models import Report

NO_POOLS = ("5", -1, 1_000_000, 2**63, 10**400, 10**3000, True, 5.0, [5], {"0": 5}, 1e300)
POOLS = (None, 0, 4, 5, 10, 999_999, *NO_POOLS)
SOLO = {"contract": "solo", "declarer": 1, "outcome": "won", "estuches": 1}
STATUSES = {"accepted", "duplicate", "conflict", "refused", "kept"}


@pytest.fixture
def renegado_table(alice):
    return first_table(make_tournament(3, account=alice, rulebook="renegado", deals_at_three=9))


def send(client, table, *items):
    body = json.dumps({"reports": list(items)})
    return client.post(f"/c/{table.secret}/reports", body, content_type="application/json")


def item(rnd, deal, base, result, **more):
    return {"key": str(UUID(int=rnd.getrandbits(128))), "deal": deal, "base": base, "result": result} | more


def results(rnd, deal):
    """Something like a deal of renegado, with something like a pool."""
    declarer = (deal + rnd.randrange(3)) % 3
    told = rnd.choice(
        [
            {"all_passed": True},
            {"contract": "entrada", "declarer": declarer, "trump": "S", "outcome": "won", "estuches": 1},
            {"contract": "entrada", "declarer": declarer, "trump": "S", "outcome": "bete", "estuches": 2},
            {"contract": "solo", "declarer": declarer, "trump": "H", "tricks": {declarer: 3}, "estuches": 1},
            {"contract": "solo", "declarer": declarer, "trump": "H", "tout": "won", "estuches": 9},
        ]
    )
    pool = rnd.choice([5, 10, 15, 20, *POOLS])
    return told | ({} if rnd.random() < 0.2 else {"pool": pool})


@pytest.mark.parametrize("pool", NO_POOLS, ids=[f"pool{number}" for number in range(len(NO_POOLS))])
@pytest.mark.parametrize("told", [{"all_passed": True}, SOLO], ids=["passed", "solo"])
def test_what_cannot_lie_in_a_pool_is_refused_at_the_pool(client, renegado_table, told, pool):
    (answer,) = send(client, renegado_table, item(random.Random(1), 1, 0, told | {"pool": pool})).json()[
        "results"
    ]
    assert answer["status"] == "refused"
    assert [problem["field"] for problem in answer["problems"]] == ["pool"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_recount_agrees_whatever_two_phones_send(client, as_alice, alice, renegado_table, capsys, seed):
    rnd = random.Random(seed)
    tournament = renegado_table.round.tournament
    seen: set[str] = set()
    for turn in range(30):
        batch = []
        for _one in range(rnd.randrange(1, 5)):
            deal = rnd.randrange(1, 11)
            newest = Report.objects.filter(table=renegado_table, deal_number=deal).order_by("revision").last()
            base = (newest.revision if newest else 0) + (rnd.random() < 0.2)
            told = None if rnd.random() < 0.2 else results(rnd, deal)
            batch.append(item(rnd, deal, base, told, reason=rnd.choice(["", "misread", "two phones"])))
        if rnd.random() < 0.6:
            batch.append(batch[0])
        answer = send(client, renegado_table, *batch)
        assert answer.status_code in (200, 410)
        said = [one["status"] for one in answer.json()["results"]]
        assert len(said) == len(batch)
        seen |= {*said}
        assert client.get(f"/c/{renegado_table.secret}/state").status_code == 200 or turn in (11, 12)
        if turn == 10:
            close_round(first_round(tournament), account=alice, now=timezone.now(), force_reason="late")
        if turn == 12:
            reopen_round(first_round(tournament), reason="a pool", account=alice, now=timezone.now())
    assert STATUSES - {"duplicate", "conflict"} <= seen <= STATUSES
    for name, args in (("desk_table", (1, 1)), ("desk_deal", (1, 1, 2)), ("desk_board", ())):
        assert as_alice.get(reverse(name, args=[tournament.code, *args])).status_code == 200
    for name, args in (("hall_table", (1, 1)), ("hall_player", (1,)), ("standings", ())):
        assert client.get(reverse(name, args=[tournament.code, *args])).status_code == 200
    call_command("verify")
    assert "every total agrees" in capsys.readouterr().out
    text = export_tournament(tournament)
    forget(tournament)
    assert export_tournament(import_tournament(text)) == text
