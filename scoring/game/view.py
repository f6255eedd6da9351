"""What one player knows in a deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.game.steps import Act
from scoring.procedure import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.game.position import Position
    from scoring.game.tricks import Trick
    from scoring.seats import Role

Cards = tuple[str, ...]
_OF_CARDS = (Act.EXCHANGE, Act.LAY_OFF)


@dataclass(frozen=True, slots=True)
class View:
    """A deal as one player sees it.

    - hand: the own cards; discarded: what was thrown away of them; open_hand: the declarer's, where it is shown
    - face_up: cards that lie or lay open: the card that was turned, and what is laid off in casco
    - played: every card played to a trick, by role, the trick on the table last
    - exchanged: how many cards each player has thrown away; talon: how many are left
    """

    role: Role
    hand: Cards
    discarded: Cards
    open_hand: Cards
    face_up: Cards
    played: tuple[Trick, ...]
    exchanged: Mapping[Role, int]
    talon: int


def view_of(state: Position, role: Role) -> View:
    """What this player knows now."""
    return View(
        role=role,
        hand=state.hands.get(role, ()),
        discarded=_discarded(state, role),
        open_hand=_open_hand(state),
        face_up=_face_up(state),
        played=(*state.tricks, state.trick) if state.trick else state.tricks,
        exchanged={
            other: len(_discarded(state, other))
            for other in dict.fromkeys(step.role for step in state.steps if step.act in _OF_CARDS)
        },
        talon=len(state.talon),
    )


def _discarded(state: Position, role: Role) -> Cards:
    """All that this player threw away, also what somebody picked up since."""
    return tuple(
        card
        for step in state.steps
        if step.role is role and step.act in _OF_CARDS
        for card in step.value or ()
    )


def _open_hand(state: Position) -> Cards:
    """The declarer's cards where he lays them open: before the first lead, or with his own first card."""
    contract, declarer = state.contract, state.declarer
    if contract is None or declarer is None or not state.opening:
        return ()
    hand = state.hands[declarer]
    when = Shown.FIRST_CARD if state.one_more else contract.shown
    shown = when is Shown.BEFORE_LEAD or (
        when is Shown.FIRST_CARD and len(hand) < len(state.opening[declarer])
    )
    return hand if shown else ()


def _face_up(state: Position) -> Cards:
    turned = () if state.turned is None else (state.turned,)
    contract, declarer = state.contract, state.declarer
    if contract is None or declarer is None or not contract.exchange.from_discards:
        return turned
    # All but the five cards that are laid off last are face down.
    hidden = state.rulebook.pack.hand - 1
    return (*turned, *_discarded(state, declarer)[hidden:])
