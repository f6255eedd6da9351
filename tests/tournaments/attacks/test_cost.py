"""What a report costs, counted in statements: it does not grow with the batch, nor creep up unseen."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import first_table, make_tournament
from tournaments.ledger.queries import NamesAt

pytestmark = pytest.mark.databases

# Which table; begin; the table, its round and tournament, its seats, what is known of the deals; report, deal, flags,
# seats, table, version, sorts of deals and their sums; commit. PostgreSQL is told some of them together: which table;
# begin; what is held; seats and deals; report; all that follows from it; commit.
STATEMENTS = {"sqlite": 15, "postgresql": 7}


def batch(first, count):
    result = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}
    return [
        {"key": str(uuid4()), "deal": deal, "base": 0, "result": result | {"declarer": deal % 4}}
        for deal in range(first, first + count)
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("count", [1, 3, 20])
def test_a_batch_costs_as_many_statements_as_one_report(client, count):
    table = first_table(make_tournament(4))
    url = reverse("captain_reports", args=[table.secret])

    def send(items):
        return client.post(url, json.dumps({"reports": items}), content_type="application/json").json()

    send(batch(1, 1))
    with CaptureQueriesContext(connection) as captured:
        answer = send(batch(2, count))
    assert {result["status"] for result in answer["results"]} == {"accepted"}
    assert len(captured) <= STATEMENTS[connection.vendor]


@pytest.mark.django_db
def test_names_are_read_only_when_one_is_asked_for(django_assert_num_queries):
    table = first_table(make_tournament(4))
    names = NamesAt(table, 4)
    with django_assert_num_queries(0):
        assert len(names) == 4
    with django_assert_num_queries(1):
        assert list(names) == [names[0], *names[1:4]]
