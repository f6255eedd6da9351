"""Settlement of payments at the end of a tournament: the shortest list of transfers.

Amounts are whole øre, without rounding. Parties are numbers; the club's cash box is number 0.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


BOX = 0
# The shortest list is a hard problem: each further player doubles the work, and these take a fifth of a second.
EXACT_UP_TO = 16


@dataclass(frozen=True, slots=True)
class Transfer:
    """`payer` gives `payee` so many øre."""

    payer: int
    payee: int
    amount: int


@dataclass(frozen=True, slots=True)
class Transfers:
    """Payments that settle everything; `shortest` where it is known that no shorter list exists."""

    transfers: tuple[Transfer, ...]
    shortest: bool


def settle(balances: Mapping[int, int]) -> Transfers:
    """Transfers that settle all balances (+ is owed, - owes): the shortest list, or a short one.

    Two exactly opposite balances make one payment, which no shortest list can improve. Up to `EXACT_UP_TO` others
    are split into as many groups with sum 0 as possible, each of which saves a payment; more are settled largest
    with largest. Never more payments than that gives, and at least one fewer than parties with a balance. Raises
    ValueError if the balances do not add up to 0.
    """
    if sum(balances.values()):
        raise ValueError(balances)
    parties = {who: amount for who, amount in sorted(balances.items()) if amount}
    pairs = _opposites(parties)
    paired = {who for pair in pairs for who in (pair.payer, pair.payee)}
    others = {who: amount for who, amount in parties.items() if who not in paired}
    shortest = len(others) <= EXACT_UP_TO
    groups = _most_groups(others) if shortest else [others]
    found = [*pairs, *(transfer for group in groups for transfer in largest_first(group))]
    if not shortest:
        found = min(found, largest_first(parties), key=len)
    return Transfers(tuple(sorted(found, key=lambda transfer: (transfer.payer, transfer.payee))), shortest)


def settle_with_box(balances: Mapping[int, int]) -> Transfers:
    """Settle with the club's cashier alone: one payment for each balance other than 0, by number.

    Raises ValueError if the balances do not add up to 0.
    """
    if sum(balances.values()):
        raise ValueError(balances)
    return Transfers(
        tuple(
            Transfer(who, BOX, -amount) if amount < 0 else Transfer(BOX, who, amount)
            for who, amount in sorted(balances.items())
            if amount and who != BOX
        ),
        shortest=False,
    )


def _opposites(parties: Mapping[int, int]) -> list[Transfer]:
    """Payments between each two parties whose balances are opposite."""
    waiting: dict[int, list[int]] = {}
    pairs = []
    for who, amount in parties.items():
        if opposite := waiting.get(-amount):
            other = opposite.pop(0)
            payer, payee = (who, other) if amount < 0 else (other, who)
            pairs.append(Transfer(payer, payee, abs(amount)))
        else:
            waiting.setdefault(amount, []).append(who)
    return pairs


def largest_first(balances: Mapping[int, int]) -> list[Transfer]:
    """Repeatedly let the largest debtor pay the largest creditor: at most one payment fewer than parties."""
    owing = [(amount, who) for who, amount in balances.items() if amount < 0]
    owed = [(-amount, who) for who, amount in balances.items() if amount > 0]
    heapq.heapify(owing)
    heapq.heapify(owed)
    transfers = []
    while owing:
        (debt, payer), (claim, payee) = heapq.heappop(owing), heapq.heappop(owed)
        amount = min(-debt, -claim)
        transfers.append(Transfer(payer, payee, amount))
        if debt + amount:
            heapq.heappush(owing, (debt + amount, payer))
        if claim + amount:
            heapq.heappush(owed, (claim + amount, payee))
    return transfers


def _most_groups(balances: Mapping[int, int]) -> list[dict[int, int]]:
    """The parties in as many groups as can be that add up to 0 each: dynamic programming over all subsets."""
    parties = list(balances)
    size = 1 << len(parties)
    total, most = [0] * size, bytearray(size)
    for subset in range(1, size):
        lowest = subset & -subset
        total[subset] = total[subset ^ lowest] + balances[parties[lowest.bit_length() - 1]]
        rest, best = subset, 0
        while rest:
            member = rest & -rest
            rest ^= member
            best = max(best, most[subset ^ member])
        most[subset] = best + (total[subset] == 0)
    groups: list[dict[int, int]] = []
    subset = size - 1
    while subset:
        if total[subset] == 0:
            groups.append({})
        wanted = most[subset] - (total[subset] == 0)
        index = next(
            index
            for index in range(len(parties))
            if subset >> index & 1 and most[subset ^ (1 << index)] == wanted
        )
        groups[-1][parties[index]] = balances[parties[index]]
        subset ^= 1 << index
    return groups
