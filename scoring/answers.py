"""Answers to questions about the rules as JSON: one case in, one answer out, for each kind of case."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scoring.game.cases import CASES, CannotAnswer
from scoring.game.steps import order_of_play
from scoring.results import read_result
from scoring.rulebooks import get_rulebook
from scoring.seats import FIVE, ROLES, Role
from scoring.settlement import IllegalResult, settle
from scoring.solver.solving import CannotSolveError, CardPosition, solve
from scoring.words import CONTRACT_NAMES, OPTION_VALUE_NAMES, ROLE_NAMES, SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

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


_WORDS = CONTRACT_NAMES | OPTION_VALUE_NAMES | SUIT_NAMES


def in_words(text: str, params: Mapping[str, Any]) -> str:
    """Fill in an English text with its parameters as words; seats by the name of their role."""
    return text.format(**{name: _word(value) for name, value in params.items()})


def _word(value: object) -> str:
    if isinstance(value, Role):
        return ROLE_NAMES[value] if value is not Role.IDLE else "the fourth player"
    if isinstance(value, (list, tuple)):
        return " or ".join(map(_word, value))
    return _WORDS.get(value, value) if isinstance(value, str) else str(value)


Situation = dict[str, Any]
Answer = dict[str, Any]
# The number of opponents of a declarer without a partner at a table of five.
_OTHERS = 4


def answer_case(case: object) -> Answer:
    """The answer to a case as JSON, with at least the fields of `expected` of its kind.

    Raises CannotAnswer, or another ValueError or LookupError with a message, for an invalid case.
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
    """The size of the table in the case, else the smallest of the rulebook."""
    players = case.get("players")
    if players is None:
        return min(rulebook.players)
    if type(players) is not int or players not in rulebook.players:
        raise CannotAnswer(f"{rulebook.id} is played at tables of {' or '.join(map(str, rulebook.players))}")
    return players


@lru_cache(maxsize=256)
def _bound(name: str, options: str) -> Rulebook:
    """The rulebook with its options, given as JSON to be hashable for the cache."""
    return get_rulebook(name, json.loads(options))


def answer_score(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """Settle a report: outcome, extras and tokens by role, or `illegal` with the problems."""
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
    # By rules that are not zero-sum only the declarer scores.
    roles = (
        seating.roles if rulebook.zero_sum else [role for role in seating.roles if role is result.declarer]
    )
    tokens = {names.get(role, role.value): settled.tokens[seating.positions[role]] for role in roles}
    if rulebook.pool is not None:
        tokens["POOL"] = settled.pool
    return {"outcome": settled.outcome, "extras": settled.extras, "tokens": tokens}


def _seat_names(situation: Situation, rulebook: Rulebook) -> Mapping[Role, str]:
    """The names of the seats in a case: the rulebook's codes, or OMBRE, PARTNER and X to W at a table of five."""
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


# A case has some hundred bytes; a longer line is a mistake, and parsing it would cost memory.
_LONGEST_LINE = 1_000_000
# Error messages quote the input, up to this length.
_LONGEST_ERROR = 1000
_NOTHING = object()
_UNORDERED = "legal"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def answer_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """One line of JSON for each line: `{"id", "answer"}`, or `{"id", "error"}` for an invalid case.

    An empty line gets an error too, so that line n of the output belongs to line n of the input.
    """
    for line in lines:
        case: object = None
        try:
            case = read_case(line)
            written = json.dumps({"id": _id_of(case), "answer": answer_case(case)})
        except (ValueError, LookupError, RecursionError) as error:
            written = json.dumps({"id": _id_of(case), "error": _message(error)})
        yield written


def read_case(line: bytes) -> object:
    """Parse the JSON of a line. Raises ValueError or RecursionError if it is invalid."""
    if len(line) > _LONGEST_LINE:
        raise CannotAnswer(f"the line is longer than {_LONGEST_LINE} bytes")
    text = line.decode("utf-8").strip()
    if not text:
        raise CannotAnswer("the line is empty")
    return _DECODER.decode(text)


def _id_of(case: object) -> str | int | None:
    name = case.get("id") if isinstance(case, dict) else None
    return name if isinstance(name, str) or type(name) is int else None


def _message(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "the line is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"the line is not JSON: {error.msg} at column {error.colno}"
    if isinstance(error, UnicodeDecodeError):
        return f"the line is not UTF-8 at byte {error.start + 1}"
    return str(error)[:_LONGEST_ERROR]


def differences(lines: Iterable[bytes]) -> Iterator[str | None]:
    """For each line None if the answer is as expected, else the differences in words."""
    for number, line in enumerate(lines, 1):
        case: object = None
        try:
            case = read_case(line)
            answer = answer_case(case)
        except (ValueError, LookupError, RecursionError) as error:
            yield f"{_case_name(case, number)}: not answered: {_message(error)}"
            continue
        expected = case.get("expected") if isinstance(case, dict) else None
        if not isinstance(expected, dict):
            yield f"{_case_name(case, number)}: says nothing that is expected"
            continue
        # Through JSON, so that tuples and enums compare equal to the lists and strings of `expected`.
        wrong = differing(expected, json.loads(json.dumps(answer)))
        yield f"{_case_name(case, number)}: {'; '.join(wrong)}" if wrong else None


def _case_name(case: object, number: int) -> str:
    """The id of a case, or its line number, with unprintable characters replaced."""
    name = str(_id_of(case) or f"line {number}")
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)


def differing(expected: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """The fields whose answer differs from the expected one, in words; further fields of an answer are ignored."""
    return [
        f"{field}: expected {json.dumps(value)}, got {json.dumps(answer.get(field))}"
        for field, value in expected.items()
        if _comparable(field, answer.get(field, _NOTHING)) != _comparable(field, value)
    ]


def _comparable(field: str, value: object) -> object:
    """The value in a form to compare: the cards of `legal` are sorted, because their order has no meaning."""
    return sorted(map(str, value)) if field == _UNORDERED and isinstance(value, list) else value
