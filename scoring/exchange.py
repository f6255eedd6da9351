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
    """How many cards the declarer must and may take, and whether the defenders may take any.

    - looks: so many talon cards are taken before the declarer chooses; he discards of his own only
    - lays_off: so many cards are laid off again after the whole talon was taken
    - from_discards: the defenders take of what the declarer discarded
    - first_defender: the most that the defender who exchanges first may take
    """

    least: int
    most: int
    defenders: bool
    looks: int = 0
    lays_off: int = 0
    from_discards: bool = False
    first_defender: int = HAND


NONE_BUT_DEFENDERS = ExchangeLimits(0, 0, defenders=True)
NONE_AT_ALL = ExchangeLimits(0, 0, defenders=False)


def exchange_problems(
    limits: ExchangeLimits,
    rulebook: str,
    declarer: int,
    defenders: Sequence[int],
    talon: int = TALON,
    hand: int = HAND,
    *,
    others_join: bool = False,
) -> tuple[Problem, ...]:
    """What is wrong with an exchange: cards taken by the declarer, then by each defender in order of play.

    `talon` and `hand` are the numbers of cards that there are. With `others_join` a defender may have joined, and then
    exchanges as a declarer.
    """
    found = []
    if not limits.least <= declarer <= limits.most:
        found.append(
            problem("exchange_count", rulebook, taken=declarer, least=limits.least, most=limits.most)
        )
    if not (limits.defenders or others_join) and any(defenders):
        found.append(problem("exchange_by_defenders", rulebook))
    # What the declarer of a casco discards is as much as he took.
    left = talon if limits.from_discards else max(talon - declarer, 0)
    most = min(limits.first_defender, hand)
    for taken in defenders:
        if not 0 <= taken <= min(most, left):
            found.append(problem("exchange_talon", rulebook, taken=taken, left=min(most, left)))
        left = max(left - taken, 0)
        most = hand
    return tuple(found)
