"""A rulebook: a value that says all that the engine must know of a set of rules, its options bound."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.cards import USUAL_PACK, Pack
from scoring.procedure import USUAL_AUCTION, USUAL_PLAY, AuctionRules, PlayRules, When
from scoring.seats import BY_CODE, WITH_FOURTH, Seating
from scoring.versions import ENGINE_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.contracts import Contract
    from scoring.family_rules import HouseRules
    from scoring.options import OptionSpec, OptionValue
    from scoring.seats import Role
    from scoring.versions import Change


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
