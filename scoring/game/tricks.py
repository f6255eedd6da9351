"""A trick: which cards may be played to it, and who wins it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import TRUMPS
from scoring.seats import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards import CardOrder

Cards = tuple[str, ...]
# Who played which card, the lead first.
Trick = tuple[tuple[Role, str], ...]


def legal_cards(order: CardOrder, led: str | None, hand: Cards, *, literal: bool = False) -> Cards:
    """The cards of a hand that may be played; `led` is the first card of the trick, None to lead.

    `literal` reads the matadors' privilege word by word: see `must_play_trump`.
    """
    if led is None:
        return hand
    suit_of = order.suit
    suit = suit_of[led]
    following = tuple(card for card in hand if suit_of[card] == suit)
    if not following or (suit == TRUMPS and not must_play_trump(order, led, following, literal=literal)):
        return hand
    return following


def must_play_trump(order: CardOrder, led: str, trumps: Cards, *, literal: bool) -> bool:
    """Whether a hand with these trumps must play one of them to a trump that was led.

    A matador need not be played unless a higher matador was led. Read literally, it need not be played either
    while another trump is in hand, were that a matador too.
    """
    matadors = order.matadors
    if any(card not in matadors for card in trumps):
        return True
    if literal and len(trumps) > 1:
        return False
    # A matador below the card that was led: that one is a higher matador.
    strength = order.strength
    return any(strength[card] < strength[led] for card in trumps)


def trick_winner(order: CardOrder, cards: Sequence[str]) -> int:
    """Which of the cards, in the order in which they were played, wins the trick."""
    suit_of, strength = order.suit, order.strength
    best = 0
    for index in range(1, len(cards)):
        card = cards[index]
        if suit_of[card] in (TRUMPS, suit_of[cards[best]]) and strength[card] > strength[cards[best]]:
            best = index
    return best
