"""Two writers at once, each with a connection of its own: one of them wins, the other is told, nothing is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament
from tournaments import rounds
from tournaments.ledger import Author, Submission, record
from tournaments.models import Report
from tournaments.refusals import NotPossible

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*jobs):
    """Run every job in a thread of its own, started together; their answers or exceptions in order."""
    barrier = Barrier(len(jobs))

    def run(job):
        barrier.wait()
        try:
            return job()
        except NotPossible as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def reporting(table, deal, outcome, key=None):
    result = {"contract": "simple_game", "declarer": (deal % 4), "trump": "H", "outcome": outcome}
    sent = Submission(key=key or uuid4(), deal=deal, base=0, result=result)
    return lambda: record(table, [sent], Author("captain"), now=timezone.now())[0].status


def test_two_phones_report_a_deal_differently_and_one_is_told():
    table = first_table(make_tournament(4))
    answers = at_once(reporting(table, 1, "won"), reporting(table, 1, "bete"))
    assert sorted(answers) == ["accepted", "conflict"]
    assert Report.objects.count() == 1


def test_a_report_sent_twice_at_the_same_moment_is_stored_once():
    table, key = first_table(make_tournament(4)), uuid4()
    answers = at_once(*[reporting(table, 1, "won", key)] * 4)
    assert sorted(answers) == ["accepted", "duplicate", "duplicate", "duplicate"]
    assert Report.objects.count() == 1


def test_every_deal_of_eight_reporting_phones_is_counted():
    table = first_table(make_tournament(4))
    answers = at_once(*[reporting(table, deal, "won") for deal in range(1, 9)])
    assert answers == ["accepted"] * 8
    table.refresh_from_db()
    assert (table.reports_count, table.reports.count(), sum(seat.tokens for seat in table.seats.all())) == (
        8,
        8,
        0,
    )


def test_two_organisers_close_a_round_while_a_deal_comes_in():
    tournament = make_tournament(4)
    table, organiser = first_table(tournament), tournament.log.first().account

    def close():
        rounds.close_round(
            first_round(tournament), account=organiser, now=timezone.now(), force_reason="late"
        )
        return "closed"

    *closings, reported = at_once(close, close, reporting(table, 1, "won"))
    assert sorted(str(answer) for answer in closings) == ["Round 1 has been closed already.", "closed"]
    assert (reported, Report.objects.count()) in [("accepted", 1), ("kept", 0)]
