"""Which table needs the organiser, waits for something, is slow or silent, and how long ago that was."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, play_out, report, tables_of
from tournaments.desk.evening.board import ago, board_groups, board_lines, deals_behind
from tournaments.ledger import raise_flag, settle_flag
from tournaments.ledger.queries import BoardRow, board
from tournaments.models import Flag, Round, Table

pytestmark = pytest.mark.databases


def rows(reported, deals=None):
    """A board on which so many deals are reported."""
    return [
        BoardRow(Table(pk=number, number=number, deals=of), 0, count, count, [], 0, 0, 0)
        for number, (count, of) in enumerate(
            zip(reported, deals or [40] * len(reported), strict=True), start=1
        )
    ]


def groups(tournament):
    """Table numbers by the board's groups."""
    lines = board_lines(board(first_round(tournament)), timezone.now())
    return [(group.title, [line.row.table.number for line in group.lines]) for group in board_groups(lines)]


def test_tables_that_need_the_organiser_come_first_and_those_that_are_done_last(club, alice):
    tournament = make_tournament(16, club=club)
    tables = tables_of(tournament)
    play_out(tables[0], agreed=True)
    for table in tables[1:]:
        report(table, 1)
    raise_flag(tables[2], Flag.Kind.CALL, deal=None, words="revoke?", now=timezone.now())
    assert groups(tournament) == [("Needs you", [3]), ("Playing", [2, 4]), ("Done", [1])]


def test_a_settled_call_no_longer_needs_the_organiser(club, alice):
    tournament = make_tournament(club=club)
    flag = raise_flag(first_table(tournament), Flag.Kind.LATER, deal=2, words="", now=timezone.now())
    settle_flag(flag, alice, now=timezone.now())
    assert groups(tournament) == [("Playing", [1, 2])]


@pytest.mark.parametrize(
    ("reported", "slow"),
    [
        ([10, 10, 10, 10], []),
        ([10, 10, 10, 6], []),
        ([10, 10, 10, 5], [4]),
        ([20, 18, 2, 19], [3]),
    ],
)
def test_a_table_is_slow_when_it_is_five_deals_behind_the_middle_one(reported, slow):
    lines = board_lines(rows(reported), timezone.now())
    assert [line.row.table.number for line in lines if line.is_slow] == slow


def test_a_table_of_three_is_compared_by_the_share_of_its_own_deals():
    assert set(deals_behind(rows([20, 20, 15], deals=[40, 40, 30])).values()) == {0}


def test_nobody_is_slow_who_is_done_or_when_the_round_is_over():
    lines = board_lines(rows([40, 40, 3]), timezone.now(), Round(state=Round.State.CLOSED))
    assert [line.is_slow for line in lines] == [False, False, False]


def test_a_table_says_what_it_waits_for_in_the_order_of_what_is_urgent(club, alice):
    tournament = make_tournament(16, club=club, deals_per_round=4)
    now = timezone.now()
    calls, signs, done, plays = tables_of(tournament)
    play_out(calls)
    raise_flag(calls, Flag.Kind.LATER, deal=1, words="", now=now)
    raise_flag(calls, Flag.Kind.CALL, deal=None, words="", now=now)
    play_out(signs)
    play_out(done, agreed=True)
    report(plays, 1)
    Flag.objects.create(table=plays, kind=Flag.Kind.RARE, deal=1, raised_at=now)

    def states(now=now):
        return [line.state for line in board_lines(board(first_round(tournament)), now)]

    assert states() == ["calls", "signs", "done", "plays"]
    Flag.objects.filter(kind=Flag.Kind.CALL).update(kind=Flag.Kind.CONFLICT)
    assert states() == ["differs", "signs", "done", "plays"]
    Flag.objects.filter(kind=Flag.Kind.CONFLICT).delete()
    assert states() == ["signs", "signs", "done", "plays"]
    raise_flag(done, Flag.Kind.LATER, deal=1, words="", now=now)
    assert states() == ["signs", "signs", "later", "plays"]


def test_a_table_is_silent_after_a_quarter_of_an_hour_while_it_has_deals_to_play(club):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    plays, done = tables_of(tournament)
    report(plays, 1)
    play_out(done)
    heard = Table.objects.get(pk=plays.pk).last_report_at

    def silent(minutes):
        now = heard + timedelta(minutes=minutes)
        return [line.silent for line in board_lines(board(first_round(tournament)), now)]

    assert (silent(15), silent(16)) == ([False, False], [True, False])


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=-3), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=2, minutes=5), "2 h 5 min ago"),
        (timedelta(days=1, hours=3), "1 day ago"),
        (timedelta(days=3), "3 days ago"),
    ],
)
def test_how_long_ago_is_said_in_words(passed, words):
    now = timezone.now()
    assert ago(now - passed, now) == words
