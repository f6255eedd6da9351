"""Giving up a hand: final before the first card, or during play with an answer by the opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import SPADILLE
from scoring.family_rules import Surrender
from scoring.game.position import At, Position, changed
from scoring.game.steps import Act, Ask, Step, Turn, known, order_of_play, wrong
from scoring.seats import Role

if TYPE_CHECKING:
    from scoring.problems import Problem
    from scoring.rulebook import Contract


def counted_as(state: Position) -> Contract:
    """The contract that is priced: `counts_as` of the one played, if spadille was turned."""
    contract = known(state.contract)
    other = contract.counts_as if state.turned == SPADILLE else ""
    return state.rulebook.by_id.get(other, contract)


def problem_of(state: Position, role: Role) -> Problem | None:
    """The problem of giving up now, for the declarer or a fourth player who joined; None if allowed."""
    contract, rulebook = known(state.contract), state.rulebook
    trick = len(state.tricks) + 1
    if role is Role.IDLE and Role.IDLE in state.joined:
        return wrong("give_up_too_late", rulebook.id) if trick > 1 else None
    if role is not state.declarer or not contract.may_be_abandoned:
        return wrong("give_up_not_allowed", rulebook.id, contract=contract.id)
    # After an announcement the declarer must play.
    if trick > rulebook.play.give_up_before or state.surrendered or state.announced:
        return wrong("give_up_too_late", rulebook.id)
    return None


def give_up(state: At, role: Role) -> At:
    """The state after this player gave up the hand."""
    surrender = counted_as(state).surrender
    if role is not state.declarer:
        return changed(state, gave_up=(*state.gave_up, role))
    if surrender is Surrender.NEVER:
        return _lost(state)
    ask = Ask.TAKE_OVER if surrender is Surrender.TAKE_OVER else Ask.SURRENDER
    seating = state.table.seating
    order = order_of_play(seating.players, known(state.contract).by_fourth, dealer_out=seating.dealer_out)
    place = order.index(role) + 1
    opponents = (*order[place:], *order[: place - 1])
    turns = tuple(Turn(opponent, ask) for opponent in opponents)
    return changed(state, surrendered=len(state.tricks) + 1, turns=turns)


def answer(state: At, step: Step) -> At:
    """The state after an opponent's answer to a surrender: took over, accepted or refused."""
    if step.act is Act.TAKE_OVER:
        gave_up = (*state.gave_up, known(state.declarer))
        return changed(state, declarer=step.role, gave_up=gave_up, taken_over=True, turns=())
    if step.act is Act.ACCEPT:
        state = changed(state, accepted=(*state.accepted, step.role))
    elif counted_as(state).surrender is Surrender.ACCEPTED:
        # Play continues if any opponent refuses.
        return changed(state, turns=(), accepted=())
    return state if state.turns else _lost(state)


def _lost(state: At) -> At:
    return changed(state, gave_up=(*state.gave_up, known(state.declarer)), over=True, to_play=None, turns=())
