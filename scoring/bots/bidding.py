"""A bot's decisions other than cards: calls, contract, trumps, exchange, joining a nolo, giving up and announcing."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from scoring.bots.hands import (
    DRAWN_RISK,
    HOPELESS_RISK,
    Plan,
    Way,
    avoiding_risk,
    best_suits,
    best_trumps,
    family_of,
    game_estimate,
    measure_of_game,
    nolo_order,
    plan_for,
    way_of,
    without_risk,
)
from scoring.cards import TRUMPS, Cards, Kind, card_order
from scoring.family_rules import FiveRules, HouseRules, Surrender, TwoRules, When
from scoring.game import SANS, Act, Step
from scoring.game.steps import bid_of, known
from scoring.rulebook import FIRST_FIVE, Trumps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.bots.knowledge import Knowledge, Table
    from scoring.rulebook import Contract, Rulebook


# The least chance of winning with which a contract is bid, by the way it is played. It is lower when all others have
# passed, and when another has bid, because the alternative is to play against that bid.
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
# With two players nobody else would bid; with five another player nearly always would.
_OF_FAMILIES: dict[type[HouseRules], float] = {TwoRules: 0.3, FiveRules: 0.62}
_LAST_HAND, _OVERBID = 0.02, 0.05
# The share of the trump estimate from which playing without trumps is better.
_SANS_FROM = 0.7
_JOINS_BELOW, _SAFE_IF_OPEN = 4.0, 2.0
_TALKS, _TOUT, _PRIMERAS = "talking_ouvert", "tout", "primeras"
_FOR_TOUT, _FOR_PRIMERAS, _FOR_TALKING = 6.5, 5.0, 0.85


def call(seen: Knowledge, legal: tuple[Step, ...]) -> Step:
    """The call for the best contract; a pass if none is good enough and passing is legal."""
    best, best_worth = None, 0.0
    for step in legal:
        if step.act is Act.PASS:
            continue
        contract, cards = bid_of(step.value)
        if cards:
            # Bots never pledge more cards than necessary.
            continue
        worth = max(_worth(seen, plan) for plan in _plans(seen, seen.rulebook.by_id[contract]))
        if best is None or worth > best_worth:
            best, best_worth = step, worth
    passing = next((step for step in legal if step.act is Act.PASS), None)
    if best is None or (passing and best_worth <= 0):
        return known(passing)
    return best


def opening_bid(hand: Cards, rulebook: Rulebook, players: int) -> Plan | None:
    """The plan with which a bot opens the auction at a table of so many players; None if it passes.

    `hand` may have a card more than once.
    """
    held = (
        row for row in rulebook.contracts_at(players) if row.when is When.AUCTION and row.is_held_by(hand)
    )
    plans = [plan_for(row, hand, rulebook) for row in held]
    worths = [_worth_above(plan, _least_chance(plan, rulebook)) for plan in plans]
    best = max(range(len(plans)), key=worths.__getitem__, default=None)
    return plans[best] if best is not None and worths[best] > 0 else None


def _plans(seen: Knowledge, bid: Contract) -> Iterable[Plan]:
    """The plans that can follow a bid, given the cards that the contracts require."""
    for row in seen.rulebook.contracts_at(seen.players):
        if bid.may_be_defined_as(row) and row.is_held_by(seen.hand):
            yield plan_for(row, seen.hand, seen.rulebook)


def _worth(seen: Knowledge, plan: Plan) -> float:
    """The value of a plan in this auction."""
    least = _least_chance(plan, seen.rulebook)
    if seen.others_passed:
        least -= _LAST_HAND
    if seen.bid is not None and seen.contract is None:
        least -= _OVERBID
    return _worth_above(plan, least)


def _least_chance(plan: Plan, rulebook: Rulebook) -> float:
    """The chance of winning from which on a plan's contract is bid first."""
    return _LEASTS.get(way_of(plan.contract), _OF_FAMILIES.get(family_of(rulebook), _LEAST))


def _worth_above(plan: Plan, least: float) -> float:
    """The value of a plan by its price and chance; the square root limits the risk of dear contracts."""
    return sqrt(max(plan.contract.price, 1)) * (plan.chance - least)


def choose_contract(seen: Knowledge, choices: Iterable[str]) -> str:
    """The contract to play after winning the auction."""
    plans = [plan_for(seen.rulebook.by_id[name], seen.hand, seen.rulebook) for name in choices]
    return max(plans, key=lambda plan: _worth(seen, plan)).contract.id


def choose_trump(seen: Knowledge, choices: tuple[str, ...]) -> str:
    """The suit with the best trumps, or `sans` if that is better."""
    contract, ranking = known(seen.contract), seen.rulebook.pack.ranking
    if not contract.is_game:
        named = plan_for(contract, seen.hand, seen.rulebook).trump
        return named if named in choices else choices[0]
    suit = next(suit for suit in best_trumps(seen.hand, seen.rulebook) if suit in choices)
    if SANS in choices:
        sans = game_estimate(seen.hand, None, ranking).points
        return SANS if sans > _SANS_FROM * game_estimate(seen.hand, suit, ranking).points else suit
    return suit


def choose_king(seen: Knowledge, choices: tuple[str, ...]) -> str:
    """The king to call: of the longest suit, and of trumps only if there is no other."""
    suits = [card[0] for card in seen.hand]
    return max(choices, key=lambda king: (king[0] != seen.trump, suits.count(king[0]), king))


def joins(seen: Knowledge) -> bool:
    """Whether to join a nolo as a further declarer."""
    risk = avoiding_risk(seen.hand, nolo_order(seen.rulebook.pack.ranking))
    return sum(min(value, DRAWN_RISK) for value in risk.values()) < _JOINS_BELOW


def takes_one_more(seen: Knowledge) -> bool:
    """Whether to draw one card more in a simple nolo and play an open hand, which needs a safe hand."""
    order = nolo_order(seen.rulebook.pack.ranking)
    return without_risk(seen.hand, order, DRAWN_RISK, len(seen.hand))[1] < _SAFE_IF_OPEN


def offers(_seen: Knowledge) -> bool:
    """Whether to let the second defender exchange first."""
    return False


def accepts_offer(_seen: Knowledge) -> bool:
    """Whether to exchange first when the first defender offers it."""
    return True


def promise(seen: Knowledge, choices: tuple[Step, ...]) -> Step:
    """The bonus to bid: the tout or the first five tricks with a very strong hand, or talking ouvert."""
    contract, rulebook = known(seen.contract), seen.rulebook
    wanted = _TALKS
    if contract.is_game:
        measure = measure_of_game(contract, seen.hand, seen.trump, rulebook.pack.ranking)
        wanted = _TOUT if measure > _FOR_TOUT else _PRIMERAS if measure > _FOR_PRIMERAS else ""
    elif plan_for(contract, seen.hand, rulebook).chance < _FOR_TALKING:
        wanted = ""
    # A bonus bid already is not among the choices.
    return next((step for step in choices if step.value == wanted), Step(seen.role, Act.NO))


# Against a nolo a defender discards at most this many cards, and only those above this place in their suit.
_AGAINST_NOLO, _HIGH_PLACE = 3, 6


def choose_discards(seen: Knowledge, limits: tuple[int, int]) -> Cards:
    """The cards to discard in an exchange; `limits` are the least and the most."""
    contract = _contract(seen)
    least, most = limits
    if not seen.declares:
        worst = _against_nolo(seen) if not contract.is_game else _beside_trumps(seen, seen.hand)
        return worst[: _fair_share(seen, most)]
    if contract.exchange.looks:
        return _of_dealt_cards(seen, limits)
    if contract.is_game:
        return _at_least(_beside_trumps(seen, seen.hand), seen, least)[:most]
    order = known(seen.order)
    return _at_least(without_risk(seen.hand, order, DRAWN_RISK, most)[0], seen, least)


def choose_laid_off(seen: Knowledge, count: int) -> Cards:
    """The cards to lay off from a hand with too many."""
    contract = _contract(seen)
    if contract.is_game:
        return _at_least(_beside_trumps(seen, seen.hand)[:count], seen, count)
    order = known(seen.order)
    hand = seen.hand
    thrown: Cards = ()
    for _card in range(count):
        risk = avoiding_risk([card for card in hand if card not in thrown], order)
        thrown = (*thrown, max(risk, key=lambda card: (risk[card], order.strength[card], card)))
    return thrown


def second_exchange(seen: Knowledge, most: int) -> Cards:
    """The cards to exchange a second time in a nolo, at the price of a bête: none unless the hand is hopeless."""
    order = known(seen.order)
    risk = avoiding_risk(seen.hand, order)
    hopeless = sum(risk.values()) > HOPELESS_RISK
    return without_risk(seen.hand, order, DRAWN_RISK, most)[0] if hopeless else ()


def _contract(seen: Knowledge) -> Contract:
    return known(seen.contract)


def _trump(seen: Knowledge, cards: Cards) -> str | None:
    """The trump suit, or the one that the bot will name after the exchange."""
    if seen.trump or _contract(seen).trumps is not Trumps.CHOSEN:
        return seen.trump
    return best_suits(cards, seen.rulebook.pack.ranking)[0]


def _beside_trumps(seen: Knowledge, cards: Cards) -> Cards:
    """All cards but trumps and high cards of other suits, from the lowest."""
    ranking = seen.rulebook.pack.ranking
    keep = game_estimate(cards, _trump(seen, cards), ranking).keep
    strength = nolo_order(ranking).strength
    return tuple(
        sorted((card for card in cards if card not in keep), key=lambda card: (strength[card], card))
    )


def _at_least(worst: Cards, seen: Knowledge, least: int) -> Cards:
    """These cards, and the next worst ones up to the least number to discard."""
    missing = least - len(worst)
    if missing <= 0:
        return worst
    rest = [card for card in seen.hand if card not in worst]
    order = known(seen.order)
    if _contract(seen).is_game:
        rest.sort(key=lambda card: (order.strength[card], card))
    else:
        risk = avoiding_risk(rest, order)
        rest.sort(key=lambda card: (-risk[card], card))
    return (*worst, *rest[:missing])


def _of_dealt_cards(seen: Knowledge, limits: tuple[int, int]) -> Cards:
    """The discards in kaske: all dealt cards but the best, or all if none fits the new cards."""
    dealt, new = seen.hand[: seen.rulebook.pack.hand], seen.hand[seen.rulebook.pack.hand :]
    least, most = limits
    ranking = seen.rulebook.pack.ranking
    trump = best_suits(new, ranking)[0]
    keep = game_estimate(seen.hand, trump, ranking).keep
    strength = card_order(Kind.TRUMP, trump, ranking).strength
    ranked = sorted(dealt, key=lambda card: (card in keep, strength[card], card))
    return tuple(ranked[:least] if ranked[-1] in keep else ranked[:most])


def _against_nolo(seen: Knowledge) -> Cards:
    """The cards that a defender against a nolo discards: the highest."""
    strength = nolo_order(seen.rulebook.pack.ranking).strength
    high = sorted(
        (card for card in seen.hand if strength[card] > _HIGH_PLACE), key=lambda c: (-strength[c], c)
    )
    return tuple(high[:_AGAINST_NOLO])


def _fair_share(seen: Knowledge, most: int) -> int:
    """The number of cards to exchange: the most, less a share for defenders who exchange later."""
    defenders = [role for role in seen.playing if role is not seen.declarer]
    later = sum(role not in seen.exchanged and role is not seen.role for role in defenders)
    return most if not later else min(most, seen.talon - seen.talon // (later + 2))


# Estimated tricks below which a game is given up: one in six such hands would win, and most lose by kodille. Where
# giving up saves nothing, the limit is lower, so that one in ten is given up. Above the last, a deal is taken over.
_HOPELESS_POINTS, _HOPELESS_LATER, _TAKES_OVER_FROM = 3.15, 2.8, 3.5
_HOPELESS_IN_GRAND = 2.0
# No outcome is clear before one player has this many tricks.
_CLEAR_FROM = 4


def gives_up(seen: Knowledge) -> bool:
    """Whether the declarer gives up a hopeless hand, at the last moment that the rules allow."""
    contract = seen.contract
    if not seen.declares or contract is None or seen.order is None:
        return False
    if len(seen.winners) != seen.rulebook.play.give_up_before - 1:
        return False
    if not contract.is_game:
        return sum(avoiding_risk(seen.hand, seen.order).values()) > HOPELESS_RISK
    later = contract.surrender is not Surrender.NEVER
    # In games without matadors the same estimate wins more tricks.
    cheap = later or not seen.order.matadors
    hopeless = _HOPELESS_LATER if cheap else _HOPELESS_POINTS
    return _expected_tricks(seen) < (hopeless if seen.trump else _HOPELESS_IN_GRAND)


def _expected_tricks(seen: Knowledge) -> float:
    """The estimated number of tricks at the end of the deal."""
    points = game_estimate(seen.hand, seen.trump, seen.rulebook.pack.ranking).points
    return seen.winners.count(seen.role) + points


def takes_over(seen: Knowledge) -> bool:
    """Whether a defender takes over a game that was given up."""
    return _expected_tricks(seen) > _TAKES_OVER_FROM


def stops(table: Table) -> bool:
    """Whether to stop if the outcome is clear; a declarer who won all tricks plays on only to try for the rest."""
    seen = table.seen
    won = [seen.winners.count(role) for role in seen.playing]
    if table.best is not None or max(won) < _CLEAR_FROM:
        return False
    return not tries_for_all(table)


def has_won_all(seen: Knowledge) -> bool:
    """Whether this player is the declarer and won all tricks so far."""
    return seen.role is seen.declarer and all(role is seen.role for role in seen.winners)


def sure_of_rest(table: Table) -> bool:
    """Whether a player on lead wins all remaining tricks, whatever the others hold."""
    suit_of = table.order.suit
    if table.best is not None or any(table.above(card) for card in table.seen.hand):
        return False
    trumps = sum(suit_of[card] == TRUMPS for card in table.seen.hand)
    return trumps == len(table.seen.hand) or trumps >= table.trumps_out


def tries_for_all(table: Table) -> bool:
    """Whether a declarer who won all tricks so far tries for the rest: if sure, or nearly sure and announced."""
    if not has_won_all(table.seen):
        return False
    return sure_of_rest(table) or (table.seen.rulebook.play.announces_tout and _nearly_sure_of_rest(table))


def _nearly_sure_of_rest(table: Table) -> bool:
    """Whether, after five tricks, only one card can be beaten, by one card, and the others have no more trumps."""
    seen = table.seen
    if table.best is not None or len(seen.winners) < FIRST_FIVE:
        return False
    trumps = sum(table.order.suit[card] == TRUMPS for card in seen.hand)
    return trumps >= table.trumps_out and sum(map(table.above, seen.hand)) == 1


def announces_tout(table: Table) -> bool:
    """Whether to announce a tout."""
    return tries_for_all(table)


def announces_first_five(table: Table) -> bool:
    """Whether to announce the first five tricks: on lead, with five trumps of which four cannot be beaten."""
    seen = table.seen
    if seen.winners or table.best is not None or not table.order.matadors:
        return False
    trumps = [card for card in seen.hand if table.is_trump(card)]
    return len(trumps) >= FIRST_FIVE and sum(table.above(card) == 0 for card in trumps) >= FIRST_FIVE - 1


def accepts(seen: Knowledge) -> bool:
    """Whether to accept a surrender: not with a hand good enough to take over."""
    return not takes_over(seen)
