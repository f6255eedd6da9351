"""What money is paid when a tournament ends: prizes by places, and the shortest list of who pays whom.

Amounts are whole øre and nothing is rounded away: what cannot be shared equally is given out øre by øre in an order
that is said. Whoever is paid and pays has a number; the club's box is number 0.
"""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BOX = 0
WHOLE = 100  # per cent
MOST_PRIZES = 50
MOST_FOR_A_PLACE = 100_000_000  # øre
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


def read_shares(typed: str) -> list[int]:
    """Per cent of the pool by place, from "50 30 20" or "50%, 30%, 20%". Raises ValueError."""
    parts = re.sub(r"[%,;/+]", " ", typed).split()
    if len(parts) > MOST_PRIZES or not all(re.fullmatch(r"[0-9]{1,3}", part) for part in parts):
        raise ValueError(typed)
    shares = [int(part) for part in parts]
    if not are_shares(shares):
        raise ValueError(typed)
    return shares


def are_shares(value: object) -> bool:
    """Whether these are per cents by place: each at least 1, together at most 100."""
    return (
        isinstance(value, list)
        and len(value) <= MOST_PRIZES
        and all(type(share) is int and share > 0 for share in value)
        and sum(value) <= WHOLE
    )


def are_amounts(value: object) -> bool:
    """Whether these are prizes by place in øre, each of them something."""
    return (
        isinstance(value, list)
        and len(value) <= MOST_PRIZES
        and all(type(amount) is int and 0 < amount <= MOST_FOR_A_PLACE for amount in value)
    )


def prizes_by_place(pool: int, shares: Sequence[int]) -> list[int]:
    """The prize of each place; øre left over by rounding down go to the first places, one each."""
    amounts = [pool * share // WHOLE for share in shares]
    for place in range(pool * sum(shares) // WHOLE - sum(amounts)):
        amounts[place] += 1
    return amounts


def prizes(by_place: Sequence[int], places: Sequence[Sequence[int]]) -> dict[int, int]:
    """Each player's prize. `places` has the players by rank, those who share a rank together, better lots first.

    Who share a rank share the prizes of the places that they hold; øre left over go to the better lots, one each.
    """
    won: dict[int, int] = {}
    first = 0
    for equals in places:
        together = sum(by_place[first : first + len(equals)])
        each, over = divmod(together, len(equals))
        won |= {player: each + (index < over) for index, player in enumerate(equals)}
        first += len(equals)
    return won


def settle(balances: Mapping[int, int]) -> Transfers:
    """Who pays whom so that everybody gets (+) or gives (-) their balance: the shortest list, or a short one.

    What two owe each other exactly is one payment, which no shortest list can better. Up to `EXACT_UP_TO` others are
    divided into as many groups as settle among themselves, for each group saves a payment; more than that are settled
    largest with largest. Never more payments than that gives, and at least one fewer than those who have a balance.
    Raises ValueError if the balances do not add up to 0.
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
    """Everybody settles with the club's cashier alone: one payment for each who gets or owes something, by number.

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
    """One payment for each two whose balances are opposite."""
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
    """Who owes most pays whom most is owed, until nobody owes: one payment fewer than parties, or less."""
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
