"""Standings: sums over tables, penalties in their own column, ties as agreed."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, report
from tournaments.ledger import Author, Submission, record
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import penalise
from tournaments.standings.players import standings
from tournaments.standings.tie_breaks import TIE_BREAKS, Row, rank


def row(number, tokens, **fields):
    return Row(
        entry_id=number,
        number=number,
        name=f"Player {number}",
        club="",
        withdrawn=False,
        rounds=tokens,
        **fields,
    )


def ranks(rows, *codes):
    rank(rows, codes)
    return [
        (row.number, row.rank, row.shared) for row in sorted(rows, key=lambda row: (row.rank, row.number))
    ]


def test_equal_totals_share_a_rank_and_the_next_rank_is_left_out():
    assert ranks([row(1, [5]), row(2, [7]), row(3, [5]), row(4, [-1])]) == [
        (2, 1, False),
        (1, 2, True),
        (3, 2, True),
        (4, 4, False),
    ]


@pytest.mark.parametrize(
    ("code", "first", "second"),
    [
        ("best_round", row(1, [1, 9]), row(2, [5, 5])),
        ("last_round", row(1, [1, 9]), row(2, [9, 1])),
        ("last_round", row(1, [1, 9, None]), row(2, [9, 1, None])),
        ("rounds_won", row(1, [5, 5]), row(2, [11, -1])),
        ("games_won", row(1, [10], games_won=4), row(2, [10], games_won=3)),
        ("fewest_kodilles", row(1, [10], kodilles=1), row(2, [10], kodilles=2)),
        ("fewest_penalties", row(1, [10]), row(2, [12], penalties=-2)),
        ("lot", row(1, [10], lot=9), row(2, [10], lot=8)),
    ],
)
def test_a_tie_is_broken_by(code, first, second):
    assert ranks([second, first], code) == [(1, 1, False), (2, 2, False)]


def test_every_tie_break_says_what_it_is():
    assert all(str(tie_break.name) and str(tie_break.explanation) for tie_break in TIE_BREAKS.values())


def test_standings_add_up_reports_and_penalties(club, alice):
    tournament = make_tournament(4, club=club)
    table = first_table(tournament)
    report(table, 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    seats = list(table.seats.order_by("position"))
    penalise(
        seats[1].entry,
        tokens=-1,
        reason="named the suit too early",
        round_=None,
        account=alice,
        now=timezone.now(),
    )
    tournament.refresh_from_db()
    by_entry = {row.entry_id: row for row in standings(tournament).rows}
    declarer = by_entry[seats[1].entry_id]
    assert (declarer.rounds, declarer.penalties, declarer.total, declarer.games_won) == ([6], -1, 5, 1)
    assert [by_entry[seat.entry_id].total for seat in seats] == [-3, 5, 0, -3]
    assert standings(tournament).provisional


def test_standings_through_a_round_leave_later_rounds_out(club, alice):
    tournament = make_tournament(4, 2, club=club)
    report(first_table(tournament), 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    now = timezone.now()
    close_round(first_round(tournament), account=alice, now=now, force_reason="late")
    start_round(tournament.rounds.get(number=2), account=alice, now=now)
    tournament.refresh_from_db()
    assert standings(tournament).rounds == [1, 2]
    assert standings(tournament, through=1).rounds == [1]
    assert not standings(tournament, through=1).provisional


@pytest.mark.parametrize("players", [4, 16])
def test_the_standings_take_the_same_number_of_queries_for_any_number_of_players(
    club, players, django_assert_num_queries
):
    tournament = make_tournament(players, club=club)
    with django_assert_num_queries(8):
        standings(tournament)
    with django_assert_num_queries(0):
        standings(tournament)


def test_games_are_counted_anew_from_the_next_report_on_also_where_the_oldest_deal_is_corrected_or_taken_back(
    club,
):
    """What is kept of a table's deals holds until its next report, and for that table alone."""
    tournament = make_tournament(8, club=club, tie_breaks=["games_won", "fewest_kodilles"])
    won = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
    one, other = tournament.rounds.get().tables.order_by("number")

    def counted():
        tournament.refresh_from_db()
        told = {row.entry_id: (row.deals, row.games_won, row.kodilles) for row in standings(tournament).rows}
        return [told[seat.entry_id] for table in (one, other) for seat in table.seats.order_by("position")]

    nothing = [(0, 0, 0)] * 4
    assert counted() == nothing * 2
    for table in (one, other):
        report(table, 1, won)
    played = [(1, 0, 0), (1, 1, 0), (0, 0, 0), (1, 0, 0)]
    assert counted() == played * 2
    report(one, 1, won | {"declarer": 3, "outcome": "kodille"}, base=1, reason="the wrong player")
    assert counted() == [(1, 0, 0), (1, 0, 0), (0, 0, 0), (1, 0, 1), *played]
    report(other, 2, won | {"declarer": 2})
    assert counted()[4:] == [(2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 0, 0)]
    taken_back = Submission(key=uuid4(), deal=1, base=2, result=None, reason="wrong table")
    record(one, [taken_back], Author("captain"), now=timezone.now())
    assert counted()[:4] == nothing
