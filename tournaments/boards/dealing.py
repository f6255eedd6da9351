"""Dealing the folders of a set, which folder each table plays when, and the comparison of results; pure.

fingerprint(seed)             what is published before the round, so that the seed cannot be changed afterwards
deal_folder(seed, 17)         the three hands and the talon of folder 17
sequences(deals, sets, size)  which folder each table plays in each of its deals
compare(parts)                every result against the same cards in the same seat elsewhere
scores(compared)              each player's score from it
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from scoring.cards import ACTIVE_HANDS, FULL_PACK, HAND
from scoring.seats import ACTIVE, Role

# The cards of a folder, from a seed, by a shuffle that anyone can repeat in any language.
#
# **Fisher-Yates over a SHA-256 counter stream.** A seed is a text; `/` and numbers are written in ASCII, without
# leading zeros.
#
# 1. The pack is spades, hearts, diamonds, clubs, each K Q J 7 6 5 4 3 2 A: place 0 is the king of spades (`SK`),
# place 39 the ace of clubs (`CA`). 2. The stream of folder f is SHA-256 of `seed/f/0`, then of `seed/f/1`, `seed/f/2`
# and so on, one after the other; it is read as numbers of four bytes, the first byte the highest. 3. For i from 39
# down to 1: take the next number n of the stream that is less than 2^32 - (2^32 mod (i + 1)), passing over those that
# are not, so that every place is equally likely. Exchange the cards at places i and n mod (i + 1). 4. Places 0 to 8
# are forehand's, 9 to 17 middlehand's, 18 to 26 the dealer's (backhand's); places 27 to 39 are the talon, numbered 1
# to 13 in the order in which it is drawn.
#
# The fingerprint of a seed, SHA-256 of it in hexadecimal, is published before the round, the seed after it. Every
# folder hangs on the seed and its own number alone: a longer set begins with the shorter one.

Cards = tuple[str, ...]
_BYTES = 4
_NUMBERS = 2 ** (8 * _BYTES)


@dataclass(frozen=True, slots=True)
class Folder:
    """Cards of a folder: hands of forehand, middlehand and dealer, and the talon in drawing order."""

    number: int
    hands: tuple[Cards, Cards, Cards]
    talon: Cards

    def hand(self, role: Role) -> Cards:
        """The cards of a role. Raises ValueError for the fourth player, who has none."""
        return self.hands[ACTIVE.index(role)]


def fingerprint(seed: str) -> str:
    """Public fingerprint of a secret seed."""
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


# Comparison of results with the same cards at other tables, which shows skill apart from luck.
#
# A *part* is one player's tokens in one deal. Its **datum** is the mean of the players in the same seat of the same
# folder at the other tables, where the seat is forehand, middlehand, the dealer or the fourth player. Its
# **difference** is the player's tokens minus the datum. Without other results it has neither.
#
# A player's **duplicate score** is the sum of their differences. That of a pair or team is the sum of its players'.
# All values are exact; in one seat of one folder the differences add up to 0.


@dataclass(frozen=True, slots=True)
class Part:
    """A player's tokens in a deal. `cards` and `seat` are the key of comparison: only equal ones are compared."""

    cards: Hashable
    seat: Hashable
    player: int
    table: Hashable
    tokens: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A part with the mean of the others, who are `others` players."""

    part: Part
    others: int
    datum: Fraction

    @property
    def difference(self) -> Fraction:
        return self.part.tokens - self.datum


@dataclass(frozen=True, slots=True)
class Score:
    """The sum of the differences of `deals` deals."""

    deals: int
    difference: Fraction

    def __add__(self, other: Score) -> Score:
        return Score(self.deals + other.deals, self.difference + other.difference)


def compare(parts: Iterable[Part]) -> list[Compared]:
    """Each part with its datum, in the order given; those that stand alone are left out."""
    parts = list(parts)
    tokens: dict[tuple[Hashable, Hashable], list[int]] = defaultdict(list)
    for part in parts:
        tokens[part.cards, part.seat].append(part.tokens)
    compared = []
    for part in parts:
        same = tokens[part.cards, part.seat]
        others = len(same) - 1
        if others:
            compared.append(Compared(part, others, Fraction(sum(same) - part.tokens, others)))
    return compared


# Movement of folders: which folder a table plays in which deal.
#
# A folder belongs to a dealer's seat: at tables of four folder 1 is dealt by A, folder 2 by B, folder 5 by A again.
# As the deal rotates, deal 1 at every table is A's, so a deal can only be played with a folder of its own seat.
#
# With a set of folders per table all play 1, 2, 3 … in order. Tables that share a set pass on *groups* of as many
# folders as there are seats (1-4, 5-8 …), so that the dealer is right wherever a group goes. The tables of a set
# begin with groups as far apart as possible, and continue with the next, from the last group to the first: a table
# plays what the table after it played some time before. A pile between two tables compensates for different speeds;
# no folder is needed at two tables at once, and every table plays every folder once.
#
# A table of three plays fewer deals, and omits the last folders of its order. The hands are those of dealer, forehand
# and middlehand of the deal there, in any seats: groups are made for tables of four.


class Shortage(ValueError):
    """Too few board sets: `deals` is not a multiple of `size`, or there are fewer than `needed` sets."""

    def __init__(self, *, deals: int, size: int, needed: int) -> None:
        super().__init__(f"{deals} deals in groups of {size} need {needed} sets")
        self.deals = deals
        self.size = size
        self.needed = needed


def dealer_seat(folder: int, size: int) -> int:
    """The position that deals a folder, at tables of the size that folders are made for."""
    return (folder - 1) % size


def set_of(table: int, tables: int, sets: int) -> int:
    """The set, from 0, that the table at this place (from 0) plays; neighbours share one. `sets` 0: each its own."""
    return table if not 0 < sets < tables else table * sets // tables


def sequences(deals: Sequence[int], sets: int, size: int) -> list[tuple[int, ...]]:
    """The folders of each table, by deal; `deals` has the number of deals of each table, in order.

    `sets` is the number of sets of folders in the hall (0: one per table), `size` the players per table of a set.
    Raises Shortage if the sets are too few.
    """
    folders = max(deals, default=0)
    if not 0 < sets < len(deals):
        return [tuple(range(1, count + 1)) for count in deals]
    groups, over = divmod(folders, size)
    needed = -(-len(deals) // groups) if groups else len(deals)
    if over or sets < needed:
        raise Shortage(deals=folders, size=size, needed=len(deals) if over else needed)
    sharing: dict[int, list[int]] = {}
    for table in range(len(deals)):
        sharing.setdefault(set_of(table, len(deals), sets), []).append(table)
    found: dict[int, tuple[int, ...]] = {}
    for tables in sharing.values():
        for place, table in enumerate(tables):
            first = place * (groups // len(tables)) * size
            found[table] = tuple((first + deal) % folders + 1 for deal in range(deals[table]))
    return [found[table] for table in range(len(deals))]
