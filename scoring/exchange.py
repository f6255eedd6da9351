"""The exchange of cards with the talon: who may take how many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.cards import HAND, TALON
from scoring.problems import Problem, problem

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class ExchangeLimits:
    """How many cards the declarer must and may take, and whether the defenders may take any."""

    least: int
    most: int
    defenders: bool


NONE_BUT_DEFENDERS = ExchangeLimits(0, 0, defenders=True)
NONE_AT_ALL = ExchangeLimits(0, 0, defenders=False)


def exchange_problems(
    limits: ExchangeLimits, rulebook: str, declarer: int, defenders: Sequence[int]
) -> tuple[Problem, ...]:
    """What is wrong with an exchange: cards taken by the declarer, then by each defender in order of play."""
    found = []
    if not limits.least <= declarer <= limits.most:
        found.append(
            problem("exchange_count", rulebook, taken=declarer, least=limits.least, most=limits.most)
        )
    if not limits.defenders and any(defenders):
        found.append(problem("exchange_by_defenders", rulebook))
    left = TALON - declarer
    for taken in defenders:
        if not 0 <= taken <= min(HAND, max(left, 0)):
            found.append(problem("exchange_talon", rulebook, taken=taken, left=max(left, 0)))
        left -= taken
    return tuple(found)
