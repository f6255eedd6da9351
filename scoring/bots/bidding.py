"""Calls, and what is said when the auction is won: contract, trumps, a king, a promise; joining a nolo."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from scoring.bots.chances import (
    DRAWN_RISK,
    Plan,
    Way,
    best_trumps,
    family_of,
    measure_of_game,
    plan_for,
    way_of,
)
from scoring.bots.hands import avoiding_risk, game_estimate, nolo_order, without_risk
from scoring.family_rules import FiveRules, HouseRules, TwoRules
from scoring.game import SANS, Act, Step
from scoring.game.steps import bid_of
from scoring.game.turns import known

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.bots.seen import Seen
    from scoring.contracts import Contract


# The least chance of a contract to bid it, by the way it is played; and less when all others have passed,
# or another has bid: whoever bids for the right to play plays worse hands.
_LEAST = 0.53
_LEASTS = {
    Way.ONE_CARD: 0.68,
    Way.AS_DEALT: 0.62,
    Way.GRAND: 0.5,
    Way.GRANDISSIMO: 0.64,
    Way.NOLO_AS_DEALT: 0.57,
    Way.NOLO_BOUGHT: 0.5,
    Way.NOLO_OPEN: 0.57,
    Way.UNKNOWN_CARDS: 0.6,
    Way.LATE: 0.5,
    Way.CONTRABOLA: 0.5,
}
# Of two players nobody bids for the other, of five somebody always would.
_OF_FAMILIES: dict[type[HouseRules], float] = {TwoRules: 0.3, FiveRules: 0.62}
_LAST_HAND, _OVERBID = 0.02, 0.05
# Without trumps high cards are worth more than the estimate says.
_SANS_FROM = 0.7
_JOINS_BELOW, _SAFE_IF_OPEN = 4.0, 2.0
_TALKS, _TOUT, _PRIMERAS = "talking_ouvert", "tout", "primeras"
_FOR_TOUT, _FOR_PRIMERAS, _FOR_TALKING = 6.5, 5.0, 0.85


def call(seen: Seen, legal: tuple[Step, ...]) -> Step:
    """The call that leads to the best contract; pass where none is good enough and one may pass."""
    best, best_worth = None, 0.0
    for step in legal:
        if step.act is Act.PASS:
            continue
        contract, cards = bid_of(step.value)
        if cards:
            # More cards than need be are pledged by nobody.
            continue
        worth = max(_worth(seen, plan) for plan in _plans(seen, seen.rulebook.by_id[contract]))
        if best is None or worth > best_worth:
            best, best_worth = step, worth
    passing = next((step for step in legal if step.act is Act.PASS), None)
    if best is None or (passing and best_worth <= 0):
        return known(passing)
    return best


def _plans(seen: Seen, bid: Contract) -> Iterable[Plan]:
    """What may be played on a bid, as far as the own hand has the cards for it."""
    for row in seen.rulebook.contracts_at(seen.players):
        if bid.may_be_defined_as(row) and row.is_held_by(seen.hand):
            yield plan_for(row, seen.hand, seen.rulebook)


def _worth(seen: Seen, plan: Plan) -> float:
    """How much a contract promises by its price and its chance; players dare less the more there is to lose."""
    family = family_of(seen.rulebook)
    least = _LEASTS.get(way_of(plan.contract), _OF_FAMILIES.get(family, _LEAST))
    if seen.others_passed:
        least -= _LAST_HAND
    if seen.bid is not None and seen.contract is None:
        least -= _OVERBID
    return sqrt(max(plan.contract.price, 1)) * (plan.chance - least)


def contract_played(seen: Seen, choices: Iterable[str]) -> str:
    """The contract that the winner of the auction plays."""
    plans = [plan_for(seen.rulebook.by_id[name], seen.hand, seen.rulebook) for name in choices]
    return max(plans, key=lambda plan: _worth(seen, plan)).contract.id


def trump_named(seen: Seen, choices: tuple[str, ...]) -> str:
    """The suit that makes the best trumps, or none where that is better."""
    contract, ranking = known(seen.contract), seen.rulebook.pack.ranking
    if not contract.is_game:
        named = plan_for(contract, seen.hand, seen.rulebook).trump
        return named if named in choices else choices[0]
    suit = next(suit for suit in best_trumps(seen.hand, seen.rulebook) if suit in choices)
    if SANS in choices:
        sans = game_estimate(seen.hand, None, ranking).points
        return SANS if sans > _SANS_FROM * game_estimate(seen.hand, suit, ranking).points else suit
    return suit


def king_called(seen: Seen, choices: tuple[str, ...]) -> str:
    """A king of the suit that is longest beside trumps, but not of trumps where there is another."""
    suits = [card[0] for card in seen.hand]
    return max(choices, key=lambda king: (king[0] != seen.trump, suits.count(king[0]), king))


def joins(seen: Seen) -> bool:
    """Whether to become a declarer of a nolo too."""
    risk = avoiding_risk(seen.hand, nolo_order(seen.rulebook.pack.ranking))
    return sum(min(value, DRAWN_RISK) for value in risk.values()) < _JOINS_BELOW


def takes_one_more(seen: Seen) -> bool:
    """Whether to draw a card more in a simple nolo, for an open hand: with one that is safe but for a few cards."""
    order = nolo_order(seen.rulebook.pack.ranking)
    return without_risk(seen.hand, order, DRAWN_RISK, len(seen.hand))[1] < _SAFE_IF_OPEN


def offers(_seen: Seen) -> bool:
    """Whether to let the second defender exchange first."""
    return False


def accepts_offer(_seen: Seen) -> bool:
    return True


def promise(seen: Seen, choices: tuple[Step, ...]) -> Step:
    """A promise to win in a certain way: the first five tricks or all with a very strong hand, or talking."""
    contract, rulebook = known(seen.contract), seen.rulebook
    wanted = _TALKS
    if contract.is_game:
        measure = measure_of_game(contract, seen.hand, seen.trump, rulebook.pack.ranking)
        wanted = _TOUT if measure > _FOR_TOUT else _PRIMERAS if measure > _FOR_PRIMERAS else ""
    elif plan_for(contract, seen.hand, rulebook).chance < _FOR_TALKING:
        wanted = ""
    # Promised already, it is not offered again.
    return next((step for step in choices if step.value == wanted), Step(seen.role, Act.NO))
