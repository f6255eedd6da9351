"""Late reports at the desk: seen, taken in, set aside."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, report
from tournaments.models import KeptReport, Report
from tournaments.rounds import close_round, end_table_early

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def table(club):
    return first_table(make_tournament(4, club=club, rulebook="union"))


def url(table, name="desk_table", *more):
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number, *more])


def current(table, deal):
    return table.dealt.select_related("current").get(number=deal).current


@pytest.fixture
def late(table, alice):
    """A report of deal 1 that came after the table was ended."""
    end_table_early(table, reason="bus", account=alice, now=timezone.now())
    report(table, 1, GAME)
    return KeptReport.objects.get()


def test_a_late_report_shows_what_it_would_change(as_alice, table, late):
    page = as_alice.get(url(table)).content.decode()
    assert "came after the table was ended" in page
    assert "Game in hearts, won" in page


def test_a_late_report_taken_in_counts_once(as_helper, table, late):
    for _press in range(2):
        as_helper.post(url(table, "desk_take_in", late.pk))
    assert current(table, 1).result == GAME
    assert Report.objects.count() == 1


def test_a_late_report_set_aside_stays_readable_and_can_wait_again(as_alice, table, late):
    as_alice.post(url(table, "desk_set_aside", late.pk))
    assert Report.objects.count() == 0
    page = as_alice.get(reverse("desk_late", args=[table.round.tournament.code])).content.decode()
    assert "set aside" in page
    as_alice.post(url(table, "desk_wait_again", late.pk))
    late.refresh_from_db()
    assert late.state == KeptReport.State.WAITING


def test_a_late_report_of_a_closed_round_waits_until_it_is_reopened(as_alice, table, late, alice):
    close_round(first_round(table.round.tournament), account=alice, now=timezone.now(), force_reason="late")
    answer = as_alice.post(url(table, "desk_take_in", late.pk), follow=True)
    assert "The round is not running; reopen it to correct a deal." in answer.content.decode()
    late.refresh_from_db()
    assert late.state == KeptReport.State.WAITING


def test_a_late_report_that_the_rules_refuse_says_why(as_alice, table, alice):
    end_table_early(table, reason="bus", account=alice, now=timezone.now())
    report(table, 1, GAME | {"declarer": 2})
    assert "sits out this deal" in as_alice.get(url(table)).content.decode()


def test_a_late_report_of_another_table_is_not_found_here(as_alice, club, alice):
    table = first_table(make_tournament(8, club=club))
    end_table_early(table, reason="bus", account=alice, now=timezone.now())
    report(table, 1, GAME)
    other = reverse("desk_take_in", args=[table.round.tournament.code, 1, 2, KeptReport.objects.get().pk])
    assert as_alice.post(other).status_code == 404
