"""A deal that is played: what each player may do at one moment, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.game import before_play, play
from scoring.game.auction import Auction, Status
from scoring.game.position import Position, Table, changed
from scoring.game.reporting import report
from scoring.game.steps import IllegalStep, Step, wrong
from scoring.game.view import View, view_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.problems import Problem
    from scoring.results import DealResult
    from scoring.seats import Role

Cards = tuple[str, ...]


class State(Position):
    """A deal at one moment, and what may be done: `after` gives the next one; nothing is changed in place."""

    def view(self, role: Role) -> View:
        """What a player knows."""
        return view_of(self, role)

    def legal_steps(self) -> Iterator[Step]:
        """Every legal step of the player whose turn it is, and the declarer's stop; exchanges are a great many."""
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
