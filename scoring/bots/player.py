"""A bot: what the player whose turn it is does next, in whatever phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.bots import bidding, exchanging, giving_up
from scoring.bots.avoiding import card_to_avoid
from scoring.bots.knowledge import Table, table
from scoring.bots.seen import Seen, seen_by
from scoring.bots.winning import card_to_win
from scoring.game import Act, Ask, Phase, Step
from scoring.game.turns import known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoring.game import State

TOUT, FIRST_FIVE = "tout", "first_five"
_NAMING = {
    Ask.DEFINE: (Act.DEFINE, bidding.contract_played),
    Ask.TRUMP: (Act.TRUMP, bidding.trump_named),
    Ask.KING: (Act.KING, bidding.king_called),
}
_ANSWERS: dict[Ask, tuple[Act, Callable[[Seen], bool]]] = {
    Ask.OFFER: (Act.OFFER, bidding.offers),
    Ask.ANSWER: (Act.ACCEPT, bidding.accepts_offer),
    Ask.JOIN: (Act.JOIN, bidding.joins),
    Ask.ONE_MORE: (Act.ONE_MORE, bidding.takes_one_more),
    Ask.TAKE_OVER: (Act.TAKE_OVER, giving_up.takes_over),
    Ask.SURRENDER: (Act.ACCEPT, giving_up.accepts),
}


def next_step(state: State) -> Step:
    """What a bot does in the seat that is to act. It looks at nothing but what that player knows."""
    role = known(state.to_act)
    if state.trick and len(state.winners) >= state.rulebook.play.give_up_before:
        cards = state.legal_cards()
        if len(cards) == 1:
            return Step(role, Act.PLAY, cards[0])
    seen = seen_by(state, role)
    if state.phase is Phase.AUCTION:
        return bidding.call(seen, state.legal_calls())
    if state.asked is not None:
        return _answer(state, seen, state.asked)
    to_play = table(seen, known(seen.order), state.legal_cards())
    for step in _instead_of_a_card(to_play):
        if state.problem_of(step) is None:
            return step
    choose = card_to_win if known(seen.contract).is_game else card_to_avoid
    return Step(role, Act.PLAY, choose(to_play))


def _answer(state: State, seen: Seen, ask: Ask) -> Step:
    role = seen.role
    if ask in _NAMING:
        act, choose = _NAMING[ask]
        return Step(role, act, choose(seen, tuple(str(step.value) for step in state.legal_steps())))
    if ask is Ask.PROMISE:
        return bidding.promise(seen, tuple(state.legal_steps()))
    if ask in _ANSWERS:
        act, agrees = _ANSWERS[ask]
        return Step(role, act if agrees(seen) else Act.NO)
    limits = state.limits()
    if ask is Ask.LAY_OFF:
        return Step(role, Act.LAY_OFF, exchanging.laid_off(seen, limits[1]))
    if ask is Ask.REPEAT:
        return Step(role, Act.EXCHANGE, exchanging.second_exchange(seen, limits[1]))
    return Step(role, Act.EXCHANGE, exchanging.discards(seen, limits))


def _instead_of_a_card(to_play: Table) -> Iterator[Step]:
    """What a player would rather do or say than play a card now, if it is allowed."""
    role = to_play.seen.role
    if giving_up.gives_up(to_play.seen):
        yield Step(role, Act.GIVE_UP)
    if giving_up.announces_first_five(to_play):
        yield Step(role, Act.ANNOUNCE, FIRST_FIVE)
    if giving_up.announces_tout(to_play):
        yield Step(role, Act.ANNOUNCE, TOUT)
    if giving_up.stops(to_play):
        yield Step(known(to_play.seen.declarer), Act.STOP)
