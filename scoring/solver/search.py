"""Minimax search over the cards of one deal: the value that the declarer's side can force, all cards known.

A hand is a bit mask: a card is a bit, a suit is a run of bits from its lowest card up. A position between two tricks is
stored with the bounds that are proven for it; positions that differ only in the cards already played share an entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoring.cards import TRUMPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.cards import CardOrder

# Digits of a tally: the lowest counts the tricks played, each further one those that a player has won.
TALLY_BITS = 4
TALLY_MASK = (1 << TALLY_BITS) - 1
# The most cards of one suit: the twelve trumps of a red one.
_SUIT_BITS = 12
# The key in the middle of a trick, for which no best lead is stored.
_NO_KEY = -1
# The most positions to store, some 100 MB; few deals of three hands come near it.
MOST_POSITIONS = 400_000

Bounds = tuple[int, int]


def tricks_in(tally: int, player: int) -> int:
    """The tricks that a player has won."""
    return tally >> TALLY_BITS * (player + 1) & TALLY_MASK


class NodeLimitError(Exception):
    """The search reached its limit of cards to try."""


class Levels(NamedTuple):
    """The values of final tallies for the declarer's side, as integers from 0 (worst) up.

    - bounds: by tally, the least and the greatest value that can still come of it
    - marks: by tally, what is added to it where the order of the tricks matters; usually empty
    - classes, bases: by tally, a number and a value; tallies share the number if all further tricks lead to the same
      values, counted from the base
    """

    bounds: Mapping[int, Bounds]
    marks: Mapping[int, int]
    classes: Mapping[int, int]
    bases: Mapping[int, int]


class _Suit(NamedTuple):
    """A suit's run of bits: `left >> shift & full` is the set of its cards left, an index into the tables."""

    shift: int
    full: int
    pattern: list[int]
    sure_tricks: list[int]
    safe: list[bool]


class Search:
    """The positions that follow from one set of hands, listed in the order of play.

    - side: numbers in that order of the players on the declarer's side; avoids_tricks: they want no tricks
    - trick: (player, card) of the current trick
    - literal: the strict reading of the matadors' privilege, as in `legal_cards`
    """

    def __init__(
        self,
        order: CardOrder,
        hands: Sequence[Sequence[str]],
        side: frozenset[int],
        levels: Levels,
        *,
        trick: Sequence[tuple[int, str]] = (),
        avoids_tricks: bool,
        literal: bool,
    ) -> None:
        self.players = len(hands)
        self.ours = [player in side for player in range(self.players)]
        self.literal = literal
        self.bounds, self.marks, self.classes, self.bases = levels
        self.units = [1 + (1 << TALLY_BITS * (player + 1)) for player in range(self.players)]
        in_play = [card for hand in hands for card in hand] + [card for _player, card in trick]
        self.cards = sorted(in_play, key=lambda card: (order.suit[card], order.strength[card]))
        self.bit = {card: 1 << place for place, card in enumerate(self.cards)}
        self.owner = {self.bit[card]: player for player, hand in enumerate(hands) for card in hand}
        self.owner |= {self.bit[card]: player for player, card in trick}
        self.lower: dict[int, int] = {}
        self.upper: dict[int, int] = {}
        self.best_lead: dict[int, int] = {}
        self.cutoffs = dict.fromkeys(self.bit.values(), 0)
        self._compare_cards(order)
        self._tabulate_suits(alone=len(side) == 1, avoids_tricks=avoids_tricks)

    def start(self, hands: Sequence[Sequence[str]], limit: int) -> None:
        """Search from these hands, which are left of the first ones.

        `limit`: the number of cards tried before NodeLimitError is raised.
        """
        self.hands = [sum(self.bit[card] for card in hand) for hand in hands]
        self.nodes_left = limit

    def _compare_cards(self, order: CardOrder) -> None:
        """Set the masks of each card: its suit, the cards that beat it, and the cards of its class above it."""
        suits: dict[str, int] = {}
        for card in self.cards:
            suits[order.suit[card]] = suits.get(order.suit[card], 0) | self.bit[card]
        self.suit_of = {self.bit[card]: suits[order.suit[card]] for card in self.cards}
        self.trumps = suits.get(TRUMPS, 0)
        self.matadors = sum(self.bit[card] for card in order.matadors if card in self.bit)
        # A matador can be kept back where the trump next below it cannot: the two are not interchangeable.
        self.beating = {
            bit: suit & -(bit << 1) | (0 if bit & self.trumps else self.trumps)
            for bit, suit in self.suit_of.items()
        }
        self.class_above = {
            bit: (self.matadors if bit & self.matadors else suit & ~self.matadors) & -(bit << 1)
            for bit, suit in self.suit_of.items()
        }

    def _tabulate_suits(self, *, alone: bool, avoids_tricks: bool) -> None:
        declarer = self.ours.index(True)
        self.avoids_tricks = avoids_tricks
        self.solo = declarer if alone and avoids_tricks and not self.trumps else None
        self.suits = [self._tabulate(suit, declarer) for suit in dict.fromkeys(self.suit_of.values())]
        self.trump_suit = next((suit for suit in self.suits if suit.full << suit.shift == self.trumps), None)

    def _tabulate(self, suit: int, declarer: int) -> _Suit:
        """The tables of a suit, for each set of its cards that can be left.

        Sets in which the same players hold cards in the same order have the same pattern.
        """
        shift = (suit & -suit).bit_length() - 1
        width = suit.bit_length() - shift
        table = _Suit(shift, (1 << width) - 1, [0], [0], [True])
        numbers: dict[tuple[int, int, bool], int] = {}
        # By pattern: who has each card, from the lowest up, and what follows from it.
        holders: list[tuple[int, ...]] = [()]
        sure_tricks, safe = [0], [True]
        for left in range(1, 1 << width):
            lowest = left & -left
            owner = self.owner[lowest << shift]
            # The set without its lowest card comes earlier.
            above = table.pattern[left ^ lowest]
            key = above, owner, bool(lowest << shift & self.matadors)
            number = numbers.setdefault(key, len(holders))
            if number == len(holders):
                held = (owner, *holders[above])
                holders.append(held)
                sure_tricks.append(self._sure_tricks(held) if suit == self.trumps else 0)
                safe.append(self.solo is None or _is_safe(held, declarer))
            table.pattern.append(number)
            table.sure_tricks.append(sure_tricks[number])
            table.safe.append(safe[number])
        return table

    def _sure_tricks(self, held: tuple[int, ...]) -> int:
        """A tally of the tricks that trumps win in any case; `held`: who has each trump, from the lowest up.

        A trump loses only to a higher one in the same trick, and a higher one beats one trump of each player at most.
        """
        tally = 0
        for player in range(self.players):
            higher = losers = 0
            for owner in reversed(held):
                if owner != player:
                    higher += 1
                elif losers < higher:
                    losers += 1
            tally += (held.count(player) - losers) * self.units[player]
        return tally

    def legal(self, hand: int, led: int) -> int:
        """The legal cards of a hand, as in `legal_cards`; `led` is the card led, 0 to lead."""
        if not led:
            return hand
        following = hand & self.suit_of[led]
        if not following:
            return hand
        if following & self.trumps and not following & ~self.matadors:
            several = following & (following - 1)
            # A matador below the card that was led must follow it.
            if (self.literal and several) or not following & (led - 1):
                return hand
        return following

    def reaches(self, level: int, leader: int, tally: int) -> bool:
        """Whether the declarer's side can force a value of `level` or more when this player leads.

        Raises NodeLimitError.
        """
        decided = self._decided(level, tally)
        if decided is not None:
            return decided
        left = 0
        for hand in self.hands:
            left |= hand
        certain = self._certain(left, leader, tally)
        if certain:
            decided = self._decided(level, tally + certain)
            if decided is not None:
                return decided
        key = self.classes[tally] * self.players + leader
        for suit in self.suits:
            key = key << _SUIT_BITS | suit.pattern[left >> suit.shift & suit.full]
        base = self.bases[tally]
        if self.lower.get(key, 0) >= level - base:
            return True
        if self.upper.get(key, level - base) < level - base:
            return False
        reached = self._play(leader, 0, left, 0, 0, leader, tally, level, key)
        if len(self.lower) + len(self.upper) >= MOST_POSITIONS:
            self.lower.clear()
            self.upper.clear()
        if reached:
            self.lower[key] = level - base
        else:
            self.upper[key] = level - base - 1
        return reached

    def _decided(self, level: int, tally: int) -> bool | None:
        """Whether the level is reached by the tricks won so far; None if they do not decide it."""
        least, most = self.bounds[tally]
        if least >= level:
            return True
        return False if most < level else None

    def _certain(self, left: int, leader: int, tally: int) -> int:
        """A tally of the tricks decided whatever is played: sure trumps, or all in a safe nolo."""
        # Where the order of tricks matters, how many are sure does not say which.
        if self.marks:
            return 0
        suit = self.trump_suit
        if suit is not None:
            return suit.sure_tricks[left >> suit.shift & suit.full]
        if self.solo is None or self.solo == leader or tricks_in(tally, self.solo) > 1:
            return 0
        for suit in self.suits:
            if not suit.safe[left >> suit.shift & suit.full]:
                return 0
        tricks_left = left.bit_count() // self.players
        # Which of the opponents wins them is open; what two tricks of the declarer come to can depend on it.
        return tricks_left * self.units[leader]

    def reaches_in_trick(self, level: int, player: int, trick: tuple[int, ...], tally: int) -> bool:
        """As `reaches`, in the middle of a trick: `trick` has the bits played so far, `player` plays the next one.

        Raises NodeLimitError.
        """
        left = 0
        for bit in (*self.hands, *trick):
            left |= bit
        best = winner = 0
        for place, bit in enumerate(trick):
            if not best or bit & self.beating[best]:
                best, winner = bit, (player - len(trick) + place) % self.players
        return self._play(player, len(trick), left, trick[0], best, winner, tally, level, _NO_KEY)

    def _play(  # noqa: PLR0913, PLR0917 - a position inside a trick, passed on at every card
        self,
        player: int,
        played: int,
        left: int,
        led: int,
        best: int,
        winner: int,
        tally: int,
        level: int,
        key: int,
    ) -> bool:
        """Try the cards of one player: `best` is the winning card so far, of `winner`."""
        hands, ours = self.hands, self.ours[player]
        hand = hands[player]
        last = played + 1 == self.players
        following = (player + 1) % self.players
        beating = self.beating[best] if led else 0
        for bit in self._candidates(player, hand, left, led, beating, winner, key):
            self.nodes_left -= 1
            if self.nodes_left < 0:
                hands[player] = hand
                raise NodeLimitError
            hands[player] = hand ^ bit
            takes = not led or bit & beating
            won_by = player if takes else winner
            if last:
                after = tally + self.units[won_by]
                reached = self.reaches(level, won_by, after + self.marks.get(after, 0))
            else:
                reached = self._play(
                    following, played + 1, left, led or bit, bit if takes else best, won_by, tally, level, key
                )
            if reached is ours:
                hands[player] = hand
                if not led:
                    self.best_lead[key] = bit
                self.cutoffs[bit] += 1
                return ours
        hands[player] = hand
        return not ours

    def _candidates(
        self, player: int, hand: int, left: int, led: int, beating: int, winner: int, key: int
    ) -> list[int]:
        """The cards worth trying, the most promising first; of cards equal in rank by now only the highest.

        `beating` has the cards that would take the trick.
        """
        moves = self.legal(hand, led)
        if not moves & (moves - 1):
            return [moves]
        class_above = self.class_above
        winning: list[int] = []
        losing: list[int] = []
        while moves:
            bit = moves & -moves
            moves ^= bit
            higher = class_above[bit] & left
            if not higher & -higher & hand:
                (winning if bit & beating else losing).append(bit)
        if not led:
            losing.sort(key=self.cutoffs.__getitem__, reverse=True)
            lead = self.best_lead.get(key)
            if lead in losing:
                losing.remove(lead)
                losing.insert(0, lead)
            return losing
        if self.avoids_tricks:
            return self._to_lose(player, winner, losing, winning)
        # A trick is won from the other side as cheaply as can be; else nothing is wasted.
        return losing + winning if self.ours[player] is self.ours[winner] else winning + losing

    def _to_lose(self, player: int, winner: int, losing: list[int], winning: list[int]) -> list[int]:
        """The order of trying cards in a nolo: high cards first for the declarer; the others keep low ones to lead."""
        if self.ours[player]:
            return losing[::-1] + winning[::-1]
        if self.ours[winner]:
            return losing[::-1] + winning
        return winning[::-1] + losing[::-1]


def _is_safe(held: tuple[int, ...], declarer: int) -> bool:
    """Whether a declarer who does not lead can never be forced to win a trick in this suit.

    `held`: who has each card, from the lowest up. It is enough that his lowest card is below the others' lowest, his
    second below their second, and so on: he then stays below whatever they lead.
    """
    mine = [place for place, owner in enumerate(held) if owner == declarer]
    others = [place for place, owner in enumerate(held) if owner != declarer]
    return all(own < other for own, other in zip(mine, others, strict=False))
