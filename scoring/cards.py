"""The pack of cards and the rank of its cards: in nolos, in games with a trump suit, and in grand.

A card is its suit letter and its rank: `SA` is spadille, `CA` is basta. There are no eights, nines and tens.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SUITS = ("S", "H", "D", "C")
CARDS = 40
HAND = 9
ACTIVE_HANDS = 3
TALON = CARDS - ACTIVE_HANDS * HAND

SPADILLE, BASTA = "SA", "CA"
BLACK = ("S", "C")
# The suit that every trump follows, spadille and basta too.
TRUMPS = "trumps"
# Card codes, suit and rank: ("SA", "H7").
Cards = tuple[str, ...]

# From high to low, where the suit is not trumps; the black aces belong to it only in nolos.
_BLACK_RANKS = "KQJ765432A"

FULL_PACK = tuple(suit + rank for suit in SUITS for rank in _BLACK_RANKS)


class Kind(StrEnum):
    """The kind of a contract, which decides the rank of the cards."""

    TRUMP = "trump"
    NOLO = "nolo"
    GRAND = "grand"

    # A dictionary key for every card played; str.__hash__ is several times faster than Enum's.
    __hash__ = str.__hash__


class Ranking(StrEnum):
    """The rank of the cards by a rulebook.

    - spanish: spadille, manille and basta are matadors, low red cards rank backwards
    - red_as_black: low red cards rank as black ones do, and a red ace, then the lowest, is its suit's manille
    - ace_low: king to two and the ace lowest in every suit, trumps too; no matadors
    """

    SPANISH = "spanish"
    RED_AS_BLACK = "red_as_black"
    ACE_LOW = "ace_low"

    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranks:
    """A ranking: the ranks of red suits that are not trumps, from high to low, and whether there are matadors."""

    red: str
    matadors: bool


_RANKS = {
    Ranking.SPANISH: _Ranks(red="KQJA234567", matadors=True),
    Ranking.RED_AS_BLACK: _Ranks(red=_BLACK_RANKS, matadors=True),
    Ranking.ACE_LOW: _Ranks(red=_BLACK_RANKS, matadors=False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The cards of a rulebook and how they are dealt: `hand` to each player, in batches."""

    ranking: Ranking = Ranking.SPANISH
    cards: tuple[str, ...] = FULL_PACK
    hand: int = HAND
    batch: int = 3

    @property
    def suits(self) -> tuple[str, ...]:
        """The suits that the pack has cards of."""
        return tuple(suit for suit in SUITS if any(card[0] == suit for card in self.cards))

    def talon(self, players: int) -> int:
        """The number of cards in the talon after dealing a hand to this many players."""
        return len(self.cards) - players * self.hand

    def shuffled(self, seed: int) -> tuple[str, ...]:
        """The pack as shuffled by `random.Random(seed)`, which gives the same order on every machine."""
        cards = list(self.cards)
        Random(seed).shuffle(cards)
        return tuple(cards)

    def dealt(self, cards: tuple[str, ...], players: int) -> tuple[tuple[str, ...], ...]:
        """Deal these cards in batches: the hands in the order of dealing, then the talon."""
        hands: list[list[str]] = [[] for _player in range(players)]
        start = 0
        while start < players * self.hand:
            hand = hands[start // self.batch % players]
            hand += cards[start : start + self.batch]
            start += self.batch
        return (*map(tuple, hands), cards[start:])


USUAL_PACK = Pack()


def without_suit(suit: str) -> tuple[str, ...]:
    """The pack without one suit."""
    return tuple(card for card in FULL_PACK if card[0] != suit)


def _cards(suit: str, ranking: Ranking) -> tuple[str, ...]:
    """The cards of a suit that is not trumps, from high to low."""
    return tuple(suit + rank for rank in (_BLACK_RANKS if suit in BLACK else _RANKS[ranking].red))


def trump_order(kind: Kind, trump: str | None = None, ranking: Ranking = Ranking.SPANISH) -> tuple[str, ...]:
    """All trumps from high to low: spadille, manille, basta, a red ace (ponto), then the rest of the suit.

    A nolo has none, grand the two black aces only. By rankings without matadors trumps are the suit in its own order,
    and grand has none. Raises ValueError for a trump game without a suit.
    """
    if kind is Kind.TRUMP and trump not in SUITS:
        raise ValueError(f"{trump!r} is no suit")
    if not _RANKS[ranking].matadors:
        return _cards(str(trump), ranking) if kind is Kind.TRUMP else ()
    if kind is Kind.NOLO:
        return ()
    if kind is Kind.GRAND:
        return (SPADILLE, BASTA)
    suit = tuple(card for card in _cards(str(trump), ranking) if card not in (SPADILLE, BASTA))
    # Manille is the card that would be lowest in the suit if the suit were not trumps.
    manille, ponto = suit[-1], f"{trump}A"
    above = (SPADILLE, manille, BASTA, *(card for card in suit if card == ponto != manille))
    return above + tuple(card for card in suit if card not in above)


def suit_order(
    suit: str, kind: Kind, trump: str | None = None, ranking: Ranking = Ranking.SPANISH
) -> tuple[str, ...]:
    """The cards that follow this suit, from high to low; all trumps for the trump suit. Raises ValueError."""
    if suit not in SUITS:
        raise ValueError(f"{suit!r} is no suit")
    if kind is Kind.TRUMP and suit == trump:
        return trump_order(kind, trump, ranking)
    trumps = trump_order(kind, trump, ranking)
    return tuple(card for card in _cards(suit, ranking) if card not in trumps)


@dataclass(frozen=True, slots=True, eq=False)
class CardOrder:
    """The rank of all cards in one deal.

    - suit: card -> the suit that it follows, `trumps` for every trump
    - strength: card -> number; the higher wins among cards of the led suit and trumps, and every trump beats the rest
    - matadors: the trumps that need not always follow suit, from high to low
    """

    suit: Mapping[str, str]
    strength: Mapping[str, int]
    matadors: tuple[str, ...]


@cache
def card_order(kind: Kind, trump: str | None, ranking: Ranking) -> CardOrder:
    """The rank of the cards in contracts of this kind."""
    trumps = trump_order(kind, trump, ranking)
    suits = {suit: suit_order(suit, kind, trump, ranking) for suit in SUITS if suit != trump}
    ranked = [*suits.items(), (TRUMPS, trumps)]
    # Adding the size of the pack puts every trump above every other card.
    base = {suit: CARDS if suit == TRUMPS else 0 for suit, _cards_of_suit in ranked}
    return CardOrder(
        suit={card: suit for suit, cards in ranked for card in cards},
        strength={
            card: base[suit] + len(cards) - place
            for suit, cards in ranked
            for place, card in enumerate(cards)
        },
        matadors=_matadors(trumps) if _RANKS[ranking].matadors else (),
    )


def _matadors(trumps: tuple[str, ...]) -> tuple[str, ...]:
    """The matadors among the trumps: spadille, manille and basta; no manille in grand."""
    return trumps[: trumps.index(BASTA) + 1] if trumps else ()
