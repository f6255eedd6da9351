"""Rulings on a whole deal: its first illegal step, or its result and settlement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.game import Act, IllegalStep, Phase, Step
from scoring.referee.calls import call_choices
from scoring.referee.results import ResultRuling, rule_on_result
from scoring.referee.rulings import (
    Card,
    Choice,
    Explanation,
    Ruling,
    cite,
    explain_problem,
    explain_take_over,
)
from scoring.settlement import first_pool
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.game import Deal, State
    from scoring.results import DealResult


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRuling(Ruling):
    """The ruling on a deal; `state` is that after its legal steps.

    `refused` is the first illegal step, `index` its index from 0. A finished deal has its result and the ruling on it,
    with the first deal's ante in the pool.
    """

    state: State
    index: int | None = None
    refused: Step | None = None
    result: DealResult | None = None
    settled: ResultRuling | None = None


def rule_on_deal(deal: Deal) -> DealRuling:
    """Replay a deal up to its first illegal step, and rule on the state reached."""
    state = deal.start()
    for index, step in enumerate(deal.steps):
        try:
            state = state.after(step)
        except IllegalStep as error:
            return DealRuling(
                problems=(explain_problem(error.problem),),
                explanations=tuple(_explain_turn(state)),
                choices=tuple(_choices(state)),
                state=state,
                index=index,
                refused=step,
            )
    if not state.over:
        return DealRuling(
            explanations=tuple(_explain_turn(state)), choices=tuple(_choices(state)), state=state
        )
    seating = state.table.seating
    result = state.result(first_pool(state.rulebook, seating.players))
    return DealRuling(state=state, result=result, settled=rule_on_result(state.rulebook, seating, result))


def _explain_turn(state: State) -> Iterator[Explanation]:
    """Explain whose turn it is, and for what."""
    if state.to_act is None:
        yield cite(state.rulebook, "5.1", _("The deal is over."))
        return
    number, text = _TURNS[state.phase]
    least, most = state.limits()
    if most:
        number, text = "4.3", _("It is {seat}’s turn: from {least} to {most} cards are to be discarded.")
    yield cite(state.rulebook, number, text, seat=state.to_act, least=least, most=most)
    if state.table.seating.in_pairs and state.declarer:
        yield explain_take_over(state.rulebook, state.declarer)


_TURNS = {
    Phase.AUCTION: ("9.1", _("It is {seat}’s turn to call.")),
    Phase.DEFINITION: ("4.2", _("It is {seat}’s turn to say what is played.")),
    Phase.EXCHANGE: ("4.3", _("It is {seat}’s turn, before play.")),
    Phase.PLAY: ("10.1", _("It is {seat}’s turn to play a card.")),
}


def _choices(state: State) -> Iterator[Choice]:
    """The possible calls or cards of the player whose turn it is, with the reason if not allowed."""
    role = state.to_act
    if role is None:
        return
    if state.phase is Phase.AUCTION:
        yield from call_choices(state.auction)
    elif state.phase is Phase.PLAY:
        for card in state.hands[role]:
            problem = state.problem_of(Step(role, Act.PLAY, card))
            yield Choice(Card(card), problem is None, explain_problem(problem) if problem else None)
