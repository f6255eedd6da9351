"""The phase between auction and play: contract, trumps, and the exchange with the talon.

It is a queue of turns, each a question to one player; an answer may put further turns at the front. When the queue is
empty, play begins or continues. A surrender during play uses the same queue.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from scoring.game import play
from scoring.game.auction import speaking_order
from scoring.game.position import NAMING, At, Position, changed, definable, problem_of_naming, values
from scoring.game.steps import SANS, Act, Ask, Step, Turn, known, wrong
from scoring.rulebook import Trumps
from scoring.seats import WITH_FOURTH, Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.problems import Problem
    from scoring.rulebook import Contract


_DISCARDING = frozenset((Ask.EXCHANGE, Ask.REPEAT, Ask.LAY_OFF))
# Question that can be declined -> the act that accepts it.
_YES = {
    Ask.OFFER: Act.OFFER,
    Ask.ANSWER: Act.ACCEPT,
    Ask.JOIN: Act.JOIN,
    Ask.ONE_MORE: Act.ONE_MORE,
    Ask.TAKE_OVER: Act.TAKE_OVER,
    Ask.SURRENDER: Act.ACCEPT,
}


def begin(state: At) -> At:
    """The state at the end of the auction, with the first turns before play."""
    declarer, bid = known(state.auction.declarer), known(state.auction.contract)
    state = changed(state, declarer=declarer, contract=bid)
    if bid.by_fourth:
        state = changed(state, hands={**state.hands, declarer: state.talon}, talon=())
    rows = definable(state)
    if len(rows) > 1:
        return changed(state, turns=(Turn(declarer, Ask.DEFINE),))
    return _define(state, rows[0] if rows else bid)


def _define(state: At, contract: Contract) -> At:
    """The state once the contract is known, with its turns queued."""
    declarer = known(state.declarer)
    trump = "S" if contract.trumps is Trumps.SPADES else None
    turned = None
    if contract.trumps is Trumps.TURNED:
        turned = state.talon[0]
        trump = turned[0]
    names_trump = Turn(declarer, Ask.TRUMP) if contract.trumps is Trumps.CHOSEN else None
    promise = Turn(declarer, Ask.PROMISE) if contract.bonus_bids else None
    named = (names_trump, Turn(declarer, Ask.KING) if contract.with_partner else None, promise)
    exchange = tuple(_declarer_turns(state, contract, declarer))
    first = (*exchange, *named) if contract.trump_after_exchange else (*named, *exchange)
    turns = (*first, *_other_turns(state, contract, declarer))
    joined = others_of(state, declarer) if contract.all_join else ()
    state = changed(state, contract=contract, trump=trump, turned=turned, joined=joined)
    return _arrive(changed(state, turns=tuple(turn for turn in turns if turn)))


def _declarer_turns(state: Position, contract: Contract, declarer: Role) -> Iterator[Turn]:
    """The turns of the declarer in the exchange."""
    limits = contract.exchange
    if contract.may_take_more:
        yield Turn(declarer, Ask.ONE_MORE)
    if limits.most and not contract.by_fourth:
        yield Turn(declarer, Ask.EXCHANGE)
    if limits.lays_off:
        yield Turn(declarer, Ask.LAY_OFF)
    if contract.may_repeat_exchange and state.rulebook.house.repeat_exchange:
        yield Turn(declarer, Ask.REPEAT)


def _other_turns(state: Position, contract: Contract, declarer: Role) -> Iterator[Turn]:
    """The turns of the other players in the exchange."""
    players = state.table.seating.players
    others = others_of(state, declarer)
    if contract.exchange.defenders and state.rulebook.play.may_offer:
        yield Turn(others[0], Ask.OFFER)
    for role in others:
        if contract.others_may_join:
            yield Turn(role, Ask.JOIN)
        if contract.exchange.defenders:
            yield Turn(role, Ask.EXCHANGE)
    if contract.fourth_joins and players in WITH_FOURTH:
        yield Turn(Role.IDLE, Ask.LAY_OFF)


def others_of(state: Position, declarer: Role) -> tuple[Role, ...]:
    """The others who were dealt cards, in order of play after the declarer."""
    return in_turn_after(declarer, speaking_order(state.table.seating.players))


def in_turn_after(role: Role, order: tuple[Role, ...]) -> tuple[Role, ...]:
    """The others in order of play, beginning after this role."""
    if role not in order:
        return order
    place = order.index(role)
    return (*order[place + 1 :], *order[:place])


def _arrive(state: At) -> At:
    """Skip turns without a choice, deal cards that are taken before choosing, and begin play after the last turn."""
    while state.turns:
        turn = state.turns[0]
        if turn.role is not state.declarer and turn.ask in (Ask.EXCHANGE, Ask.OFFER) and not state.talon:
            state = changed(state, turns=state.turns[1:])
            continue
        return _take_first(state, turn)
    return state if state.to_play else play.begin(state)


def _take_first(state: At, turn: Turn) -> At:
    """Deal the cards that a player sees before discarding: in kaske, and to a fourth player who joins."""
    looks = known(state.contract).exchange.looks
    if turn.ask is Ask.EXCHANGE and turn.role is state.declarer and looks:
        return _draw(state, turn.role, looks)
    if turn.ask is Ask.LAY_OFF and turn.role is not state.declarer:
        idle = state.talon + tuple(card for cards in state.discards.values() for card in cards)
        joined = (*state.joined, turn.role)
        return changed(state, hands={**state.hands, turn.role: idle}, talon=(), discards={}, joined=joined)
    return state


def limits(state: Position, turn: Turn) -> tuple[int, int]:
    """The least and the most cards to discard in this turn."""
    if turn.ask not in _DISCARDING:
        return 0, 0
    exchange, hand = known(state.contract).exchange, state.rulebook.pack.hand
    if turn.ask is Ask.LAY_OFF:
        excess = len(state.hands[turn.role]) - hand
        return excess, excess
    if turn.role is state.declarer:
        if turn.ask is Ask.REPEAT:
            return 0, min(hand, len(state.talon))
        if exchange.lays_off:
            # Casco: all cards but one, then the whole talon is taken.
            return hand - 1, hand - 1
        least = max(exchange.least, state.auction.pledged if known(state.contract).pledges else 0)
        return least, min(exchange.most, len(state.talon) + exchange.looks - state.one_more)
    first = all(role is state.declarer for role in state.discards)
    return 0, min(exchange.first_defender if first else hand, hand, len(state.talon))


def legal_steps(state: Position) -> Iterator[Step]:
    """All legal steps of the first turn."""
    turn = state.turns[0]
    role, ask = turn
    if ask in _DISCARDING:
        act = Act.LAY_OFF if ask is Ask.LAY_OFF else Act.EXCHANGE
        least, most = limits(state, turn)
        own = _own(state, role)
        for count in range(least, most + 1):
            for cards in combinations(own, count):
                yield Step(role, act, cards)
        return
    if ask in NAMING:
        for value in values(state, turn):
            yield Step(role, NAMING[ask], value)
    else:
        yield Step(role, _YES[ask])
    if ask in _YES or ask is Ask.PROMISE:
        yield Step(role, Act.NO)


def _own(state: Position, role: Role) -> tuple[str, ...]:
    """The cards that may be discarded: the hand, or in kaske the cards that were dealt."""
    hand = state.hands[role]
    if known(state.contract).exchange.looks and role is state.declarer:
        return hand[: state.rulebook.pack.hand]
    return hand


def problem_of(state: Position, step: Step) -> Problem | None:
    """The rule that a step breaks as an answer to the first turn; None for a legal step."""
    turn, rulebook = state.turns[0], state.rulebook.id
    role, ask = turn
    if step.role is not role:
        return wrong("step_out_of_turn", rulebook, seat=step.role, turn=role)
    if ask in _DISCARDING:
        return _problem_of_discard(state, turn, step)
    if step.act is Act.NO and (ask in _YES or ask is Ask.PROMISE):
        return None
    if step.act is not (NAMING.get(ask) or _YES[ask]):
        return wrong("step_not_now", rulebook)
    if ask in NAMING and step.value not in values(state, turn):
        return problem_of_naming(state, ask, str(step.value))
    return None


def _problem_of_discard(state: Position, turn: Turn, step: Step) -> Problem | None:
    """The problem of discarding these cards."""
    rulebook = state.rulebook.id
    act = Act.LAY_OFF if turn.ask is Ask.LAY_OFF else Act.EXCHANGE
    cards = step.value
    if step.act is not act or not isinstance(cards, tuple):
        return wrong("step_not_now", rulebook)
    if len(set(cards)) < len(cards) or not set(cards) <= set(state.hands[turn.role]):
        return wrong("cards_not_held", rulebook, seat=turn.role)
    if not set(cards) <= set(_own(state, turn.role)):
        return wrong("cards_not_own", rulebook, seat=turn.role)
    least, most = limits(state, turn)
    if not least <= len(cards) <= most:
        return wrong("cards_number", rulebook, least=least, most=most, taken=len(cards))
    return None


def after(state: At, step: Step) -> At:
    """The state after a legal answer to the first turn."""
    turn = state.turns[0]
    state = changed(state, turns=state.turns[1:])
    if turn.ask in _DISCARDING:
        return _arrive(_discard(state, turn, step))
    if turn.ask is Ask.DEFINE:
        return _define(state, state.rulebook.by_id[str(step.value)])
    if turn.ask in (Ask.TAKE_OVER, Ask.SURRENDER):
        return play.answer_surrender(state, step)
    if step.act is not Act.NO:
        state = _accept(state, turn, step)
    return _arrive(state)


def _accept(state: At, turn: Turn, step: Step) -> At:
    """The state after an answer that names, offers, accepts or joins."""
    if turn.ask is Ask.TRUMP:
        return changed(state, trump=None if step.value == SANS else str(step.value))
    if turn.ask is Ask.KING:
        return changed(state, king=str(step.value))
    return _ACCEPT[turn.ask](state, turn, step)


def _promise(state: At, turn: Turn, step: Step) -> At:
    state = changed(state, promised=(*state.promised, str(step.value)))
    more = state.rulebook.house.several_bonus_bids and values(state, turn)
    return changed(state, turns=(turn, *state.turns)) if more else state


def _offer(state: At, turn: Turn, _step: Step) -> At:
    second = next(other.role for other in state.turns if other.role is not turn.role)
    return changed(state, turns=(Turn(second, Ask.ANSWER), *state.turns))


def _goes_first(state: At, _turn: Turn, _step: Step) -> At:
    own, offering, *rest = state.turns
    return changed(state, turns=(offering, own, *rest))


def _takes_one_more(state: At, turn: Turn, _step: Step) -> At:
    """The declarer exchanges once, draws one card more, and lays one off again."""
    exchange, *rest = (other for other in state.turns if other.ask is not Ask.REPEAT)
    return changed(state, one_more=True, turns=(exchange, Turn(turn.role, Ask.LAY_OFF), *rest))


def _join(state: At, turn: Turn, _step: Step) -> At:
    """A player joins and exchanges next; the turn is queued already where defenders exchange anyway."""
    joined = changed(state, joined=(*state.joined, turn.role))
    exchange = Turn(turn.role, Ask.EXCHANGE)
    return joined if exchange in state.turns else changed(joined, turns=(exchange, *joined.turns))


_ACCEPT = {
    Ask.PROMISE: _promise,
    Ask.OFFER: _offer,
    Ask.ANSWER: _goes_first,
    Ask.ONE_MORE: _takes_one_more,
    Ask.JOIN: _join,
}


def _discard(state: At, turn: Turn, step: Step) -> At:
    """The state after discarding these cards and drawing new ones."""
    role, cards = turn.role, tuple(step.value or ())
    exchange = known(state.contract).exchange
    hands = {**state.hands, role: tuple(card for card in state.hands[role] if card not in cards)}
    discards = {**state.discards, role: (*state.discards.get(role, ()), *cards)}
    state = changed(state, hands=hands, discards=discards)
    if turn.ask is Ask.LAY_OFF:
        # In casco the defenders draw from the declarer's discards.
        return changed(state, talon=discards[role]) if exchange.from_discards else state
    if turn.ask is Ask.REPEAT:
        state = changed(state, repeated=bool(cards))
    if role is state.declarer and exchange.lays_off:
        return _draw(state, role, len(state.talon))
    looked = exchange.looks if role is state.declarer else 0
    more = state.one_more and turn.ask is Ask.EXCHANGE and role is state.declarer
    return _draw(state, role, len(cards) - looked + more)


def _draw(state: At, role: Role, count: int) -> At:
    drawn, talon = state.talon[:count], state.talon[count:]
    return changed(state, hands={**state.hands, role: state.hands[role] + drawn}, talon=talon)
