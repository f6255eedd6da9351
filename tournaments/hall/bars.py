"""Bars of games won and lost, by contract: the same on a player's page and in an evening's story."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tournaments.domain.terms import contract_name

if TYPE_CHECKING:
    from collections.abc import Mapping


class Won(Protocol):
    """Games of one contract, and how many of them were won."""

    deals: int
    won: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A contract's bar; the widths of won and lost are in per cent of the longest."""

    name: str
    deals: int
    won: int
    won_width: float
    lost_width: float


def bars(contracts: Mapping[str, Won]) -> list[Bar]:
    longest = max((games.deals for games in contracts.values()), default=1)

    def width(games: int) -> float:
        return round(100 * games / longest, 1)

    return [
        Bar(contract_name(name), games.deals, games.won, width(games.won), width(games.deals - games.won))
        for name, games in contracts.items()
    ]
