"""The points list of a union: points for places, weights, decay by months, best results; clubs ranked. Plain values."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from tournaments.domain.comparison import plain_factor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from tournaments.domain.comparison import Amount


MONTHS = 12
# For sorting, a result is one integer: its worth, and in the low bits the tournament, an earlier one greater.
BITS = 32
LAST = (1 << BITS) - 1


def month_of(day: date) -> int:
    """Months since the year 0."""
    return day.year * MONTHS + day.month - 1


def first_day(month: int) -> date:
    return date(month // MONTHS, month % MONTHS + 1, 1)


class Group(NamedTuple):
    """Players by place among `field` players, pairs or teams; `places` are None where they are 1, 2, 3 and so on."""

    field: int
    players: Sequence[int]
    places: Sequence[int] | None = None


class Evening(NamedTuple):
    """A finished tournament: primary key, day of the month, kind, a group for each division."""

    pk: int
    day: int
    kind: str
    groups: Sequence[Group]


@dataclass(frozen=True)
class Rule:
    """The rule of a list.

    `tables` has for each kind of tournament points by place from so many players on, the largest number first; `steps`
    are months and the share with which a tournament younger than that counts.
    """

    tables: Mapping[str, Sequence[tuple[int, Sequence[int]]]]
    weights: Mapping[str, Fraction]
    steps: Sequence[tuple[int, Fraction]]
    best_of: int = 0
    least_evenings: int = 0

    @property
    def months(self) -> int:
        """The number of months for which results count."""
        return self.steps[-1][0]

    @cached_property
    def scale(self) -> int:
        """The common denominator of all worths."""
        shares = [share for _months, share in self.steps]
        return lcm(*((share * self.weight(kind)).denominator for share in shares for kind in self.tables))

    def weight(self, kind: str) -> Fraction:
        return self.weights.get(kind, Fraction(1))

    def share(self, age: int) -> Fraction:
        """The share of a tournament that is `age` months old; 0 if it no longer counts."""
        return next((share for months, share in self.steps if 0 <= age < months), Fraction(0))

    def until(self, month: int, age: int) -> int:
        """The first month in which a tournament of that month counts less."""
        return month + next(months for months, _share in self.steps if age < months)

    def points(self, kind: str, field: int) -> Sequence[int]:
        """Points by place in a tournament of `field` players; empty if they are too few."""
        return next((points for least, points in self.tables.get(kind, ()) if field >= least), ())

    def to_json(self) -> dict[str, Any]:
        return {
            "tables": {kind: [[least, list(points)] for least, points in rows] for kind, rows in self.tables.items()},
            "weights": {kind: plain_factor(factor) for kind, factor in self.weights.items()},
            "steps": [[months, plain_factor(share)] for months, share in self.steps],
            "best_of": self.best_of,
            "least_evenings": self.least_evenings,
        }  # fmt: skip


def read_rule(stored: Mapping[str, Any]) -> Rule:
    """The rule that `Rule.to_json` wrote."""
    return Rule(
        {kind: [(least, points) for least, points in rows] for kind, rows in stored["tables"].items()},
        {kind: Fraction(factor) for kind, factor in stored["weights"].items()},
        [(months, Fraction(share)) for months, share in stored["steps"]],
        stored["best_of"],
        stored["least_evenings"],
    )


class Part(NamedTuple):
    """A result that counts: `points` for the place, times `weight` and `share`; less from the month `until` on."""

    evening: int
    month: int
    kind: str
    place: int
    field: int
    points: int
    weight: Fraction
    share: Fraction
    until: int

    @property
    def worth(self) -> Fraction:
        return self.points * self.weight * self.share

    def to_json(self) -> list[Any]:
        return [*self[:6], plain_factor(self.weight), plain_factor(self.share), self.until]


def read_part(stored: Sequence[Any]) -> Part:
    """The part that `Part.to_json` wrote."""
    part = Part._make(stored)
    return part._replace(weight=Fraction(part.weight), share=Fraction(part.share))


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line: `total` in parts of `Rule.scale`; `counted` are numbers of evenings, the best result first."""

    player: int
    place: int
    shared: bool
    total: int
    played: int
    counted: tuple[int, ...]


@dataclass(frozen=True)
class PointsList:
    """The list of a day: its lines by place, and the evenings (with their months) that were counted."""

    rule: Rule
    month: int
    lines: Sequence[Line]
    evenings: Sequence[tuple[int, Sequence[Any]]]

    def parts(self, line: Line) -> list[Part]:
        """The results that count in a line, the best first."""
        return [self._part(line.player, *self.evenings[number]) for number in line.counted]

    def _part(self, player: int, month: int, stored: Sequence[Any]) -> Part:
        evening = Evening(*stored)
        group = next(group for group in map(Group._make, evening.groups) if player in group.players)
        at = group.players.index(player)
        place = group.places[at] if group.places else at + 1
        rule, age = self.rule, self.month - month
        return Part(
            *(evening.pk, month, evening.kind, place, group.field),
            rule.points(evening.kind, group.field)[place - 1],
            *(rule.weight(evening.kind), rule.share(age), rule.until(month, age)),
        )


def points_list(
    months: Mapping[int, Iterable[Sequence[Any]]], rule: Rule, day: date, listed: AbstractSet[int]
) -> PointsList:
    """The list of a day, of the players in `listed`.

    `months` are the evenings of each, in their order: as `Evening` has them, or as lists, of which there are many.
    """
    this = month_of(day)
    evenings: list[tuple[int, Sequence[Any]]] = []
    results: dict[int, list[int]] = defaultdict(list)
    fields: list[Sequence[int]] = []
    for month in sorted(months):
        share = rule.share(this - month)
        if not share:
            continue
        bases = _Bases(rule, share)
        for evening in months[month]:
            kind = evening[2]
            if kind not in rule.tables or (month == this and evening[1] > day.day):
                continue
            below = LAST - len(evenings)
            evenings.append((month, evening))
            for field, players, places in evening[3]:
                fields.append(players)
                base = bases[kind, field]
                if places is None:
                    for player, worth in zip(players, base, strict=False):
                        results[player].append(worth | below)
                else:
                    _add(results, zip(players, places, strict=True), base, below)
    played = Counter(chain.from_iterable(fields))
    least = rule.least_evenings
    own = {player: results[player] for player in listed & results.keys() if played[player] >= least}
    return PointsList(rule, this, _lines(own, played, rule.best_of), evenings)


class _Bases(dict[tuple[str, int], list[int]]):
    """Worths of places by kind and size of tournament, for one share, shifted for sorting."""

    def __init__(self, rule: Rule, share: Fraction) -> None:
        super().__init__()
        self.rule, self.share = rule, share

    def __missing__(self, key: tuple[str, int]) -> list[int]:
        kind, field = key
        factor = int(self.rule.weight(kind) * self.share * self.rule.scale)
        self[key] = [points * factor << BITS for points in self.rule.points(kind, field) if points]
        return self[key]


def _add(
    results: dict[int, list[int]], places: Iterable[tuple[int, int]], base: Sequence[int], below: int
) -> None:
    """Add results where places are shared or missing (0)."""
    for player, place in places:
        if 0 < place <= len(base):
            results[player].append(base[place - 1] | below)


def _lines(results: Mapping[int, list[int]], played: Mapping[int, int], best_of: int) -> list[Line]:
    """Lines sorted by total; equal totals share the place, sorted by primary key."""
    found = []
    for player, own in results.items():
        own.sort(reverse=True)
        counted = own[:best_of] if best_of else own
        found.append((-sum([result >> BITS for result in counted]), player, counted))
    found.sort()
    times = Counter([total for total, _player, _counted in found])
    lines: list[Line] = []
    for number, (total, player, counted) in enumerate(found, start=1):
        place = lines[-1].place if lines and lines[-1].total == -total else number
        evenings = tuple([LAST - (result & LAST) for result in counted])
        lines.append(Line(player, place, times[total] > 1, -total, played[player], evenings))
    return lines


# Clubs ranked by their best players: of a tournament, a season or a published points list. No database.


class Scored(NamedTuple):
    """A player's result for a club, by the club's name."""

    club: str
    name: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class RankedClub:
    """A club with the results that count, the best first; `place` is 0 if it has fewer than count."""

    place: int
    shared: bool
    club: str
    total: Amount
    best: Sequence[Scored]
    # How many of its players have a result.
    players: int


def rank_clubs(results: Iterable[Scored], count: int) -> list[RankedClub]:
    """The clubs by the sum of their best `count` results; those that have fewer follow without a place.

    Clubs with the same sum share the place; they are in the order of their names.
    """
    of: dict[str, list[Scored]] = defaultdict(list)
    for one in results:
        if one.club:
            of[one.club].append(one)
    found = []
    for club, scored in of.items():
        scored.sort(key=lambda one: (-one.amount, one.name))
        best = scored[:count]
        found.append(
            (len(best) == count, sum((Fraction(one.amount) for one in best), Fraction()), club, best)
        )
    found.sort(key=lambda one: (not one[0], -len(one[3]), -one[1], one[2]))
    sums = [total for is_whole, total, _club, _best in found if is_whole]
    return [
        RankedClub(
            sums.index(total) + 1 if is_whole else 0,
            is_whole and sums.count(total) > 1,
            club,
            int(total) if all(isinstance(one.amount, int) for one in best) else total,
            best,
            len(of[club]),
        )
        for is_whole, total, club, best in found
    ]
