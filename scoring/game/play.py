"""The play: cards, announcements, giving up, and stopping when the outcome is clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import SPADILLE, TRUMPS, CardOrder, Kind, card_order
from scoring.checks import examine
from scoring.family_rules import Surrender
from scoring.game.position import At, Position, changed, report
from scoring.game.steps import (
    Act,
    Ask,
    Step,
    Trick,
    Turn,
    known,
    legal_cards,
    order_of_play,
    trick_winner,
    wrong,
)
from scoring.outcomes import KODILLE_FROM
from scoring.rulebook import FIRST_FIVE
from scoring.seats import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.problems import Problem
    from scoring.rulebook import Contract


TOUT, FIVE_FIRST = "tout", "first_five"


def begin(state: At) -> At:
    """The state at the first lead, by forehand, or by the declarer where the rules say so."""
    leader = state.declarer if state.rulebook.play.declarer_leads else Role.FH
    return changed(state, opening=state.hands, to_play=leader, playing=in_play(state))


def in_play(state: Position) -> tuple[Role, ...]:
    """The roles that play cards, forehand first, without a fourth player who gave up the hand."""
    joined = Role.IDLE in state.joined and Role.IDLE not in state.gave_up
    fourth_plays = joined or known(state.contract).by_fourth
    seating = state.table.seating
    return order_of_play(seating.players, fourth_plays, dealer_out=seating.dealer_out)


def kind_of_order(state: Position) -> Kind:
    """The kind of contract that ranks the cards; a trump contract played without trumps ranks like grand."""
    kind = known(state.contract).kind
    if state.trump:
        return Kind.TRUMP
    return Kind.GRAND if kind is Kind.TRUMP else kind


def order_of_cards(state: Position) -> CardOrder:
    """The rank of the cards in this deal."""
    return card_order(kind_of_order(state), state.trump, state.rulebook.pack.ranking)


def playable(state: Position) -> tuple[str, ...]:
    """The legal cards of the player whose turn it is."""
    led = state.trick[0][1] if state.trick else None
    literal = state.rulebook.house.literal_matador_privilege
    return legal_cards(order_of_cards(state), led, state.hands[known(state.to_play)], literal=literal)


def legal_steps(state: Position) -> Iterator[Step]:
    """All legal steps of the player whose turn it is, and the declarer's stop."""
    role = known(state.to_play)
    for card in playable(state):
        yield Step(role, Act.PLAY, card)
    if _may_announce_tout(state):
        yield Step(role, Act.ANNOUNCE, TOUT)
    if _may_announce_five(state):
        yield Step(role, Act.ANNOUNCE, FIVE_FIRST)
    if problem_of_surrender(state, role) is None:
        yield Step(role, Act.GIVE_UP)
    if _may_stop(state):
        yield Step(known(state.declarer), Act.STOP)


def problem_of(state: Position, step: Step) -> Problem | None:
    """The rule that a step in play breaks; None for a legal step."""
    rulebook = state.rulebook.id
    if step.act is Act.STOP:
        return _problem_of_stop(state, step.role)
    if step.role is not state.to_play:
        return wrong("card_out_of_turn", rulebook, "card", seat=step.role, turn=state.to_play)
    if step.act is Act.PLAY:
        return _problem_of_card(state, step)
    if step.act is Act.ANNOUNCE:
        allowed = (step.value == TOUT and _may_announce_tout(state)) or (
            step.value == FIVE_FIRST and _may_announce_five(state)
        )
        return None if allowed else wrong("announced_not_allowed", rulebook)
    if step.act is Act.GIVE_UP:
        return problem_of_surrender(state, step.role)
    return wrong("play_not_now", rulebook)


def _problem_of_stop(state: Position, role: Role) -> Problem | None:
    """The problem of stopping, which only the declarer may do, in anyone's turn to lead."""
    if role is not state.declarer:
        return wrong("stop_not_declarer", state.rulebook.id, seat=role, declarer=state.declarer)
    return None if _may_stop(state) else wrong("stop_undecided", state.rulebook.id)


def _problem_of_card(state: Position, step: Step) -> Problem | None:
    """The problem of playing a card."""
    role, card = step.role, step.value
    rulebook = state.rulebook.id
    if card not in state.hands[role]:
        return wrong("card_not_held", rulebook, "card", seat=role, card=card)
    if card in playable(state):
        return None
    order = order_of_cards(state)
    led = order.suit[state.trick[0][1]]
    # The paragraph on trumps is about matadors; without them trumps are followed like any suit.
    code = "must_follow_trump" if led == TRUMPS and order.matadors else "must_follow"
    return wrong(code, rulebook, "card", seat=role, card=card, suit=led)


def _won_all(state: Position) -> bool:
    return all(role is state.declarer for role in state.winners)


def _may_announce_tout(state: Position) -> bool:
    """Whether a tout can be announced: before the lead to the sixth trick, by a declarer who won all tricks."""
    return (
        state.rulebook.play.announces_tout
        and state.to_play is state.declarer
        and known(state.contract).is_game
        and TOUT not in state.announced
        and len(state.winners) <= FIRST_FIVE
        and _won_all(state)
    )


def _may_announce_five(state: Position) -> bool:
    """Whether the first five tricks can be announced: before the declarer's first card, if they have a bonus."""
    return (
        state.rulebook.house.first_five_bonus
        and state.to_play is state.declarer
        and known(state.contract).is_game
        and FIVE_FIRST not in state.announced
        and not state.winners
    )


def _may_stop(state: Position) -> bool:
    """Whether play can stop: between tricks, when the tricks to come cannot change the settlement.

    The checks of reports decide that: the report of play that stops now must determine the outcome.
    """
    winners = state.winners
    if state.trick or not winners or not state.rulebook.play.may_stop:
        return False
    # A game is not decided earlier; this saves most of the checks below.
    if known(state.contract).is_game and len(winners) < FIRST_FIVE:
        return False
    # An announcement is open until a trick is lost, or all announced tricks are won.
    if _won_all(state) and (
        TOUT in state.announced or (FIVE_FIRST in state.announced and len(winners) < FIRST_FIVE)
    ):
        return False
    # The lead to the sixth trick was a try for the tout.
    if len(winners) > FIRST_FIVE and _won_all(state):
        return False
    if not known(state.contract).is_game and not _clear_in_nolo(state):
        return False
    stopped = report(changed(state, over=True, stopped=True), 0 if state.rulebook.pool else None)
    _case, found = examine(stopped, state.table.seating.players, state.rulebook)
    return all(problem.is_warning for problem in found)


def _clear_in_nolo(state: Position) -> bool:
    """Whether every declarer of a nolo has so many tricks that further ones change nothing.

    The checks of reports do not decide this: a report without a trick is a win, but in play a trick may still come.
    """
    contract = known(state.contract)
    if contract.extra_per_trick:
        return False
    enough = 1 if contract.avoids_tricks else KODILLE_FROM
    return all(state.winners.count(role) >= enough for role in (known(state.declarer), *state.joined))


def after(state: At, step: Step) -> At:
    """The state after a legal step in play."""
    if step.act is Act.PLAY:
        return _after_card(state, step.role, str(step.value))
    if step.act is Act.ANNOUNCE:
        return changed(state, announced=(*state.announced, str(step.value)))
    if step.act is Act.GIVE_UP:
        after_surrender = give_up(state, step.role)
        return after_surrender if step.role is state.declarer else _without_fourth(after_surrender)
    return changed(state, stopped=True, over=True, to_play=None)


def _after_card(state: At, role: Role, card: str) -> At:
    """The state after a legal card."""
    hands = {**state.hands, role: tuple(held for held in state.hands[role] if held != card)}
    return _next_turn(changed(state, hands=hands), role, (*state.trick, (role, card)))


def _without_fourth(state: At) -> At:
    """The state after the fourth player, who joined, gave up before the first card; the others continue the trick."""
    playing = in_play(state)
    return _next_turn(changed(state, playing=playing), playing[0], state.trick)


def _next_turn(state: At, role: Role, trick: Trick) -> At:
    """The state with the next player to play, or with the trick won once all have played to it."""
    playing = state.playing
    if len(trick) < len(playing):
        return changed(state, trick=trick, to_play=playing[(playing.index(role) + 1) % len(playing)])
    winner = trick[trick_winner(order_of_cards(state), [card for _role, card in trick])][0]
    over = len(state.winners) + 1 == state.rulebook.pack.hand
    return changed(
        state,
        trick=(),
        tricks=(*state.tricks, trick),
        winners=(*state.winners, winner),
        to_play=None if over else winner,
        over=over,
    )


# Giving up a hand: final before the first card, or during play with an answer by the opponents.


def counted_as(state: Position) -> Contract:
    """The contract that is priced: `counts_as` of the one played, if spadille was turned."""
    contract = known(state.contract)
    other = contract.counts_as if state.turned == SPADILLE else ""
    return state.rulebook.by_id.get(other, contract)


def problem_of_surrender(state: Position, role: Role) -> Problem | None:
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


def answer_surrender(state: At, step: Step) -> At:
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
