"""A rulebook: a value that says all that the engine must know of a set of rules, its options bound."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.cards import HAND, USUAL_PACK, Pack
from scoring.contracts import Family
from scoring.procedure import USUAL_AUCTION, USUAL_PLAY, AuctionRules, PlayRules, When
from scoring.seats import BY_CODE, WITH_FOURTH
from scoring.versions import ENGINE_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.contracts import Contract
    from scoring.options import OptionSpec, OptionValue
    from scoring.seats import Role
    from scoring.versions import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """What the options of a rulebook come down to in the engine; what a rulebook leaves out is as here.

    - idle_settles: the player sitting out pays and receives like a defender
    - forced_spadille: somebody must bid, so that a deal cannot be passed out
    - fouls: the rules price a fouled exchange; declarer_foul is the outcome of the declarer's, and
      defender_foul_covers_idle says whether a defender who fouls pays the share of the player sitting out too
    - nine_matadors: who held the nine top trumps is noted
    - one_four_four: the outcome of one trick to the declarer and four to each defender
    - first_five_bonus, repeat_exchange, aces_bonus: played at all (tokens for the last)
    - tout_counts_in_defeat: a tout that failed is paid for also where the game is lost
    - grand_short: the outcome of a grand with more tricks than each defender, but too few
    - literal_matador_privilege: a matador need not be played while another trump is in hand
    - family, tricks: whose outcomes and accounts these are, and how many tricks a deal has
    - contraprimeras_together, contraprimeras_always, silent_bonuses_add, several_bonus_bids, talking_price:
      crocodile's
    - counts_estuches, estuche_price, vole_price, primeras_price, loss_price (for each player in the game),
      missed_vole_price (less the contract's), missed_vole_takes_pool, bonuses_once (shared, not from each),
      puesta_to_players, codille_shared: renegado's
    - to_pool: contracts are paid out of the pool, as far as it goes, and lost into it
    - tie: the outcome of as many tricks as the best opponent, where it is not told by the tricks alone
    - remise_at: the least number of tricks that are remise and not kodille, at the table of five
    - tricks_tell_first_five, contrabola_without_first_five: what a version of the rules has changed (`versions`)
    """

    idle_settles: bool = False
    family: Family = Family.LHOMBRE
    tricks: int = HAND
    forced_spadille: bool = False
    fouls: bool = False
    declarer_foul: str = "bete"
    defender_foul_covers_idle: bool = True
    one_four_four: str = "kodille"
    tout_counts_in_defeat: bool = True
    grand_short: str = "bete"
    first_five_bonus: bool = False
    repeat_exchange: bool = False
    aces_bonus: int = 0
    nine_matadors: bool = False
    literal_matador_privilege: bool = False
    contraprimeras_together: bool = True
    contraprimeras_always: bool = True
    silent_bonuses_add: bool = True
    several_bonus_bids: bool = False
    talking_price: int = 0
    counts_estuches: bool = False
    estuche_price: int = 0
    vole_price: int = 0
    primeras_price: int = 0
    loss_price: int = 0
    missed_vole_price: int = 0
    missed_vole_takes_pool: bool = False
    bonuses_once: bool = False
    puesta_to_players: bool = False
    codille_shared: bool = True
    to_pool: bool = False
    tie: str = "bete"
    remise_at: int = 4
    tricks_tell_first_five: bool = True
    contrabola_without_first_five: bool = True


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
    def for_pairs(self) -> bool:
        """Whether pairs can play by these rules: at tables of four, where no declarer meets the partner.

        Who plays mort meets a partner with cards, and who takes a contract over may.
        """
        seats_four = any(players in WITH_FOURTH for players in self.players)
        plain = self.house.family is Family.LHOMBRE and self.pool is None
        return seats_four and plain and not self.with_mort

    def may_be_passed_out(self, players: int) -> bool:
        """Whether passes end a deal: not where somebody must bid or declare, or the fourth player takes over."""
        if self.house.forced_spadille or self.forced:
            return False
        return not (self.with_mort and players in WITH_FOURTH)
