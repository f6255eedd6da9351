"""The ledger: what is sent twice is stored once, nothing is overwritten, totals follow the current reports."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import first_table, make_tournament, play_out, report
from tournaments.ledger import (
    Author,
    Submission,
    UnreadableSubmission,
    agree,
    broken_chain,
    keep_aside,
    raise_flag,
    read_submission,
    record,
    set_aside,
    set_first_dealer,
    settle_flag,
    take_in,
    wait_again,
)
from tournaments.ledger.scoresheet import score_sheet
from tournaments.lifecycle.playing import close_round, end_table_early, reopen_round
from tournaments.models import Flag, KeptReport, Report

pytestmark = pytest.mark.databases

GAME_WON = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}
GAME_LOST = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "bete"}


@pytest.fixture
def first_of_two_tables(alice, club):
    return first_table(make_tournament(8, account=alice, club=club))


def tokens(table):
    return list(table.seats.order_by("position").values_list("tokens", flat=True))


def statuses(answers):
    return [answer.status for answer in answers]


def test_a_report_moves_the_tokens_of_its_table(first_of_two_tables):
    answer = report(first_of_two_tables, 1, GAME_WON)
    assert (answer.status, answer.revision, answer.problems) == ("accepted", 1, ())
    assert tokens(first_of_two_tables) == [
        -1,
        2,
        0,
        -1,
    ]  # position 2 sits out, and union's idle player does not settle


def test_the_same_key_twice_is_stored_once(first_of_two_tables):
    key = uuid4()
    first = report(first_of_two_tables, 1, GAME_WON, key=key)
    again = report(first_of_two_tables, 1, GAME_WON, key=key)
    assert (first.status, again.status, again.revision) == ("accepted", "duplicate", 1)
    assert Report.objects.count() == 1
    assert tokens(first_of_two_tables) == [-1, 2, 0, -1]


def test_the_same_key_twice_in_one_batch_is_stored_once(first_of_two_tables):
    sent = Submission(key=uuid4(), deal=1, base=0, result=GAME_WON)
    assert statuses(record(first_of_two_tables, [sent, sent], Author("captain"), now=timezone.now())) == [
        "accepted",
        "duplicate",
    ]
    assert Report.objects.count() == 1


def test_another_phone_with_the_same_result_is_told_it_is_known(first_of_two_tables):
    report(first_of_two_tables, 1, GAME_WON)
    again = report(first_of_two_tables, 1, GAME_WON)
    assert (again.status, Report.objects.count()) == ("duplicate", 1)


def test_another_phone_with_another_result_gets_a_conflict_and_what_counts(first_of_two_tables):
    report(first_of_two_tables, 1, GAME_WON)
    answer = report(first_of_two_tables, 1, GAME_LOST)
    assert (answer.status, answer.revision, answer.current.outcome) == ("conflict", 1, "won")
    assert tokens(first_of_two_tables) == [-1, 2, 0, -1]


def test_a_correction_keeps_the_old_version_and_its_reason(first_of_two_tables):
    report(first_of_two_tables, 1, GAME_WON)
    answer = report(first_of_two_tables, 1, GAME_LOST, base=1, reason="miscounted")
    assert (answer.status, answer.revision) == ("accepted", 2)
    assert tokens(first_of_two_tables) == [1, -2, 0, 1]
    versions = Report.objects.order_by("revision").values_list("revision", "outcome", "reason")
    assert list(versions) == [(1, "won", ""), (2, "bete", "miscounted")]


def test_a_correction_without_a_reason_is_refused_at_the_reason(first_of_two_tables):
    report(first_of_two_tables, 1, GAME_WON)
    answer = report(first_of_two_tables, 1, GAME_LOST, base=1)
    assert (answer.status, [problem.field for problem in answer.problems]) == ("refused", ["reason"])


def test_the_captain_may_take_the_deal_back_at_once_without_a_reason(first_of_two_tables):
    report(first_of_two_tables, 1, GAME_WON)
    answer = record(
        first_of_two_tables,
        [Submission(key=uuid4(), deal=1, base=1, result=None)],
        Author("captain"),
        now=timezone.now(),
    )[0]
    assert (answer.status, answer.revision, tokens(first_of_two_tables)) == ("accepted", 2, [0, 0, 0, 0])
    assert report(first_of_two_tables, 1, GAME_LOST, base=2).status == "accepted"


def test_a_deal_never_reported_cannot_be_taken_back(first_of_two_tables):
    sent = Submission(key=uuid4(), deal=1, base=0, result=None, reason="oops")
    answer = record(first_of_two_tables, [sent], Author("captain"), now=timezone.now())[0]
    assert (answer.status, answer.problems[0].field) == ("refused", "deal")


@pytest.mark.parametrize(
    ("deal", "result", "field"),
    [
        (0, GAME_WON, "deal"),
        (41, GAME_WON, "deal"),
        (1, GAME_WON | {"declarer": 2}, "declarer"),  # position 2 sits out when 0 deals
        (1, GAME_WON | {"contract": "grand"}, "contract"),
        (1, GAME_WON | {"colour": "blue"}, "colour"),
        (1, {"ruled": [1, -1, 0, 0]}, "ruled"),
    ],
)
def test_what_the_rules_forbid_is_refused_at_its_field(first_of_two_tables, deal, result, field):
    answer = report(first_of_two_tables, deal, result)
    assert (answer.status, [problem.field for problem in answer.problems]) == ("refused", [field])
    assert Report.objects.count() == 0


def test_each_item_of_a_batch_gets_its_own_answer(first_of_two_tables):
    batch = [
        Submission(key=uuid4(), deal=1, base=0, result=GAME_WON),
        Submission(key=uuid4(), deal=1, base=0, result=GAME_LOST),
        Submission(key=uuid4(), deal=99, base=0, result=GAME_WON),
        Submission(key=uuid4(), deal=2, base=0, result={"all_passed": True}),
    ]
    answers = record(first_of_two_tables, batch, Author("captain"), now=timezone.now())
    assert statuses(answers) == ["accepted", "conflict", "refused", "accepted"]


def test_the_organiser_rules_tokens_that_add_up_to_nothing(first_of_two_tables, alice):
    desk = Author("desk", alice)
    wrong = report(first_of_two_tables, 1, {"ruled": [1, 1, 0, 0]}, author=desk, reason="cards on the floor")
    assert (wrong.status, wrong.problems[0].field) == ("refused", "ruled")
    assert (
        report(
            first_of_two_tables, 1, {"ruled": [2, -2, 0, 0]}, author=desk, reason="cards on the floor"
        ).status
        == "accepted"
    )
    assert tokens(first_of_two_tables) == [2, -2, 0, 0]


# Closed rounds and late reports


def test_a_report_to_a_closed_round_is_kept_and_changes_nothing(first_of_two_tables, alice):
    close_round(first_of_two_tables.round, account=alice, now=timezone.now(), force_reason="the hall closes")
    answer = report(first_of_two_tables, 1, GAME_WON)
    assert (answer.status, Report.objects.count(), KeptReport.objects.count()) == ("kept", 0, 1)
    assert report(first_of_two_tables, 1, GAME_WON, key=answer.key).status == "kept"
    assert KeptReport.objects.count() == 1


def test_the_desk_is_told_to_reopen_a_closed_round(first_of_two_tables, alice):
    close_round(first_of_two_tables.round, account=alice, now=timezone.now(), force_reason="the hall closes")
    with pytest.raises(NotPossible, match="reopen"):
        report(first_of_two_tables, 1, GAME_WON, author=Author("desk", alice))


def test_a_late_report_is_taken_in_once_the_round_is_open(first_of_two_tables, alice):
    now = timezone.now()
    close_round(first_of_two_tables.round, account=alice, now=now, force_reason="the hall closes")
    report(first_of_two_tables, 1, GAME_WON)
    kept = KeptReport.objects.get()
    with pytest.raises(NotPossible):
        take_in(kept, alice, now=now)
    reopen_round(first_of_two_tables.round, reason="table 1 was away", account=alice, now=now)
    assert take_in(kept, alice, now=now).status == "accepted"
    assert (tokens(first_of_two_tables), KeptReport.objects.get().state) == ([-1, 2, 0, -1], "taken")
    with pytest.raises(NotPossible):
        take_in(kept, alice, now=now)


def test_a_late_report_set_aside_can_wait_again(first_of_two_tables, alice):
    now = timezone.now()
    keep_aside(
        first_of_two_tables, [Submission(key=uuid4(), deal=1, base=0, result=GAME_WON)], "revoked", now=now
    )
    kept = KeptReport.objects.get()
    assert set_aside(kept, alice, now=now).state == "set_aside"
    assert wait_again(kept, alice, now=now).state == "waiting"


def test_a_table_ended_early_keeps_its_captains_reports_aside(first_of_two_tables, alice):
    end_table_early(first_of_two_tables, reason="a player fell ill", account=alice, now=timezone.now())
    assert report(first_of_two_tables, 1, GAME_WON).status == "kept"


# The chain


def test_the_chain_holds_and_a_change_behind_the_program_shows(first_of_two_tables):
    report(first_of_two_tables, 1, GAME_WON)
    report(first_of_two_tables, 1, GAME_LOST, base=1, reason="miscounted")
    report(first_of_two_tables, 2)
    first_of_two_tables.refresh_from_db()
    reports = list(first_of_two_tables.reports.order_by("sequence"))
    assert broken_chain(first_of_two_tables, reports) == ""
    assert (
        broken_chain(first_of_two_tables, reports[:-1]) == "the chain ends at report 2, the table counted 3"
    )
    reports[1].tokens = [100, -100, 0, 0]
    assert broken_chain(first_of_two_tables, reports) == "report 2 (deal 1) is not what was recorded"
    assert broken_chain(first_of_two_tables, reports[1:]) == "report 1 is missing"


def test_the_database_refuses_to_update_a_report(first_of_two_tables):
    report(first_of_two_tables, 1, GAME_WON)
    with pytest.raises(DatabaseError, match="never updated"), transaction.atomic():
        Report.objects.update(outcome="bete")


def test_a_wrong_phone_clock_is_no_reason_to_refuse(first_of_two_tables):
    for clock in ("2019-01-01T00:00:00+00:00", "9999-99-99", "yesterday", None, 17, "2026-11-21T20:00:00"):
        item = {"key": str(uuid4()), "deal": 1, "base": 0, "result": GAME_WON, "made_at": clock}
        assert read_submission(item).deal == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"key": "17"}, "key"),
        ({"key": None}, "key"),
        ({"deal": "1"}, "deal"),
        ({"deal": True}, "deal"),
        ({"deal": 10**30}, "deal"),
        ({"base": -1}, "base"),
        ({"base": None}, "base"),
        ({"result": []}, "result"),
        ({"reason": 5}, "reason"),
        ({"reason": "x" * 201}, "reason"),
        ({"reason": "\x00"}, "reason"),
        ({"reason": "\ud800"}, "reason"),
    ],
)
def test_what_is_no_report_is_told_at_its_field(change, field):
    item = {"key": str(uuid4()), "deal": 1, "base": 0, "result": GAME_WON} | change
    with pytest.raises(UnreadableSubmission) as caught:
        read_submission(item)
    assert caught.value.field == field


# At the table


def test_the_first_dealer_is_set_before_deal_1_only(first_of_two_tables):
    now = timezone.now()
    first_of_two_tables = set_first_dealer(first_of_two_tables, 2, now=now)
    report(first_of_two_tables, 1)
    assert set_first_dealer(first_of_two_tables, 2, now=now).turns == [{"deal": 1, "dealer": 2}]
    assert [line.dealer for line in score_sheet(first_of_two_tables).lines[:5]] == [2, 3, 0, 1, 2]
    assert Report.objects.get().dealer == 2
    with pytest.raises(NotPossible) as caught:
        set_first_dealer(first_of_two_tables, 1, now=now)
    assert caught.value.field == "first_dealer"


def test_players_agree_to_a_complete_sheet_and_a_correction_takes_it_back(first_of_two_tables):
    now = timezone.now()
    seat = first_of_two_tables.seats.first()
    with pytest.raises(NotPossible):
        agree(seat, now=now)
    play_out(first_of_two_tables)
    assert agree(seat, now=now).agreed_at == now
    report(first_of_two_tables, 1, {"all_passed": True}, base=1, reason="nobody bid")
    seat.refresh_from_db()
    assert seat.agreed_at is None


def test_the_same_call_for_the_organiser_twice_is_one_flag(first_of_two_tables, alice):
    now = timezone.now()
    first = raise_flag(first_of_two_tables, "call", deal=None, words="cards are missing", now=now)
    assert raise_flag(first_of_two_tables, "call", deal=None, words="cards are missing", now=now) == first
    assert settle_flag(first, alice, now=now).settled_at == now
    assert Flag.objects.count() == 1


def test_a_report_before_the_start_is_kept_and_says_so(alice, club):
    table = first_table(make_tournament(8, account=alice, club=club, started=False))
    assert report(table, 1, GAME_WON).status == "kept"
    assert KeptReport.objects.get().why == "early"
