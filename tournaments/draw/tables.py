"""Tables, rounds and how many of each: the types of the draw.

Players are plain integers. A table is a tuple of three or four of them in seat order, so that its first
player deals first. A round is a tuple of tables, the tables of four before the tables of three, and seats
everybody once.

Tables of three appear only where the number demands them: N players need as many tables of three as are
missing to the next multiple of four. Six players sit at 3 + 3, seven at 4 + 3, nine at 3 + 3 + 3; five
cannot be seated, unless one of them sits out each round.

Some rulebooks know tables of one size only: two, three or five. There everybody who is left over sits the
round out, a bye; the rest of the planner's words mean the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations, product, zip_longest
from typing import Self

Table = tuple[int, ...]
Round = tuple[Table, ...]


class SmallTable(tuple[int, ...]):  # noqa: SLOT001 - a tuple can have no slots of its own
    """A table of three that was drawn, with the chair of four that is `empty`; equal to the plain tuple."""

    empty: int

    def __new__(cls, players: Iterable[int], empty: int) -> Self:
        """Return the table of these players with this chair empty."""
        table = super().__new__(cls, players)
        table.empty = empty
        return table


def _as_table(table: Sequence[int]) -> Table:
    return table if isinstance(table, SmallTable) else tuple(table)


def replaced(table: Table, players: Iterable[int]) -> Table:
    """Return the table with other players on its chairs, the same chair empty."""
    return SmallTable(players, table.empty) if isinstance(table, SmallTable) else tuple(players)


Groups = Sequence[Hashable | None] | Mapping[int, Hashable | None]

CHAIRS = 4
SMALL_TABLE = 3
# The sizes of tables that a rulebook is played at: mostly four, and three where the number demands it.
THREE_AND_FOUR = (SMALL_TABLE, CHAIRS)
# How five players sit who let one of them sit out each round: at one table of four.
ONE_SITS_OUT = (CHAIRS,)


def _(text: str) -> str:
    """Mark a text for translation; the caller that renders it translates and formats it."""
    return text


class DrawError(ValueError):
    """The requested rounds cannot be drawn.

    `code` names the reason, `text` is an English template to be translated and filled with `params`.
    """

    def __init__(self, code: str, text: str, **params: object) -> None:
        super().__init__(text.format(**params))
        self.code = code
        self.text = text
        self.params = params


def table_sizes(players: int, seats: Sequence[int] = THREE_AND_FOUR) -> tuple[int, ...]:
    """Return the sizes of a round's tables, fours before threes.

    `seats` are the sizes that may be: three and four, or one size alone, which leaves `byes` players over.
    Raises DrawError "too_few" where the players fill no table, and "five" for five, which no tables of three
    and four can hold: they may be drawn by `ONE_SITS_OUT`.
    """
    if tuple(seats) != THREE_AND_FOUR:
        return _equal_sizes(players, seats)
    if players < SMALL_TABLE:
        raise DrawError(
            "too_few", _("A draw needs at least three players; there are {players}."), players=players
        )
    threes = -players % CHAIRS
    fours = (players - SMALL_TABLE * threes) // CHAIRS
    if fours < 0:
        raise DrawError("five", _("Five players cannot be seated at tables of three and four."))
    return (CHAIRS,) * fours + (SMALL_TABLE,) * threes


def _equal_sizes(players: int, seats: Sequence[int]) -> tuple[int, ...]:
    """Return as many tables of the one size as the players fill."""
    (size,) = seats
    if players < size:
        text = _("These rules are played by {size} at a table; there are {players} players.")
        raise DrawError("too_few", text, size=size, players=players)
    return (size,) * (players // size)


def byes(players: int, seats: Sequence[int]) -> int:
    """Return how many sit out each round because no table is left for them."""
    return players - sum(table_sizes(players, seats))


def group_of(groups: Groups | None, player: int) -> Hashable | None:
    """Return the player's club, or None for one without a club or not listed."""
    if groups is None:
        return None
    if isinstance(groups, Mapping):
        return groups.get(player)
    return groups[player] if 0 <= player < len(groups) else None


def in_fours(clubs: Sequence[Hashable | None]) -> list[int]:
    """Return the numbers from 0 team by team where all play in teams of four, four teams at least; else none."""
    sizes = Counter(clubs)
    if None in sizes or set(sizes.values()) != {CHAIRS} or len(sizes) < CHAIRS:
        return []
    place = {club: number for number, club in enumerate(sizes)}
    return sorted(range(len(clubs)), key=lambda player: place[clubs[player]])


def checked_players(present: Sequence[int], seats: Sequence[int] = THREE_AND_FOUR) -> list[int]:
    """Return those present in order; raises DrawError "twice", or for a number that cannot be seated."""
    players = sorted(present)
    if len(set(players)) < len(players):
        twice = next(p for p, q in pairwise(players) if p == q)
        raise DrawError("twice", _("Player {player} is listed twice."), player=twice)
    table_sizes(len(players), seats)
    return players


def numbered(rounds: Sequence[Round], players: Sequence[int]) -> tuple[Round, ...]:
    """Return the rounds with every player's place in the list; who is not in it is numbered after it."""
    everybody = {player for tables in rounds for table in tables for player in table}
    in_order = [*players, *sorted(everybody - set(players))]
    number = {player: index for index, player in enumerate(in_order)}
    return tuple(
        tuple(replaced(table, (number[player] for player in table)) for table in tables) for tables in rounds
    )


def checked_history(
    history: Sequence[Sequence[Sequence[int]]], seats: Sequence[int] = THREE_AND_FOUR
) -> tuple[Round, ...]:
    """Return played rounds as tuples.

    Raises DrawError "history" for a table of another size than `seats`, or a player who sits twice in a round.
    """
    rounds = tuple(tuple(_as_table(table) for table in tables) for tables in history)
    # Before one of five had to sit out there may have been tables of three.
    sizes = THREE_AND_FOUR if tuple(seats) == ONE_SITS_OUT else seats
    for number, tables in enumerate(rounds, start=1):
        seated = [player for table in tables for player in table]
        if any(len(table) not in sizes for table in tables) or len(set(seated)) < len(seated):
            text = _(
                "Round {round} is not a valid seating: a table has the wrong size, or a player has two seats."
            )
            raise DrawError("history", text, round=number)
    return rounds


# Seats of pairs and of teams of four: partners face each other. `meetings` decides which teams meet.
#
# Two teams meet at two tables: of each, two members sit at one and two at the other. A team has three ways to split,
# which take turns.

# The ways to split a team of four: who sits at the first table, and who at the second.
SPLITS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def seated_in_pairs(
    rounds: Sequence[Sequence[tuple[tuple[int, ...], tuple[int, ...]]]],
    had: dict[tuple[int, int], int] | None = None,
) -> tuple[Round, ...]:
    """Return the rounds in seat order, everybody on a chair that they have had least often, as far as can be.

    Of each table those of seats 0 and 2 are given, and those of 1 and 3, of which there may be one fewer. `had` is
    how often each player has had a chair before, by chair and player; it is updated.
    """
    had = {} if had is None else had
    seated = []
    for meetings in rounds:
        tables: list[Table] = []
        for two in meetings:
            ways = [_by_turns(*sides) for sides in product(*map(permutations, two))]
            best = min(ways, key=lambda way: sum(had.get(seat, 0) for seat in enumerate(way)))
            for seat in enumerate(best):
                had[seat] = had.get(seat, 0) + 1
            tables.append(best)
        seated.append(tuple(tables))
    return tuple(seated)


def _by_turns(first: Sequence[int], second: Sequence[int]) -> Table:
    """Take one of the first, one of the second, and so on round the table."""
    return tuple(one for two in zip_longest(first, second) for one in two if one is not None)


# Who is separated: club-mates, and those who wish not to share a table.
#
# When not all can be had, it gives way in this order, the first first:
#
# 1. neighbourhood in the standings, where a round is drawn by them
# 2. club-mates apart, in later rounds before early ones
# 3. a wish that is not strict
# 4. no two players meet twice
# 5. a strict wish: only where the players are too few to be separated
#
# That everybody sits once a round, at tables of the right sizes, and at one of three as often as the others give or
# take one, never gives way. Where the fewest repeats are chosen instead, the even share of tables of three gives way
# after neighbourhood. Seats and first deals cost nothing, because they are shared out when the tables are known.

Pair = tuple[int, int]  # the smaller number first


@dataclass(frozen=True, slots=True)
class Apart:
    """Two or more players who do not want to share a table; strictly, or only if it costs no repeat."""

    players: tuple[int, ...]
    strict: bool = False


@dataclass(frozen=True)
class KeptApart:
    """Everything that separates players, for numbers 0 and up; others are people who have left."""

    clubs: Sequence[Hashable | None]
    wishes: Mapping[Pair, bool] = field(default_factory=dict)  # whether strict

    @property
    def has_mates(self) -> bool:
        """Return whether any two players are of one club."""
        return any(size > 1 for club, size in Counter(self.clubs).items() if club is not None)

    @property
    def asks_nothing(self) -> bool:
        return not self.wishes and not self.has_mates

    @property
    def in_fours(self) -> list[int]:
        """The players team by team where all clubs have four and there are no other wishes; else no players."""
        return [] if self.wishes else in_fours(self.clubs)

    def are_mates(self, p: int, q: int) -> bool:
        return self.clubs[p] is not None and self.clubs[p] == self.clubs[q]


def kept_apart(players: Sequence[int], groups: Groups | None, apart: Sequence[Apart]) -> KeptApart:
    """Return what separates these players, each called by their index in the list."""
    number = {player: index for index, player in enumerate(players)}
    here = {
        _pair(number[p], number[q]): strict
        for (p, q), strict in wished_pairs(apart).items()
        if p in number and q in number
    }
    return KeptApart([group_of(groups, player) for player in players], dict(sorted(here.items())))


def wished_pairs(apart: Sequence[Apart]) -> dict[Pair, bool]:
    """Return every pair to separate, and whether strictly; a strict wish beats another."""
    pairs: dict[Pair, bool] = {}
    for wish in apart:
        for p, q in combinations(sorted(set(wish.players)), 2):
            pairs[p, q] = pairs.get((p, q), False) or wish.strict
    return pairs


def broken_wishes(rounds: Sequence[Round], wishes: Mapping[Pair, bool]) -> list[tuple[int, int, int, bool]]:
    """Return the round (from 1), the two players and whether strict, for every wish that a table breaks."""
    return [
        (number, p, q, wishes[p, q])
        for number, tables in enumerate(rounds, start=1)
        for table in tables
        for p, q in combinations(sorted(table), 2)
        if (p, q) in wishes
    ]


def _pair(p: int, q: int) -> Pair:
    return (min(p, q), max(p, q))
