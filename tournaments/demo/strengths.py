"""Players of different strength: bots that slip, the weak ones more often, so that it is known who plays better.

A slip at the cards is any card that may be played; a slip in the auction is a game bid on a hand that a bot would pass,
or a pass on one that it would bid. So strength moves what somebody declares, and how often they win it.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from scoring.bots import next_step
from scoring.game import Act, Phase, Step
from scoring.game.steps import bid_of, known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoring.game import State

# How often somebody of strength 0 slips; of strength 1 nobody does.
SLIPS_IN_PLAY, SLIPS_IN_CALLS = 0.25, 0.12
# Strengths lie around the middle, so far apart, and between these.
MIDDLE, APART = 0.5, 0.25
LEAST, MOST = 0.02, 0.98


def some_strength(random: Random) -> float:
    """The strength of somebody, from 0 to 1."""
    return within(random.gauss(MIDDLE, APART))


def within(strength: float) -> float:
    return min(max(strength, LEAST), MOST)


def strength_of(name: str) -> float:
    """The hidden strength of a person of the demo: always the same."""
    return some_strength(Random(f"strength of {name}"))


def playing(strengths: Sequence[float], random: Random) -> Callable[[State], Step]:
    """What each does in their turn, by the strengths of those who sit at each position."""

    def choose(state: State) -> Step:
        weakness = 1 - strengths[state.table.seating.positions[known(state.to_act)]]
        if state.phase is Phase.AUCTION:
            slips = random.random() < weakness * SLIPS_IN_CALLS
            return _other_call(state) if slips else next_step(state)
        cards = state.legal_cards()
        if cards and random.random() < weakness * SLIPS_IN_PLAY:
            return Step(known(state.to_act), Act.PLAY, random.choice(cards))
        return next_step(state)

    return choose


def _other_call(state: State) -> Step:
    """A pass instead of a bid; the lowest bid instead of a pass."""
    step, legal = next_step(state), state.legal_calls()
    if step.act is Act.PASS:
        bids = (call for call in legal if call.act is Act.BID and not bid_of(call.value)[1])
        return next(bids, step)
    return next((call for call in legal if call.act is Act.PASS), step)
