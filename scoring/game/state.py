"""A deal at one moment: who holds what, what has been called and played, and who does what next."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from scoring.game import before_play, play
from scoring.game.auction import Auction, Status
from scoring.game.reporting import report
from scoring.game.steps import IllegalStep, Step, wrong
from scoring.game.turns import DEFINING, Ask, changed
from scoring.game.view import View, view_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoring.contracts import Contract
    from scoring.game.play import Trick
    from scoring.game.turns import Turn
    from scoring.problems import Problem
    from scoring.results import DealResult
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


# Without slots, so that the next state is made fast: see `changed`.
@dataclass(frozen=True, kw_only=True)
class State:
    """A deal at one moment. `after` gives the next one; nothing is changed in place.

    - hands: what everybody holds now; talon: what is left of it, from its top; discards: who threw what away
    - opening: the hands with which play began
    - contract, declarer, trump (None for none or not yet), turned, king, promised: what is played, and how
    - joined: who became declarers of a nolo too; repeated: the declarer exchanged twice
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

    def view(self, role: Role) -> View:
        """What a player knows."""
        return view_of(self, role)

    def legal_steps(self) -> Iterator[Step]:
        """Every legal step of the player whose turn it is; exchanges are a great many."""
        if self.over:
            return iter(())
        if self.turns:
            return before_play.legal_steps(self)
        if self.to_play is not None:
            return play.legal_steps(self)
        return iter(self.auction.legal_calls())

    def legal_calls(self) -> tuple[Step, ...]:
        """The calls that may be made; none when the auction is over."""
        return self.auction.legal_calls()

    def legal_cards(self) -> Cards:
        """The cards that may be played; none when no card is to be played now."""
        if self.over or self.turns or self.to_play is None:
            return ()
        return play.playable(self)

    def limits(self) -> tuple[int, int]:
        """How many cards, at least and at most, whoever is to exchange or lay off discards; else (0, 0)."""
        return before_play.limits(self, self.turns[0]) if self.turns and not self.over else (0, 0)

    def problem_of(self, step: Step) -> Problem | None:
        """What the rules have against a step, None for a legal one."""
        if self.over:
            return wrong("deal_over", self.rulebook.id)
        if self.turns:
            return before_play.problem_of(self, step)
        if self.to_play is not None:
            return play.problem_of(self, step)
        return self.auction.problem_of(step)

    def after(self, step: Step) -> State:
        """The state after one more step. Raises IllegalStep."""
        problem = self.problem_of(step)
        if problem:
            raise IllegalStep(problem, step, len(self.steps))
        told = changed(self, steps=(*self.steps, step))
        if self.turns:
            return before_play.after(told, step)
        if self.to_play is not None:
            return play.after(told, step)
        return _after_call(told, step)

    def result(self, pool: int | None = None) -> DealResult:
        """What a captain would report; `pool` are the tokens in it, this deal's ante included.

        Raises ValueError while the deal is not over.
        """
        if not self.over:
            raise ValueError("the deal is not over")
        return report(self, pool)


def start(table: Table, auction: Auction) -> State:
    return State(table=table, auction=auction, hands=table.hands, talon=table.talon)


def _after_call(state: State, step: Step) -> State:
    auction = state.auction.after(step)
    state = changed(state, auction=auction)
    if auction.status is Status.WASHOUT:
        return changed(state, over=True)
    return before_play.begin(state) if auction.status is Status.COMPLETE else state
