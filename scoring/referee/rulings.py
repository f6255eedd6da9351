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
    """A card code such as `HK` as a parameter, marked so that the caller can show it as a card."""

    __slots__ = ()


class Explanation(NamedTuple):
    """A sentence of a ruling: English with `{params}`, which are as in a Problem, `Card`s, or tuples of them.

    `paragraph` is that of the rules; `field` is the field of the question concerned, if it was refused.
    """

    text: str
    params: Mapping[str, Any] = {}
    paragraph: str = ""
    field: str = ""


class Choice(NamedTuple):
    """A call, card or contract that could be chosen: whether it is allowed, and the reason if one is needed."""

    value: Step | str
    allowed: bool
    reason: Explanation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The answer to a question.

    - problems: rules that the question itself breaks
    - explanations: sentences on the situation and the rules that apply
    - choices: the possible next actions, allowed or not
    """

    problems: tuple[Explanation, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    choices: tuple[Choice, ...] = field(default=())

    @property
    def allowed(self) -> bool:
        """Whether the question breaks no rule."""
        return not self.problems


def cite(rulebook: Rulebook, number: str, text: str, **params: Any) -> Explanation:
    """A sentence with the rulebook's paragraph of this number."""
    return Explanation(text, params, f"{rulebook.id} §{number}")


def explain_problem(problem: Problem) -> Explanation:
    """The sentence of a problem."""
    return Explanation(problem.text, problem.params, problem.paragraph, problem.field)


_PARAGRAPH = "1.5"


def explain_partners_hand(rulebook: Rulebook) -> Explanation:
    """The rule of pairs that the player sitting out takes over a hand, for any declarer."""
    text = _(
        "Before the exchange the player sitting out takes over the hand of the declarer’s partner, "
        "unless the dealer declares."
    )
    return cite(rulebook, _PARAGRAPH, text)


def explain_take_over(rulebook: Rulebook, declarer: Role, *, over: bool = False) -> Explanation:
    """The hand that is taken over if this role declares; in the past tense if the deal is `over`."""
    (players,) = WITH_FOURTH
    taken = Seating(players, 0, in_pairs=True).declared_by(declarer).taken_over
    if taken is None:
        return cite(
            rulebook, _PARAGRAPH, _("The dealer is declarer, and the dealer’s partner sits out anyway.")
        )
    text = (
        _("The player sitting out has taken over the hand of {seat}, the declarer’s partner.")
        if over
        else _("The player sitting out takes over the hand of {seat}, the declarer’s partner.")
    )
    return cite(rulebook, _PARAGRAPH, text, seat=taken)


def explain_pairs(rulebook: Rulebook, declarer: int, tokens: Sequence[int]) -> Explanation:
    """The sums of tokens of the declarer's pair and of the other, given the declarer's position."""
    own = sum(tokens[declarer % 2 :: 2])
    text = _("Together the declarer’s pair gets {tokens}, the other pair {other}.")
    return cite(rulebook, _PARAGRAPH, text, tokens=_signed(own), other=_signed(sum(tokens) - own))


def _signed(tokens: int) -> str:
    """A number with its sign, using the typographic minus."""
    return f"{tokens:+}".replace("-", "\N{MINUS SIGN}")
