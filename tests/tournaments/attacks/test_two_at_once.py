"""Two writers at once, each with a connection of its own: one of them wins, the other is told, nothing is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from clubs.models import Club, SampleClub
from core.errors import NotPossible
from tests.evenings import make_evening, play_evening
from tests.factories import first_round, first_table, make_account, make_club, make_player, make_tournament
from tournaments.changes.locks import hold, share
from tournaments.demo.play import make_sample, remove_sample
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author, Submission, raise_flag, record, settle_flag
from tournaments.lifecycle.playing import close_round, revoke_link
from tournaments.models import PublishedList, Report
from tournaments.people.points_lists import publish, store_rule
from tournaments.seasons.points import Rule

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


@pytest.mark.postgresql  # SQLite has one writer at a time
def test_reports_of_two_tables_wait_for_the_organiser_and_not_for_each_other():
    tournament = make_tournament(8)
    one, other = first_round(tournament).tables.select_related("round__tournament")

    def patiently(job):
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        try:
            return job()
        except OperationalError as error:
            return str(error).splitlines()[0]
        finally:
            connection.close()

    def beside(job):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(patiently, job).result()

    with transaction.atomic():
        share(one.pk)
        assert beside(reporting(other, 1, "won")) == "accepted"
        assert beside(reporting(one, 1, "won")) == "canceling statement due to lock timeout"
        assert beside(transaction.atomic(lambda: hold(tournament.pk))).startswith("canceling")
    with transaction.atomic():
        hold(tournament.pk)
        assert beside(reporting(other, 2, "won")) == "canceling statement due to lock timeout"


def test_every_table_of_a_hall_reports_at_once_and_every_report_raises_the_version():
    tournament = make_tournament(16)
    before = tournament.version
    tables = list(first_round(tournament).tables.select_related("round__tournament"))
    answers = at_once(*[reporting(table, deal, "won") for table in tables for deal in (1, 2)])
    assert answers == ["accepted"] * 8
    tournament.refresh_from_db()
    assert tournament.version == before + 8
    assert list(differences(tournament)) == []


@pytest.mark.slow
def test_captains_and_organisers_who_change_one_table_do_not_wait_for_each_other_for_ever():
    tournament = make_tournament(8)
    organiser, now = tournament.log.first().account, timezone.now()
    one, other = first_round(tournament).tables.select_related("round__tournament")
    flags = [raise_flag(table, "call", deal=None, words="here", now=now) for table in (one, other)]
    steps = [
        lambda: settle_flag(flags[0], organiser, now=now),
        lambda: settle_flag(flags[1], organiser, now=now),
        lambda: revoke_link(one, account=organiser, now=now),
        lambda: revoke_link(other, account=organiser, now=now),
        lambda: close_round(first_round(tournament), account=organiser, now=now, force_reason="late"),
        lambda: raise_flag(one, "later", deal=1, words="", now=now),
    ]
    answers = at_once(
        *steps, *[reporting(one, deal, "won") for deal in range(1, 5)], reporting(other, 1, "won")
    )
    assert set(answers[6:]) <= {"accepted", "kept"}
    assert first_round(tournament).is_closed
    assert list(differences(tournament)) == []


def test_two_organisers_close_a_round_while_a_deal_comes_in():
    tournament = make_tournament(4)
    table, organiser = first_table(tournament), tournament.log.first().account

    def close():
        close_round(first_round(tournament), account=organiser, now=timezone.now(), force_reason="late")
        return "closed"

    *closings, reported = at_once(close, close, reporting(table, 1, "won"))
    assert sorted(str(answer) for answer in closings) == ["Round 1 has already been closed.", "closed"]
    assert (reported, Report.objects.count()) in [("accepted", 1), ("kept", 0)]


def test_sample_players_of_two_who_begin_at_once_and_remove_them_at_once_are_each_ones_own():
    club, now = make_club("Stilling"), timezone.now()
    accounts = [make_account(name, club) for name in ("alice", "anna")]
    evenings = at_once(*[partial(make_sample, account=account, now=now) for account in accounts])
    assert len({evening.host for evening in evenings}) == len(accounts)
    begun = zip(SampleClub.objects.order_by("pk"), accounts, strict=True)
    at_once(*[partial(remove_sample, sample, account=account, now=now) for sample, account in begun])
    assert not SampleClub.objects.filter(removed_at=None).exists()
    assert Club.objects.filter(slug__startswith="removed").count() == len(accounts)


def test_two_who_publish_a_points_list_at_once_publish_it_once():
    union = make_club("Union")
    now = timezone.now()
    club, alice, day = make_club("Skovby", union), make_account("alice", union), timezone.localdate(now)
    players = [make_player(f"Spiller {number}", club, number) for number in range(1, 5)]
    play_evening(make_evening(players, club, alice, date=day), alice)
    rule = Rule({"evening": [(4, [6, 3, 1])]}, {}, [(12, Fraction(1))])
    store_rule(union, rule, account=alice, now=now)
    answers = at_once(*[partial(publish, union, day, account=alice, now=now)] * 2)
    assert sorted(is_new for _published, is_new in answers) == [False, True]
    assert [published.rows.count() for published in PublishedList.objects.all()] == [3]
