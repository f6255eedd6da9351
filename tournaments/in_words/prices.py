"""What each contract costs and asks for, in words: the engine's price list as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from scoring import get_rulebook
from scoring.cards import HAND
from scoring.price_list import Bonus, PricedResult, PriceList, PriceRow, price_list
from tournaments.in_words.terms import contract_name, outcome_name, patch_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.contracts import Contract
    from scoring.rulebook import Rulebook

MAIN = ("won", "bete", "kodille")


@dataclass(frozen=True, slots=True)
class PriceLine:
    """A contract: who exchanges how much, and what each column's result costs.

    `note` says what a column has no room for, and `usual` are the prices in the rulebook itself, where those
    here differ from them.
    """

    contract: str
    declarer: str
    defenders: str
    prices: tuple[str, ...]
    note: str = ""
    usual: str = ""


@dataclass(frozen=True, slots=True)
class BonusLine:
    """What is settled beside the contract, its price to each, and the contracts that have it."""

    name: str
    price: int
    contracts: str


@dataclass(frozen=True, slots=True)
class PriceTable:
    columns: tuple[str, ...]
    lines: tuple[PriceLine, ...]
    bonuses: tuple[BonusLine, ...]


def price_table(rulebook: Rulebook) -> PriceTable:
    """The contracts in the order of bidding, and the bonuses, at the rulebook's largest table."""
    players = max(rulebook.players)
    prices = price_list(rulebook, players)
    usual = {row.contract.id: _prices(row) for row in price_list(get_rulebook(rulebook.id), players).rows}
    return PriceTable(
        tuple(outcome_name(code) for code in MAIN),
        tuple(_line(row, usual.get(row.contract.id, _prices(row))) for row in prices.rows),
        tuple(_bonuses(prices)),
    )


def _line(row: PriceRow, usual: tuple[str, ...]) -> PriceLine:
    limits, prices = row.contract.exchange, _prices(row)
    return PriceLine(
        contract_name(row.contract.id),
        _taken(row.contract),
        _("any number") if limits.defenders else _("none"),
        prices,
        " ".join(_note(result) for result in row.results if result.more),
        " · ".join(usual) if usual != prices else "",
    )


def _taken(contract: Contract) -> str:
    """How many cards the declarer exchanges, in words."""
    least, most = contract.exchange.least, contract.exchange.most
    if not most:
        return _("none")
    if most > HAND:
        return _("the whole talon")
    return _("%(least)d or more") % {"least": least} if least else _("any number")


def _prices(row: PriceRow) -> tuple[str, ...]:
    """What each main result costs; the price of every result where tricks are counted stands with kodille."""
    by_code = {MAIN[-1] if result.more else result.code: result for result in row.results}
    return tuple(_price(by_code[code]) for code in MAIN)


def _price(result: PricedResult) -> str:
    """An amount; "3+" where more is paid for every further trick."""
    return f"{abs(result.price.each)}{'+' if result.more else ''}"


def _note(result: PricedResult) -> str:
    """What is paid where every trick costs."""
    return _("A kodille costs %(first)d, and %(more)d more for each trick after the second.") % {
        "first": abs(result.price.each),
        "more": abs(result.more),
    }


def _bonuses(prices: PriceList) -> Iterator[BonusLine]:
    for bonus in prices.bonuses:
        yield BonusLine(patch_name(bonus.code), bonus.price.each, _contracts(bonus, prices))


def _contracts(bonus: Bonus, prices: PriceList) -> str:
    """The contracts that have a bonus; those that have not, where these are fewer."""
    have = [contract_name(contract.id) for contract in bonus.contracts]
    have_not = [contract_name(row.contract.id) for row in prices.rows if row.contract not in bonus.contracts]
    if not have_not:
        return _("all contracts")
    if len(have) <= len(have_not):
        return ", ".join(have)
    return _("all but %(contracts)s") % {"contracts": ", ".join(have_not)}
