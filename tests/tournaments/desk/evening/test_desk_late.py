"""Late reports at the desk: seen, taken in, set aside."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, report
from tournaments.ledger import Author
from tournaments.lifecycle.playing import close_round, end_table_early
from tournaments.models import KeptReport, Report

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def union_table(club):
    return first_table(make_tournament(4, club=club, rulebook="union"))


def url(table, name="desk_table", *more):
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number, *more])


def current(table, deal):
    return table.dealt.select_related("current").get(number=deal).current


@pytest.fixture
def late(union_table, alice):
    "A report of deal 1 that arrived after the table was ended."
    end_table_early(union_table, reason="bus", account=alice, now=timezone.now())
    report(union_table, 1, GAME)
    return KeptReport.objects.get()


def test_a_late_report_shows_what_it_would_change(as_alice, union_table, late):
    page = as_alice.get(url(union_table)).content.decode()
    assert "arrived after the table was ended" in page
    assert "Game in hearts, won" in page


def test_a_late_report_taken_in_counts_once(as_helper, union_table, late):
    for _press in range(2):
        as_helper.post(url(union_table, "desk_take_in", late.pk), {"seen": 0})
    assert current(union_table, 1).result == GAME
    assert Report.objects.count() == 1


def test_a_late_report_set_aside_stays_readable_and_can_wait_again(as_alice, union_table, late):
    as_alice.post(url(union_table, "desk_set_aside", late.pk))
    assert Report.objects.count() == 0
    page = as_alice.get(reverse("desk_late", args=[union_table.round.tournament.code])).content.decode()
    assert "set aside" in page
    as_alice.post(url(union_table, "desk_wait_again", late.pk))
    late.refresh_from_db()
    assert late.state == KeptReport.State.WAITING


def test_a_late_report_of_a_closed_round_waits_until_it_is_reopened(as_alice, union_table, late, alice):
    close_round(
        first_round(union_table.round.tournament), account=alice, now=timezone.now(), force_reason="late"
    )
    answer = as_alice.post(url(union_table, "desk_take_in", late.pk), {"seen": 0}, follow=True)
    assert "The round is not running: reopen it to correct a deal." in answer.content.decode()
    late.refresh_from_db()
    assert late.state == KeptReport.State.WAITING


def test_a_late_report_that_the_rules_refuse_says_why(as_alice, union_table, alice):
    end_table_early(union_table, reason="bus", account=alice, now=timezone.now())
    report(union_table, 1, GAME | {"declarer": 2})
    assert "sits out this deal" in as_alice.get(url(union_table)).content.decode()


def test_a_late_report_of_another_table_is_not_found_here(as_alice, club, alice):
    table = first_table(make_tournament(8, club=club))
    end_table_early(table, reason="bus", account=alice, now=timezone.now())
    report(table, 1, GAME)
    other = reverse("desk_take_in", args=[table.round.tournament.code, 1, 2, KeptReport.objects.get().pk])
    assert as_alice.post(other).status_code == 404


# Many of them


def flood(table, alice, count):
    end_table_early(table, reason="bus", account=alice, now=timezone.now())
    item = {"deal": 1, "base": 0, "result": GAME, "made_at": None, "reason": ""}
    KeptReport.objects.bulk_create(
        KeptReport(
            table=table, key=key, item=item | {"key": str(key)}, why="ended", received_at=timezone.now()
        )
        for key in (uuid4() for _report in range(count))
    )


@pytest.mark.parametrize("page", ["desk_table", "desk_late"])
def test_a_page_shows_some_of_many_and_costs_no_more_than_for_a_few(
    as_alice, union_table, alice, page, django_assert_max_num_queries
):
    flood(union_table, alice, 160)
    address = (
        url(union_table) if page == "desk_table" else reverse(page, args=[union_table.round.tournament.code])
    )
    with django_assert_max_num_queries(60):
        shown = as_alice.get(address).content.decode()
    assert shown.count('class="card late"') == {"desk_table": 5, "desk_late": 20}[page]
    more = {"desk_table": "All 160 late reports of this table", "desk_late": 'aria-label="Page 8"'}[page]
    assert more in shown


def test_every_page_can_be_reached_and_shows_others(as_alice, union_table, alice):
    flood(union_table, alice, 45)
    address = reverse("desk_late", args=[union_table.round.tournament.code])
    shown = [
        set(re.findall(r"late/(\d+)/take-in", as_alice.get(address, {"page": page}).content.decode()))
        for page in (1, 2, 3)
    ]
    assert [len(keys) for keys in shown] == [20, 20, 5]
    assert len(set.union(*shown)) == 45


def test_all_of_a_table_are_set_aside_but_what_came_after_the_page(as_alice, union_table, alice):
    flood(union_table, alice, 30)
    page = as_alice.get(reverse("desk_late", args=[union_table.round.tournament.code]), {"table": "1-1"})
    report(union_table, 2, GAME | {"declarer": 2})
    newest = re.search(r'name="newest" value="(\d+)"', page.content.decode())[1]
    said = as_alice.post(
        url(union_table, "desk_set_all_aside"), {"newest": newest, "back": "late"}, follow=True
    )
    assert "30 reports have been set aside; they can still be read." in said.content.decode()
    assert 'href="?decided=2' in said.content.decode()
    assert [kept.item["deal"] for kept in KeptReport.objects.filter(state="waiting")] == [2]


@pytest.mark.parametrize("newest", ["", "x", "-1", "9" * 40])
def test_a_page_that_does_not_say_what_it_showed_sets_nothing_aside(as_alice, union_table, alice, newest):
    flood(union_table, alice, 3)
    as_alice.post(url(union_table, "desk_set_all_aside"), {"newest": newest})
    assert KeptReport.objects.filter(state="waiting").count() == 3


def test_nothing_is_taken_in_over_a_version_that_was_not_beside_it(as_alice, union_table, late, alice):
    """The page showed deal 1 unreported; meanwhile somebody at the desk has typed it."""
    page = as_alice.get(url(union_table)).content.decode()
    seen = re.search(r'name="seen" value="(\d+)"', page)[1]
    report(union_table, 1, GAME | {"outcome": "bete"}, author=Author("desk", alice))
    said = as_alice.post(
        url(union_table, "desk_take_in", late.pk), {"seen": seen}, follow=True
    ).content.decode()
    assert "Deal 1 was changed in the meantime: check both again." in said
    assert "bête" in said
    assert current(union_table, 1).result == GAME | {"outcome": "bete"}
    seen = re.search(r'name="seen" value="(\d+)"', said)[1]
    as_alice.post(url(union_table, "desk_take_in", late.pk), {"seen": seen})
    assert current(union_table, 1).result == GAME
