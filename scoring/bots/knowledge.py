"""What one player knows of a deal: cards still out, suits that others lack, and which cards win the trick."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoring.cards import TRUMPS, Cards
from scoring.game.play import in_play, order_of_cards
from scoring.game.steps import known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.cards import CardOrder
    from scoring.game import State
    from scoring.game.steps import Trick
    from scoring.rulebook import Contract, Rulebook
    from scoring.seats import Role


class Seen(NamedTuple):
    """A deal in the eyes of one player. Nothing in here depends on cards that the player has not seen.

    - hand, discarded: the own cards, and those that were thrown away of them
    - open_hand: the declarer's cards where they lie open
    - tricks, trick, winners: cards played, the trick on the table, who won the tricks
    - bid: the last bid in the auction; others_passed: everybody else has passed
    - order: how the cards rank, once there is a contract; playing: who plays cards, in turn
    - exchanged: how many cards each player has thrown away; talon: how many cards are left in it
    """

    rulebook: Rulebook
    players: int
    role: Role
    hand: Cards
    discarded: Cards
    open_hand: Cards
    tricks: tuple[Trick, ...]
    trick: Trick
    winners: tuple[Role, ...]
    bid: Contract | None
    others_passed: bool
    contract: Contract | None
    declarer: Role | None
    joined: tuple[Role, ...]
    partner_king: str | None
    trump: str | None
    order: CardOrder | None
    playing: tuple[Role, ...]
    exchanged: Mapping[Role, int]
    talon: int

    @property
    def declares(self) -> bool:
        """Whether this player is the declarer, or one of them."""
        return self.role is self.declarer or self.role in self.joined


def seen_by(state: State, role: Role) -> Seen:
    """What this player knows now."""
    view = state.view(role)
    auction, contract = state.auction, state.contract
    return Seen(
        rulebook=state.rulebook,
        players=state.table.seating.players,
        role=role,
        hand=view.hand,
        discarded=view.discarded,
        open_hand=view.open_hand,
        tricks=state.tricks,
        trick=state.trick,
        winners=state.winners,
        bid=auction.bid,
        others_passed=auction.bid is None and auction.standing == (role,),
        contract=contract,
        declarer=state.declarer,
        joined=state.joined,
        partner_king=state.king,
        trump=state.trump,
        order=order_of_cards(state) if contract else None,
        playing=in_play(state) if contract else (),
        exchanged=view.exchanged,
        talon=view.talon,
    )


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
