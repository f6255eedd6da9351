"""The forty cards and how they rank: in nolos, in games with a trump suit, and in grand.

A card is its suit letter and its rank: `SA` is spadille, `CA` is basta. There are no eights, nines and tens.
"""

from __future__ import annotations

from enum import StrEnum

SUITS = ("S", "H", "D", "C")
CARDS = 40
HAND = 9
ACTIVE_HANDS = 3
TALON = CARDS - ACTIVE_HANDS * HAND

SPADILLE, BASTA = "SA", "CA"
BLACK = ("S", "C")

# High to low, where the suit is not trumps; the black aces count here only in nolos.
_BLACK_RANKS = "KQJ765432A"
_RED_RANKS = "KQJA234567"


class Kind(StrEnum):
    """What a contract is played for, which decides how cards rank."""

    TRUMP = "trump"
    NOLO = "nolo"
    GRAND = "grand"


def _cards(suit: str) -> tuple[str, ...]:
    return tuple(suit + rank for rank in (_BLACK_RANKS if suit in BLACK else _RED_RANKS))


def trump_order(kind: Kind, trump: str | None = None) -> tuple[str, ...]:
    """Every trump from high to low: spadille, manille, basta, a red ace (ponto), then the rest of the suit.

    Nolos have none, grand has the two black aces alone.
    """
    if kind is Kind.NOLO:
        return ()
    if kind is Kind.GRAND:
        return (SPADILLE, BASTA)
    if trump not in SUITS:
        raise ValueError(f"{trump!r} is no suit")
    # Manille is the card that would be lowest in the suit if the suit were not trumps.
    manille = trump + ("2" if trump in BLACK else "7")
    ponto = () if trump in BLACK else (trump + "A",)
    above = (SPADILLE, manille, BASTA, *ponto)
    return above + tuple(card for card in _cards(trump) if card not in above)


def suit_order(suit: str, kind: Kind, trump: str | None = None) -> tuple[str, ...]:
    """The cards that follow this suit, from high to low; of the trump suit itself, all trumps."""
    if suit not in SUITS:
        raise ValueError(f"{suit!r} is no suit")
    if kind is Kind.TRUMP and suit == trump:
        return trump_order(kind, trump)
    trumps = trump_order(kind, trump)
    return tuple(card for card in _cards(suit) if card not in trumps)
