"""A table whose slip is lost: four totals in place of its deals, told as what they are."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from tests.factories import first_table, make_account, make_tournament, report
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import score_sheet
from tournaments.standings.players import standings
from tournaments.standings.statistics import deals_of, running_totals, statistics

TOTALS = (12, -3, -4, -5)
LOST = {"reason": "The slip is lost"}


@pytest.fixture
def tournament(club):
    return make_tournament(4, club=club, rulebook="union")


@pytest.fixture
def union_table(tournament):
    return first_table(tournament)


def url(table, name="desk_totals", *more):
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number, *more])


def typed(totals=TOTALS, **fields):
    tokens = {f"tokens_{position}": amount for position, amount in enumerate(totals)}
    return {"base": 0, "key": "7c1d0f3e-6a55-4d52-9a0a-0d7b3c9d1e11"} | LOST | tokens | fields


@pytest.fixture
def entered(as_alice, union_table):
    assert as_alice.post(url(union_table), typed()).headers["Location"] == url(union_table, "desk_table")
    union_table.refresh_from_db()
    return union_table


def test_only_organisers_enter_totals(as_charlie, club, union_table):
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    for client in (as_charlie, helper):
        assert client.post(url(union_table), typed()).status_code == 403
    assert Client().post(url(union_table), typed()).status_code == 302
    assert not union_table.reports.exists()


def test_a_captain_cannot_report_totals(union_table):
    answer = report(union_table, 1, {"ruled": list(TOTALS), TOTALS_ONLY: True})
    assert [problem.message for problem in answer.problems] == [
        "Only the organiser can decide a deal’s tokens by ruling."
    ]


def test_totals_count_in_the_standings_and_the_recount_agrees(entered):
    tournament = entered.round.tournament
    assert sorted(row.tokens for row in standings(tournament).rows) == sorted(TOTALS)
    assert list(differences(tournament)) == []


def test_the_table_is_ended_with_them(entered):
    assert entered.ended_early_reason == "The slip is lost"


@pytest.mark.parametrize("page", ["desk_table", "hall_table", "desk_deal", "desk_log"])
def test_every_page_of_the_table_says_that_there_are_totals_only(as_alice, entered, page):
    code = entered.round.tournament.code
    address = {
        "desk_table": url(entered, "desk_table"),
        "hall_table": reverse("hall_table", args=[code, 1, 1]),
        "desk_deal": url(entered, "desk_deal", 1),
        "desk_log": reverse("desk_log", args=[code]),
    }[page]
    shown = as_alice.get(address).content.decode()
    assert "totals only" in shown
    assert "without deals" in shown


def test_the_sheets_line_says_so_on_paper_and_phone_too(entered):
    line = score_sheet(entered).lines[0]
    assert (line.contract, line.remark, line.running) == ("totals only", "without deals", TOTALS)


def test_statistics_count_no_deals_from_totals(entered):
    for seat in entered.seats.select_related("entry"):
        deals = deals_of(seat.entry)
        counted = statistics(deals, rulebook_of(entered.round.tournament).contracts)
        assert (counted.deals, counted.ruled.deals, counted.roles) == (0, 0, {})
        assert counted.totals_only == counted.tokens == running_totals(deals)[-1] == TOTALS[seat.position]


def test_a_players_page_says_what_came_without_deals(client, entered):
    entry = entered.seats.get(position=0).entry
    page = client.get(reverse("hall_player", args=[entered.round.tournament.code, entry.number]))
    assert "Totals only, without deals" in page.content.decode()


def test_totals_must_add_up_to_zero(as_alice, union_table):
    page = as_alice.post(url(union_table), typed((12, -3, -4, -4))).content.decode()
    assert "The tokens must add up to 0; they add up to 1." in page
    assert 'value="12"' in page
    assert not union_table.reports.exists()


def test_a_table_with_deals_takes_no_totals(as_alice, union_table):
    report(union_table, 2)
    page = as_alice.post(url(union_table), typed()).content.decode()
    assert "Deals of this table have been reported: its totals follow from them." in page
    union_table.refresh_from_db()
    assert (union_table.reports.count(), union_table.ended_early_at) == (1, None)


@pytest.mark.parametrize(
    "result",
    [
        {"ruled": list(TOTALS), TOTALS_ONLY: False},
        {"ruled": list(TOTALS), TOTALS_ONLY: 1},
        {"ruled": list(TOTALS), TOTALS_ONLY: True, "trump": "H"},
        {"ruled": [12, -12], TOTALS_ONLY: True},
    ],
)
def test_totals_are_a_number_for_each_player_and_nothing_else(alice, union_table, result):
    answer = report(union_table, 1, result, author=Author("desk", alice))
    assert (answer.status, answer.problems[0].code) == ("refused", "ruling")


def test_totals_stand_at_the_first_deal(alice, union_table):
    answer = report(union_table, 5, {"ruled": list(TOTALS), TOTALS_ONLY: True}, author=Author("desk", alice))
    assert [problem.message for problem in answer.problems] == ["A table’s totals are entered at deal 1."]


def test_beside_totals_no_deal_is_reported_until_they_are_taken_back(alice, entered):
    desk = Author("desk", alice)
    answer = report(entered, 2, author=desk)
    assert [problem.code for problem in answer.problems] == ["totals_only"]
    assert report(entered, 1, base=1, reason="The slip is found", author=desk).status == "accepted"
    assert report(entered, 2, author=desk).status == "accepted"
    assert list(differences(entered.round.tournament)) == []


def test_the_button_is_there_only_while_nothing_is_reported(as_alice, union_table):
    assert url(union_table) in as_alice.get(url(union_table, "desk_table")).content.decode()
    report(union_table, 1)
    assert url(union_table) not in as_alice.get(url(union_table, "desk_table")).content.decode()
