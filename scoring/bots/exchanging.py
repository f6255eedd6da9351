"""What bots throw away: they keep trumps and what wins by its rank, or what can stay under in a nolo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.bots.chances import DRAWN_RISK
from scoring.bots.hands import (
    HOPELESS_RISK,
    avoiding_risk,
    best_suits,
    game_estimate,
    nolo_order,
    without_risk,
)
from scoring.cards import Kind, card_order
from scoring.contracts import Trumps
from scoring.game.turns import known

if TYPE_CHECKING:
    from scoring.bots.seen import Seen
    from scoring.contracts import Contract

Cards = tuple[str, ...]

# Against a nolo a defender throws away at most so many, and only cards of so high a place in their suit.
_AGAINST_NOLO, _HIGH_PLACE = 3, 6


def discards(seen: Seen, limits: tuple[int, int]) -> Cards:
    """The cards to throw away in an exchange, before others are drawn; `limits` are the least and the most."""
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


def laid_off(seen: Seen, count: int) -> Cards:
    """The cards to lay off of too many in hand."""
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


def second_exchange(seen: Seen, most: int) -> Cards:
    """The cards to exchange again in a nolo at the price of a bête: none, unless the hand is hopeless."""
    order = known(seen.order)
    risk = avoiding_risk(seen.hand, order)
    hopeless = sum(risk.values()) > HOPELESS_RISK
    return without_risk(seen.hand, order, DRAWN_RISK, most)[0] if hopeless else ()


def _contract(seen: Seen) -> Contract:
    return known(seen.contract)


def _trump(seen: Seen, cards: Cards) -> str | None:
    """The trump suit, or that which is going to be named after the exchange."""
    if seen.trump or _contract(seen).trumps is not Trumps.CHOSEN:
        return seen.trump
    return best_suits(cards, seen.rulebook.pack.ranking)[0]


def _beside_trumps(seen: Seen, cards: Cards) -> Cards:
    """All but the trumps and the high cards of other suits, the lowest first."""
    ranking = seen.rulebook.pack.ranking
    keep = game_estimate(cards, _trump(seen, cards), ranking).keep
    strength = nolo_order(ranking).strength
    return tuple(
        sorted((card for card in cards if card not in keep), key=lambda card: (strength[card], card))
    )


def _at_least(worst: Cards, seen: Seen, least: int) -> Cards:
    """These cards, and further ones where more must be thrown away: in a game what is worth least."""
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


def _of_dealt_cards(seen: Seen, limits: tuple[int, int]) -> Cards:
    """In kaske: all cards that were dealt but the best, or all, whatever goes with the new ones."""
    dealt, new = seen.hand[: seen.rulebook.pack.hand], seen.hand[seen.rulebook.pack.hand :]
    least, most = limits
    ranking = seen.rulebook.pack.ranking
    trump = best_suits(new, ranking)[0]
    keep = game_estimate(seen.hand, trump, ranking).keep
    strength = card_order(Kind.TRUMP, trump, ranking).strength
    ranked = sorted(dealt, key=lambda card: (card in keep, strength[card], card))
    return tuple(ranked[:least] if ranked[-1] in keep else ranked[:most])


def _against_nolo(seen: Seen) -> Cards:
    strength = nolo_order(seen.rulebook.pack.ranking).strength
    high = sorted(
        (card for card in seen.hand if strength[card] > _HIGH_PLACE), key=lambda c: (-strength[c], c)
    )
    return tuple(high[:_AGAINST_NOLO])


def _fair_share(seen: Seen, most: int) -> int:
    """As many as may be, but some for a defender who exchanges later."""
    defenders = [role for role in seen.playing if role is not seen.declarer]
    later = sum(role not in seen.exchanged and role is not seen.role for role in defenders)
    return most if not later else min(most, seen.talon - seen.talon // (later + 2))
