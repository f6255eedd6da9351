"""Prizes by place: shares of a pool or fixed amounts, and prizes in kind such as a cup or a ham.

Amounts are whole øre, and nothing is lost by rounding: a remainder is given out øre by øre in a documented order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


T = TypeVar("T")
WHOLE = 100  # per cent
MOST_PRIZES = 50
MOST_FOR_A_PLACE = 100_000_000  # øre
MOST_LETTERS = 80  # of a thing


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


def are_things(value: object) -> bool:
    """Whether these are prizes by place that are no money, "" for a place that has none; the last place has one."""
    return (
        isinstance(value, list)
        and len(value) <= MOST_PRIZES
        and all(isinstance(thing, str) and len(thing) <= MOST_LETTERS for thing in value)
        and (not value or bool(value[-1]))
    )


def things_won(things: Sequence[str], places: Sequence[Sequence[T]]) -> list[tuple[str, Sequence[T]]]:
    """Each prize in kind with the players at its place; `places` has the players by rank.

    An empty place wins nothing.

    Players who share a rank hold all places that they share: the program does not decide who gets the cup.
    """
    won: list[tuple[str, Sequence[T]]] = []
    first = 0
    for equals in places:
        won += [(thing, equals) for thing in things[first : first + len(equals)] if thing]
        first += len(equals)
    return won


def prizes_by_place(pool: int, shares: Sequence[int]) -> list[int]:
    """The prize of each place; øre left over by rounding down go to the first places, one each."""
    amounts = [pool * share // WHOLE for share in shares]
    for place in range(pool * sum(shares) // WHOLE - sum(amounts)):
        amounts[place] += 1
    return amounts


def prizes(by_place: Sequence[int], places: Iterable[Sequence[int]]) -> dict[int, int]:
    """The prize of each player whose place has one. `places` has the players by rank, who share a rank together.

    Better lots come first there; it is looked at as far as there are prizes.
    Who share a rank share the prizes of the places that they hold; øre left over go to the better lots, one each.
    """
    won: dict[int, int] = {}
    first = 0
    for equals in places:
        if first >= len(by_place):
            break
        together = sum(by_place[first : first + len(equals)])
        each, over = divmod(together, len(equals))
        won |= {player: each + (index < over) for index, player in enumerate(equals)}
        first += len(equals)
    return won
