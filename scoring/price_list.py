"""What each contract and each bonus costs, taken from what may be reported, so that it cannot differ.

A price is what a result changes for the declarer: tokens from each player who settles, tokens that are the
declarer's alone, and the pool as often as it is taken. A loss is negative: the declarer pays it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from scoring.choices import choices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.contracts import Contract
    from scoring.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Price:
    """Tokens `each` who settles pays the declarer, `own` that nobody pays, and how often the `pool` is taken."""

    each: int
    own: int = 0
    pool: int = 0


@dataclass(frozen=True, slots=True)
class PricedResult:
    """A result, by its code in `choices`; where every trick costs, the first of them and what each `more` costs."""

    code: str
    price: Price
    more: int = 0


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A contract in force and what each way that it can end costs."""

    contract: Contract
    results: tuple[PricedResult, ...]


@dataclass(frozen=True, slots=True)
class Bonus:
    """What is settled beside the contract, and the contracts that have it at this price."""

    code: str
    price: Price
    contracts: tuple[Contract, ...]


@dataclass(frozen=True, slots=True)
class PriceList:
    """The contracts in the order of bidding, and the bonuses in the order in which contracts have them."""

    rows: tuple[PriceRow, ...]
    bonuses: tuple[Bonus, ...]


def price_list(rulebook: Rulebook, players: int) -> PriceList:
    """All prices at a table of so many."""
    offered = choices(rulebook, players)["contracts"]
    rows = tuple(PriceRow(rulebook.by_id[offer["id"]], _results(offer["results"])) for offer in offered)
    bonuses: dict[tuple[str, Price], list[Contract]] = {}
    for offer in offered:
        for extra in offer["extras"]:
            bonuses.setdefault((extra["code"], _price(extra)), []).append(rulebook.by_id[offer["id"]])
    return PriceList(rows, tuple(Bonus(code, price, tuple(of)) for (code, price), of in bonuses.items()))


def _results(patches: Sequence[Mapping[str, Any]]) -> tuple[PricedResult, ...]:
    """One line a result; one for all kodilles where every trick costs as much as the one before."""
    found: list[PricedResult] = []
    for by_trick, run in groupby(patches, lambda patch: patch["code"].startswith("tricks_")):
        priced = [PricedResult(patch["code"], _price(patch)) for patch in run]
        steps = {after.price.each - before.price.each for before, after in pairwise(priced)}
        if by_trick and len(steps) == 1:
            priced = [PricedResult(priced[0].code, priced[0].price, steps.pop())]
        found += priced
    return tuple(found)


def _price(patch: Mapping[str, Any]) -> Price:
    """The first possible declarer's price: it is the same whoever declares."""
    declarer, tokens = next(iter(patch["tokens"].items()))
    others = [amount for role, amount in tokens.items() if role != declarer]
    pool = patch.get("pool", {}).get(declarer, {}).get(declarer, 0)
    return Price(-max(others, key=abs, default=0), tokens[declarer] + sum(others), pool)
