"""House rules as the engine reads them: how a rulebook's auction and play go, and one value for its family of games.

The class of a rulebook's `house` value is its family, which decides its outcomes and accounts. `HouseRules` has what
shared code asks of every family; everything else is read by the family's own functions (`LHombreRules.narrow` etc.).
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
    """The house rules that every family of games has; a subclass is a family.

    - idle_settles: the player sitting out pays and receives like a defender
    - forced_spadille: the holder of spadille must bid, so that a deal cannot be passed out
    - literal_matador_privilege: a matador need not be played while another trump is in hand
    - tricks: the number of tricks in a deal
    - tricks_tell_first_five, stops_when_clear: on since a version of the rules (`versions`)

    Constants of a family:

    - has_tout: a tout can be won and failed
    - has_vole: the tout is called a vole, and a lead to the sixth trick after winning five tries for it
    - has_winners: a kodille is paid to the opponents who won it
    - opponents_share_five: the first five tricks have a price also if several opponents won them between them
    - is_plain: a report without special fields (`results.PLAIN_FIELDS`) needs no special checks
    - kodille_is_extra: a kodille has a price of its own on top of the contract's
    - five_tricks_win: five tricks win whatever the others have
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
    def narrow(cls, house: HouseRules) -> Self:
        """Narrow house rules to this family for type checkers. Raises TypeError for another family."""
        if not isinstance(house, cls):
            raise TypeError(f"{type(house).__name__} are not {cls.__name__}")
        return house

    # Defaults of rules that only some families have, where they are fields.

    @property
    def fouls(self) -> bool:
        """Whether the rules price a fouled exchange."""
        return False

    @property
    def first_five_bonus(self) -> bool:
        """Whether winning the first five tricks can be announced for a bonus."""
        return False

    @property
    def repeat_exchange(self) -> bool:
        """Whether the declarer may exchange twice, for the price of a bete."""
        return False

    @property
    def aces_bonus(self) -> int:
        """The tokens for a game won with three or four aces; 0 if it has no price."""
        return 0

    @property
    def nine_matadors(self) -> bool:
        """Whether reports note the holder of the nine top trumps."""
        return False

    @property
    def several_bonus_bids(self) -> bool:
        """Whether a declarer may bid more than one bonus."""
        return False

    @property
    def counts_estuches(self) -> bool:
        """Whether a report has the number of estuches."""
        return False

    @property
    def estuche_price(self) -> int:
        """The tokens for each estuche."""
        return 0

    @property
    def estuches_by_suit(self) -> bool:
        """Whether the number of estuches is limited by the trumps of the suit, as since version 1.3."""
        return False

    @property
    def to_pool(self) -> bool:
        """Whether the pool pays for won contracts, up to what it holds, and receives the price of lost ones."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class LHombreRules(HouseRules):
    """The family of l'hombre as played in the Nordic countries.

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
    """The family of Crocodile: points for the declarer only, with bonuses bid or silent.

    - contraprimeras_together: opponents who won the first five tricks between them make contraprimeras too
    - contraprimeras_always: contraprimeras whatever the numbers of tricks
    - silent_bonuses_add: all silent bonuses count, not only the highest
    - failed_tout_keeps_primeras: the first five tricks earn their silent bonus besides a tout bid and missed
    - talking_price: the points of the bonus `talking_ouvert`
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
    several_bonus_bids: bool = field()  # without field() the inherited property would be its default
    talking_price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnersRules(HouseRules):
    """Games that pay a kodille to the opponents who won it; `codille_shared`: several winners share it."""

    has_winners = True
    is_plain = False
    kodille_is_extra = False

    codille_shared: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RenegadoRules(WinnersRules):
    """The family of renegado: a pool that is won whole, and tokens from each opponent.

    - loss_price: the fine for each player in the game
    - missed_vole_price: the price of a missed vole, reduced by the contract's
    - bonuses_once: vole and first five tricks are paid once, in shares, not by each opponent
    - puesta_to_players: a lost contract is paid to the players, not to the pool
    - tie: the outcome of as many tricks as the best opponent
    - contrabola_without_first_five, estuches_by_suit: on since a version of the rules (`versions`)
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
    """The family of ombre for two: the stake is won, doubled or lost. `remise_at`: the least tricks of a remise."""

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
    """The family of the first lesson: single stakes, and the vole."""

    has_tout = True
    has_vole = True
    opponents_share_five = False
    five_tricks_win = False

    missed_vole_price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveRules(HouseRules):
    """The family of ombre for five: a declarer with a partner. `remise_at`: the least tricks of both for a remise."""

    has_tout = False
    has_vole = False
    has_winners = False
    opponents_share_five = False
    is_plain = False
    kodille_is_extra = False
    five_tricks_win = True

    remise_at: int


class When(StrEnum):
    """The moment at which a contract can be bid."""

    AUCTION = "auction"
    LAST = "last"  # by the last player, when all others have passed
    ALL_PASSED = "all_passed"  # by any player, after all have passed
    FORCED = "forced"  # not at all: a player must play it when all pass


class Equalling(StrEnum):
    """The players who may equal the last bid instead of outranking it."""

    PRIORITY = "priority"  # those before the last bidder: forehand, middlehand, backhand
    EARLIER_BID = "earlier_bid"  # those who made a lower bid and have not passed
    NEVER = "never"


class FallsTo(StrEnum):
    """The player who must play the forced contract when all pass."""

    FOREHAND = "forehand"
    SPADILLE = "spadille"  # the holder of spadille, else of basta, else forehand


class Surrender(StrEnum):
    """The rule for a declarer who gives up during play."""

    NEVER = "never"
    ACCEPTED = "accepted"  # lost, if every opponent accepts; else it is played on
    TAKE_OVER = "take_over"  # lost, unless an opponent takes the contract over


class Shown(StrEnum):
    """The moment at which a declarer lays the hand open."""

    NEVER = "never"
    BEFORE_LEAD = "before_lead"
    FIRST_CARD = "first_card"  # with his own first card


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionRules:
    """The rules of an auction.

    - in_duels: forehand bids against middlehand, then the winner against backhand; otherwise all bid in turn
    - equals_swap: a player who equals a bid may name another contract of the same rank
    - lowest_of_group: a bid must be the lowest that is still possible in its group of contracts
    - falls_to: the player of the forced contract when all pass
    """

    in_duels: bool = True
    equalling: Equalling = Equalling.PRIORITY
    equals_swap: bool = False
    lowest_of_group: bool = False
    falls_to: FallsTo = FallsTo.FOREHAND


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRules:
    """The rules of exchange and play.

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
