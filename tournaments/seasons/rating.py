"""A rating of all players: expected tokens per deal above the mean, with its uncertainty.

The tables of all finished tournaments are processed in the order of date, code, round and table, so the same
results always give the same ratings. The ratings after each evening are stored (`rated`), and a newer evening
continues from there. A rating decides no place, prize or draw, except the draw of a championship's first groups,
if an organiser chooses it.

The model is Bayesian inference for normal distributions (a Kalman filter, R. E. Kalman, 1960). A player's strength
is the expectation of tokens in a deal above the mean, in units of the standard deviation of a deal at that
evening, so that expensive rules count no more than cheap ones. A table of n deals is one observation of its
players, with a variance of 1/n; only differences are observed, since tokens at a table have a fixed sum. Strength
may change between evenings, so the uncertainty grows while a player is away. `tests.bench rating` compares this
with other systems on evenings unseen by the model, and gives the figures in docs/figures.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from math import erfc, sqrt
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef

from tournaments.models import FormerSeat, Seat, Table, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# Version of the model: ratings computed by another one are recomputed.
MODEL = 2
# How far strengths lie apart before anything is known, and how far one moves in a year: standard deviations.
FIRST_SIGMA, MOVES_A_YEAR = 0.05, 0.01
# The model's scale as people like it: everybody begins at 1000, and the first uncertainty is 200.
FIRST, SCALE = 1000, 200 / FIRST_SIGMA
DAYS_A_YEAR = 365


@dataclass(frozen=True, slots=True)
class Game:
    """A table of a round: its players with their tokens after so many deals; `event` is the tournament's code."""

    event: str
    players: tuple[int, ...]
    tokens: tuple[int, ...]
    deals: int
    day: date


@dataclass(frozen=True, slots=True)
class Known:
    """The model's estimate of a player after so many tables, the last of them on `day`."""

    mu: float = 0.0
    sigma: float = FIRST_SIGMA
    tables: int = 0
    day: date | None = None

    @property
    def points(self) -> int:
        return FIRST + round(self.mu * SCALE)

    @property
    def give_or_take(self) -> int:
        """The standard deviation of the rating."""
        return round(self.sigma * SCALE)

    def on(self, day: date) -> Known:
        """The estimate on a day: less certain after years without a table."""
        if self.day is None or day <= self.day:
            return self
        moved = MOVES_A_YEAR**2 * (day - self.day).days / DAYS_A_YEAR
        return replace(self, sigma=min(sqrt(self.sigma**2 + moved), FIRST_SIGMA))


def chance(one: Known, other: Known, deals: float) -> float:
    """The probability that one has more tokens than another after so many deals each, at any tables."""
    apart = sqrt(one.sigma**2 + other.sigma**2 + 2 / deals)
    return erfc((other.mu - one.mu) / apart / sqrt(2)) / 2


@dataclass(slots=True)
class Rated:
    """A player's rating now, how sure it is (a standard deviation), and after each tournament, by its code."""

    points: int
    give_or_take: int
    tables: int = 0
    history: list[tuple[str, int]] = field(default_factory=list)


def move_on(known: Mapping[int, Known], games: Iterable[Game]) -> Iterator[tuple[str, dict[int, Known]]]:
    """Each tournament's code, with what is known after it of those who played, one tournament after the other.

    `known` is what was known before; plain numbers in and out.
    """
    now = dict(known)
    for event, at in groupby(games, key=lambda game: game.event):
        tables = list(at)
        spread = spread_of(tables)
        played: dict[int, Known] = {}
        for game in tables:
            before = [now.get(player, Known()).on(game.day) for player in game.players]
            for player, after in zip(game.players, _after(game, before, spread), strict=True):
                now[player] = played[player] = after
        yield event, played


def spread_of(tables: Sequence[Game]) -> float:
    """Standard deviation of a player's tokens in a deal at an evening; 1 if no tokens were won."""
    squares = sum(won * won for game in tables for won in game.tokens)
    free = sum(game.deals * (len(game.players) - 1) for game in tables)
    return sqrt(squares / free) if squares and free else 1.0


def _after(game: Game, before: Sequence[Known], spread: float) -> Iterator[Known]:
    """The estimates of all players after a game.

    What all at the table have in common is not observed: it is estimated with the strengths, with nothing known of it.
    """
    seen = [tokens / game.deals / spread for tokens in game.tokens]
    weights = [1 / (was.sigma**2 + 1 / game.deals) for was in before]
    whole = sum(weights)
    surprises = [won - was.mu for won, was in zip(seen, before, strict=True)]
    common = sum(weight * surprise for weight, surprise in zip(weights, surprises, strict=True)) / whole
    for was, weight, surprise in zip(before, weights, surprises, strict=True):
        gain = was.sigma**2 * weight
        variance = was.sigma**2 * (1 - gain * (1 - weight / whole))
        yield Known(was.mu + gain * (surprise - common), sqrt(variance), was.tables + 1, game.day)


def fold(games: Iterable[Game]) -> dict[int, Rated]:
    """All players' ratings after these games from the beginning, one after the other. Plain numbers in and out."""
    rated: dict[int, Rated] = {}
    for event, played in move_on({}, games):
        for player, now in played.items():
            line = rated.setdefault(player, Rated(now.points, 0))
            line.points, line.give_or_take, line.tables = now.points, now.give_or_take, now.tables
            line.history.append((event, now.points))
    return rated


WHERE = ("round__tournament__code", "round__number", "table__number")
WHAT = ("position", "entry__player", "tokens", "table", "table__deals")
# So many tournaments are read at once: all that a union ever played would be held in memory.
AT_ONCE = 500


def games_of(codes: Sequence[str]) -> Iterator[Game]:
    """The tables of these tournaments as games, tournament by tournament in this order."""
    for first in range(0, len(codes), AT_ONCE):
        yield from _games_of(codes[first : first + AT_ONCE])


def _games_of(codes: Sequence[str]) -> Iterator[Game]:
    order = {code: place for place, code in enumerate(codes)}
    days = dict(Tournament.objects.filter(code__in=codes).values_list("code", "date"))
    # A table that was never played is no game.
    sat = Seat.objects.filter(round__tournament__code__in=codes, table__reports_count__gt=0)
    # With a substitute neither player played the whole round: the game says nothing about the position.
    shared = FormerSeat.objects.filter(table=OuterRef("table"), position=OuterRef("position"))
    sat = sat.exclude(Exists(shared))
    ended = _deals_of_ended(codes)
    seats = sorted(sat.order_by().values_list(*WHERE, *WHAT), key=lambda seat: (order[seat[0]], *seat[1:4]))
    for _table, at in groupby(seats, key=lambda seat: seat[:3]):
        at_table = list(at)
        code, *_place, table, deals = at_table[0]
        yield Game(
            code,
            tuple(player for *_where, player, _won, _table, _deals in at_table),
            tuple(won for *_where, won, _table, _deals in at_table),
            ended.get(table, deals),
            days[code],
        )


def _deals_of_ended(codes: Sequence[str]) -> dict[int, int]:
    """Number of reported deals at tables of these tournaments that were ended early; others are complete."""
    ended = Table.objects.filter(round__tournament__code__in=codes, reports_count__gt=0)
    counted = ended.exclude(ended_early_at=None).order_by().annotate(reported=Count("dealt"))
    return {table: max(reported, 1) for table, reported in counted.values_list("pk", "reported")}
