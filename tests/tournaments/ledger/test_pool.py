"""The pool of a table: what follows from the deal before, and where a report says otherwise."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from scoring.rulebook import PoolRules
from tournaments.ledger.queries import PoolGap, TablePool
from tournaments.models import Report

RENEGADO = SimpleNamespace(pool=PoolRules(ante=5))


def dealt(**deals: tuple[int | None, list[int]]) -> dict[int, Report]:
    """Reports by deal from `d1=(pool, tokens)`; a pool of None is left out of the report."""
    return {
        int(name[1:]): Report(result={} if pool is None else {"pool": pool}, tokens=tokens)
        for name, (pool, tokens) in deals.items()
    }


@pytest.mark.parametrize(
    ("reports", "deal", "follows"),
    [
        ({}, 1, 5),
        ({}, 2, None),
        # The dealer's ante stays in the pool, and the next dealer puts his own in.
        ({"d1": (5, [-5, 0, 0])}, 2, 10),
        # Whoever wins takes the pool; the next ante begins a new one.
        ({"d1": (5, [-5, 0, 0]), "d2": (10, [22, -11, -6])}, 3, 5),
        # The pool is doubled and five chips paid for each player.
        ({"d1": (5, [-5, 0, 0]), "d2": (10, [-25, -5, 0])}, 3, 40),
        # A wash-out or a ruling need not say what lay there.
        ({"d1": (None, [-5, 0, 0]), "d2": (None, [0, -5, 0])}, 3, 15),
        ({"d1": (5, [-5, 0, 0]), "d3": (10, [0, 0, -5])}, 3, None),
    ],
)
def test_the_pool_follows_from_the_deal_before(reports, deal, follows):
    assert TablePool(RENEGADO, 3, dealt(**reports)).follows(deal) == follows


def test_where_all_put_an_ante_in_the_pool_grows_by_all_of_them():
    five = SimpleNamespace(pool=PoolRules(ante=1, by_all=True))
    assert TablePool(five, 5, {}).follows(1) == 5


def test_a_deal_taken_back_says_nothing_of_the_next():
    reports = dealt(d1=(5, [-5, 0, 0])) | {2: Report(result=None, tokens=[])}
    pool = TablePool(RENEGADO, 3, reports)
    assert (pool.follows(2), pool.follows(3)) == (10, None)


@pytest.mark.parametrize(
    ("reports", "deal", "suggested"),
    [
        ({}, 1, 5),
        ({}, 3, 15),
        ({"d1": (5, [-5, 0, 0])}, 2, 10),
        ({"d1": (5, [-5, 0, 0])}, 4, 20),
        ({"d4": (30, [25, 0, 0])}, 5, 5),
    ],
)
def test_an_entry_begins_with_the_likeliest_pool(reports, deal, suggested):
    assert TablePool(RENEGADO, 3, dealt(**reports)).for_entry(deal) == suggested


def test_a_pool_that_does_not_follow_is_a_gap_at_that_deal_and_at_no_later_one():
    reports = dealt(d1=(5, [-5, 0, 0]), d2=(15, [0, -5, 0]), d3=(20, [0, 0, -5]))
    assert TablePool(RENEGADO, 3, reports).gaps == [PoolGap(2, 15, 10)]


def test_what_is_left_is_what_the_players_lack():
    reports = dealt(d1=(5, [-5, 0, 0]), d2=(10, [22, -11, -6]), d3=(5, [0, -5, 0]))
    pool = TablePool(RENEGADO, 3, reports)
    assert pool.remaining == 5
    assert pool.remaining + sum(sum(report.tokens) for report in reports.values()) == 0
    assert TablePool(RENEGADO, 3, {}).remaining == 0
