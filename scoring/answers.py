"""Answers to questions about the rules as JSON: one case in, one answer out, for each kind of case."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scoring.game.cases import CASES, CannotAnswer
from scoring.results import read_result
from scoring.rulebooks import get_rulebook
from scoring.seats import FIVE, ROLES, Role
from scoring.settlement import IllegalResult, settle
from scoring.solver.cases import answer_solve
from scoring.words import CONTRACT_NAMES, OPTION_VALUE_NAMES, ROLE_NAMES, SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scoring.rulebook import Rulebook


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
