"""How a deal goes by a rulebook: how its players bid, exchange and play. Values that a rulebook's file gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
