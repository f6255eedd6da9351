"""What each contract costs and asks for, in words: the engine's price list as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import get_rulebook
from scoring.cards import HAND
from scoring.price_list import Bonus, Price, PricedResult, PriceList, PriceRow, price_list
from tournaments.domain.terms import contract_name, patch_name, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoring.rulebook import Contract, PoolRules, Rulebook

EN_DASH, NO_BREAK = "\N{EN DASH}", "\N{NO-BREAK SPACE}"
FRACTIONS = {Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 2): "½"}


@dataclass(frozen=True, slots=True)
class PriceLine:
    """A contract (`code`, and in words): who exchanges how much, and what each column's result costs.

    `note` says what a column has no room for, and `usual` are the prices in the rulebook itself, where those
    here differ from them.
    """

    contract: str
    declarer: str
    defenders: str
    prices: tuple[str, ...]
    note: str = ""
    usual: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class BonusLine:
    """What is settled beside a result, its price, and where: with what contracts and results."""

    name: str
    price: str
    where: str


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by contract and column; `reading` says who pays them, and what lies in the pool."""

    columns: tuple[str, ...]
    lines: tuple[PriceLine, ...]
    bonuses: tuple[BonusLine, ...]
    reading: str

    @property
    def is_wide(self) -> bool:
        """Whether a phone has no room for all columns."""
        return len(self.columns) > 3  # noqa: PLR2004 - won, bête and kodille have room

    @property
    def rows(self) -> Iterator[tuple[PriceLine, Iterable[tuple[str, str]]]]:
        """Every line with its prices, each beside the name of its column."""
        return ((line, zip(self.columns, line.prices, strict=True)) for line in self.lines)


def price_table(rulebook: Rulebook) -> PriceTable:
    """The contracts in the order of bidding, and the bonuses, at the rulebook's largest table."""
    players = max(rulebook.players)
    prices = price_list(rulebook, players)
    columns = _columns(prices.rows)
    usual = {row.contract.id: row for row in price_list(get_rulebook(rulebook.id), players).rows}
    lines = (_line(row, usual.get(row.contract.id, row), columns) for row in prices.rows)
    return PriceTable(
        tuple(", ".join(patch_name(rulebook, code) for code in column) for column in columns),
        tuple(lines),
        tuple(_bonus(rulebook, bonus, prices) for bonus in prices.bonuses),
        _reading(rulebook, prices),
    )


def _columns(rows: Sequence[PriceRow]) -> list[list[str]]:
    """The results that have a column together: those that cost the same in every contract that has both."""
    costs: dict[str, dict[str, str]] = {}
    for row in rows:
        for result in row.results:
            costs.setdefault(result.code, {})[row.contract.id] = _sign(result.price) + _price(result)
    columns: list[list[str]] = []
    for code, by_contract in costs.items():
        like = (column for column in columns if all(_agree(by_contract, costs[other]) for other in column))
        column = next(like, None)
        if column is None:
            columns.append([code])
        else:
            column.append(code)
    return columns


def _agree(one: dict[str, str], other: dict[str, str]) -> bool:
    """Whether two results cost the same wherever both are possible, and are both won or both lost."""
    same = all(other.get(contract, price) == price for contract, price in one.items())
    return same and next(iter(one.values()))[0] == next(iter(other.values()))[0]


def _sign(price: Price) -> str:
    return "+" if (price.tokens or price.pool) > 0 else "-"


def _line(row: PriceRow, usual: PriceRow, columns: Sequence[Sequence[str]]) -> PriceLine:
    prices, usual_prices = _prices(row, columns), _prices(usual, columns)
    return PriceLine(
        contract_name(row.contract.id),
        _taken(row.contract),
        _("any number") if row.contract.exchange.defenders else _("none"),
        prices,
        " ".join(_note(row.contract, result) for result in row.results if result.more),
        " · ".join(usual_prices) if usual_prices != prices else "",
        row.contract.id,
    )


def _prices(row: PriceRow, columns: Iterable[Iterable[str]]) -> tuple[str, ...]:
    by_code = {result.code: _price(result) for result in row.results}
    return tuple(next((by_code[code] for code in column if code in by_code), EN_DASH) for column in columns)


def _taken(contract: Contract) -> str:
    """How many cards the declarer exchanges, in words."""
    least, most = contract.exchange.least, contract.exchange.most
    if not most:
        return _("none")
    if most > HAND:
        return _("the whole talon")
    if least == most:
        return str(most)
    if most < HAND:
        return _("%(most)d at most") % {"most": most}
    return _("%(least)d or more") % {"least": least} if least else _("any number")


def _price(result: PricedResult) -> str:
    """An amount; "3+" where more is paid for every further trick, "5 + P" where the pool is won or lost too."""
    price = result.price
    if price.own and not price.pool:
        return signed(price.own)
    if not price.pool:
        return f"{abs(price.tokens)}{'+' if result.more else ''}"
    share = abs(price.pool)
    pool = _("P")
    if share != 1:
        pool = f"{FRACTIONS.get(share, share)} {pool}"
    said = f"{abs(price.tokens)} + {pool}" if price.tokens else pool
    return said.replace(" ", NO_BREAK)


def _note(contract: Contract, result: PricedResult) -> str:
    """What is paid where every trick costs."""
    if contract.free_tricks:
        return _("Each player pays every other %(more)d for each trick after number %(free)d.") % {
            "more": abs(result.more),
            "free": contract.free_tricks,
        }
    return _("A kodille costs %(first)d, and %(more)d more for each trick after the second.") % {
        "first": abs(result.price.each),
        "more": abs(result.more),
    }


def _reading(rulebook: Rulebook, prices: PriceList) -> str:
    """Who pays the prices, in a sentence or two."""
    if not rulebook.zero_sum:
        return _("Points of the declarer alone: nobody pays them.")
    if rulebook.pool and rulebook.house.to_pool:
        said = _(
            "Tokens that a win takes out of the pot, if it holds that many, and that a loss pays into it."
        )
        return f"{said} {_ante(rulebook.pool)}"
    if rulebook.pool:
        said = _(
            "P is what is in the pool. A win takes it, plus its other earnings from each "
            "opponent; losses go into the pool or, for a kodille, to its winner."
        )
        return f"{said} {_ante(rulebook.pool)}"
    said = _("Tokens each opponent pays for a game won, or gets for a game lost.")
    if any(result.price.one for row in prices.rows for result in row.results):
        said += " " + _("A kodille is paid to its winner alone.")
    return said


def _ante(pool: PoolRules) -> str:
    if pool.by_all:
        said = ngettext(
            "Before each deal every player pays %(ante)d token into the pool.",
            "Before each deal every player pays %(ante)d tokens into the pool.",
            pool.ante,
        )
    else:
        said = ngettext(
            "Before each deal the dealer pays %(ante)d token into the pool.",
            "Before each deal the dealer pays %(ante)d tokens into the pool.",
            pool.ante,
        )
    return said % {"ante": pool.ante}


def _bonus(rulebook: Rulebook, bonus: Bonus, prices: PriceList) -> BonusLine:
    price = (
        _("%(times)s × the price") % {"times": signed(bonus.times)}
        if bonus.times
        else signed(bonus.price.tokens)
    )
    if bonus.counted:
        price = _("%(price)s for each") % {"price": price}
    rows = prices.rows
    where = list(_some([row.contract for row in rows], bonus.contracts))
    if not bonus.everywhere:
        where.append(", ".join(patch_name(rulebook, code) for code in bonus.results))
    return BonusLine(patch_name(rulebook, bonus.code), price, ": ".join(where))


def _some(contracts: Sequence[Contract], having: Sequence[Contract]) -> Iterator[str]:
    """The contracts that have something; those that have not, where these are fewer; nothing where it is all."""
    have = [contract_name(contract.id) for contract in having]
    have_not = [contract_name(contract.id) for contract in contracts if contract not in having]
    if not have_not and len(contracts) > 1:
        yield _("all contracts")
    elif len(have) <= len(have_not) or not have_not:
        yield ", ".join(have)
    else:
        yield _("all but %(contracts)s") % {"contracts": ", ".join(have_not)}
