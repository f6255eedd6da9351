"""One player's knowledge of a deal: cards still out, suits that others lack, and which cards win the trick."""

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


class Knowledge(NamedTuple):
    """A deal as one player knows it; nothing in it depends on cards that the player has not seen.

    - hand, discarded: the player's own cards and discards
    - open_hand: the declarer's cards, if laid open
    - tricks, trick, winners: the finished tricks, the current one, and the winners
    - bid: the last bid in the auction; others_passed: all others have passed
    - order: the rank of the cards, once there is a contract; playing: the roles that play cards, in order
    - exchanged: number of cards that each player discarded; talon: number of cards left in it
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
        """Whether this player is the declarer, or joined the contract."""
        return self.role is self.declarer or self.role in self.joined


def knowledge_of(state: State, role: Role) -> Knowledge:
    """The knowledge of one player in this state."""
    view = state.view(role)
    auction, contract = state.auction, state.contract
    return Knowledge(
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
    """The current trick as the player whose turn it is knows it.

    - legal: the cards that may be played
    - out: suit -> strengths of the cards that others may hold
    - best, by: the winning card so far and its player; None to lead
    - behind: the players after this one
    """

    seen: Knowledge
    order: CardOrder
    legal: Cards
    out: dict[str, list[int]]
    best: str | None
    by: Role | None
    behind: tuple[Role, ...]

    @property
    def trumps_out(self) -> int:
        """The number of trumps that others may hold."""
        return len(self.out.get(TRUMPS, ()))

    def is_trump(self, card: str) -> bool:
        """Whether the card is a trump."""
        return self.order.suit[card] == TRUMPS

    def above(self, card: str) -> int:
        """The number of higher cards of its suit that others may hold."""
        strength = self.order.strength[card]
        return sum(other > strength for other in self.out.get(self.order.suit[card], ()))

    def below(self, card: str) -> int:
        """The number of lower cards of its suit that others may hold."""
        return len(self.out.get(self.order.suit[card], ())) - self.above(card)

    def wins(self, card: str) -> bool:
        """Whether a card beats the best so far. Raises LookupError before the lead."""
        order, best = self.order, known(self.best)
        return order.strength[card] > order.strength[best] and order.suit[card] in (order.suit[best], TRUMPS)

    def lowest(self, cards: Cards) -> str:
        """The weakest of these cards; trumps are stronger than all others."""
        return min(cards, key=self.order.strength.__getitem__)

    def highest(self, cards: Cards) -> str:
        """The strongest of these cards."""
        return max(cards, key=self.order.strength.__getitem__)

    def void_in(self, role: Role, suit: str) -> bool:
        """Whether a player has failed to follow this suit; for trumps, a matador may still have been held back."""
        suit_of = self.order.suit
        return any(
            suit_of[trick[0][1]] == suit and any(who is role and suit_of[card] != suit for who, card in trick)
            for trick in self.seen.tricks
        )


def table(seen: Knowledge, order: CardOrder, legal: Cards) -> Table:
    """The current trick, for the player of this knowledge."""
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
