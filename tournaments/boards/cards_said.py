"""Cards on pages and paper: a hand by suits, from high to low as L'Hombre players sort it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.cards import SUITS, Kind, Ranking, suit_order, trump_order
from scoring.seats import ACTIVE, Role
from tournaments.boards import Folder, dealer_seat
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import SUIT_SIGNS, card_words, rank_words, seat_name, suit_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class SuitHeld:
    """The cards of one suit in a hand; `ranks` are as printed on them, "" where there are none."""

    suit: str
    sign: str
    name: str
    ranks: str


def by_suits(hand: Iterable[str], ranking: Ranking = Ranking.SPANISH) -> list[SuitHeld]:
    """All four suits of a hand; black aces, which are trumps in most games, come first in theirs."""
    held = set(hand)
    return [
        SuitHeld(
            suit,
            SUIT_SIGNS[suit],
            suit_name(suit),
            " ".join(rank_words(card[1]) for card in _from_high(suit, ranking) if card in held),
        )
        for suit in SUITS
    ]


def _from_high(suit: str, ranking: Ranking) -> list[str]:
    always_trumps = trump_order(Kind.GRAND, None, ranking)
    return [
        *(card for card in always_trumps if card[0] == suit),
        *suit_order(suit, Kind.GRAND, None, ranking),
    ]


@dataclass(frozen=True, slots=True)
class HandTold:
    """A hand of a folder: whose it is, that seat's letter at the tables that folders are made for, the cards."""

    title: str
    letter: str
    suits: list[SuitHeld]


@dataclass(frozen=True, slots=True)
class FolderTold:
    """A folder's cards; `talon` has the place in the talon and the card, `idle` is the letter of who sits out."""

    number: int
    dealer: str
    idle: str
    hands: list[HandTold]
    talon: list[tuple[int, str]]


def folder_told(folder: Folder, rulebook: Rulebook) -> FolderTold:
    """A folder in the reader's language."""
    size = max(rulebook.players)
    seating = rulebook.seating(size, dealer_seat(folder.number, size))
    letters = {role: SEAT_LETTERS[position] for role, position in seating.positions.items()}
    return FolderTold(
        folder.number,
        SEAT_LETTERS[seating.dealer],
        letters.get(Role.IDLE, ""),
        [
            HandTold(
                seat_name(rulebook, role).capitalize(),
                letters[role],
                by_suits(folder.hand(role), rulebook.pack.ranking),
            )
            for role in ACTIVE
        ],
        [(place, card_words(card)) for place, card in enumerate(folder.talon, start=1)],
    )
