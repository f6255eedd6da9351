"""Rounds in which no two players meet twice, written down by a rule instead of searched for.

Classes. Divide 4g players into four classes of g. At every table sits one of each class, and in round r the
players of class k have moved on by some number of tables. Two players of classes k and l then meet in the
round in which their classes' moves differ by just the distance between the two. So nobody meets anybody
twice when, for each two classes, the difference of their moves is another one every round. Class k moves on
by k*r: that does it for every g without the factors 2 and 3, and a while for the others. Moves taken from a
field do it for every prime power g, g rounds long; otherwise a short search finds moves. Players of one
class never meet that way: when g is divisible by four, each class can afterwards play by itself by the same
rule.

Base rounds. For 24, 28, 36, 40 and 48 players one base round was searched for, in which no distance between
two players at a table occurs twice when the players are put on circles of m places (a few stay in the
middle). Turning the circles by one place makes the next round: m rounds, which is all that is possible for
24, 28, 36, 40 and 48.

The circle, for two at a time. One stays in place, the others move around by one place a round: with n an even
number, all meet all in n - 1 rounds and nobody twice. With an odd number whoever would meet the missing one has
a bye. Of two who meet one comes first; every other place of the circle turns that round, so that everybody is
first as often as second, give or take one.
"""

from collections.abc import Iterator
from functools import cache
from math import gcd

from tournaments.draw.fields import field_of
from tournaments.draw.tables import CHAIRS, Round

# By number of players: m, the places on a circle, and the base round read in tables of four. Player u stands
# at place u % m of circle u // m; the last ones, beyond the last whole circle, stay in the middle.
BASE_ROUNDS = {
    24: (7, "12 2 10 9 6 5 1 20 19 14 7 18 11 0 21 17 4 15 22 13 16 3 8 23"),
    28: (9, "14 18 5 27 23 17 11 15 13 7 22 3 4 21 25 24 0 8 2 16 20 6 10 9 19 12 1 26"),
    36: (
        11,
        "14 33 29 3 22 11 8 21 34 9 31 15 27 13 30 17 18 12 2 20 28 26 32 5 19 10 0 7 35 25 16 1 4 23 6 24",
    ),
    40: (
        13,
        (
            "34 12 2 32 25 8 6 15 24 16 0 1 22 18 4 10 27 11 26 3 20 7 39 33 14 29 37 13 36 5 9 30 28 38 21"
            " 19 35 23 17 31"
        ),
    ),
    48: (
        15,
        (
            "4 11 25 39 21 34 9 45 16 8 6 42 47 14 38 29 7 26 33 46 24 18 0 28 41 44 43 37 13 1 2 31 17 20 36"
            " 19 30 22 40 15 12 23 35 3 10 32 27 5"
        ),
    ),
}
LARGEST_FIELD = (
    64  # beyond, moving on by k*r lasts longer than any event, and a field's tables would take time
)
MOVES_SOUGHT = 8  # as many rounds as an event has; a longer search for moves would not be worth it


def circle(count: int) -> list[tuple[tuple[int, int], ...]]:
    """Return rounds in which 0 to count - 1 all meet once; with an odd count, one a round meets nobody."""
    even = count + count % 2
    rounds = []
    for turn in range(even - 1):
        order = [even - 1, *((turn + place) % (even - 1) for place in range(even - 1))]
        pairs = []
        for place in range(even // 2):
            one, other = order[place], order[even - 1 - place]
            turned = (place or turn) % 2
            pairs.append((other, one) if turned else (one, other))
        rounds.append(tuple(pair for pair in pairs if max(pair) < count))
    return rounds


@cache
def rounds_without_repeats(tables: int) -> tuple[Round, ...]:
    """Return rounds of `tables` tables of four in which no pair meets twice, as many as a rule gives."""
    players = CHAIRS * tables
    if players in BASE_ROUNDS:
        return tuple(_turned(players))
    rounds = [
        tuple(tuple(k * tables + place for k, place in enumerate(places)) for places in moved)
        for moved in _moved_tables(tables)
    ]
    if tables % CHAIRS == 0:
        rounds += _classes_by_themselves(tables)
    return tuple(rounds)


def _turned(players: int) -> Iterator[Round]:
    """Turn the stored base round's circles by one place after another."""
    places, text = BASE_ROUNDS[players]
    base = [int(player) for player in text.split()]
    circled = players - players % places
    for turn in range(places):
        turned = [u - u % places + (u + turn) % places if u < circled else u for u in base]
        yield tuple(tuple(turned[i : i + CHAIRS]) for i in range(0, players, CHAIRS))


def _moved_tables(tables: int) -> Iterator[list[tuple[int, ...]]]:
    """Return, for every round, the places in the four classes whose players meet at each table."""
    field = field_of(tables) if CHAIRS <= tables <= LARGEST_FIELD else None
    if field:
        for r in range(tables):
            yield [
                tuple(field.plus[table][field.times[k][r]] for k in range(CHAIRS)) for table in range(tables)
            ]
        return
    for moves in _moves(tables):
        yield [tuple((table + move) % tables for move in moves) for table in range(tables)]


def _moves(tables: int) -> list[tuple[int, ...]]:
    """Return each round's moves of the four classes, every difference between two classes being new."""
    straight = min(tables // gcd(tables, 2), tables // gcd(tables, 3))
    found = [tuple(k * r % tables for k in range(CHAIRS)) for r in range(straight)]
    if straight < MOVES_SOUGHT < tables:
        return _sought_moves(tables)
    return found


def _sought_moves(tables: int) -> list[tuple[int, ...]]:
    """Return MOVES_SOUGHT rounds' moves, tried in order and taken back where no further round fits."""
    chosen: list[tuple[int, ...]] = []
    untried = [_fitting(tables, chosen)]
    while len(chosen) < MOVES_SOUGHT:
        moves = next(untried[-1], None)
        if moves is None:
            untried.pop()
            chosen.pop()
        else:
            chosen.append(moves)
            untried.append(_fitting(tables, chosen))
    return chosen


def _fitting(tables: int, chosen: list[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Return the moves of a next round that differ in all six ways from those chosen."""
    used = {
        (i, j, (m[j] - m[i]) % tables) for m in chosen for i in range(CHAIRS) for j in range(i + 1, CHAIRS)
    }
    r = len(chosen)
    for second in range(tables):
        for third in range(tables):
            moves = (0, r, second, third)
            new = {
                (i, j, (moves[j] - moves[i]) % tables) for i in range(CHAIRS) for j in range(i + 1, CHAIRS)
            }
            if not new & used:
                yield moves


def _classes_by_themselves(tables: int) -> list[Round]:
    """Return rounds in which each class of `tables` players plays at its own quarter of the tables."""
    return [
        tuple(tuple(k * tables + player for player in table) for k in range(CHAIRS) for table in inner)
        for inner in rounds_without_repeats(tables // CHAIRS)
    ]
