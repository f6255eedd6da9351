"""A deal at one moment: who holds what, what has been called and played, and whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scoring.game.turns import DEFINING, Ask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.contracts import Contract
    from scoring.game.auction import Auction
    from scoring.game.steps import Step
    from scoring.game.tricks import Trick
    from scoring.game.turns import Turn
    from scoring.rulebook import Rulebook
    from scoring.seats import Role, Seating

Cards = tuple[str, ...]


class Phase(StrEnum):
    AUCTION = "auction"
    DEFINITION = "definition"  # contract, trumps, what is promised
    EXCHANGE = "exchange"
    PLAY = "play"
    OVER = "over"


class Table(NamedTuple):
    """What stands before the first call: rules, who deals, the hands as dealt, the talon from its top."""

    rulebook: Rulebook
    seating: Seating
    hands: Mapping[Role, Cards]
    talon: Cards


# Without slots, so that the next position is made fast: see `changed`.
@dataclass(frozen=True, kw_only=True)
class Position:
    """A deal at one moment, as it stands; nothing is changed in place. `State` says what may be done from here.

    - hands: what everybody holds now; talon: what is left of it, from its top; discards: who threw what away
    - opening: the hands with which play began
    - contract, declarer, trump (None for none or not yet), turned, king, promised: what is played, and how
    - joined: who became declarers of a nolo too; repeated: the declarer exchanged twice; one_more: he drew a card more
      than he discarded, and plays an open hand
    - turns: what is still to be said or exchanged before the next card
    - playing: who plays cards, forehand first; trick, tricks, winners: the trick on the table, those that are won
    - announced: what the declarer announced in play; gave_up: who gave up a hand
    - surrendered: before which trick a contract was given up that others could object to; accepted: who did not
    """

    table: Table
    auction: Auction
    steps: tuple[Step, ...] = ()
    hands: Mapping[Role, Cards]
    talon: Cards
    discards: Mapping[Role, Cards] = field(default_factory=dict)
    opening: Mapping[Role, Cards] = field(default_factory=dict)
    contract: Contract | None = None
    declarer: Role | None = None
    trump: str | None = None
    turned: str | None = None
    king: str | None = None
    promised: tuple[str, ...] = ()
    joined: tuple[Role, ...] = ()
    repeated: bool = False
    one_more: bool = False
    turns: tuple[Turn, ...] = ()
    playing: tuple[Role, ...] = ()
    trick: Trick = ()
    tricks: tuple[Trick, ...] = ()
    winners: tuple[Role, ...] = ()
    to_play: Role | None = None
    announced: tuple[str, ...] = ()
    gave_up: tuple[Role, ...] = ()
    surrendered: int | None = None
    accepted: tuple[Role, ...] = ()
    taken_over: bool = False
    stopped: bool = False
    over: bool = False

    @property
    def rulebook(self) -> Rulebook:
        return self.table.rulebook

    @property
    def phase(self) -> Phase:
        if self.over:
            return Phase.OVER
        if self.to_play is not None:
            return Phase.PLAY
        if self.turns:
            return Phase.DEFINITION if self.turns[0].ask in DEFINING else Phase.EXCHANGE
        return Phase.AUCTION

    @property
    def to_act(self) -> Role | None:
        """Whose turn it is; None when the deal is over."""
        if self.over:
            return None
        if self.turns:
            return self.turns[0].role
        return self.to_play or self.auction.to_call

    @property
    def asked(self) -> Ask | None:
        """What the player whose turn it is is asked for, where that is neither a call nor a card."""
        return self.turns[0].ask if self.turns and not self.over else None


At = TypeVar("At", bound=Position)


def changed(position: At, **changes: Any) -> At:
    """What `dataclasses.replace` gives, several times faster: every card that is played makes a position."""
    new = object.__new__(type(position))
    new.__dict__.update(position.__dict__)
    new.__dict__.update(changes)
    return new
