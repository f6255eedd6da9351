"""Sums of deals follow every report in its own transaction: they are never other than counted anew from the ledger."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import NotPossible
from tests.factories import first_round, first_table, make_tournament, report
from tests.tournaments.exports.test_transfer import forget
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.entries import personal_data
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author, Outlook, Submission, change_seats, deal_sums, record
from tournaments.ledger.deal_sums import Sort, parsed_deals, sum_up, sum_what_is_lacking, sums_of
from tournaments.lifecycle.playing import close_round, end_table_early
from tournaments.models import DealSum, Entry, Table, Tournament

pytestmark = pytest.mark.databases

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
BET = {"contract": "simple_game", "declarer": 3, "trump": "C", "outcome": "bete"}
RULED = {"ruled": [3, -3, 0, 0]}
TOTALS = {"ruled": [3, -3, 4, -4], TOTALS_ONLY: True}
PASSED = {"all_passed": True}


@pytest.fixture
def evening(alice, club):
    tournament = make_tournament(8, account=alice, club=club, deals_per_round=8)
    sum_up([tournament.pk])
    return tournament


def kept(tournament):
    rows = DealSum.objects.filter(tournament=tournament).select_related("sort")
    return {
        Sort(*(getattr(row.sort, field) for field in Sort._fields)): [row.deals, row.tokens]
        for row in rows
        if row.deals or row.tokens
    }


def counted_anew(tournament):
    return sums_of(Table.objects.filter(round__tournament=tournament)).get(tournament.pk, {})


def at(tournament, number):
    tables = Table.objects.select_related("round__tournament", "match")
    return tables.get(round__tournament=tournament, number=number)


def correct(tournament, table, deal, result, alice):
    """Report a deal, or correct what is reported of it; what the ledger refuses changes nothing."""
    table = at(tournament, table)
    now = table.dealt.filter(number=deal).select_related("current").first()
    revision = now.current.revision if now else 0
    sent = Submission(uuid4(), deal, revision, result, reason="set forkert")
    return record(table, [sent], Author("desk", alice), now=timezone.now())[0].status


def test_a_deal_counts_as_what_it_was(evening, alice):
    one = first_table(evening)
    report(one, 1, SOLO | {"tout": "won"})
    report(one, 2, {"contract": "simple_game", "declarer": 0, "trump": "S", "outcome": "kodille"})
    report(one, 3, PASSED)
    report(one, 4, RULED, author=Author("desk", alice))
    report(at(evening, 2), 1, TOTALS, author=Author("desk", alice))
    assert kept(evening) == {
        # A deals the first: B is forehand. B deals the second: C is forehand, D sits out.
        Sort("solo", "H", "FH", "won", "won", 4): [1, 8],
        Sort("simple_game", "S", "MH", "kodille", "", 4): [1, -4],
        Sort("", "", "", "washout", "", 4): [1, 0],
        Sort("", "", "", "ruled", "", 4): [1, 0],
        Sort("", "", "", TOTALS_ONLY, "", 4): [1, 0],
    }


RESULTS = [None, SOLO, BET, PASSED, RULED, TOTALS]
DEALS = st.tuples(st.just("deal"), st.integers(1, 2), st.integers(1, 3), st.sampled_from(RESULTS))
SEATS = st.tuples(
    st.just("seats"),
    st.integers(1, 2),
    st.sampled_from(
        [
            {"deal": 2, "dealer": 3},
            {"deal": 1, "swap": [0, 2]},
            {"deal": 2, "swap": [1, 2]},
            {"deal": 2, "insert": 1},
            {"deal": 1, "insert": -1},
            {"back": 0},
        ]
    ),
    st.sampled_from(["keep", "back"]),
)


@given(st.lists(DEALS | SEATS, min_size=3, max_size=9))
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
def test_whatever_is_reported_corrected_ruled_and_moved_the_sums_are_those_counted_anew(
    evening, alice, steps
):
    with transaction.atomic():
        for kind, table, *how in steps:
            if kind == "deal":
                correct(evening, table, *how, alice)
                continue
            change, resolve = how
            now = at(evening, table)
            if "back" in change and not now.turns:
                continue
            with suppress(NotPossible):
                change_seats(
                    now, change, seen=Outlook(now, change).seen,
                    resolved=dict.fromkeys(range(1, now.deals + 2), resolve),
                    reason="set forkert", account=alice, now=timezone.now(),
                )  # fmt: skip
        assert kept(evening) == counted_anew(evening)
        assert [str(one) for one in differences(evening) if "statistics" in one.place] == []
        transaction.set_rollback(True)


def test_an_evening_that_comes_as_a_file_is_summed_up_when_it_is_asked_for(evening, alice, club):
    report(first_table(evening), 1, SOLO)
    now = timezone.now()
    for number in (1, 2):
        end_table_early(at(evening, number), account=alice, reason="enige", now=now)
    close_round(first_round(evening), account=alice, now=now)
    before, told = kept(evening), json.loads(json.dumps(export_tournament(evening), default=str))
    forget(evening)
    again = import_tournament(told)
    assert not Tournament.objects.get(pk=again.pk).deals_summed
    sum_what_is_lacking()
    assert kept(again) == before != {}


def test_sums_are_of_nobody_and_of_the_year_that_is_played_in(evening, alice):
    report(first_table(evening), 1, SOLO)
    before = kept(evening)
    close_round(first_round(evening), account=alice, now=timezone.now(), force_reason="enige")
    player = Entry.objects.filter(seats__table__number=1, tournament=evening).first().player
    personal_data.erase(player, account=alice, today=date(2026, 11, 22), now=timezone.now())
    evening.refresh_from_db()
    evening.date = date(2025, 12, 31)
    evening.save(update_fields=["date"])
    assert kept(evening) == before
    assert set(DealSum.objects.values_list("year", flat=True)) == {2025}
    assert [str(one) for one in differences(evening) if "statistics" in one.place] == []


def test_verify_names_a_sum_that_the_reports_do_not_give(evening, capsys):
    report(first_table(evening), 1, SOLO)
    DealSum.objects.update(deals=2)
    with pytest.raises(CommandError, match="1 difference"):
        call_command("verify", "--all")
    assert "statistics: of deals solo|H|FH|won||4 (year, deals, tokens)" in capsys.readouterr().err
    call_command("count_anew")
    call_command("verify")


def test_two_threads_may_forget_deals_at_the_same_time(evening, monkeypatch):
    class Shared(dict):
        def __iter__(self):
            """Another thread forgets what comes first as soon as this one has seen it."""
            for head in super().copy():
                self.pop(head, None)
                yield head

    shared = Shared({"older": []})
    monkeypatch.setattr(deal_sums, "_parsed", shared)
    monkeypatch.setattr(deal_sums, "MOST_PARSED", 0)
    table = first_table(evening)
    report(table, 1, SOLO)
    table.refresh_from_db()
    assert [deal.number for deal in parsed_deals({table.pk: table.last_hash})[table.pk]] == [1]
    assert not shared
