"""A table's page at the desk: its sheet, rulings, the first dealer, the players' yes, ending."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_table, make_tournament, play_out, report
from tournaments.ledger import agree
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import Report

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def tournament(club):
    return make_tournament(4, club=club, rulebook="union")


@pytest.fixture
def union_table(tournament):
    return first_table(tournament)


def url(table, name="desk_table", *more):
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number, *more])


def typed(**fields):
    return {"base": 0, "key": str(uuid4()), "reason": ""} | fields


def current(table, deal):
    return table.dealt.select_related("current").get(number=deal).current


# Who may


@pytest.mark.parametrize("name", ["desk_table", "desk_link", "desk_end_table", "desk_revoke_link"])
def test_a_strangers_account_sees_nothing_of_a_table(as_charlie, union_table, name):
    assert as_charlie.get(url(union_table, name)).status_code == 403


def test_a_helper_corrects_and_ends_a_table_but_does_not_rule(as_helper, union_table):
    assert as_helper.post(url(union_table, "desk_deal", 1), typed(contract="all_passed")).status_code == 302
    assert as_helper.get(url(union_table, "desk_ruling", 1)).status_code == 403
    assert as_helper.get(url(union_table, "desk_totals")).status_code == 403
    assert as_helper.get(url(union_table, "desk_end_table")).status_code == 200


@pytest.mark.parametrize("deal", [0, 41, 9999])
def test_there_is_no_page_for_a_deal_that_is_not_played(as_alice, union_table, deal):
    assert as_alice.get(url(union_table, "desk_deal", deal)).status_code == 404


@pytest.mark.parametrize("name", ["desk_first_dealer", "desk_resume_table"])
def test_a_button_that_is_only_looked_at_changes_nothing(as_alice, union_table, name):
    assert as_alice.get(url(union_table, name)).headers["Location"] == url(union_table)


# The sheet


def test_the_sheet_shows_every_deal_with_running_totals(as_alice, union_table):
    report(union_table, 1, GAME)
    report(union_table, 2, {**GAME, "declarer": 2})
    page = as_alice.get(url(union_table)).content.decode()
    assert page.count('<tr id="deal-') == 40
    assert "Correct" in page
    assert "Enter deal 3" in page


def test_a_table_of_three_has_nobody_sitting_out(as_alice, club):
    table = first_table(make_tournament(3, club=club))
    page = as_alice.get(url(table)).content.decode()
    assert page.count('<tr id="deal-') == 30
    assert as_alice.get(url(table, "desk_deal", 1)).status_code == 200


# Rulings


def ruling(tokens, **fields):
    return typed(reason="cards exposed", **fields) | {f"tokens_{seat}": tokens[seat] for seat in range(4)}


def test_a_ruling_gives_tokens_by_hand(as_alice, union_table):
    answer = as_alice.post(url(union_table, "desk_ruling", 4), ruling(["+3", "\N{MINUS SIGN}1", "-2", "0"]))
    assert answer.headers["Location"] == url(union_table)
    saved = current(union_table, 4)
    assert (saved.outcome, saved.tokens, saved.reason) == ("ruled", [3, -1, -2, 0], "cards exposed")
    assert "by the organiser" in as_alice.get(url(union_table)).content.decode()


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["1", "0", "0", "0"], "The tokens must add up to 0; they add up to 1."),
        (["x", "0", "0", "0"], "Type a whole number of tokens"),
        (["", "0", "0", "0"], "Type a whole number of tokens"),
        (["5000", "-5000", "0", "0"], "1000"),
    ],
)
def test_a_ruling_that_does_not_add_up_is_refused_with_what_was_typed(as_alice, union_table, tokens, message):
    answer = as_alice.post(url(union_table, "desk_ruling", 4), ruling(tokens))
    assert message in answer.content.decode()
    assert answer.context["form"]["tokens_0"].value() == tokens[0]
    assert Report.objects.count() == 0


def test_a_ruling_says_why(as_alice, union_table):
    answer = as_alice.post(url(union_table, "desk_ruling", 4), ruling(["0", "0", "0", "0"]) | {"reason": " "})
    assert answer.context["form"].errors["reason"] == ["Say why, in a few words."]


# The first dealer and the players' yes


def test_the_first_dealer_is_set_before_the_first_report_only(as_alice, union_table):
    as_alice.post(url(union_table, "desk_first_dealer"), {"first_dealer": "2"})
    union_table.refresh_from_db()
    assert score_sheet(union_table).lines[0].dealer == 2
    report(union_table, 1)
    answer = as_alice.post(url(union_table, "desk_first_dealer"), {"first_dealer": "0"}, follow=True)
    assert "Deals have already been reported;" in answer.content.decode()
    union_table.refresh_from_db()
    assert score_sheet(union_table).lines[0].dealer == 2


@pytest.mark.parametrize("nonsense", ["", "x", "9", "-1", "٣"])
def test_a_first_dealer_without_a_seat_is_refused_in_words(as_alice, union_table, nonsense):
    answer = as_alice.post(url(union_table, "desk_first_dealer"), {"first_dealer": nonsense}, follow=True)
    assert "There is no such seat at this table." in answer.content.decode()


def test_the_players_yes_is_taken_down_at_the_desk_and_taken_back(as_alice, union_table):
    page = url(union_table, "desk_agree", 0)
    answer = as_alice.post(page, follow=True)
    assert "Not every deal has been reported yet." in answer.content.decode()
    play_out(union_table)
    as_alice.post(page)
    assert union_table.seats.get(position=0).agreed_at is not None
    as_alice.post(page, {"agreed": "no"})
    assert union_table.seats.get(position=0).agreed_at is None


def test_a_correction_says_that_the_players_must_agree_again(as_alice, union_table):
    play_out(union_table)
    agree(union_table.seats.get(position=0), now=timezone.now())
    sent = typed(base=1, contract="all_passed", check="1")
    page = as_alice.post(url(union_table, "desk_deal", 1), sent).content.decode()
    assert "The players have agreed to this sheet and will have to agree again" in page


# Ending


def test_a_table_is_ended_with_a_reason_and_goes_on(as_alice, union_table):
    page = url(union_table, "desk_end_table")
    assert as_alice.post(page, {"reason": ""}).context["form"].errors["reason"] == [
        "Say why, in a few words."
    ]
    assert as_alice.post(page, {"reason": "bus"}).headers["Location"] == url(union_table)
    assert as_alice.post(page, {"reason": "bus again"}).headers["Location"] == url(union_table)
    union_table.refresh_from_db()
    assert union_table.ended_early_reason == "bus"
    as_alice.post(url(union_table, "desk_resume_table"))
    union_table.refresh_from_db()
    assert union_table.ended_early_at is None


HUGE = 10**20


def test_an_address_with_a_number_that_no_database_holds_is_not_found(as_alice, tournament, union_table):
    code = tournament.code
    for name, address in (
        ("desk_deal", [code, 1, 1, HUGE]),
        ("desk_agree", [code, 1, 1, HUGE]),
        ("desk_settle_flag", [code, 1, 1, HUGE]),
        ("desk_take_in", [code, 1, 1, HUGE]),
        ("desk_cancel_penalty", [code, HUGE]),
    ):
        assert as_alice.post(reverse(name, args=address)).status_code == 404, name
    for name, address in (("desk_round", [code, HUGE]), ("desk_table", [code, 1, HUGE])):
        assert as_alice.get(reverse(name, args=address)).status_code == 404, name
