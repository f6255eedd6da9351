"""What a union's key reads: statements of dues, counts of members, who qualifies for a stage."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.utils import timezone

from clubs.api_keys import make_key
from clubs.models import Scope
from clubs.register import keep_count
from tests.evenings import make_evening, play_evening
from tests.factories import affiliate, make_championship, make_club, make_player, player_name
from tournaments.seasons import dues, quotas

API = "/api/v1/club"


@pytest.fixture
def union(club):
    union = make_club("Union")
    affiliate(club, union)
    return union


def reader(club, alice, *scopes):
    name = f"key {club.keys.count()}"
    _key, words = make_key(club, name=name, scopes=scopes or Scope.values, account=alice, now=timezone.now())
    return Client(headers={"Authorization": f"Bearer {words}"})


@pytest.fixture
def statement(club, union, alice, by_alice):
    """A statement to a club of two members."""
    for number in (1, 2):
        make_player(f"Medlem {number}", club, number)
    values = {"per_member": 5000, "least": 0, "per_team": 0, "votes": [[1, 1]], "days": 30, "pay_to": ""}
    dues.store_fees(union, values, **by_alice)
    count = keep_count(union, date(2026, 1, 1), **by_alice)
    dues.make_statements(count, dues.charges_of(count, dues.fees_of(union)), **by_alice)
    return club.statements.get()


def test_statements_are_read_by_the_union_and_by_the_club_that_got_them(club, union, statement, alice):
    for who in (union, club):
        (told,) = reader(who, alice).get(f"{API}/statements").json()["items"]
        assert (told["union"]["slug"], told["club"]["slug"]) == (union.slug, club.slug)
        assert (told["members"], told["total"], told["status"], told["paid_on"]) == (2, 10_000, "open", None)
        assert told["counted"] == "2026-01-01"
    assert reader(make_club("Viby"), alice).get(f"{API}/statements").json()["items"] == []


def test_counts_are_the_unions_own(club, union, statement, alice):
    (told,) = reader(union, alice).get(f"{API}/counts").json()["items"]
    assert (told["counted"], told["clubs"]) == (
        "2026-01-01",
        [{"id": club.pk, "name": club.name, "members": 2, "main": 2}],
    )
    assert reader(club, alice).get(f"{API}/counts").json()["items"] == []


def test_who_qualifies_is_told_with_the_reason_and_to_the_hosts_key_alone(club, alice, by_alice):
    players = [make_player(player_name(index), club, index + 1) for index in range(4)]
    played = play_evening(make_evening(players, club, alice, name="Efterår"), alice, seed=5)
    stage = make_championship(club).stages.get(number=1)
    wanted = {"source": "tournament", "tournament": played, "places": 2}
    quotas.store_quotas(stage, [wanted], [], **by_alice)
    first = quotas.QualifiedTable(stage).going[0].player
    quotas.record_answer(stage, first, "no", **by_alice)
    address = f"{API}/championships/{stage.championship_id}/stages/1/qualified"
    (told,) = reader(club, alice).get(address).json()["quotas"]
    assert (told["source"], told["name"], told["places"], told["missing"]) == ("tournament", "Efterår", 2, 0)
    assert [one["place"] for one in told["going"]] == [2, 3]
    assert told["going"][1]["why"].startswith("place 3 in “Efterår”; instead of ")
    assert [(one["place"], one["answer"]) for one in told["passed"]] == [(1, "no")]
    assert reader(make_club("Viby"), alice).get(address).status_code == 404
    assert reader(club, alice).get(address.replace("stages/1", "stages/9")).status_code == 404


@pytest.mark.parametrize(("what", "scope"), [("statements", Scope.READ), ("counts", Scope.MONEY)])
def test_another_scope_does_not_read_them(union, alice, what, scope):
    assert reader(union, alice, scope).get(f"{API}/{what}").status_code == 403
    assert Client().get(f"{API}/{what}").status_code == 401
