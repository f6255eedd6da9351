"""The cards of a folder, from a seed, by a shuffle that anyone can repeat in any language.

**Fisher-Yates over a SHA-256 counter stream.** A seed is a text; `/` and numbers are written in ASCII, without
leading zeros.

1. The pack is spades, hearts, diamonds, clubs, each K Q J 7 6 5 4 3 2 A: place 0 is the king of spades (`SK`), place
   39 the ace of clubs (`CA`).
2. The stream of folder f is SHA-256 of `seed/f/0`, then of `seed/f/1`, `seed/f/2` and so on, one after the other; it
   is read as numbers of four bytes, the first byte the highest.
3. For i from 39 down to 1: take the next number n of the stream that is less than 2^32 - (2^32 mod (i + 1)), passing
   over those that are not, so that every place is equally likely. Exchange the cards at places i and n mod (i + 1).
4. Places 0 to 8 are forehand's, 9 to 17 middlehand's, 18 to 26 the dealer's (backhand's); places 27 to 39 are the
   talon, numbered 1 to 13 in the order in which it is drawn.

The fingerprint of a seed, SHA-256 of it in hexadecimal, is published before the round, the seed after it. Every folder
hangs on the seed and its own number alone: a longer set begins with the shorter one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from scoring.cards import ACTIVE_HANDS, FULL_PACK, HAND
from scoring.seats import ACTIVE, Role

Cards = tuple[str, ...]
_BYTES = 4
_NUMBERS = 2 ** (8 * _BYTES)


@dataclass(frozen=True, slots=True)
class Folder:
    """What lies in a folder: a hand for forehand, middlehand and the dealer, and the talon in the order it is drawn."""

    number: int
    hands: tuple[Cards, Cards, Cards]
    talon: Cards

    def hand(self, role: Role) -> Cards:
        """The cards of a role. Raises ValueError for the fourth player, who has none."""
        return self.hands[ACTIVE.index(role)]


def fingerprint(seed: str) -> str:
    """What a seed is known by before it is told."""
    return sha256(seed.encode()).hexdigest()


def deal_folder(seed: str, number: int) -> Folder:
    """The cards of folder `number`, counted from 1."""
    cards = _shuffled(seed, number)
    hands = tuple(tuple(cards[hand * HAND : (hand + 1) * HAND]) for hand in range(ACTIVE_HANDS))
    return Folder(number, (hands[0], hands[1], hands[2]), tuple(cards[ACTIVE_HANDS * HAND :]))


def _shuffled(seed: str, number: int) -> list[str]:
    cards = list(FULL_PACK)
    stream = _stream(f"{seed}/{number}")
    for place in range(len(cards) - 1, 0, -1):
        other = _below(place + 1, stream)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def _stream(text: str) -> Iterator[int]:
    block = 0
    while True:
        data = sha256(f"{text}/{block}".encode()).digest()
        for start in range(0, len(data), _BYTES):
            yield int.from_bytes(data[start : start + _BYTES], "big")
        block += 1


def _below(most: int, stream: Iterator[int]) -> int:
    """A number from 0 on that is less than `most`, each as likely as the others."""
    limit = _NUMBERS - _NUMBERS % most
    return next(number for number in stream if number < limit) % most
