"""Answering cases: one JSON object in, one out, for each kind of question about the rules."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scoring.explaining import in_words
from scoring.game.cases import CASES, CannotAnswer
from scoring.results import read_result
from scoring.rulebooks import get_rulebook
from scoring.seats import FIVE, ROLES, Role
from scoring.settlement import IllegalResult, settle
from scoring.solver.cases import answer_solve

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoring.rulebook import Rulebook

__all__ = ["CannotAnswer", "answer_case"]

Situation = dict[str, Any]
Answer = dict[str, Any]
# Who plays against a declarer without a partner at a table of five.
_OTHERS = 4


def answer_case(case: object) -> Answer:
    """The answer to a case, with the fields of its kind's `expected`, perhaps more.

    Raises CannotAnswer, or another ValueError or LookupError in words, where the case asks for nothing the
    engine knows.
    """
    if not isinstance(case, dict):
        raise CannotAnswer("a case is an object with fields")
    kind, situation = case.get("kind"), case.get("situation")
    answer = _KINDS.get(kind) if isinstance(kind, str) else None
    if answer is None:
        raise CannotAnswer(f"cases of this kind are not answered; known: {', '.join(_KINDS)}")
    if not isinstance(situation, dict):
        raise CannotAnswer("a case has a situation, an object with fields")
    rulebook = _rulebook_of(case)
    return answer(situation, rulebook, _players_of(case, rulebook))


def _rulebook_of(case: dict[str, Any]) -> Rulebook:
    name, options = case.get("rulebook"), case.get("options")
    if not isinstance(name, str) or not isinstance(options, dict | None):
        raise CannotAnswer("a case names a rulebook, and its options as an object")
    return _bound(name, json.dumps(options) if options else "{}")


def _players_of(case: dict[str, Any], rulebook: Rulebook) -> int:
    """The size of the table: as said, else the smallest that the rules seat."""
    players = case.get("players")
    if players is None:
        return min(rulebook.players)
    if type(players) is not int or players not in rulebook.players:
        raise CannotAnswer(f"{rulebook.id} is played at tables of {' or '.join(map(str, rulebook.players))}")
    return players


@lru_cache(maxsize=256)
def _bound(name: str, options: str) -> Rulebook:
    return get_rulebook(name, json.loads(options))


def answer_score(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """What a deal comes to: outcome, extras and tokens by role, or `illegal` with the problems."""
    seating = rulebook.seating(players, players - 1)
    names = _seat_names(situation, rulebook)
    result = read_result(
        situation, seating, {**rulebook.roles_by_name, **{name: role for role, name in names.items()}}
    )
    if "PARTNER" in _tricks_by_name(situation):
        result = result._replace(partner=Role.MH)
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
    # Where points come from nowhere, the declarer's are all there are.
    roles = (
        seating.roles if rulebook.zero_sum else [role for role in seating.roles if role is result.declarer]
    )
    tokens = {names.get(role, role.value): settled.tokens[seating.positions[role]] for role in roles}
    if rulebook.pool is not None:
        tokens["POOL"] = settled.pool
    return {"outcome": settled.outcome, "extras": settled.extras, "tokens": tokens}


def _seat_names(situation: Situation, rulebook: Rulebook) -> Mapping[Role, str]:
    """What a case calls the seats: the rulebook's codes, or at a table of five what each is in the deal."""
    if situation.get("declarer") != "OMBRE" or Role.H3 not in ROLES[max(rulebook.players)]:
        return rulebook.seat_names
    others = [name for name in _tricks_by_name(situation) if name not in ("OMBRE", "PARTNER")]
    partner = ["PARTNER"] if "PARTNER" in _tricks_by_name(situation) or len(others) < _OTHERS else []
    spare = (name for name in ("X", "Y", "Z", "W") if name not in others)
    return dict(zip(FIVE, [*("OMBRE",), *partner, *others, *spare], strict=False))


def _tricks_by_name(situation: Situation) -> Mapping[str, object]:
    tricks = situation.get("tricks")
    return tricks if isinstance(tricks, dict) else {}


_KINDS: dict[str, Callable[[Situation, Rulebook, int], Answer]] = {
    "score": answer_score,
    "solve": answer_solve,
} | CASES
