"""A rating over everybody's results, by a model that others keep: `openskill`'s Plackett-Luce (Weng and Lin, 2011).

Every table of every round is a game whose players are ranked by their tokens. The games of all finished tournaments are
put one after the other, in the order of date, code, round and table: the same results give the same ratings. After
each evening the ratings of those who played are kept (`rated`); a newer evening moves on from there. A rating decides
no place and no prize, and no draw but that of a championship's first groups, where an organiser chooses it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef
from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from tournaments.models import FormerSeat, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# The model's scale as people like it: everybody begins at 1000, and the model's first uncertainty is 200.
FIRST, POINTS_A_SIGMA = 1000, 200
MODEL = PlackettLuce()
SCALE = POINTS_A_SIGMA / MODEL.sigma


@dataclass(frozen=True, slots=True)
class Game:
    """A table of a round: its players with their tokens; `event` is the tournament's code."""

    event: str
    players: tuple[int, ...]
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What the model knows of a player after so many tables."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    tables: int = 0

    @property
    def points(self) -> int:
        return FIRST + round((self.mu - MODEL.mu) * SCALE)

    @property
    def give_or_take(self) -> int:
        """How sure the rating is: a standard deviation."""
        return round(self.sigma * SCALE)


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
    for event, tables in groupby(games, key=lambda game: game.event):
        played: dict[int, Known] = {}
        for game in tables:
            before = [now.get(player, Known()) for player in game.players]
            after = MODEL.rate(
                [[PlackettLuceRating(one.mu, one.sigma)] for one in before],
                scores=[float(tokens) for tokens in game.tokens],
            )
            for player, was, (rating,) in zip(game.players, before, after, strict=True):
                now[player] = played[player] = Known(rating.mu, rating.sigma, was.tables + 1)
        yield event, played


def fold(games: Iterable[Game]) -> dict[int, Rated]:
    """Everybody's rating after these games from the beginning, one after the other. Plain numbers in and out."""
    rated: dict[int, Rated] = {}
    for event, played in move_on({}, games):
        for player, now in played.items():
            line = rated.setdefault(player, Rated(now.points, 0))
            line.points, line.give_or_take, line.tables = now.points, now.give_or_take, now.tables
            line.history.append((event, now.points))
    return rated


def games_of(codes: Sequence[str]) -> Iterator[Game]:
    """The tables of these tournaments as games, tournament by tournament in this order."""
    order = {code: place for place, code in enumerate(codes)}
    # A table that was never played is no game.
    sat = Seat.objects.filter(round__tournament__code__in=codes, table__reports_count__gt=0)
    # Where a substitute came, neither played the whole round: of who had the position the game says nothing.
    shared = FormerSeat.objects.filter(table=OuterRef("table"), position=OuterRef("position"))
    sat = sat.exclude(Exists(shared))
    seats = sat.values_list(
        "round__tournament__code", "round__number", "table__number", "position", "entry__player", "tokens"
    )
    tables: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    for code, round_, table, _position, player, tokens in sorted(
        seats.order_by(), key=lambda seat: (order[seat[0]], *seat[1:4])
    ):
        tables.setdefault((order[code], round_, table), []).append((player, tokens))
    for (place, _round, _table), at_table in tables.items():
        yield Game(
            codes[place], tuple(player for player, _won in at_table), tuple(won for _player, won in at_table)
        )
