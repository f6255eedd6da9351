"""Whole deals played by bots, one after the other, the pool carried from deal to deal; and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.bots.player import next_step
from scoring.game import Act, Deal, deal_of, write_deal
from scoring.seats import Seating, dealer_of
from scoring.settlement import first_pool, pool_after, settle_at_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.game import State, Step
    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.settlement import Settlement

_CALLS = frozenset((Act.PASS, Act.BID, Act.SELF))
_EXCHANGES = frozenset((Act.EXCHANGE, Act.LAY_OFF))
_SAID = frozenset(Act) - _CALLS - _EXCHANGES - {Act.PLAY}
_SEEDS = 2**32
Player = Callable[["State"], "Step"]


class Played(NamedTuple):
    """A deal that was played to its end, from its number in the round to what it came to with its ante."""

    number: int
    seed: int
    state: State
    result: DealResult
    settlement: Settlement


def play_deal(rulebook: Rulebook, seating: Seating, seed: int, choose: Player = next_step) -> State:
    """The deal of this seed, played to its end; `choose` decides for every seat in its turn."""
    state = Deal.dealt(rulebook, seating, seed).start()
    while not state.over:
        state = state.after(choose(state))
    return state


def play_round(
    rulebook: Rulebook,
    players: int,
    deals: int,
    seed: int,
    *,
    first_dealer: int = 0,
    in_pairs: bool = False,
    choose: Player = next_step,
) -> Iterator[Played]:
    """So many deals at one table, `in_pairs` as in Seating. The same seed gives the same deals."""
    random = Random(seed)
    pool = first_pool(rulebook, players)
    for number in range(1, deals + 1):
        seating = rulebook.seating(players, dealer_of(number, players, first_dealer), in_pairs=in_pairs)
        cards = random.randrange(_SEEDS)
        state = play_deal(rulebook, seating, cards, choose)
        result = state.result(pool)
        yield Played(number, cards, state, result, settle_at_table(result, seating, rulebook))
        pool = pool_after(result, seating, rulebook)


def deal_json(played: Played) -> dict[str, Any]:
    """A deal from its cards to its settlement; seats by the rulebook's codes, in result and settlement by position.

    `text` is the whole deal as `scoring.game.read_deal` reads it.
    """
    state = played.state
    table, name = state.table, state.rulebook.seat_name
    return {
        "deal": played.number,
        "seed": played.seed,
        "rulebook": state.rulebook.id,
        "players": table.seating.players,
        "dealer": table.seating.dealer,
        "hands": {name(role): list(cards) for role, cards in table.hands.items()},
        "talon": list(table.talon),
        "calls": [_call_json(state, step) for step in state.steps if step.act in _CALLS],
        "said": [_said_json(state, step) for step in state.steps if step.act in _SAID],
        "exchanges": list(_exchanges(state)),
        "tricks": [
            {"cards": [[name(role), card] for role, card in trick], "winner": name(winner)}
            for trick, winner in zip(state.tricks, state.winners, strict=True)
        ],
        "result": played.result.to_json(table.seating),
        "settlement": played.settlement.to_json(),
        "text": write_deal(deal_of(state)),
    }


def _call_json(state: State, step: Step) -> dict[str, Any]:
    said = step.value if step.act is Act.BID else step.act.value
    call = {"seat": state.rulebook.seat_name(step.role), "call": said}
    return call | {"contract": step.value} if step.act is Act.SELF and step.value else call


def _said_json(state: State, step: Step) -> dict[str, Any]:
    said = {"seat": state.rulebook.seat_name(step.role), "act": step.act.value}
    return said if step.value is None else said | {"value": step.value}


def _exchanges(state: State) -> Iterator[dict[str, Any]]:
    """Who threw which cards away, and what that player held afterwards that was not in hand before."""
    before = deal_of(state).start()
    for step in state.steps:
        after = before.after(step)
        if step.act in _EXCHANGES:
            held = before.hands.get(step.role, ())
            drawn = [card for card in after.hands[step.role] if card not in held]
            seat = state.rulebook.seat_name(step.role)
            yield {"seat": seat, "discarded": list(step.value or ()), "drawn": drawn}
        before = after
