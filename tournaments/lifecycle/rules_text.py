"""A tournament's rules in sentences, and the price tables of its rulebook."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import ENGINE_VERSION, get_rulebook
from scoring.cards import HAND
from scoring.price_list import Bonus, Price, PricedResult, PriceList, PriceRow, price_list
from scoring.versions import in_force
from tournaments.domain.amounts import in_kroner
from tournaments.domain.terms import contract_name, option_text, option_words, patch_name, signed
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.ledger.queries import rulebook_of, sizes_of_tables
from tournaments.standings.players import comparison_of
from tournaments.standings.tie_breaks import TIE_BREAKS, comparison_in_words, comparison_name, tie_breaks_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scoring.rulebook import Contract, PoolRules, Rulebook
    from tournaments.models import Tournament


# The engine's price list as text: costs and requirements of each contract.

EN_DASH, NO_BREAK = "\N{EN DASH}", "\N{NO-BREAK SPACE}"
FRACTIONS = {Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 2): "½"}


@dataclass(frozen=True, slots=True)
class PriceLine:
    """A contract (`code` and name): who pays whom, and the price of each column's result.

    `note` has what does not fit in a column, `usual` the rulebook's own prices if they differ.
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
    """A bonus: its price, and the contracts and results that it applies to."""

    name: str
    price: str
    where: str


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by contract and column; `reading` explains who pays them, and the content of the pool."""

    columns: tuple[str, ...]
    lines: tuple[PriceLine, ...]
    bonuses: tuple[BonusLine, ...]
    reading: str

    @property
    def is_wide(self) -> bool:
        """Whether a phone has no room for all columns."""
        return len(self.columns) > 3  # won, bête and kodille have room

    @property
    def rows(self) -> Iterator[tuple[PriceLine, Iterable[tuple[str, str]]]]:
        """Each row with its prices and the columns' names."""
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
        _exchange_text(row.contract),
        _("any number") if row.contract.exchange.defenders else _("none"),
        prices,
        " ".join(_note(row.contract, result) for result in row.results if result.more),
        " · ".join(usual_prices) if usual_prices != prices else "",
        row.contract.id,
    )


def _prices(row: PriceRow, columns: Iterable[Iterable[str]]) -> tuple[str, ...]:
    by_code = {result.code: _price(result) for result in row.results}
    return tuple(next((by_code[code] for code in column if code in by_code), EN_DASH) for column in columns)


def _exchange_text(contract: Contract) -> str:
    """The number of cards that the declarer exchanges, as text."""
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
    """The note on prices where every trick costs."""
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
    """An explanation of who pays the prices, in a sentence or two."""
    if not rulebook.zero_sum:
        return _("Points for the declarer only: nobody pays them.")
    if rulebook.pool and rulebook.house.to_pool:
        said = _("Tokens that a win takes out of the pot, if it has that many, and that a loss pays into it.")
        return f"{said} {_ante(rulebook.pool)}"
    if rulebook.pool:
        said = _(
            "P is what is in the pool. The winner takes it, plus any other earnings from each opponent; "
            "losses go into the pool or, for a kodille, to its winner."
        )
        return f"{said} {_ante(rulebook.pool)}"
    said = _("Tokens each opponent pays for a game won or gets for a game lost.")
    if any(result.price.one for row in prices.rows for result in row.results):
        said += " " + _("A kodille is paid only to its winner.")
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


# What a tournament is played by and for, as lines that a player can read.


@dataclass(frozen=True, slots=True)
class RuleSaid:
    """A line of the rules: subject, setting, meaning.

    `paragraph` is its place in the rules' text, `usual` the rulebook's own setting if it differs. `is_off`: a
    switch that is off, as usual.
    """

    title: str
    value: str
    explanation: str = ""
    paragraph: str = ""
    usual: str = ""
    is_off: bool = False


@dataclass(frozen=True, slots=True)
class RuleChangeText:
    """A difference of a version of the rules from the one before, and whether it applies here."""

    version: str
    text: str
    holds: bool


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """All that is in force: the rulebook's prices and options, and what the tournament adds, if it is one's."""

    rulebook: str
    name: str
    source: str
    prices: PriceTable
    options: list[RuleSaid]
    own_name: str = ""
    played_for: list[RuleSaid] = field(default_factory=list)
    version: str = ENGINE_VERSION
    changes: list[RuleChangeText] = field(default_factory=list)

    @property
    def switched_off(self) -> list[RuleSaid]:
        """The options of which it is enough to say that they are not so."""
        return [rule for rule in self.options if rule.is_off]

    @property
    def told_apart(self) -> list[RuleSaid]:
        """The options that have something to say."""
        return [rule for rule in self.options if not rule.is_off]

    @property
    def different(self) -> list[str]:
        """The differences from the rulebook's defaults, each as "rule: value"."""
        options = [f"{rule.title}: {rule.value}" for rule in self.options if rule.usual]
        prices = [f"{line.contract}: {' · '.join(line.prices)}" for line in self.prices.lines if line.usual]
        return options + prices


def rule_sheet(book: Rulebook, own_name: str = "") -> RuleSheet:
    """A rulebook with its options as they are bound, and what a club calls it so."""
    return RuleSheet(
        book.id,
        _(book.name),
        _(book.source),
        price_table(book),
        options_in_words(book),
        own_name,
        version=book.version,
        changes=[
            RuleChangeText(change.version, _(change.text), in_force(change, book.version))
            for change in book.changes
        ],
    )


def rule_sheet_of(tournament: Tournament) -> RuleSheet:
    sheet = rule_sheet(rulebook_of(tournament), tournament.rules_name)
    return replace(sheet, played_for=played_for(tournament))


def rules_in_words(tournament: Tournament) -> list[RuleSaid]:
    """The rulebook, what is played for, and every option of the rulebook as it is set."""
    book = rulebook_of(tournament)
    named = [RuleSaid(_("The club’s own rules"), tournament.rules_name)] if tournament.rules_name else []
    return [
        *named,
        RuleSaid(_("Rulebook"), _(book.name), _(book.source)),
        *played_for(tournament),
        *options_in_words(book),
    ]


def played_for(tournament: Tournament) -> list[RuleSaid]:
    """Deals, stake and tie-breaks: what a rulebook leaves to the tournament."""
    codes = [code for code in tournament.tie_breaks if code in TIE_BREAKS]
    tie_breaks = tie_breaks_text(rulebook_of(tournament), codes)
    told_apart = RuleSaid(
        _("Tie-breaks"),
        ", ".join(tie_break.name for tie_break in tie_breaks) or _("none"),
        _("Players with the same total are separated in this order."),
    )
    return [
        *_format(tournament),
        *_deals(tournament),
        *_boards(tournament),
        *_comparison(tournament),
        RuleSaid(_("Stake"), stake_in_words(tournament.stake)),
        *([] if tournament.in_teams else [told_apart]),
        RuleSaid(_("Direction of play"), direction_in_words(rulebook_of(tournament))),
    ]


def _format(tournament: Tournament) -> list[RuleSaid]:
    """The sentences about pairs or teams and the points of a match, where there are any."""
    if not tournament.in_teams:
        return []
    won, drawn, lost = tournament.match_points
    return [
        RuleSaid(
            _("Who plays against whom"),
            str(tournament.format_row.name),
            _whose_hand(tournament),
        ),
        RuleSaid(
            _("Match points"),
            f"{won} – {drawn} – {lost}",
            _("For a match won, drawn and lost; after that, tokens count."),
        ),
    ]


def _whose_hand(tournament: Tournament) -> str:
    """The declarer's opponents at a table of two sides."""
    if tournament.hands_taken_over:
        return str(tournament.format_row.words.whose_hand)
    return _(
        "The player who was dealt the cards plays them: a declarer can have a team-mate among the defenders."
    )


def _boards(tournament: Tournament) -> list[RuleSaid]:
    """The sentence that all play the same cards, where they do."""
    if not tournament.boards:
        return []
    sets = tournament.board_sets
    said = ngettext("%(sets)d set of folders", "%(sets)d sets of folders", sets) % {"sets": sets}
    return [
        RuleSaid(
            _("Duplicate boards"),
            said if sets else _("a set of folders for each table"),
            _("Everyone plays the same cards; a folder’s number decides who deals."),
        )
    ]


def _comparison(tournament: Tournament) -> list[RuleSaid]:
    """The sentence about the ranking, where it is not simply the sum."""
    comparison = comparison_of(tournament)
    name = comparison_name(comparison)
    return [RuleSaid(_("Places go by"), name, comparison_in_words(comparison))] if name else []


def direction_in_words(book: Rulebook) -> str:
    return _("clockwise") if book.direction == "clockwise" else _("counter-clockwise")


def _deals(tournament: Tournament) -> list[RuleSaid]:
    """The number of deals by table size, as text."""
    sizes = sizes_of_tables(tournament)
    said = [RuleSaid(_("Deals per round"), str(tournament.deals_for(max(sizes))))]
    if len(sizes) > 1:
        said.append(RuleSaid(_("Deals at a table of three"), str(tournament.deals_at_three)))
    else:
        said.insert(0, RuleSaid(_("Players at a table"), str(sizes[0])))
    return said


def options_in_words(book: Rulebook) -> list[RuleSaid]:
    """Every option of the rulebook as it is set, but its prices: these have a table of their own."""
    return [
        RuleSaid(
            option_text(book, spec.title, spec.contract),
            option_words(book, book.options[spec.name]),
            option_text(book, spec.explanation, spec.contract),
            spec.paragraph,
            "" if book.options[spec.name] == spec.default else option_words(book, spec.default),
            is_off=book.options[spec.name] is spec.default is False,
        )
        for spec in book.option_specs
        if spec.section != "prices"
    ]


def stake_in_words(stake: int) -> str:
    if not stake:
        return _("none")
    return _("%(kroner)s kroner per token") % {"kroner": in_kroner(stake)}


def doubtful_deals(tournament: Tournament) -> list[str]:
    """Warnings for the organiser: allowed numbers of deals by which some deal more often than others."""
    sizes = sizes_of_tables(tournament)
    if len(rulebook_of(tournament).players) == 1:
        return _doubtful_alike(tournament, sizes[0])
    said = []
    if CHAIRS in sizes and tournament.deals_per_round % CHAIRS:
        said.append(
            _(
                "%(count)d deals cannot be divided by four: some at a table deal and sit out once "
                "more than others."
            )
            % {"count": tournament.deals_per_round}
        )
    if SMALL_TABLE in sizes and tournament.deals_at_three % SMALL_TABLE:
        said.append(
            _(
                "%(count)d deals at a table of three cannot be divided by three: some deal once more "
                "than others."
            )
            % {"count": tournament.deals_at_three}
        )
    return said


def _doubtful_alike(tournament: Tournament, size: int) -> list[str]:
    deals = tournament.deals_for(size)
    if deals % size == 0:
        return []
    return [
        _("%(count)d deals cannot be divided among %(size)d players: some deal once more than others.")
        % {"count": deals, "size": size}
    ]
