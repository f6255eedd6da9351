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
    """How many cards the declarer must and may take, and whether the defenders may take any.

    - looks: so many talon cards are taken before the declarer chooses; he discards of his own only
    - lays_off: so many cards are laid off again after the whole talon was taken
    - from_discards: the defenders take of what the declarer discarded
    - first_defender: the most that the defender who exchanges first may take
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
    """What is wrong with an exchange: cards taken by the declarer, then by each defender in order of play.

    `talon` and `hand` are the numbers of cards that there are. With `others_join` a defender may have joined, and then
    exchanges as a declarer.
    """
    found = []
    if not limits.least <= declarer <= limits.most:
        found.append(
            problem("exchange_count", rulebook, taken=declarer, least=limits.least, most=limits.most)
        )
    if not (limits.defenders or others_join) and any(defenders):
        found.append(problem("exchange_by_defenders", rulebook))
    # What the declarer of a casco discards is as much as he took.
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
    """Where the trump suit comes from."""

    CHOSEN = "chosen"
    TURNED = "turned"
    SPADES = "spades"
    NONE = "none"


# Rows of a table: two are the same only if they are the same row, and so they make cheap keys.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contract:
    """A contract. Prices are tokens from, or to, each player who settles with the declarer.

    A higher `rank` outranks a lower; `group` is where the rules sort contracts into groups. `kodille_extra`
    comes on top of the price, once or, with `extra_per_trick`, for every trick after the first. `wins_from`
    is the least number of tricks that wins where more than every defender's is not enough. `needs` names the
    options that must be on for the contract to be played at all, `unless` those that must be off. `by_fourth`: the
    fourth player takes the talon and declares; `by_forehand`: forehand alone may declare; `by_last`: the
    dealer alone, who speaks last. `fourth_joins`: he becomes a
    declarer of it too; `others_may_join`: who likes may; `all_join`: all who were dealt cards are declarers, and each
    pays for his tricks beyond `free_tricks`. `avoids_tricks`: a game that is won by taking no trick. `surrender`: what
    becomes of a deal that is given up during play. `counts_as`: the contract that it is where spadille is turned.
    `with_partner`: the holder of a king that the declarer calls plays with him. `when` it can be bid; `held`: with
    which cards in hand, one of these sets at least; `lacks`: without which; `pledges`: it is outbid by itself with more
    cards to exchange.
    `may_take_more`: the declarer may draw a card more than he discards, and then plays an open hand.
    `trump_after_exchange`: trumps are named when the declarer has exchanged; `or_sans`: he may play without.
    `shown`: when he lays his hand open. `bonus_bids`: what he may promise to win by.
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
        """English; translated by whoever shows it."""
        return CONTRACT_NAMES[self.id]

    def declarers_at(self, players: int) -> tuple[Role, ...]:
        """Who may declare at a table of so many."""
        if self.by_fourth:
            return _FOURTH
        if self.by_last:
            return _LAST
        return _FOREHAND if self.by_forehand else PLAYING[players]

    @property
    def is_game(self) -> bool:
        """Whether it is won with tricks: not a nolo, nor a contrabola, which has trumps and avoids tricks."""
        return self.kind is not Kind.NOLO and not self.avoids_tricks

    @property
    def suits(self) -> tuple[str, ...]:
        """The trump suits that a report must choose from; none where the contract itself says it all."""
        return SUITS if self.trumps in (Trumps.CHOSEN, Trumps.TURNED) else ()

    @property
    def bids_beyond_five(self) -> bool:
        """Whether it is won with more than five tricks only: then a lead to the sixth is no try for all of them."""
        return self.wins_from > FIRST_FIVE

    def is_held_by(self, hand: Collection[str]) -> bool:
        """Whether a hand has the cards that the contract asks for, and none that it may not have."""
        if not set(self.lacks).isdisjoint(hand):
            return False
        return not self.held or any(set(cards) <= set(hand) for cards in self.held)

    def may_be_defined_as(self, other: Contract) -> bool:
        """Whether a declarer who won the auction with this bid may play the other contract."""
        return other.id == self.id or other.id in self.may_become


OptionValue = bool | int | str
_SWITCHES = {"on": True, "true": True, "off": False, "false": False}


class BadOption(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """An option that a rulebook does not have, or a value that the option cannot take."""

    def __init__(self, name: str, text: str, **params: Any) -> None:
        super().__init__(text.format(**params))
        self.name = name
        self.text = text
        self.params = params
        # What else is wrong with the same set of options.
        self.others: tuple[BadOption, ...] = ()

    @property
    def all(self) -> tuple[BadOption, ...]:
        """Everything that is wrong with the set of options, this first."""
        return (self, *self.others)


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option: numbers are tokens unless the title says otherwise. `section` "prices": what something costs, "table":
    what the players agree on and no deal is settled by.

    `contract` is the one whose name takes the place of `{contract}` in title and explanation.
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
        """Whether the option can be set to this."""
        if self.kind == "bool":
            return isinstance(value, bool)
        if self.kind == "choice":
            return isinstance(value, str) and value in self.values
        return type(value) is int and self.minimum <= value <= self.maximum

    def check(self, value: object) -> OptionValue:
        """The value, if the option can be set to it; raises BadOption."""
        if not self.takes(value):
            text, params = self._limits()
            raise BadOption(self.name, text, option=self.name, **params)
        return value

    def _limits(self) -> tuple[str, dict[str, Any]]:
        """What the option can be set to, in words."""
        if self.kind == "bool":
            return _("{option} is either on or off."), {}
        if self.kind == "choice":
            return _("{option} is one of: {values}."), {"values": self.values}
        limits = {"minimum": self.minimum, "maximum": self.maximum}
        return _("{option} is a whole number from {minimum} to {maximum}."), limits


def read_option(text: str) -> tuple[str, object]:
    """`name=value` as it is typed: on, off, true and false are switches, digits are numbers, all else is a word."""
    name, _equals, value = text.partition("=")
    if value.isascii() and value.isdigit():
        return name, int(value)
    return name, _SWITCHES.get(value.lower(), value)


def bind(specs: Iterable[OptionSpec], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """The value of every option: the given ones, checked, on top of the defaults.

    Raises BadOption for the first that is wrong, with the `others` in it.
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
    """Raise the first, with all others in it, if there are any."""
    if wrong:
        wrong[0].others = tuple(wrong[1:])
        raise wrong[0]


@dataclass(frozen=True, slots=True)
class PoolRules:
    """A pool in the middle of the table, which lives through its deals.

    `ante` are the tokens that the dealer pays into it before each deal; with `by_all` every player does.
    """

    ante: int
    by_all: bool = False

    def each_deal(self, players: int) -> int:
        """The tokens that one deal brings into the pool."""
        return self.ante * players if self.by_all else self.ante


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rulebook:
    """Rules with their options bound. `scoring.get_rulebook` gives the same object for the same values.

    - direction: `counter-clockwise` or `clockwise`, that of the deal, the bidding and the play
    - players: the sizes of table that the rules know
    - zero_sum: what the players win and lose adds up to nought, the pool included where there is one; else the
      declarer's score alone changes
    - seat_names: what the rules call a seat, by role, where it is not forehand, middlehand and backhand
    - example: lines of the notation as its slips have them, with what stands where; {one} and {other} are seats
    - wording: what the rules say in words of their own: a text, an outcome's name or a whole sentence -> the text in
      its place, both English sources of translations
    - version: that of the rules, as a tournament keeps it; changes: what the versions changed
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
        """The code that these rules have for a seat: `ELD` where crocodile sits eldest, else the role's own."""
        return self.seat_names.get(role, role.value)

    def in_own_words(self, text: str) -> str:
        """An English text of the game as these rules have it, to be translated by whoever shows it."""
        return self.wording.get(text, text)

    def contracts_at(self, players: int) -> tuple[Contract, ...]:
        """The contracts in force at a table of so many, in the order of bidding."""
        return tuple(row for row in self.contracts if players in WITH_FOURTH or not row.by_fourth)

    @property
    def dealer_sits_out(self) -> bool:
        """Whether at a table of four the dealer sits out, and not the player opposite."""
        return self.options.get("sits_out") == "dealer"

    def seating(self, players: int, dealer: int, *, in_pairs: bool = False) -> Seating:
        """A table that plays by these rules, with the position that deals. Raises ValueError as Seating does."""
        return Seating(players, dealer, in_pairs, dealer_out=self.dealer_sits_out)

    @property
    def is_plain(self) -> bool:
        """Whether a report needs to tell of neither a pool nor anything else that only some games have."""
        return self.house.is_plain and self.pool is None

    @property
    def for_pairs(self) -> bool:
        """Whether pairs can play by these rules: at tables of four, where no declarer meets the partner.

        Who plays mort meets a partner with cards, and who takes a contract over may. Where the dealer sits out it is
        not known whose hand is taken over.
        """
        seats_four = any(players in WITH_FOURTH for players in self.players)
        return seats_four and self.is_plain and not self.with_mort and not self.dealer_sits_out

    def may_be_passed_out(self, players: int) -> bool:
        """Whether passes end a deal: not where somebody must bid or declare, or the fourth player takes over."""
        if self.house.forced_spadille or self.forced:
            return False
        return not (self.with_mort and players in WITH_FOURTH)
