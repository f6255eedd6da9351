"""What a referee says: sentences with the paragraph behind each, and things that may or may not be done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.game.steps import Step
    from scoring.problems import Problem
    from scoring.rulebook import Rulebook


class Card(str):
    """A card's code in a sentence, so that whoever shows it can draw it: `HK`."""

    __slots__ = ()


class Said(NamedTuple):
    """A sentence: English with `{params}`, which are words as in a Problem, `Card`s and tuples of them.

    `paragraph` is where the rules say so; `field` what it concerns in a question that was answered no.
    """

    text: str
    params: Mapping[str, Any] = {}
    paragraph: str = ""
    field: str = ""


class Choice(NamedTuple):
    """A call, a card or a contract, whether it may be chosen, and why; nothing where it goes without saying."""

    value: Step | str
    allowed: bool
    reason: Said | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The answer to a question.

    - problems: what in the question itself was not allowed
    - said: what follows, and why
    - choices: everything that could be done now
    """

    problems: tuple[Said, ...] = ()
    said: tuple[Said, ...] = ()
    choices: tuple[Choice, ...] = field(default=())

    @property
    def allowed(self) -> bool:
        """Whether nothing in the question was against the rules."""
        return not self.problems


def cite(rulebook: Rulebook, number: str, text: str, **params: Any) -> Said:
    """A sentence that a rulebook's paragraph of this number says."""
    return Said(text, params, f"{rulebook.id} §{number}")


def of_problem(problem: Problem) -> Said:
    return Said(problem.text, problem.params, problem.paragraph, problem.field)
