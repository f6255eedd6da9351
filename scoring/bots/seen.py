"""What the player whose turn it is knows of a deal: all that a bot decides by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoring.game.play import in_play, order_of_cards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.cards import CardOrder
    from scoring.contracts import Contract
    from scoring.game import State
    from scoring.game.tricks import Trick
    from scoring.rulebook import Rulebook
    from scoring.seats import Role

Cards = tuple[str, ...]


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
