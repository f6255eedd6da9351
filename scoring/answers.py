"""Answering cases: one JSON object in, one out, for each kind of question about the rules."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scoring.cards import ACTIVE_HANDS, CARDS, HAND, SUITS, Kind, suit_order, trump_order
from scoring.exchange import exchange_problems
from scoring.explaining import in_words
from scoring.results import read_result
from scoring.rulebooks import get_rulebook
from scoring.seats import Seating, deals_each
from scoring.settlement import IllegalResult, settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.contracts import Contract
    from scoring.rulebook import Rulebook

Situation = dict[str, Any]
Answer = dict[str, Any]


class CannotAnswer(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """A case that asks for nothing the engine knows; the message says what is missing."""


def answer_case(case: object) -> Answer:
    """The answer to a case, with the fields of its kind's `expected`, perhaps more.

    Raises CannotAnswer, or another ValueError or LookupError in words, where the case asks for nothing the
    engine knows.
    """
    if not isinstance(case, dict):
        raise CannotAnswer("a case is an object with fields")
    kind, situation, players = case.get("kind"), case.get("situation"), case.get("players", ACTIVE_HANDS)
    answer = _KINDS.get(kind) if isinstance(kind, str) else None
    if answer is None:
        raise CannotAnswer(f"cases of this kind are not answered; known: {', '.join(_KINDS)}")
    if not isinstance(situation, dict):
        raise CannotAnswer("a case has a situation, an object with fields")
    rulebook = _rulebook_of(case)
    if type(players) is not int or players not in rulebook.players:
        raise CannotAnswer(f"{rulebook.id} is played at tables of {rulebook.players}")
    return answer(situation, rulebook, players)


def _rulebook_of(case: dict[str, Any]) -> Rulebook:
    name, options = case.get("rulebook"), case.get("options") or {}
    if not isinstance(name, str) or not isinstance(options, dict):
        raise CannotAnswer("a case names a rulebook, and its options as an object")
    return _bound(name, json.dumps(options) if options else "{}")


@lru_cache(maxsize=256)
def _bound(name: str, options: str) -> Rulebook:
    return get_rulebook(name, json.loads(options))


def answer_score(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """What a deal comes to: outcome, extras and tokens by role, or `illegal` with the problems."""
    seating = Seating(players, players - 1)
    result = read_result(situation, seating)
    try:
        settled = settle(result, seating, rulebook)
    except IllegalResult as error:
        return {
            "illegal": True,
            "problems": [
                {
                    "code": problem.code,
                    "field": problem.field,
                    "paragraph": problem.paragraph,
                    "text": in_words(problem.text, problem.params),
                }
                for problem in error.problems
            ],
        }
    tokens = dict(zip(seating.roles, settled.tokens, strict=True))
    return {"outcome": settled.outcome, "extras": settled.extras, "tokens": tokens}


def answer_definition(situation: Situation, rulebook: Rulebook, _players: int) -> Answer:
    """Whether a declarer who won the auction with one bid may play another contract."""
    bid = _contract(situation, "final_bid", rulebook)
    played = _contract(situation, "defined_as", rulebook)
    return {"legal": bid is not None and played is not None and bid.may_be_defined_as(played)}


def answer_exchange(situation: Situation, rulebook: Rulebook, _players: int) -> Answer:
    """Whether the declarer and then the defenders may exchange so many cards."""
    contract = _contract(situation, "contract", rulebook)
    counts = [_count(situation, name) for name in ("declarer", "defender1", "defender2")]
    if contract is None:
        return {"legal": False}
    return {"legal": not exchange_problems(contract.exchange, rulebook.id, counts[0], counts[1:])}


def answer_card_order(situation: Situation, _rulebook: Rulebook, _players: int) -> Answer:
    """A suit's cards, or the trumps, from high to low."""
    suit, trump, mode = situation.get("suit"), situation.get("trump"), situation.get("mode", Kind.TRUMP)
    if mode not in list(Kind):
        raise CannotAnswer(f"mode is one of {', '.join(Kind)}")
    kind = Kind(mode)
    if kind is Kind.TRUMP and trump not in SUITS:
        raise CannotAnswer(f"trump is one of {', '.join(SUITS)}")
    if suit != "trumps" and suit not in SUITS:
        raise CannotAnswer(f"suit is trumps, or one of {', '.join(SUITS)}")
    return {"high_to_low": trump_order(kind, trump) if suit == "trumps" else suit_order(suit, kind, trump)}


def answer_seating(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """Who is what at a table and deals next, deals for each in a round, or cards in the talon."""
    if "deals_in_round" in situation:
        each = deals_each(_count(situation, "deals_in_round"), players)
        if each is None:
            raise CannotAnswer(f"these deals do not come out even at a table of {players}")
        return {"deals_dealt_by_each": each[0], "sit_outs_each": each[1]}
    if "hands" in situation:
        if _count(situation, "hands") != HAND:
            raise CannotAnswer(f"hands have {HAND} cards")
        return {"talon": CARDS - HAND * min(_count(situation, "players"), ACTIVE_HANDS)}
    return _roles(situation, rulebook, players)


def _roles(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """Seats are listed clockwise (`compass`, `seats_cw`) or in order of play (`seats_ccw`)."""
    listed = situation.get("compass", situation.get("seats_cw"))
    clockwise = listed is not None
    names = listed if clockwise else situation.get("seats_ccw")
    seats = names.split(",") if isinstance(names, str) else names
    if (
        not isinstance(seats, list)
        or len(seats) != players
        or not all(isinstance(name, str) for name in seats)
    ):
        raise CannotAnswer(f"say who sits where: {players} names, clockwise as compass")
    dealer = situation.get("dealer")
    if not isinstance(dealer, str) or dealer not in seats:
        raise CannotAnswer("say which of the seats is the dealer's")
    if clockwise and rulebook.direction == "counter-clockwise":
        seats.reverse()
    seating = Seating(players, seats.index(dealer))
    forehand = seats[seating.forehand]
    roles = {role.value: seats[position] for role, position in seating.positions.items()}
    return roles | {"trick1_leader": forehand, "next_dealer": forehand}


def _contract(situation: Situation, field: str, rulebook: Rulebook) -> Contract | None:
    """The contract, or None for one that was not agreed on."""
    name = situation.get(field)
    if not isinstance(name, str) or name not in rulebook.known_contracts:
        raise CannotAnswer(f"{field} is one of {', '.join(sorted(rulebook.known_contracts))}")
    return rulebook.by_id.get(name)


def _count(situation: Situation, field: str) -> int:
    count = situation.get(field, 0)
    if type(count) is not int or count < 0:
        raise CannotAnswer(f"{field} is a whole number")
    return count


_KINDS: dict[str, Callable[[Situation, Rulebook, int], Answer]] = {
    "score": answer_score,
    "definition": answer_definition,
    "exchange": answer_exchange,
    "card_order": answer_card_order,
    "seating": answer_seating,
}
