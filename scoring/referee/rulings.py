"""The parts of a ruling: sentences with a paragraph each, and choices with the reason why they are allowed or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.seats import WITH_FOURTH, Seating
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.game.steps import Step
    from scoring.problems import Problem
    from scoring.rulebook import Rulebook
    from scoring.seats import Role


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


_PARAGRAPH = "1.5"


def said_before_exchange(rulebook: Rulebook) -> Said:
    """What becomes of the partner's hand, whoever declares."""
    text = _(
        "Before the exchange the player sitting out takes over the hand of the declarer's partner, "
        "unless the dealer declares."
    )
    return cite(rulebook, _PARAGRAPH, text)


def said_of_take_over(rulebook: Rulebook, declarer: Role, *, over: bool = False) -> Said:
    """Whose hand is taken over when this role declares; `over` when it has been played."""
    (players,) = WITH_FOURTH
    taken = Seating(players, 0, in_pairs=True).declared_by(declarer).taken_over
    if taken is None:
        return cite(rulebook, _PARAGRAPH, _("The dealer declares, whose partner sits out anyway."))
    text = (
        _("The player sitting out has taken over the hand of {seat}, the declarer's partner.")
        if over
        else _("The player sitting out takes over the hand of {seat}, the declarer's partner.")
    )
    return cite(rulebook, _PARAGRAPH, text, seat=taken)


def said_of_pairs(rulebook: Rulebook, declarer: int, tokens: Sequence[int]) -> Said:
    """What the declarer's pair and the other have together, by the position of the declarer."""
    own = sum(tokens[declarer % 2 :: 2])
    text = _("Together the declarer's pair has {tokens}, the other pair {other}.")
    return cite(rulebook, _PARAGRAPH, text, tokens=_signed(own), other=_signed(sum(tokens) - own))


def _signed(tokens: int) -> str:
    return f"{tokens:+}".replace("-", "\N{MINUS SIGN}")
