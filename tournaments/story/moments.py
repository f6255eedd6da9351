"""What people talk about afterwards: what was declared, the longest run, the deal of the evening, the pace."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.story.evening import Pace, ToldDeal


@dataclass(slots=True)
class Games:
    """Games of one contract: how many, and how many of them their declarers won."""

    deals: int = 0
    won: int = 0


@dataclass(slots=True)
class Counted:
    """The deals of an evening by what they were. `tables_unknown` are those of which only the totals are."""

    deals: int = 0
    passed: int = 0
    ruled: int = 0
    tables_unknown: int = 0
    contracts: dict[str, Games] = field(default_factory=dict)

    @property
    def declared(self) -> Games:
        games = self.contracts.values()
        return Games(*(sum(getattr(one, name) for one in games) for name in ("deals", "won")))


def count(deals: Iterable[ToldDeal], order: Iterable[str]) -> Counted:
    """Count the deals; `order` is that of the contracts, others come behind."""
    counted, by_contract = Counted(), {name: Games() for name in order}
    for deal in deals:
        if deal.is_totals_only:
            counted.tables_unknown += 1
            continue
        counted.deals += 1
        if deal.contract:
            games = by_contract.setdefault(deal.contract, Games())
            games.deals += 1
            games.won += deal.is_won
        elif deal.is_passed:
            counted.passed += 1
        else:
            counted.ruled += 1
    counted.contracts = {name: games for name, games in by_contract.items() if games.deals}
    return counted


def longest_run(deals: Iterable[ToldDeal]) -> tuple[list[int], int]:
    """Who won the most games in a row as declarer, whatever lay between them, and how many."""
    now: Counter[int] = Counter()
    longest: Counter[int] = Counter()
    for deal in deals:
        if deal.contract and deal.declarer is not None:
            now[deal.declarer] = now[deal.declarer] + 1 if deal.is_won else 0
            longest[deal.declarer] = max(longest[deal.declarer], now[deal.declarer])
    most = max(longest.values(), default=0)
    return [player for player, run in longest.items() if run == most and most], most


def deal_of_the_evening(deals: Iterable[ToldDeal]) -> ToldDeal | None:
    """The game in which the most tokens changed hands, the first of those; None where no game is known."""
    return max((deal for deal in deals if deal.contract), key=lambda deal: deal.turnover, default=None)


def best_game(deals: Iterable[ToldDeal]) -> ToldDeal | None:
    """The same of the games that were won: what a page tells of shows up nobody."""
    return deal_of_the_evening(deal for deal in deals if deal.is_won)


def dearest_game(deals: Iterable[ToldDeal]) -> ToldDeal | None:
    """The game that cost its declarer the most, the first of those; None where nobody lost any."""
    lost = (deal for deal in deals if deal.contract and deal.declarers_tokens < 0)
    return min(lost, key=lambda deal: deal.declarers_tokens, default=None)


def touts(deals: Iterable[ToldDeal]) -> dict[int, int]:
    """Player -> touts made as declarer, who made the most first."""
    made = Counter(deal.declarer for deal in deals if deal.tout == "won" and deal.declarer is not None)
    return dict(made.most_common())


@dataclass(frozen=True, slots=True)
class Tempo:
    """Seconds a deal: of all tables together; the quickest table and the slowest, where there are two."""

    average: float
    quickest: Pace | None
    slowest: Pace | None


# Seconds a deal: what is quicker was typed in later, what is slower had a meal in it; too few deals say nothing.
QUICKEST, SLOWEST, LEAST = 20, 900, 5


def tempo(paces: Sequence[Pace]) -> Tempo | None:
    """How quickly was played; None where no table's time is known."""
    known = [pace for pace in paces if pace.deals >= LEAST and QUICKEST <= pace.each <= SLOWEST]
    if not known:
        return None
    several = len({pace.each for pace in known}) > 1
    return Tempo(
        sum(pace.seconds for pace in known) / sum(pace.deals for pace in known),
        min(known, key=lambda pace: pace.each) if several else None,
        max(known, key=lambda pace: pace.each) if several else None,
    )
