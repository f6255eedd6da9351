"""The list of prices of contracts and bonuses, derived from `choices`, so that it agrees with settlements.

A price is the change for the declarer: tokens from each player who settles, or from one player; tokens that no other
player pays; and a share of the pool. A loss is negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from scoring.choices import choices

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoring.rulebook import Contract, Rulebook

KODILLE = "kodille"


@dataclass(frozen=True, slots=True)
class Price:
    """A price in tokens: from `each` player who settles, from `one` opponent only, or `own`, which no player pays.

    `pool` is the share of the pool that the declarer takes.
    """

    each: int = 0
    one: int = 0
    own: int = 0
    pool: Fraction = Fraction(0)

    @property
    def tokens(self) -> int:
        """The tokens, whoever pays them."""
        return self.each or self.one or self.own


@dataclass(frozen=True, slots=True)
class PricedResult:
    """The price of a result, by its code in `choices`; `more` for each further trick where tricks have a price."""

    code: str
    price: Price
    more: int = 0


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A contract in force with the prices of its results."""

    contract: Contract
    results: tuple[PricedResult, ...]


@dataclass(frozen=True, slots=True)
class Bonus:
    """The price of a bonus, paid besides a result.

    - times: a multiple of the contract's price, used where `price` is zero
    - counted: the price is for each of several, such as estuches
    - contracts, results: those with which it can be paid
    - everywhere: it has this price with all of them; else there is another Bonus of the same code
    """

    code: str
    price: Price
    times: int
    counted: bool
    contracts: tuple[Contract, ...]
    results: tuple[str, ...]
    everywhere: bool = True


@dataclass(frozen=True, slots=True)
class PriceList:
    """All prices: contracts in the order of bidding, then bonuses in the order of their first contract."""

    rows: tuple[PriceRow, ...]
    bonuses: tuple[Bonus, ...]


@lru_cache(maxsize=128)
def price_list(rulebook: Rulebook, players: int) -> PriceList:
    """The price list of a rulebook at a table of this size."""
    offered = choices(rulebook, players)["contracts"]
    rows = tuple(PriceRow(rulebook.by_id[offer["id"]], _results(offer["results"])) for offer in offered)
    found = [
        (rulebook.by_id[offer["id"]], extra)
        for offer in offered
        for extra in offer["extras"]
        if "+" not in extra["code"]
    ]
    codes = dict.fromkeys(extra["code"] for _contract, extra in found)
    bonuses = [
        bonus for code in codes for bonus in _bonuses([pair for pair in found if pair[1]["code"] == code])
    ]
    return PriceList(rows, tuple(bonuses))


def _results(patches: Sequence[Mapping[str, Any]]) -> tuple[PricedResult, ...]:
    """The prices of a contract's results; kodilles are merged, whoever wins them and if each trick costs the same."""
    found: dict[str, PricedResult] = {}
    for by_trick, run in groupby(patches, lambda patch: patch["code"].startswith("tricks_")):
        # A price of zero is that of free tricks.
        everything = [PricedResult(_code(patch), price_of(patch)) for patch in run]
        priced = [result for result in everything if result.price != Price()]
        steps = {after.price.each - before.price.each for before, after in pairwise(priced)}
        if by_trick and len(steps) == 1:
            priced = [PricedResult(KODILLE, priced[0].price, steps.pop())]
        for result in priced:
            found.setdefault(result.code, result)
    return tuple(found.values())


def _code(patch: Mapping[str, Any]) -> str:
    """The code of a result, without the winners of a kodille."""
    code: str = patch["code"]
    return KODILLE if code.startswith(f"{KODILLE}_") else code


def _bonuses(found: Sequence[tuple[Contract, Mapping[str, Any]]]) -> Iterator[Bonus]:
    """The prices of one bonus: one for all contracts, or a multiple of the contract's, or one for each group."""
    by_price: dict[tuple[Price, int], list[tuple[Contract, Mapping[str, Any]]]] = {}
    prices = {price_of(extra) for _contract, extra in found}
    relative = len({abs(price.tokens) for price in prices}) > 1 and all(
        price_of(extra).own and price_of(extra).own % contract.price == 0 for contract, extra in found
    )
    for contract, extra in found:
        price = price_of(extra)
        key = (Price(), price.own // contract.price) if relative else (price, 0)
        if price.tokens or price.pool:
            by_price.setdefault(key, []).append((contract, extra))
    for (price, times), alike in by_price.items():
        yield Bonus(
            alike[0][1]["code"],
            price,
            times,
            "count" in alike[0][1],
            tuple(dict.fromkeys(contract for contract, _extra in alike)),
            tuple(
                dict.fromkeys(_code({"code": code}) for _contract, extra in alike for code in extra["with"])
            ),
            len(by_price) == 1,
        )


def price_of(patch: Mapping[str, Any]) -> Price:
    """The price of a patch of `choices`, read from its first declarer, because it is the same for all."""
    declarer, tokens = next(iter(patch["tokens"].items()))
    others = [amount for role, amount in tokens.items() if role != declarer]
    payers = [amount for amount in others if amount]
    part = patch.get("pool", {}).get(declarer, {}).get(declarer, 0)
    most = part["most"] if isinstance(part, dict) else 0
    paid = -max(others, key=abs, default=0)
    alone = len(payers) == 1 < len(others)
    return Price(
        each=0 if alone else paid,
        one=paid if alone else 0,
        own=tokens[declarer] + sum(others) + most,
        pool=_share(0 if most else part),
    )


def _share(part: int | Sequence[int]) -> Fraction:
    """The share of the pool in a patch: a factor, or times / by of `[times, plus, by]`; plus is for rounding."""
    if isinstance(part, int):
        return Fraction(part)
    times, _plus, by = part
    return Fraction(times, by)
