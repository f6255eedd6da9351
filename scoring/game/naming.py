"""What is said when the auction is won: the contract, trumps, a king, a promise; and what may be said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import SUITS, Kind, trump_order
from scoring.game.steps import SANS, Act, wrong
from scoring.game.turns import Ask, Turn, known

if TYPE_CHECKING:
    from scoring.contracts import Contract
    from scoring.game.position import Position
    from scoring.problems import Problem

NAMING = {Ask.DEFINE: Act.DEFINE, Ask.TRUMP: Act.TRUMP, Ask.KING: Act.KING, Ask.PROMISE: Act.PROMISE}

_REFUSED = {
    Ask.DEFINE: "definition_not_allowed",
    Ask.TRUMP: "trump_not_allowed",
    Ask.KING: "king_not_allowed",
    Ask.PROMISE: "promise_not_allowed",
}


def definable(state: Position) -> tuple[Contract, ...]:
    """The contracts that the winner of the auction may play."""
    declarer, bid = known(state.auction.declarer), known(state.auction.contract)
    return tuple(
        row
        for row in state.rulebook.contracts_at(state.table.seating.players)
        if bid.may_be_defined_as(row) and state.auction.holdings.allow(declarer, row)
    )


def values(state: Position, turn: Turn) -> tuple[str, ...]:
    """What may be named in answer to a turn."""
    contract = known(state.contract)
    if turn.ask is Ask.DEFINE:
        return tuple(row.id for row in definable(state))
    if turn.ask is Ask.PROMISE:
        return tuple(bid for bid in contract.bonus_bids if bid not in state.promised)
    hand, ranking = state.hands[turn.role], state.rulebook.pack.ranking
    if turn.ask is Ask.KING:
        return tuple(f"{suit}K" for suit in SUITS if f"{suit}K" not in hand)
    suits = tuple(
        suit
        for suit in SUITS
        if f"{suit}K" in state.rulebook.pack.cards
        and (
            not contract.avoids_tricks or any(card in hand for card in trump_order(Kind.TRUMP, suit, ranking))
        )
    )
    return (*suits, SANS) if contract.or_sans else suits


def problem_of_naming(state: Position, ask: Ask, named: str) -> Problem:
    """Why this cannot be named in answer to a turn."""
    bid, rulebook = known(state.contract), state.rulebook
    if ask is not Ask.DEFINE:
        return wrong(_REFUSED[ask], rulebook.id, bid=bid.id, contract=bid.id)
    row = rulebook.by_id.get(named)
    lacks_cards = row is not None and bid.may_be_defined_as(row)
    code = "definition_needs_cards" if lacks_cards else _REFUSED[ask]
    return wrong(code, rulebook.id, bid=bid.id, contract=named)
