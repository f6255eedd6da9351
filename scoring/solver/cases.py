"""Answers to cases of the kind `solve`: the outcome of given hands with best play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.game.cases import CannotAnswer
from scoring.game.steps import order_of_play
from scoring.seats import Role
from scoring.settlement import IllegalResult
from scoring.solver.solving import CannotSolveError, CardPosition, solve

if TYPE_CHECKING:
    from scoring.cards import Cards
    from scoring.rulebook import Rulebook


def answer_solve(situation: dict[str, Any], rulebook: Rulebook, players: int) -> dict[str, Any]:
    """The outcome, the declarer's tricks and tokens, and a line; hands are as they are when the first card is led.

    Raises CannotAnswer.
    """
    contract = rulebook.by_id.get(str(situation.get("contract")))
    if contract is None:
        raise CannotAnswer(f"contract is one of {', '.join(sorted(rulebook.by_id))}")
    hands = _hands(situation.get("hands"), rulebook)
    declarer = _role(situation.get("declarer"), rulebook)
    joined = tuple(_role(name, rulebook) for name in _list(situation, "joined"))
    partner = _role(situation["partner"], rulebook) if situation.get("partner") else None
    trump = situation.get("trump")
    if trump is not None and not isinstance(trump, str):
        raise CannotAnswer("trump is one of S, H, D, C")
    # A fourth player who holds cards and is not the declarer has joined the nolo.
    if Role.IDLE in hands and not contract.by_fourth and Role.IDLE not in joined:
        joined = (*joined, Role.IDLE)
    fourth_plays = contract.by_fourth or Role.IDLE in joined
    playing = order_of_play(players, fourth_plays, dealer_out=rulebook.dealer_sits_out)
    leads = declarer if rulebook.play.declarer_leads else Role.FH
    try:
        solution = solve(
            CardPosition(
                rulebook=rulebook,
                players=players,
                contract=contract,
                declarer=declarer,
                trump=trump or ("S" if contract.id.startswith("spade_") else None),
                hands=hands,
                playing=playing,
                to_play=leads,
                partner=partner,
                joined=joined,
            ),
            line=True,
        )
    except IllegalResult as error:
        raise CannotAnswer(f"the rules do not allow that: {error}") from error
    except CannotSolveError as error:
        raise CannotAnswer(str(error)) from error
    return {
        "outcome": solution.outcome,
        "tricks": solution.tricks,
        "tokens": solution.tokens,
        "exact": solution.exact,
        "line": [[rulebook.seat_name(role), card] for role, card in solution.line],
    }


def _hands(value: object, rulebook: Rulebook) -> dict[Role, Cards]:
    if not isinstance(value, dict):
        raise CannotAnswer("hands is an object: the cards of each seat as a list")
    hands = {}
    for seat, cards in value.items():
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            raise CannotAnswer("hands is an object: the cards of each seat as a list")
        hands[_role(seat, rulebook)] = tuple(cards)
    return hands


def _role(name: object, rulebook: Rulebook) -> Role:
    if not isinstance(name, str) or name not in rulebook.roles_by_name:
        raise CannotAnswer("a seat is named by its code, like FH")
    return rulebook.roles_by_name[name]


def _list(situation: dict[str, Any], field: str) -> list[object]:
    value = situation.get(field) or []
    if not isinstance(value, list):
        raise CannotAnswer(f"{field} is a list")
    return value
