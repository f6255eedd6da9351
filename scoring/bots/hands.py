"""Estimates of a hand: the tricks that its cards win, and the chance of making a contract with it.

The numbers were fitted to the results of deals in which these bots played every hand that they were dealt.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache
from math import exp
from typing import TYPE_CHECKING, NamedTuple

from scoring.cards import (
    BASTA,
    CARDS,
    SPADILLE,
    SUITS,
    TRUMPS,
    CardOrder,
    Cards,
    Kind,
    Ranking,
    card_order,
    trump_order,
)
from scoring.family_rules import CrocodileRules, FiveRules, HouseRules, Shown, TwoRules, When
from scoring.game.steps import known
from scoring.rulebook import FIRST_FIVE, Trumps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scoring.rulebook import Contract, Rulebook


# The estimated tricks of a declarer's card: trumps from the highest, then cards of other suits.
_TRUMPS = (1.0, 0.95, 0.85, 0.65, 0.6, 0.55)
_SMALL_TRUMP = 0.45
_KING, _QUEEN_WITH_KING, _JACK_WITH_BOTH, _GUARDED_QUEEN = 0.6, 0.45, 0.35, 0.2

# The same with two players, fitted to 4,000 such deals: the highest trumps decide more there, and kings less.
_TRUMPS_OF_TWO = (1.4, 1.0, 0.62, 0.7, 0.56, 0.5)
_SMALL_TRUMP_OF_TWO, _KING_OF_TWO = 0.4, 0.25

# The risk above which a nolo counts as lost.
HOPELESS_RISK = 14


class Estimate(NamedTuple):
    """The estimate of a hand: the cards to keep, and the tricks that they probably win."""

    keep: Cards
    points: float


@cache
def _trump_points(trump: str | None, ranking: Ranking) -> Mapping[str, float]:
    """The estimated tricks of each trump; without a suit, in grand."""
    trumps = trump_order(Kind.TRUMP if trump else Kind.GRAND, trump, ranking)
    return dict.fromkeys(trumps, _SMALL_TRUMP) | dict(zip(trumps, _TRUMPS, strict=False))


def game_estimate(hand: Iterable[str], trump: str | None, ranking: Ranking) -> Estimate:
    """Estimate a hand in a game: its trumps, and the high cards of other suits. `trump` is None for grand."""
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
    # Rounded, because float sums differ with the order of the cards, and equal suits must compare equal.
    return Estimate(tuple(sorted(keep)), round(points, 2))


def points_of_two(hand: Iterable[str], trump: str, ranking: Ranking) -> float:
    """The estimated tricks of a hand with two players, above those of average cards."""
    order = trump_order(Kind.TRUMP, trump, ranking)
    worth = dict.fromkeys(order, _SMALL_TRUMP_OF_TWO) | dict(zip(order, _TRUMPS_OF_TWO, strict=False))
    return round(sum(worth.get(card, _KING_OF_TWO if card[1] == "K" else 0) for card in hand), 2)


def guarded_queens(hand: Iterable[str], trump: str | None, ranking: Ranking) -> float:
    """The estimated tricks of side-suit queens with a smaller card and without the king."""
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
    """The number of side suits of which a hand has no card."""
    trumps = _trump_points(trump, ranking)
    return _voids_count(frozenset(card[0] for card in hand if card not in trumps), trump)


def best_suits(hand: Cards, ranking: Ranking) -> list[str]:
    """The suits by their estimate as trumps, best first."""
    return sorted(SUITS, key=lambda suit: -game_estimate(hand, suit, ranking).points)


def nolo_order(ranking: Ranking) -> CardOrder:
    """The rank of the cards in a nolo."""
    return card_order(Kind.NOLO, None, ranking)


def places(hand: Iterable[str], order: CardOrder) -> dict[str, list[tuple[int, str]]]:
    """Suit -> (place, card) of a hand from the lowest; the place is the index in the whole suit, from 0."""
    by_suit: dict[str, list[tuple[int, str]]] = {}
    for card in hand:
        suit = order.suit[card]
        place = order.strength[card] - 1 - (CARDS if suit == TRUMPS else 0)
        by_suit.setdefault(suit, []).append((place, card))
    for cards in by_suit.values():
        cards.sort()
    return by_suit


def avoiding_risk(hand: Iterable[str], order: CardOrder) -> dict[str, float]:
    """The risk of each card to win an unwanted trick, on an arbitrary scale from 0.

    The lowest card of a suit is safe if no card of the suit is below it, the next if at most two are, and so on,
    because the others must play theirs. Later cards count less, because a suit is rarely led so often.
    """
    return {
        card: max(0, place - 2 * index) / (1 + index)
        for cards in places(hand, order).values()
        for index, (place, card) in enumerate(cards)
    }


def without_risk(hand: Iterable[str], order: CardOrder, drawn_risk: float, most: int) -> tuple[Cards, float]:
    """The cards to discard from a hand that avoids tricks, and its risk after drawing others.

    At most `most` cards with more than `drawn_risk`, the average risk of a drawn card, are discarded.
    """
    risk = avoiding_risk(hand, order)
    worst = sorted((card for card in risk if risk[card] > drawn_risk), key=lambda card: (-risk[card], card))[
        :most
    ]
    left = sum(risk.values()) - sum(risk[card] for card in worst) + drawn_risk * len(worst)
    return tuple(worst), left


# The average of a card to be drawn: in tricks, and in risk where tricks are avoided.
DRAWN_POINTS, DRAWN_RISK = 0.13, 1.3
_VOID_POINTS = 0.25
# Fitted to 1,140 deals of kaske: the declarer won 68 % with spadille, 62 % with basta, else 58 %; without a king 66 %.
_SPADILLE_KEPT, _BASTA_KEPT, _KING_GONE = 1.0, 0.5, 0.35
_BEYOND_FIVE = 0.8
_TWO_PLAYERS = 2


class Way(StrEnum):
    """The way in which a contract is played, which decides its curve of chances."""

    BOUGHT = "bought"  # a game with an exchange
    ONE_CARD = "one_card"  # a game in which one card is exchanged
    AS_DEALT = "as_dealt"
    WITH_PARTNER = "with_partner"
    UNKNOWN_CARDS = "unknown_cards"  # nearly the whole hand comes from the talon
    LATE = "late"  # bid after all have passed
    GRAND = "grand"
    GRANDISSIMO = "grandissimo"
    NOLO_BOUGHT = "nolo_bought"
    NOLO_AS_DEALT = "nolo_as_dealt"
    NOLO_OPEN = "nolo_open"
    CONTRABOLA = "contrabola"

    __hash__ = str.__hash__


class Curve(NamedTuple):
    """A logistic curve: the chance to win by a measure of the hand, 50 % at `even`, with the slope `steep`."""

    even: float
    steep: float

    def __call__(self, measure: float) -> float:
        return 1 / (1 + exp(self.steep * (self.even - measure)))


_CURVES = {
    Way.BOUGHT: Curve(3.4, 1.45),
    Way.ONE_CARD: Curve(2.95, 2.75),
    Way.AS_DEALT: Curve(3.85, 2.9),
    Way.WITH_PARTNER: Curve(2.7, 1.65),
    Way.UNKNOWN_CARDS: Curve(-0.81, 0.52),
    Way.LATE: Curve(2.35, 1.4),
    Way.GRAND: Curve(3.1, 1.3),
    Way.GRANDISSIMO: Curve(2.8, 3.5),
    Way.NOLO_BOUGHT: Curve(-3.6, 0.28),
    Way.NOLO_AS_DEALT: Curve(-4.4, 0.31),
    Way.NOLO_OPEN: Curve(-3.7, 0.34),
    Way.CONTRABOLA: Curve(-2.8, 0.73),
}
# Families with another rank of cards or number of players.
_CURVES_OF_FAMILIES: dict[type[HouseRules], dict[Way, Curve]] = {
    CrocodileRules: {
        Way.BOUGHT: Curve(3.05, 1.55),
        Way.AS_DEALT: Curve(3.65, 3.6),
        Way.GRAND: Curve(2.25, 2.2),
        Way.GRANDISSIMO: Curve(1.75, 2.8),
        Way.NOLO_BOUGHT: Curve(-3.5, 0.4),
        Way.NOLO_AS_DEALT: Curve(-4.95, 0.52),
        Way.NOLO_OPEN: Curve(-4.05, 0.52),
    },
    TwoRules: {Way.BOUGHT: Curve(3.1, 1.34)},
    FiveRules: {Way.AS_DEALT: Curve(4.05, 4.6)},
}


class Plan(NamedTuple):
    """A contract that a player could play, its trumps, and the chance to win it."""

    contract: Contract
    trump: str | None
    chance: float


@cache
def way_of(contract: Contract) -> Way:
    """The way in which a contract is played."""
    if contract.kind is Kind.NOLO or contract.avoids_tricks:
        return _way_to_avoid(contract)
    buys = contract.exchange.most > 1
    if contract.kind is Kind.GRAND:
        return Way.GRAND if buys else Way.GRANDISSIMO
    if contract.exchange.looks:
        return Way.UNKNOWN_CARDS
    if contract.with_partner:
        return Way.WITH_PARTNER
    if contract.when is When.ALL_PASSED:
        return Way.LATE
    return Way.BOUGHT if buys else Way.ONE_CARD if contract.exchange.most else Way.AS_DEALT


def _way_to_avoid(contract: Contract) -> Way:
    if contract.avoids_tricks:
        return Way.CONTRABOLA
    if contract.shown is not Shown.NEVER:
        return Way.NOLO_OPEN
    return Way.NOLO_BOUGHT if contract.exchange.most > 1 else Way.NOLO_AS_DEALT


def family_of(rulebook: Rulebook) -> type[HouseRules]:
    """The family whose curves apply: that of two players for any rulebook for two, because its play is alike."""
    return TwoRules if max(rulebook.players) == _TWO_PLAYERS else type(rulebook.house)


# Cached, because the same hand is evaluated at each turn to call.
@lru_cache(maxsize=512)
def plan_for(contract: Contract, hand: Cards, rulebook: Rulebook) -> Plan:
    """The best plan for a contract with a hand before the exchange."""
    ranking = rulebook.pack.ranking
    way, family = way_of(contract), family_of(rulebook)
    measure = _measure_of(way, family) if contract.is_game else measure_of_avoiding
    curve = _CURVES_OF_FAMILIES.get(family, _CURVES).get(way, _CURVES[way])
    if contract.trumps is Trumps.TURNED:
        chances = [curve(measure(contract, hand, suit, ranking)) for suit in SUITS]
        return Plan(contract, None, sum(chances) / len(chances))
    if contract.trumps is not Trumps.CHOSEN:
        trump = "S" if contract.trumps is Trumps.SPADES else None
        return Plan(contract, trump, curve(measure(contract, hand, trump, ranking)))
    if contract.is_game:
        suits = best_trumps(hand, rulebook)[:1]
    else:
        suits = [
            suit for suit in SUITS if any(card in hand for card in trump_order(Kind.TRUMP, suit, ranking))
        ]
    plans = [Plan(contract, suit, curve(measure(contract, hand, suit, ranking))) for suit in suits]
    return max(plans, key=lambda plan: plan.chance)


def best_trumps(hand: Cards, rulebook: Rulebook) -> list[str]:
    """The suits of the pack by their estimate as trumps in this rulebook, best first."""
    ranking = rulebook.pack.ranking
    if family_of(rulebook) is not TwoRules:
        return best_suits(hand, ranking)
    return sorted(rulebook.pack.suits, key=lambda suit: -points_of_two(hand, suit, ranking))


def _measure_of(
    way: Way, family: type[HouseRules]
) -> Callable[[Contract, Cards, str | None, Ranking], float]:
    if way is Way.UNKNOWN_CARDS:
        return _measure_of_unknown
    return _measure_of_two if family is TwoRules and way is Way.BOUGHT else measure_of_game


def _measure_of_two(_contract: Contract, hand: Cards, trump: str | None, ranking: Ranking) -> float:
    """The measure with two players; drawn cards are left out, because they are the same for all hands."""
    return points_of_two(hand, known(trump), ranking)


def _measure_of_unknown(_contract: Contract, hand: Cards, _trump: str | None, _ranking: Ranking) -> float:
    """The measure of kaske, in which nearly all cards come from the talon.

    One card may be kept, best a black ace; a king that is discarded can no longer be drawn.
    """
    kept = _SPADILLE_KEPT if SPADILLE in hand else _BASTA_KEPT if BASTA in hand else 0.0
    return kept - _KING_GONE * sum(card[1] == "K" for card in hand)


def measure_of_game(contract: Contract, hand: Cards, trump: str | None, ranking: Ranking) -> float:
    """The measure of a game: the estimated tricks, with those of cards to be drawn."""
    estimate = game_estimate(hand, trump, ranking)
    # A contract of more than five tricks needs accordingly more.
    need = _BEYOND_FIVE * max(contract.wins_from - FIRST_FIVE, 0)
    if contract.exchange.most:
        drawn = min(len(hand) - len(estimate.keep), contract.exchange.most)
        return estimate.points + DRAWN_POINTS * drawn - need
    extra = guarded_queens(hand, trump, ranking)
    return estimate.points + extra + (_VOID_POINTS * voids(hand, trump, ranking) if trump else 0)


def measure_of_avoiding(contract: Contract, hand: Cards, trump: str | None, ranking: Ranking) -> float:
    """The measure of a contract that avoids tricks: the negative risk, so that more is better."""
    order = card_order(Kind.TRUMP, trump, ranking) if trump else nolo_order(ranking)
    if contract.exchange.most:
        return -without_risk(hand, order, DRAWN_RISK, contract.exchange.most)[1]
    return -float(sum(avoiding_risk(hand, order).values()))
