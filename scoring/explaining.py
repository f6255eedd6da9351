"""The engine's sentences in English, for the command line; a program with users translates them itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.checks import examine
from scoring.notation import LETTERS
from scoring.seats import Role
from scoring.settlement import IllegalResult, settle
from scoring.words import CONTRACT_NAMES, OPTION_VALUE_NAMES, ROLE_NAMES, SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.problems import Problem
    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.seats import Seating

_WORDS = CONTRACT_NAMES | OPTION_VALUE_NAMES | SUIT_NAMES


def in_words(text: str, params: Mapping[str, Any]) -> str:
    """A template with its parameters as words; seats by their role."""
    return text.format(**{name: _word(value) for name, value in params.items()})


def _word(value: object) -> str:
    if isinstance(value, Role):
        return ROLE_NAMES[value] if value is not Role.IDLE else "the fourth player"
    if isinstance(value, (list, tuple)):
        return " or ".join(map(_word, value))
    return _WORDS.get(value, value) if isinstance(value, str) else str(value)


def explain(result: DealResult, seating: Seating, rulebook: Rulebook) -> tuple[list[str], bool]:
    """What a report comes to, line by line, and whether the rules accept it."""
    try:
        settled = settle(result, seating, rulebook)
    except IllegalResult as error:
        return [_problem_line(problem) for problem in error.problems], False
    lines = [_problem_line(problem) for problem in examine(result, seating.players, rulebook)[1]]
    if result.contract and result.declarer:
        trump = f" in {SUIT_NAMES[result.trump]}" if result.trump else ""
        declarer = LETTERS[seating.position_of(result.declarer)]
        lines.append(f"{declarer} plays {CONTRACT_NAMES[result.contract]}{trump}: {_word(settled.outcome)}")
    else:
        lines.append("all passed: nobody pays")
    lines += [
        f"{LETTERS[part.payer]} pays {LETTERS[part.payee]} {part.tokens}: {in_words(part.text, part.params)}"
        for part in settled.parts
    ]
    tokens = (f"{letter} {amount:+d}" for letter, amount in zip(LETTERS, settled.tokens, strict=False))
    return [*lines, "tokens: " + ", ".join(tokens)], True


def _problem_line(problem: Problem) -> str:
    kind = "please check" if problem.is_warning else "not possible"
    return f"{kind}: {in_words(problem.text, problem.params)} ({problem.paragraph})"
