"""How good a hand is: about how many tricks its cards win, how likely they are to win tricks that nobody wants."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from scoring.cards import CARDS, SUITS, TRUMPS, CardOrder, Kind, Ranking, card_order, trump_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Cards = tuple[str, ...]

# About how many tricks a card wins for a declarer: trumps from the highest on, then cards of other suits.
_TRUMPS = (1.0, 0.95, 0.85, 0.65, 0.6, 0.55)
_SMALL_TRUMP = 0.45
_KING, _QUEEN_WITH_KING, _JACK_WITH_BOTH, _GUARDED_QUEEN = 0.6, 0.45, 0.35, 0.2

# The same for one who plays against one other, and draws for all the rest: fitted to what came of 4,000 such deals, in
# which the highest trumps told most, and kings that are not drawn out of anybody little.
_TRUMPS_OF_TWO = (1.4, 1.0, 0.62, 0.7, 0.56, 0.5)
_SMALL_TRUMP_OF_TWO, _KING_OF_TWO = 0.4, 0.25

# With more risk than this a nolo is lost.
HOPELESS_RISK = 14


class Estimate(NamedTuple):
    """What cards are worth: `keep` are those worth having, `points` about the tricks that they win."""

    keep: Cards
    points: float


@cache
def _trump_points(trump: str | None, ranking: Ranking) -> Mapping[str, float]:
    """What each trump is worth; without a suit, in grand."""
    trumps = trump_order(Kind.TRUMP if trump else Kind.GRAND, trump, ranking)
    return dict.fromkeys(trumps, _SMALL_TRUMP) | dict(zip(trumps, _TRUMPS, strict=False))


def game_estimate(hand: Iterable[str], trump: str | None, ranking: Ranking) -> Estimate:
    """The trumps, and of other suits the cards that win by their rank; no suit is trumps in grand."""
    trumps = _trump_points(trump, ranking)
    cards = tuple(hand)
    keep, points = [], 0.0
    for card in cards:
        if card in trumps:
            worth = trumps[card]
        elif card[1] == "K":
            worth = _KING
        elif card[1] == "Q" and card[0] + "K" in cards:
            worth = _QUEEN_WITH_KING
        elif card[1] == "J" and card[0] + "K" in cards and card[0] + "Q" in cards:
            worth = _JACK_WITH_BOTH
        else:
            continue
        keep.append(card)
        points += worth
    # Rounded, so that suits that are worth the same compare as equal, in whatever order the cards lie.
    return Estimate(tuple(sorted(keep)), round(points, 2))


def points_of_two(hand: Iterable[str], trump: str, ranking: Ranking) -> float:
    """About how many tricks a hand wins against one player, beside those that any cards in its place would."""
    order = trump_order(Kind.TRUMP, trump, ranking)
    worth = dict.fromkeys(order, _SMALL_TRUMP_OF_TWO) | dict(zip(order, _TRUMPS_OF_TWO, strict=False))
    return round(sum(worth.get(card, _KING_OF_TWO if card[1] == "K" else 0) for card in hand), 2)


def guarded_queens(hand: Iterable[str], trump: str | None, ranking: Ranking) -> float:
    """What queens of other suits are worth that have a smaller card beside them and no king."""
    trumps = _trump_points(trump, ranking)
    suits = [card[0] for card in hand if card not in trumps]
    held = frozenset(hand)
    return _GUARDED_QUEEN * sum(
        suit + "Q" in held and suit + "K" not in held and suits.count(suit) > 1
        for suit in SUITS
        if suit != trump
    )


@cache
def _voids_count(suits: frozenset[str], trump: str | None) -> int:
    return sum(suit not in suits for suit in SUITS if suit != trump)


def voids(hand: Iterable[str], trump: str | None, ranking: Ranking) -> int:
    """The suits beside trumps of which a hand has no card."""
    trumps = _trump_points(trump, ranking)
    return _voids_count(frozenset(card[0] for card in hand if card not in trumps), trump)


def best_suits(hand: Cards, ranking: Ranking) -> list[str]:
    """The suits, that which makes the best trumps first."""
    return sorted(SUITS, key=lambda suit: -game_estimate(hand, suit, ranking).points)


def nolo_order(ranking: Ranking) -> CardOrder:
    return card_order(Kind.NOLO, None, ranking)


def places(hand: Iterable[str], order: CardOrder) -> dict[str, list[tuple[int, str]]]:
    """The cards by suit, from the lowest, each with its place in the whole suit from 0 on."""
    by_suit: dict[str, list[tuple[int, str]]] = {}
    for card in hand:
        suit = order.suit[card]
        place = order.strength[card] - 1 - (CARDS if suit == TRUMPS else 0)
        by_suit.setdefault(suit, []).append((place, card))
    for cards in by_suit.values():
        cards.sort()
    return by_suit


def avoiding_risk(hand: Iterable[str], order: CardOrder) -> dict[str, float]:
    """How likely each card is to win a trick that its holder does not want, on a scale of its own.

    The first card of a suit is safe if it is the lowest, the second if one card at most is missing below it, and
    so on: while others must follow they play above it. A later one counts for less, as the suit may not be led so
    often.
    """
    return {
        card: max(0, place - 2 * index) / (1 + index)
        for cards in places(hand, order).values()
        for index, (place, card) in enumerate(cards)
    }


def without_risk(hand: Iterable[str], order: CardOrder, drawn_risk: float, most: int) -> tuple[Cards, float]:
    """The cards to throw out of a hand that avoids tricks, and the risk that is left with those drawn instead.

    A card that is drawn has `drawn_risk`; a card goes if it and those above it in its suit are worse than that.
    """
    risk = avoiding_risk(hand, order)
    worst = sorted((card for card in risk if risk[card] > drawn_risk), key=lambda card: (-risk[card], card))[
        :most
    ]
    left = sum(risk.values()) - sum(risk[card] for card in worst) + drawn_risk * len(worst)
    return tuple(worst), left
