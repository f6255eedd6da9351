"""Rank pairs and teams: by match points, then tokens, then the matches between those that are level.

Plain values in and out. Teams are their numbers in the tournament.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, time
from fractions import Fraction
from itertools import groupby

Number = int | Fraction


@dataclass
class Result:
    """A team's match: opponent and points; without an opponent it is a bye."""

    round: int
    number: int
    day: date | None
    home: int
    away: int | None
    # Tokens of home and away, and their match points; None where nothing is played or ruled yet.
    tokens: tuple[int, int] | None = None
    points: tuple[int, int] | None = None
    is_awarded: bool = False
    awarded_reason: str = ""
    postponed_to: date | None = None
    # Of a match that is not played with its round.
    own_day: date | None = None
    begins_at: time | None = None
    place: str = ""
    # Of a round that has not started; still being played, and waiting for a day of its own.
    is_drawn: bool = False
    in_play: bool = False
    waits: bool = False
    # Reported at its tables, where they count.
    deals: int = 0

    @property
    def is_bye(self) -> bool:
        return self.away is None

    @property
    def counts(self) -> bool:
        return self.points is not None

    def side(self, team: int) -> int:
        """0 for the home team, 1 for the away team."""
        return 0 if team == self.home else 1

    def against(self, team: int) -> int | None:
        return self.away if team == self.home else self.home


@dataclass
class Player:
    """A player's contribution: the part of the team's tokens won by this person."""

    number: int
    name: str
    matches: int = 0
    deals: int = 0
    tokens: int = 0
    # Plays for another team otherwise, or for none.
    substitute: bool = False


@dataclass
class Row:
    """A team's line."""

    number: int
    name: str
    club: str
    division: int
    withdrawn: bool
    results: list[Result] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    points: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    table_tokens: int = 0
    penalties: int = 0
    # Match points by rulings; in `points`, in no match.
    ruled_points: int = 0
    # Reported at the tables of its matches.
    deals: int = 0
    rank: int = 0
    shared: bool = False
    # How much less its points, or its points a match where these rank, are than those of the first of its division.
    gap: Number = 0
    # How many places it has gone up in its division in the last round that has started; None where it had none before.
    moved: int | None = None
    # Taken along from the stage before of a championship; in `points` and `tokens`.
    carried_points: int = 0
    carried_tokens: int = 0
    # Points and tokens in the matches against each other, if those decided between teams with equal totals.
    head_to_head: tuple[int, int] | None = None
    promoted: bool = False
    relegated: bool = False

    @property
    def tokens(self) -> int:
        """Tokens won and lost in matches, by rulings, and taken along."""
        return self.table_tokens + self.penalties + self.carried_tokens

    @property
    def byes(self) -> int:
        return sum(result.is_bye and not result.is_drawn for result in self.results)

    @property
    def average_points(self) -> Fraction:
        return Fraction(self.points, self.played or 1)

    @property
    def average_tokens(self) -> Fraction:
        return Fraction(self.tokens, self.played or 1)


@dataclass(frozen=True)
class Division:
    """A group of pairs or a division of teams, the best first."""

    number: int
    rows: Sequence[Row]


def points_of(home: int, away: int, match_points: Sequence[int]) -> tuple[int, int]:
    """The match points of home and away by their tokens; `match_points` are those for won, drawn and lost."""
    won, drawn, lost = match_points
    if home == away:
        return drawn, drawn
    return (won, lost) if home > away else (lost, won)


def side_of(position: int, *, at_second: bool) -> int:
    """0 for the home team, 1 for the away team: home has seats 0 and 2, at a match's second table 1 and 3."""
    return (position + at_second) % 2


def rank(rows: Sequence[Row], *, by_average: bool) -> list[Row]:
    """The rows of a division in order, each with its place, its gap to the first, and what decided it."""
    for row in rows:
        _add_up(row)
    keys = {row.number: _key(row, by_average=by_average) for row in rows}
    ordered: list[Row] = []
    for _level, group in groupby(
        sorted(rows, key=lambda row: keys[row.number], reverse=True), key=lambda row: keys[row.number]
    ):
        level = sorted(group, key=lambda row: row.number)
        if len(level) > 1:
            for row in level:
                row.head_to_head = _against(row, level)
        level.sort(key=lambda row: row.head_to_head or (0, 0), reverse=True)
        for index, row in enumerate(level):
            same = [other for other in level if other.head_to_head == row.head_to_head]
            row.shared = len(same) > 1
            row.rank = len(ordered) + (level.index(same[0]) if row.shared else index) + 1
        ordered += level
    best = max((points for points, _tokens in keys.values()), default=0)
    for row in rows:
        row.gap = best - keys[row.number][0]
    return ordered


def _add_up(row: Row) -> None:
    row.points += row.carried_points + row.ruled_points
    for result in row.results:
        if result.is_bye or result.points is None:
            continue
        side = result.side(row.number)
        mine, theirs = result.points[side], result.points[1 - side]
        row.played += 1
        row.points += mine
        row.won += mine > theirs
        row.drawn += mine == theirs
        row.lost += mine < theirs
        row.deals += result.deals
        row.table_tokens += result.tokens[side] if result.tokens else 0


def _key(row: Row, *, by_average: bool) -> tuple[Number, Number]:
    return (row.average_points, row.average_tokens) if by_average else (row.points, row.tokens)


def _against(row: Row, level: Sequence[Row]) -> tuple[int, int]:
    """Match points and tokens that a team won against those it is level with."""
    others = {other.number for other in level} - {row.number}
    points = tokens = 0
    for result in row.results:
        if result.counts and result.against(row.number) in others and result.points is not None:
            side = result.side(row.number)
            points += result.points[side]
            tokens += result.tokens[side] if result.tokens else 0
    return points, tokens


def mark(divisions: Sequence[Division], *, promoted: int, relegated: int) -> None:
    """Mark promoted teams (not in the first division) and relegated ones (not in the last)."""
    for division in divisions:
        rows = [row for row in division.rows if not row.withdrawn]
        up = promoted if division is not divisions[0] else 0
        down = relegated if division is not divisions[-1] else 0
        for row in rows[:up]:
            row.promoted = True
        for row in rows[len(rows) - down :] if down else ():
            row.relegated = not row.promoted
