"""A set of rules as one value: its contracts, the exchange and its options, bound to the choices of a club."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

from scoring.cards import HAND, SUITS, TALON, USUAL_PACK, Kind, Pack
from scoring.family_rules import USUAL_AUCTION, USUAL_PLAY, AuctionRules, PlayRules, Shown, Surrender, When
from scoring.problems import Problem, problem
from scoring.seats import BY_CODE, PLAYING, WITH_FOURTH, Role, Seating
from scoring.versions import ENGINE_VERSION
from scoring.words import CONTRACT_NAMES, _

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from scoring.family_rules import HouseRules
    from scoring.versions import Change


@dataclass(frozen=True, slots=True)
class ExchangeLimits:
    """The limits of an exchange with the talon in one contract.

    - least, most: the numbers of cards that the declarer must and may take
    - defenders: the defenders may exchange too
    - looks: the number of talon cards that the declarer takes before discarding, from the dealt cards only
    - lays_off: the number of cards discarded again after taking the whole talon
    - from_discards: the defenders draw from the declarer's discards
    - first_defender: the most that the first defender to exchange may take
    """

    least: int
    most: int
    defenders: bool
    looks: int = 0
    lays_off: int = 0
    from_discards: bool = False
    first_defender: int = HAND


NONE_BUT_DEFENDERS = ExchangeLimits(0, 0, defenders=True)
NONE_AT_ALL = ExchangeLimits(0, 0, defenders=False)


def exchange_problems(
    limits: ExchangeLimits,
    rulebook: str,
    declarer: int,
    defenders: Sequence[int],
    talon: int = TALON,
    hand: int = HAND,
    *,
    others_join: bool = False,
) -> tuple[Problem, ...]:
    """The problems of an exchange: numbers of cards taken by the declarer, and by each defender in order of play.

    `talon` and `hand` are their numbers of cards. With `others_join` a defender may have joined the contract, and then
    exchanges like a declarer.
    """
    found = []
    if not limits.least <= declarer <= limits.most:
        found.append(
            problem("exchange_count", rulebook, taken=declarer, least=limits.least, most=limits.most)
        )
    if not (limits.defenders or others_join) and any(defenders):
        found.append(problem("exchange_by_defenders", rulebook))
    # The declarer of a casco discards as many cards as the talon had.
    left = talon if limits.from_discards else max(talon - declarer, 0)
    most = min(limits.first_defender, hand)
    for taken in defenders:
        if not 0 <= taken <= min(most, left):
            found.append(problem("exchange_talon", rulebook, taken=taken, left=min(most, left)))
        left = max(left - taken, 0)
        most = hand
    return tuple(found)


_FOURTH, _FOREHAND, _LAST = (Role.IDLE,), (Role.FH,), (Role.BH,)
FIRST_FIVE = 5


class Trumps(StrEnum):
    """The way in which the trump suit is determined."""

    CHOSEN = "chosen"
    TURNED = "turned"
    SPADES = "spades"
    NONE = "none"


# eq=False: rows of a table are compared by identity, which makes them fast dictionary keys.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contract:
    """A contract of a rulebook, a row of its table.

    Auction:
    - rank: a higher one outranks a lower; group: used by rules with `lowest_of_group`
    - when: the moment at which it can be bid; pledges: it is outbid by itself with more cards to exchange
    - held: sets of cards, one of which the declarer must hold; lacks: cards that the declarer must not hold
    - by_fourth: the fourth player takes the talon and declares; by_forehand, by_last: only forehand, or the dealer
    - may_become: contracts that the winner of the auction may play instead
    - needs, unless: options that must be on, or off, for the contract to be in force

    Prices, in tokens from or to each player who settles:
    - price; kodille_extra: on top of it, once, or with `extra_per_trick` for every trick after the first
    - wins_from: the least tricks that win, where more than every defender's are not enough
    - counts_as: the contract that is priced where spadille is turned

    Players:
    - fourth_joins: the fourth player becomes a declarer too; others_may_join: any player may
    - all_join: all with cards are declarers, and each pays for tricks beyond `free_tricks`
    - with_partner: the holder of a king that the declarer calls plays with the declarer

    Play:
    - avoids_tricks: a game with trumps that is won by taking no trick
    - surrender: the rule for giving up during play
    - may_take_more: the declarer may draw one card more than discarded, and then plays an open hand
    - trump_after_exchange: trumps are named after the declarer has exchanged; or_sans: there may be none
    - shown: when the declarer lays the hand open; bonus_bids: bonuses that the declarer may bid
    """

    id: str
    rank: int
    kind: Kind
    trumps: Trumps
    price: int
    kodille_extra: int
    exchange: ExchangeLimits
    group: str = ""
    may_become: tuple[str, ...] = ()
    may_be_abandoned: bool = False
    extra_per_trick: bool = False
    wins_from: int = 0
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    by_fourth: bool = False
    by_forehand: bool = False
    by_last: bool = False
    fourth_joins: bool = False
    others_may_join: bool = False
    may_repeat_exchange: bool = False
    may_have_aces: bool = False
    all_join: bool = False
    free_tricks: int = 0
    pledges: bool = False
    may_take_more: bool = False
    asks_about_spades: bool = False
    rare: bool = False
    avoids_tricks: bool = False
    surrender: Surrender = Surrender.NEVER
    when: When = When.AUCTION
    held: tuple[tuple[str, ...], ...] = ()
    lacks: tuple[str, ...] = ()
    trump_after_exchange: bool = False
    or_sans: bool = False
    shown: Shown = Shown.NEVER
    counts_as: str = ""
    with_partner: bool = False
    bonus_bids: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name in English, to be translated for display."""
        return CONTRACT_NAMES[self.id]

    def declarers_at(self, players: int) -> tuple[Role, ...]:
        """The roles that may declare it at a table of this size."""
        if self.by_fourth:
            return _FOURTH
        if self.by_last:
            return _LAST
        return _FOREHAND if self.by_forehand else PLAYING[players]

    @property
    def is_game(self) -> bool:
        """Whether it is won by taking tricks, unlike a nolo or a contrabola."""
        return self.kind is not Kind.NOLO and not self.avoids_tricks

    @property
    def suits(self) -> tuple[str, ...]:
        """The trump suits that a report must choose from; empty if the contract determines the trumps."""
        return SUITS if self.trumps in (Trumps.CHOSEN, Trumps.TURNED) else ()

    @property
    def bids_beyond_five(self) -> bool:
        """Whether it needs more than five tricks, so that a lead to the sixth is not a try for the tout."""
        return self.wins_from > FIRST_FIVE

    def is_held_by(self, hand: Collection[str]) -> bool:
        """Whether a hand has the cards that the contract requires, and none that it excludes."""
        if not set(self.lacks).isdisjoint(hand):
            return False
        return not self.held or any(set(cards) <= set(hand) for cards in self.held)

    def may_be_defined_as(self, other: Contract) -> bool:
        """Whether a declarer who won the auction with this bid may play the other contract."""
        return other.id == self.id or other.id in self.may_become


OptionValue = bool | int | str
_SWITCHES = {"on": True, "true": True, "off": False, "false": False}


class BadOption(ValueError):
    """An option that a rulebook does not have, or a value that the option cannot take."""

    def __init__(self, name: str, text: str, **params: Any) -> None:
        super().__init__(text.format(**params))
        self.name = name
        self.text = text
        self.params = params
        # The other errors of the same set of options.
        self.others: tuple[BadOption, ...] = ()

    @property
    def all(self) -> tuple[BadOption, ...]:
        """All errors of the set of options, this one first."""
        return (self, *self.others)


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """The definition of an option. Numbers are tokens unless the title says otherwise.

    - paragraph: the paragraph of the rules that it changes
    - section: "prices" for prices, "table" for agreements that do not change a settlement
    - contract: the one whose name replaces `{contract}` in title and explanation
    """

    name: str
    kind: Literal["bool", "choice", "int"]
    default: OptionValue
    title: str
    explanation: str
    paragraph: str
    values: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 10
    section: Literal["", "prices", "table"] = ""
    contract: str = ""

    def takes(self, value: object) -> TypeGuard[OptionValue]:
        """Whether the value is valid for the option."""
        if self.kind == "bool":
            return isinstance(value, bool)
        if self.kind == "choice":
            return isinstance(value, str) and value in self.values
        return type(value) is int and self.minimum <= value <= self.maximum

    def check(self, value: object) -> OptionValue:
        """The value, if it is valid. Raises BadOption."""
        if not self.takes(value):
            text, params = self._limits()
            raise BadOption(self.name, text, option=self.name, **params)
        return value

    def _limits(self) -> tuple[str, dict[str, Any]]:
        """The English text with its parameters that says which values are valid."""
        if self.kind == "bool":
            return _("{option} must be on or off."), {}
        if self.kind == "choice":
            return _("{option} must be one of: {values}."), {"values": self.values}
        limits = {"minimum": self.minimum, "maximum": self.maximum}
        return _("{option} must be a whole number from {minimum} to {maximum}."), limits


def read_option(text: str) -> tuple[str, object]:
    """Parse `name=value`: on, off, true and false become bool, digits int; other values stay text."""
    name, _equals, value = text.partition("=")
    if value.isascii() and value.isdigit():
        return name, int(value)
    return name, _SWITCHES.get(value.lower(), value)


def bind(specs: Iterable[OptionSpec], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """The value of every option: `given`, validated, else the default.

    Raises BadOption for the first error, with all further ones in its `others`.
    """
    values = {spec.name: spec for spec in specs}
    wrong = [
        BadOption(name, _("These rules have no option {option}."), option=name)
        for name in given
        if name not in values
    ]
    bound = {}
    for name, spec in values.items():
        try:
            bound[name] = spec.check(given.get(name, spec.default))
        except BadOption as bad:
            wrong.append(bad)
    refuse(wrong)
    return bound


def refuse(wrong: Sequence[BadOption]) -> None:
    """Raise the first of these errors, if any, with the rest in its `others`."""
    if wrong:
        wrong[0].others = tuple(wrong[1:])
        raise wrong[0]


@dataclass(frozen=True, slots=True)
class PoolRules:
    """The rules of a pool of tokens that is carried from deal to deal.

    `ante` is paid into it by the dealer before each deal, or with `by_all` by every player.
    """

    ante: int
    by_all: bool = False

    def each_deal(self, players: int) -> int:
        """The sum of the antes of one deal."""
        return self.ante * players if self.by_all else self.ante


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rulebook:
    """A rulebook with its options bound. `scoring.get_rulebook` returns the same object for the same values.

    - direction: of dealing, bidding and play: `counter-clockwise` or `clockwise`
    - players: the sizes of tables that can play
    - zero_sum: all changes of a deal add up to 0, the pool included; else only the declarer scores
    - known_contracts: ids of all contracts of the rulebook, also those that the options switch off
    - seat_names: role -> the rulebook's code of a seat, where it is not the role's own
    - example: an example of a line on a slip, with an explanation; {one} and {other} are seats
    - wording: English text of the engine -> the rulebook's own text; both are msgids
    - version: the version of the engine whose rules apply; changes: those of the versions that concern the rulebook
    """

    id: str
    name: str
    source: str
    direction: str
    players: tuple[int, ...]
    zero_sum: bool
    contracts: tuple[Contract, ...]
    known_contracts: frozenset[str]
    option_specs: tuple[OptionSpec, ...]
    options: Mapping[str, OptionValue]
    house: HouseRules
    example: str
    seat_names: Mapping[Role, str] = field(default_factory=dict)
    wording: Mapping[str, str] = field(default_factory=dict)
    pool: PoolRules | None = None
    pack: Pack = USUAL_PACK
    auction: AuctionRules = USUAL_AUCTION
    play: PlayRules = USUAL_PLAY
    version: str = ENGINE_VERSION
    changes: tuple[Change, ...] = ()
    by_id: dict[str, Contract] = field(init=False)
    with_mort: bool = field(init=False)
    forced: Contract | None = field(init=False)
    roles_by_name: Mapping[str, Role] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {row.id: row for row in self.contracts})
        object.__setattr__(self, "with_mort", any(row.by_fourth for row in self.contracts))
        forced = next((row for row in self.contracts if row.when is When.FORCED), None)
        object.__setattr__(self, "forced", forced)
        names = {name: role for role, name in self.seat_names.items()}
        object.__setattr__(self, "roles_by_name", BY_CODE | names)

    def seat_name(self, role: Role) -> str:
        """The code of a seat by these rules, such as `ELD` for eldest in Crocodile; usually the role's own."""
        return self.seat_names.get(role, role.value)

    def in_own_words(self, text: str) -> str:
        """The rulebook's own wording of an English text, to be translated for display."""
        return self.wording.get(text, text)

    def contracts_at(self, players: int) -> tuple[Contract, ...]:
        """The contracts in force at a table of this size, in the order of bidding."""
        return tuple(row for row in self.contracts if players in WITH_FOURTH or not row.by_fourth)

    @property
    def dealer_sits_out(self) -> bool:
        """Whether the dealer sits out at a table of four, instead of the player opposite."""
        return self.options.get("sits_out") == "dealer"

    def seating(self, players: int, dealer: int, *, in_pairs: bool = False) -> Seating:
        """The seating of a table by these rules, given the position that deals. Raises ValueError like Seating."""
        return Seating(players, dealer, in_pairs, dealer_out=self.dealer_sits_out)

    @property
    def is_plain(self) -> bool:
        """Whether the rules have neither a pool nor a family that needs special checks."""
        return self.house.is_plain and self.pool is None

    @property
    def for_pairs(self) -> bool:
        """Whether pairs can play by these rules: at tables of four, where no declarer plays against the partner.

        That could happen in mort, and after a contract is taken over. Where the dealer sits out, the rules do not say
        whose hand is taken over.
        """
        seats_four = any(players in WITH_FOURTH for players in self.players)
        return seats_four and self.is_plain and not self.with_mort and not self.dealer_sits_out

    def may_be_passed_out(self, players: int) -> bool:
        """Whether a deal ends when all pass, which it does not if a player must then bid or declare."""
        if self.house.forced_spadille or self.forced:
            return False
        return not (self.with_mort and players in WITH_FOURTH)
