"""Prizes by places, and the shortest list of who pays whom: whole øre, and nothing left over."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.domain.prizes import prizes, prizes_by_place, read_shares
from tournaments.lifecycle.payments import BOX, EXACT_UP_TO, Transfer, largest_first, settle, settle_with_box

pytestmark = pytest.mark.databases

AMOUNTS = st.integers(-6, 6) | st.integers(-100_000, 100_000)


def with_box(amounts):
    """Balances of players 1, 2, …; the box has what is missing to 0."""
    return {BOX: -sum(amounts)} | dict(enumerate(amounts, start=1))


def check_settled(balances, transfers):
    got = Counter()
    for transfer in transfers:
        assert transfer.amount > 0
        got[transfer.payer] -= transfer.amount
        got[transfer.payee] += transfer.amount
    assert {who: got[who] for who in balances} == balances
    parties = sum(amount != 0 for amount in balances.values())
    assert len(transfers) <= max(0, parties - 1)
    assert len(transfers) <= len(largest_first(balances))


@given(st.lists(AMOUNTS, max_size=12))
def test_every_balance_is_settled_exactly(amounts):
    balances = with_box(amounts)
    found = settle(balances)
    check_settled(balances, found.transfers)
    assert found.shortest


@given(st.lists(AMOUNTS, min_size=40, max_size=80))
@settings(max_examples=40)
def test_a_hall_is_settled_exactly(amounts):
    balances = with_box(amounts)
    check_settled(balances, settle(balances).transfers)


def fewest(balances):
    """The fewest payments, by trying every first group that settles among itself."""
    parties = [who for who, amount in balances.items() if amount]
    if not parties:
        return 0
    best = len(parties) - 1
    first, *others = parties
    for size in range(1, len(others)):
        for group in combinations(others, size):
            if sum(balances[who] for who in (first, *group)) == 0:
                rest = {who: balances[who] for who in others if who not in group}
                best = min(best, size + fewest(rest))
    return best


@given(st.lists(st.integers(-5, 5), max_size=7))
def test_no_list_is_shorter(amounts):
    balances = with_box(amounts)
    assert len(settle(balances).transfers) == fewest(balances)


def test_largest_with_largest_is_not_always_shortest():
    balances = {1: -5, 2: -4, 3: 3, 4: 3, 5: 3}
    balances |= {6: -6, 7: 6}
    found = settle(balances)
    assert Transfer(6, 7, 6) in found.transfers
    assert len(found.transfers) == 5


def test_so_many_are_settled_in_the_fewest_payments_and_more_in_few():
    """None of these owes another exactly, so that nobody is paired beforehand."""
    players = EXACT_UP_TO - 1
    assert settle(with_box([2**index for index in range(players)])).shortest
    assert not settle(with_box([2**index for index in range(players + 1)])).shortest


@pytest.mark.parametrize("way", [settle, settle_with_box])
def test_what_does_not_add_up_is_refused(way):
    with pytest.raises(ValueError, match="1"):
        way({1: 5, 2: -4})


def test_with_the_cashier_everybody_who_gets_or_owes_has_one_payment_by_number():
    assert settle_with_box({BOX: 2, 3: -9, 1: 7, 2: 0}).transfers == (
        Transfer(BOX, 1, 7),
        Transfer(3, BOX, 9),
    )


@pytest.mark.parametrize(
    ("pool", "shares", "amounts"),
    [
        (10_000, [50, 30, 20], [5_000, 3_000, 2_000]),
        (1_001, [50, 50], [501, 500]),
        (100, [33, 33, 34], [33, 33, 34]),
        (10, [33, 33, 34], [4, 3, 3]),
        (10_000, [40, 20], [4_000, 2_000]),  # the rest is the club's
        (0, [60, 40], [0, 0]),
        (10_000, [], []),
    ],
)
def test_the_pool_is_shared_by_place_and_odd_ore_go_to_the_first(pool, shares, amounts):
    assert prizes_by_place(pool, shares) == amounts


@pytest.mark.parametrize(
    ("places", "won"),
    [
        ([[7], [3], [5]], {7: 500, 3: 300, 5: 200}),
        ([[7, 3], [5]], {7: 400, 3: 400, 5: 200}),
        ([[7], [3, 5, 9]], {7: 500, 3: 167, 5: 167, 9: 166}),  # 300 + 200 by three
        ([[7, 3]], {7: 400, 3: 400}),  # nobody has the third place
    ],
)
def test_who_share_a_rank_share_its_prizes(places, won):
    assert prizes([500, 300, 200], places) == won


@given(
    st.integers(0, 10_000_000),
    st.lists(st.integers(1, 20), max_size=5),
    st.lists(st.integers(1, 4), max_size=8),
)
def test_no_ore_of_the_prizes_is_lost(pool, shares, sizes):
    numbers = iter(range(1, 100))
    places = [[next(numbers) for _unused in range(size)] for size in sizes]
    by_place = prizes_by_place(pool, shares)
    won = prizes(by_place, places)
    assert sum(won.values()) == sum(by_place[: sum(sizes)])
    shared = [[won.get(who, 0) for who in equals] for equals in places]
    assert all(max(each) - min(each) <= 1 for each in shared)


@pytest.mark.parametrize(
    ("typed", "shares"),
    [("50 30 20", [50, 30, 20]), ("50%, 30%,20 %", [50, 30, 20]), ("60/40", [60, 40]), ("", [])],
)
def test_shares_are_read_as_people_write_them(typed, shares):
    assert read_shares(typed) == shares


@pytest.mark.parametrize("typed", ["60 50", "0", "-5", "a", "33.3", "²", "9" * 5000, "1 " * 51])
def test_what_are_no_shares_is_refused(typed):
    with pytest.raises(ValueError, match=re.escape(typed)):
        read_shares(typed)
