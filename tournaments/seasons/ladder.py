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

from tournaments.domain.comparison import Amount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

P = TypeVar("P")


class Kind(StrEnum):
    """The values that a ladder adds up: the evenings' results, tokens per deal, or points for places."""

    TOKENS = "tokens"
    AVERAGE = "average"
    PLACES = "places"


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule of a season. `best_of` 0: all evenings; `points` by place, the first place's first."""

    kind: Kind
    best_of: int = 0
    least_evenings: int = 0
    least_deals: int = 0
    points: tuple[int, ...] = ()
    counts_withdrawn: bool = True
    breaks_ties: bool = True


class Result(NamedTuple):
    """A player's evening: what places went by, tokens with rulings, deals that the player was dealt, the place.

    `rank` is a place among `field` players, or pairs or teams of the same `division`.
    """

    total: Amount
    tokens: int
    deals: int
    rank: int
    withdrawn: bool = False
    field: int = 0
    division: int = 1


class Evening(NamedTuple):
    """An evening in a player's line: what it is worth, and whether it is among those that count."""

    result: Result
    worth: Amount
    counts: bool


@dataclass(frozen=True, slots=True)
class Line(Generic[P]):
    """A player's line: the evenings the player was at by their columns, and which of them count by the rule.

    `played` and `deals` are what they were at and dealt in all, whether it counts or not. Without enough play, `rank`
    is 0.
    """

    player: P
    results: Mapping[int, Result]
    counted: frozenset[int]
    rule: Rule
    total: Amount
    played: int
    deals: int
    rank: int = 0
    shared: bool = False

    def evening(self, column: int) -> Evening | None:
        """None where the player was away."""
        result = self.results.get(column)
        if result is None:
            return None
        worth = _worth(result, self.rule) if _can_count(result, self.rule) else 0
        return Evening(result, worth, column in self.counted)


def ladder(results: Mapping[P, Mapping[int, Result]], rule: Rule) -> list[Line[P]]:
    """Lines by rank, players with too few evenings last; equals keep the order of the input.

    `results` maps players to results by the evenings' columns, which are in chronological order.
    """
    ranked = defaultdict(list)
    behind = []
    for player, evenings in results.items():
        line = _line(player, evenings, rule)
        if not _has_played_enough(line, rule):
            behind.append(line)
        elif line.played:
            ranked[line.total].append(line)
    ordered: list[Line[P]] = []
    for total in sorted(ranked, reverse=True):
        for equals in _told_apart(ranked[total], rule):
            place, shared = len(ordered) + 1, len(equals) > 1
            ordered += [_ranked(line, place, shared) for line in equals]
    behind = [line for line in behind if line.played]
    return ordered + sorted(behind, key=lambda line: (-line.played, -line.total))


def _line(player: P, results: Mapping[int, Result], rule: Rule) -> Line[P]:
    counted = [column for column, result in results.items() if _can_count(result, rule)]
    if rule.best_of and len(counted) > rule.best_of:
        # Of equal evenings the earlier one counts.
        worth = {column: _worth(results[column], rule) for column in counted}
        counted = sorted(sorted(counted), key=worth.__getitem__, reverse=True)[: rule.best_of]
    total = _total([results[column] for column in counted], rule)
    deals = sum([result.deals for result in results.values()])
    return Line(player, results, frozenset(counted), rule, total, len(results), deals)


def _ranked(line: Line[P], rank: int, shared: bool) -> Line[P]:
    return Line(
        *(line.player, line.results, line.counted, line.rule, line.total, line.played, line.deals),
        rank,
        shared,
    )


def _can_count(result: Result, rule: Rule) -> bool:
    if result.withdrawn and not rule.counts_withdrawn:
        return False
    return result.deals > 0 or rule.kind is not Kind.AVERAGE


def _worth(result: Result, rule: Rule) -> Amount:
    """The value of an evening if it can count."""
    match rule.kind:
        case Kind.TOKENS:
            return result.total
        case Kind.AVERAGE:
            return Fraction(result.tokens, result.deals)
        case Kind.PLACES:
            return rule.points[result.rank - 1] if 0 < result.rank <= len(rule.points) else 0


def _total(counted: Sequence[Result], rule: Rule) -> Amount:
    match rule.kind:
        case Kind.TOKENS:
            return sum([result.total for result in counted])
        case Kind.AVERAGE:
            deals = sum(result.deals for result in counted)
            return Fraction(sum(result.tokens for result in counted), deals) if deals else Fraction(0)
        case Kind.PLACES:
            return sum([_worth(result, rule) for result in counted])


def _has_played_enough(line: Line[P], rule: Rule) -> bool:
    """Whether a player has taken part often enough to have a place; evenings that do not count are play too."""
    return line.played >= rule.least_evenings and line.deals >= rule.least_deals


def _told_apart(equals: list[Line[P]], rule: Rule) -> list[list[Line[P]]]:
    """Lines of the same total, the better ones first: by the best evening that counts, the next best and so on."""
    if not rule.breaks_ties or len(equals) == 1:
        return [equals]
    by_best = defaultdict(list)
    for line in equals:
        worth = (_worth(line.results[column], rule) for column in line.counted)
        by_best[tuple(sorted(worth, reverse=True))].append(line)
    return [by_best[best] for best in sorted(by_best, reverse=True)]
