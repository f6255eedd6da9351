"""What each contract costs, taken from what a captain may report, so that it cannot differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from scoring.choices import choices
from tournaments.in_words.terms import contract_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.rulebooks import Rulebook


@dataclass(frozen=True, slots=True)
class PriceLine:
    """A contract's prices: tokens that each opponent pays for a win, or gets for a loss."""

    contract: str
    won: str
    bete: str
    kodille: str


def price_list(rulebook: Rulebook) -> list[PriceLine]:
    """The contracts in the order of bidding, at the rulebook's largest table."""
    return [_line(contract) for contract in choices(rulebook, max(rulebook.players))["contracts"]]


def _line(contract: Mapping[str, Any]) -> PriceLine:
    prices = {patch["code"]: _each(patch["tokens"]) for patch in contract["results"]}
    kodilles = [price for code, price in prices.items() if code not in ("won", "bete")]
    return PriceLine(
        contract_name(contract["id"]), str(prices["won"]), str(prices["bete"]), _kodille(kodilles)
    )


def _each(tokens: Mapping[str, Mapping[str, int]]) -> int:
    """What one opponent pays or gets: the same for each, whoever declares."""
    declarer, by_role = next(iter(tokens.items()))
    return max(abs(amount) for role, amount in by_role.items() if role != declarer)


def _kodille(prices: list[int]) -> str:
    """One price, or the price that goes up with every trick."""
    first, *further = prices
    if not further:
        return str(first)
    return _("%(first)d, and %(more)d more for each trick after the second") % {
        "first": first,
        "more": further[0] - first,
    }
