"""How likely a contract is to be won with a hand.

The numbers were fitted to what came of deals in which these bots played every hand that they were dealt.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple

from scoring.bots.hands import (
    avoiding_risk,
    best_suits,
    game_estimate,
    guarded_queens,
    nolo_order,
    voids,
    without_risk,
)
from scoring.cards import SUITS, Kind, card_order
from scoring.contracts import Trumps
from scoring.procedure import Shown

if TYPE_CHECKING:
    from scoring.cards import Ranking
    from scoring.contracts import Contract

Cards = tuple[str, ...]

# What a card is worth that is still to be drawn: in tricks, and in risk where tricks are avoided.
DRAWN_POINTS, DRAWN_RISK = 0.13, 1.3
_VOID_POINTS = 0.25


class Curve(NamedTuple):
    """The chance by a measure: even at `even`, and `steep` where it changes."""

    even: float
    steep: float

    def __call__(self, measure: float) -> float:
        return 1 / (1 + exp(self.steep * (self.even - measure)))


BOUGHT, AS_DEALT = Curve(3.4, 1.45), Curve(3.85, 2.9)
GRAND, GRANDISSIMO = Curve(2.95, 1.2), Curve(2.8, 3.5)
NOLO_BOUGHT, NOLO_AS_DEALT, NOLO_OPEN = Curve(-3.6, 0.28), Curve(-4.4, 0.31), Curve(-3.7, 0.34)


class Plan(NamedTuple):
    """What a player could play, with which trumps, and the chance that it is won."""

    contract: Contract
    trump: str | None
    chance: float


def plan_for(contract: Contract, hand: Cards, ranking: Ranking) -> Plan:
    """The best way to play a contract with a hand as it is before the exchange."""
    if not contract.is_game:
        return _plan_to_avoid(contract, hand, ranking)
    if contract.trumps is Trumps.TURNED:
        chances = [chance_of_game(contract, hand, suit, ranking) for suit in SUITS]
        return Plan(contract, None, sum(chances) / len(chances))
    trump = None
    if contract.trumps is Trumps.SPADES:
        trump = "S"
    elif contract.trumps is Trumps.CHOSEN:
        trump = best_suits(hand, ranking)[0]
    return Plan(contract, trump, chance_of_game(contract, hand, trump, ranking))


def measure_of_game(contract: Contract, hand: Cards, trump: str | None, ranking: Ranking) -> float:
    """About how many tricks a hand wins in a game, with what it can draw."""
    estimate = game_estimate(hand, trump, ranking)
    if contract.exchange.most:
        drawn = min(len(hand) - len(estimate.keep), contract.exchange.most)
        return estimate.points + DRAWN_POINTS * drawn
    extra = guarded_queens(hand, trump, ranking)
    return estimate.points + extra + (_VOID_POINTS * voids(hand, trump, ranking) if trump else 0)


def chance_of_game(contract: Contract, hand: Cards, trump: str | None, ranking: Ranking) -> float:
    if trump:
        curve = BOUGHT if contract.exchange.most else AS_DEALT
    else:
        curve = GRAND if contract.exchange.most else GRANDISSIMO
    return curve(measure_of_game(contract, hand, trump, ranking))


def measure_of_avoiding(contract: Contract, hand: Cards, trump: str | None, ranking: Ranking) -> float:
    """The risk of a hand that avoids tricks, as a negative number: more is better."""
    order = card_order(Kind.TRUMP, trump, ranking) if trump else nolo_order(ranking)
    if contract.exchange.most:
        return -without_risk(hand, order, DRAWN_RISK, contract.exchange.most)[1]
    return -float(sum(avoiding_risk(hand, order).values()))


def _plan_to_avoid(contract: Contract, hand: Cards, ranking: Ranking) -> Plan:
    curve = NOLO_BOUGHT if contract.exchange.most else NOLO_AS_DEALT
    if contract.shown is not Shown.NEVER:
        curve = NOLO_OPEN
    if contract.trumps is not Trumps.CHOSEN:
        return Plan(contract, None, curve(measure_of_avoiding(contract, hand, None, ranking)))
    return max(
        (
            Plan(contract, suit, curve(measure_of_avoiding(contract, hand, suit, ranking)))
            for suit in SUITS
            if any(card[0] == suit for card in hand)
        ),
        key=lambda plan: plan.chance,
    )
