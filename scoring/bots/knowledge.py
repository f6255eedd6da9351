"""What a bot works out from the cards that it has seen: which are still out, who is void, what wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoring.cards import TRUMPS
from scoring.game.turns import known

if TYPE_CHECKING:
    from scoring.bots.seen import Seen
    from scoring.cards import CardOrder
    from scoring.seats import Role

Cards = tuple[str, ...]


class Table(NamedTuple):
    """A trick in the eyes of the player who is to play to it.

    - legal: the cards that may be played
    - out: by suit, how strong the cards are that others may still hold
    - best, by: the card that wins so far, and whose it is; None to lead
    - behind: who plays after this player
    """

    seen: Seen
    order: CardOrder
    legal: Cards
    out: dict[str, list[int]]
    best: str | None
    by: Role | None
    behind: tuple[Role, ...]

    @property
    def trumps_out(self) -> int:
        return len(self.out.get(TRUMPS, ()))

    def is_trump(self, card: str) -> bool:
        return self.order.suit[card] == TRUMPS

    def above(self, card: str) -> int:
        """How many cards of its suit that are still out are higher."""
        strength = self.order.strength[card]
        return sum(other > strength for other in self.out.get(self.order.suit[card], ()))

    def below(self, card: str) -> int:
        """How many cards of its suit that are still out are lower."""
        return len(self.out.get(self.order.suit[card], ())) - self.above(card)

    def wins(self, card: str) -> bool:
        """Whether a card would win over the best so far. Raises LookupError where the trick is to be led."""
        order, best = self.order, known(self.best)
        return order.strength[card] > order.strength[best] and order.suit[card] in (order.suit[best], TRUMPS)

    def lowest(self, cards: Cards) -> str:
        """The card to part with: of a side suit before a trump, and the lowest."""
        return min(cards, key=self.order.strength.__getitem__)

    def highest(self, cards: Cards) -> str:
        return max(cards, key=self.order.strength.__getitem__)

    def void_in(self, role: Role, suit: str) -> bool:
        """Whether a player did not follow this suit before; with trumps led it may have been a matador kept back."""
        suit_of = self.order.suit
        return any(
            suit_of[trick[0][1]] == suit and any(who is role and suit_of[card] != suit for who, card in trick)
            for trick in self.seen.tricks
        )


def table(seen: Seen, order: CardOrder, legal: Cards) -> Table:
    """The trick that this player is to play to."""
    known = {*seen.hand, *seen.discarded}
    for trick in seen.tricks:
        known.update([card for _role, card in trick])
    known.update([card for _role, card in seen.trick])
    out: dict[str, list[int]] = {}
    suit_of, strength = order.suit, order.strength
    for card in seen.rulebook.pack.cards:
        if card not in known:
            out.setdefault(suit_of[card], []).append(strength[card])
    best, by = None, None
    for role, card in seen.trick:
        if best is None or (strength[card] > strength[best] and suit_of[card] in (suit_of[best], TRUMPS)):
            best, by = card, role
    place = seen.playing.index(seen.role)
    turn = (*seen.playing[place + 1 :], *seen.playing[:place])
    behind = turn[: len(seen.playing) - 1 - len(seen.trick)]
    return Table(seen, order, legal, out, best, by, behind)
