"""House rules as the engine reads them: how a rulebook's auction and play go, and one value for its family of games.

The class of a rulebook's `house` value is its family, which decides its outcomes and accounts. `HouseRules` has what
shared code asks of every family; everything else is read by the family's own functions (`LHombreRules.of` etc.).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from scoring.cards import HAND

if TYPE_CHECKING:
    from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """What every family answers.

    - idle_settles: the player sitting out pays and receives like a defender
    - forced_spadille: somebody must bid, so that a deal cannot be passed out
    - literal_matador_privilege: a matador need not be played while another trump is in hand
    - tricks: how many a deal has
    - tricks_tell_first_five, stops_when_clear: what a version of the rules has changed (`versions`)

    Of a whole family: has_tout: a tout can be won and failed; has_vole: it is called a vole, which who wins the first
    five tricks tries for; has_winners: a kodille is paid to who won it; opponents_share_five: the first five tricks
    are settled too where now one, now another opponent won them; is_plain: no check beyond the usual ones is needed of
    a report that tells of nothing special; kodille_is_extra: a kodille is a price of its own beside the contract's;
    five_tricks_win: whatever the others have.
    """

    has_tout: ClassVar[bool]
    has_vole: ClassVar[bool]
    has_winners: ClassVar[bool]
    opponents_share_five: ClassVar[bool]
    is_plain: ClassVar[bool]
    kodille_is_extra: ClassVar[bool]
    five_tricks_win: ClassVar[bool]

    idle_settles: bool = False
    forced_spadille: bool = False
    literal_matador_privilege: bool = False
    tricks: int = HAND
    tricks_tell_first_five: bool = True
    stops_when_clear: bool = True

    @classmethod
    def of(cls, house: HouseRules) -> Self:
        """The same as a value of this family. Raises TypeError for another family's."""
        if not isinstance(house, cls):
            raise TypeError(f"{type(house).__name__} are not {cls.__name__}")
        return house

    # What only some families have: there it is a field.

    @property
    def fouls(self) -> bool:
        """Whether the rules price a fouled exchange."""
        return False

    @property
    def first_five_bonus(self) -> bool:
        return False

    @property
    def repeat_exchange(self) -> bool:
        return False

    @property
    def aces_bonus(self) -> int:
        """Tokens for a game won with three or four aces; 0 where there are none."""
        return 0

    @property
    def nine_matadors(self) -> bool:
        """Whether it is noted who held the nine top trumps."""
        return False

    @property
    def several_bonus_bids(self) -> bool:
        return False

    @property
    def counts_estuches(self) -> bool:
        return False

    @property
    def estuche_price(self) -> int:
        return 0

    @property
    def estuches_by_suit(self) -> bool:
        """Whether there are no more estuches than the suit has trumps, which a version has changed."""
        return False

    @property
    def to_pool(self) -> bool:
        """Whether contracts are paid out of the pool, as far as it goes, and lost into it."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class LHombreRules(HouseRules):
    """L'hombre as it is played in the North.

    - declarer_foul: the outcome of the declarer's fouled exchange; defender_foul_covers_idle: a defender who fouls pays
      the share of the player sitting out too
    - one_four_four: the outcome of one trick to the declarer and four to each defender
    - grand_short: the outcome of a grand with more tricks than each defender, but too few
    - tout_counts_in_defeat: a tout that failed is paid for also where the game is lost
    """

    has_tout = True
    has_vole = False
    has_winners = False
    opponents_share_five = False
    is_plain = True
    kodille_is_extra = True
    five_tricks_win = False

    fouls: bool = False
    declarer_foul: str = "bete"
    defender_foul_covers_idle: bool = True
    one_four_four: str = "kodille"
    grand_short: str = "bete"
    tout_counts_in_defeat: bool = True
    first_five_bonus: bool = False
    repeat_exchange: bool = False
    aces_bonus: int = 0
    nine_matadors: bool = False
    to_pool: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrocodileRules(HouseRules):
    """Crocodile: the declarer's points alone, with bonuses bid or silent.

    `contraprimeras_together`: the opponents lose him the first five also together; `contraprimeras_always`: whatever
    becomes of the deal; `failed_tout_keeps_primeras`: the first five tricks earn their silent bonus beside a tout that
    was bid and missed.
    """

    has_tout = False
    has_vole = False
    has_winners = False
    opponents_share_five = True
    is_plain = False
    kodille_is_extra = False
    five_tricks_win = False

    contraprimeras_together: bool
    contraprimeras_always: bool
    silent_bonuses_add: bool
    failed_tout_keeps_primeras: bool
    several_bonus_bids: bool = field()  # else the property above would be taken for its default
    talking_price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnersRules(HouseRules):
    """Games in which a kodille is paid to the opponents who won it; `codille_shared`: where several did."""

    has_winners = True
    is_plain = False
    kodille_is_extra = False

    codille_shared: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RenegadoRules(WinnersRules):
    """Renegado: a pool that is won whole, and tokens from each opponent.

    - loss_price is for each player in the game, missed_vole_price less the contract's
    - bonuses_once: vole and first five are shared, not paid by each; puesta_to_players: what is lost is theirs
    - tie: the outcome of as many tricks as the best opponent
    - contrabola_without_first_five, estuches_by_suit: what a version of the rules has changed (`versions`)
    """

    has_tout = True
    has_vole = True
    opponents_share_five = True
    five_tricks_win = False

    counts_estuches: bool = field()
    estuche_price: int = field()
    vole_price: int
    primeras_price: int
    loss_price: int
    missed_vole_price: int
    missed_vole_takes_pool: bool = False
    bonuses_once: bool = False
    puesta_to_players: bool = False
    tie: str = "bete"
    contrabola_without_first_five: bool = True
    estuches_by_suit: bool = field(default=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRules(WinnersRules):
    """Two players: the stake is won, doubled or lost. `remise_at`: the least tricks that are remise."""

    has_tout = False
    has_vole = False
    opponents_share_five = False
    five_tricks_win = True

    counts_estuches: bool = field()
    estuche_price: int = field()
    loss_price: int
    remise_at: int = 4
    estuches_by_suit: bool = field(default=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntroRules(WinnersRules):
    """The first lesson: single stakes, and the vole."""

    has_tout = True
    has_vole = True
    opponents_share_five = False
    five_tricks_win = False

    missed_vole_price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveRules(HouseRules):
    """Five players, a declarer with a partner. `remise_at`: the least tricks of both that are remise."""

    has_tout = False
    has_vole = False
    has_winners = False
    opponents_share_five = False
    is_plain = False
    kodille_is_extra = False
    five_tricks_win = True

    remise_at: int


class When(StrEnum):
    """When a contract can be bid."""

    AUCTION = "auction"
    LAST = "last"  # by the last player, when all others have passed
    ALL_PASSED = "all_passed"  # by who likes, after everybody has passed
    FORCED = "forced"  # by nobody: it falls to a player when all pass


class Equalling(StrEnum):
    """Who need only equal the last bid, and not outrank it."""

    PRIORITY = "priority"  # who comes before the last bidder: forehand, middlehand, backhand
    EARLIER_BID = "earlier_bid"  # who has made a lower bid and not passed
    NEVER = "never"


class FallsTo(StrEnum):
    """Who must play the forced contract when all pass."""

    FOREHAND = "forehand"
    SPADILLE = "spadille"  # who holds spadille, else basta, else forehand


class Surrender(StrEnum):
    """What becomes of a deal whose declarer gives up during play."""

    NEVER = "never"
    ACCEPTED = "accepted"  # lost, if every opponent accepts; else it is played on
    TAKE_OVER = "take_over"  # lost, unless an opponent takes the contract over


class Shown(StrEnum):
    """When a declarer lays his hand open."""

    NEVER = "never"
    BEFORE_LEAD = "before_lead"
    FIRST_CARD = "first_card"  # with his own first card


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionRules:
    """The auction.

    - in_duels: forehand against middlehand, then who is left against backhand; otherwise all speak in turn
    - equals_swap: who may equal a bid may name another contract of its rank in its place
    - lowest_of_group: a bid is the lowest that its group of contracts still allows
    - falls_to: who plays the contract that is forced when all pass
    """

    in_duels: bool = True
    equalling: Equalling = Equalling.PRIORITY
    equals_swap: bool = False
    lowest_of_group: bool = False
    falls_to: FallsTo = FallsTo.FOREHAND


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRules:
    """Exchange and play.

    - may_offer: the first defender may offer the second to exchange first
    - declarer_leads: the declarer and not forehand leads to the first trick
    - may_stop: play may stop when the outcome is clear
    - announces_tout: a tout may be announced; otherwise only the lead to the sixth trick shows it
    - give_up_before: the declarer may give up until he plays to this trick
    """

    may_offer: bool = False
    declarer_leads: bool = False
    may_stop: bool = True
    announces_tout: bool = True
    give_up_before: int = 1


USUAL_AUCTION = AuctionRules()
USUAL_PLAY = PlayRules()
