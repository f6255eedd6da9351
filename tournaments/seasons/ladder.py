"""The ladder of a season: many evenings put together. Plain numbers in and out.

Every evening is worth something to a player: its result, its average a deal, or points for its place. The best so many
of them count. Sums are exact; nothing is rounded before it is shown.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from tournaments.values.comparing import Amount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

P = TypeVar("P")


class Kind(StrEnum):
    """What is put together: the evenings' results, tokens over deals, or points for places."""

    TOKENS = "tokens"
    AVERAGE = "average"
    PLACES = "places"


@dataclass(frozen=True, slots=True)
class Rule:
    """How a season counts. `best_of` 0: all evenings; `points` by place, the first place's first."""

    kind: Kind
    best_of: int = 0
    least_evenings: int = 0
    least_deals: int = 0
    points: tuple[int, ...] = ()
    counts_withdrawn: bool = True
    breaks_ties: bool = True


class Result(NamedTuple):
    """A player's evening: what places went by, tokens with rulings, deals that the player was dealt, the place."""

    total: Amount
    tokens: int
    deals: int
    rank: int
    withdrawn: bool = False


class Evening(NamedTuple):
    """An evening in a player's line: what it is worth, and whether it is among those that count."""

    result: Result
    worth: Amount
    counts: bool


@dataclass(frozen=True, slots=True)
class Line(Generic[P]):
    """A player's line; `evenings` has None where the player was away. Without enough play, `rank` is 0."""

    player: P
    evenings: tuple[Evening | None, ...]
    total: Amount
    rank: int
    shared: bool

    @property
    def played(self) -> int:
        return sum(evening is not None for evening in self.evenings)

    @property
    def deals(self) -> int:
        return sum(evening.result.deals for evening in self.evenings if evening)


def ladder(results: Mapping[P, Sequence[Result | None]], rule: Rule) -> list[Line[P]]:
    """The players' lines by rank, those who have played too little last; equals in the order they came in.

    Every sequence of `results` has the season's evenings in the same order.
    """
    lines = {player: _line(player, evenings, rule) for player, evenings in results.items()}
    lines = {player: line for player, line in lines.items() if line.played}
    ranked = defaultdict(list)
    behind = []
    for line in lines.values():
        if _has_played_enough(line, rule):
            ranked[_key(line, rule)].append(line)
        else:
            behind.append(line)
    ordered: list[Line[P]] = []
    for key in sorted(ranked, reverse=True):
        place, equals = len(ordered) + 1, ranked[key]
        ordered += [Line(line.player, line.evenings, line.total, place, len(equals) > 1) for line in equals]
    return ordered + sorted(behind, key=lambda line: (-line.played, -line.total))


def _line(player: P, results: Sequence[Result | None], rule: Rule) -> Line[P]:
    worth = [_worth(result, rule) for result in results]
    # Of equal evenings the earlier one counts.
    best = sorted(
        (index for index, amount in enumerate(worth) if amount is not None),
        key=lambda index: (-(worth[index] or 0), index),
    )
    counted = set(best[: rule.best_of] if rule.best_of else best)
    evenings = tuple(
        None if result is None else Evening(result, amount or 0, index in counted)
        for index, (result, amount) in enumerate(zip(results, worth, strict=True))
    )
    return Line(player, evenings, _total([evening for evening in evenings if evening], rule), 0, shared=False)


def _worth(result: Result | None, rule: Rule) -> Amount | None:
    """What an evening is worth; None where the player was away, or nothing of it counts."""
    if result is None or (result.withdrawn and not rule.counts_withdrawn):
        return None
    match rule.kind:
        case Kind.TOKENS:
            return result.total
        case Kind.AVERAGE:
            return Fraction(result.tokens, result.deals) if result.deals else None
        case Kind.PLACES:
            return rule.points[result.rank - 1] if 0 < result.rank <= len(rule.points) else 0


def _total(evenings: Sequence[Evening], rule: Rule) -> Amount:
    counted = [evening for evening in evenings if evening.counts]
    if rule.kind is Kind.AVERAGE:
        deals = sum(evening.result.deals for evening in counted)
        tokens = sum(evening.result.tokens for evening in counted)
        return Fraction(tokens, deals) if deals else Fraction(0)
    return sum(evening.worth for evening in counted)


def _has_played_enough(line: Line[P], rule: Rule) -> bool:
    """Whether a player has taken part often enough to have a place; evenings that do not count are play too."""
    return line.played >= rule.least_evenings and line.deals >= rule.least_deals


def _key(line: Line[P], rule: Rule) -> tuple[Amount, ...]:
    """What places go by: the total, then the best evening that counts, the next best and so on."""
    if not rule.breaks_ties:
        return (line.total,)
    counted = [evening.worth for evening in line.evenings if evening and evening.counts]
    return (line.total, *sorted(counted, reverse=True))
