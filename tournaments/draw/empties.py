"""Tables of three: which players of a plan for the next multiple of four stay away.

A plan for 28 serves 27: whoever would sit with the 28th has an empty chair at the table. When two or three
stay away they must be players who never meet, lest a table has two empty chairs; and they are chosen so
that everybody meets an empty chair equally often.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from tournaments.draw.tables import Round

STARTS = 40


def players_to_leave_out(rounds: Sequence[Round], absent: int, rng: Random) -> tuple[int, tuple[int, ...]]:
    """Return how uneven visits to tables of three become (most - fewest), and the players to leave out.

    Uneven is -1 with no players when there are not enough who never meet.
    """
    if not absent:
        return 0, ()
    size = sum(len(table) for table in rounds[0])
    met = _met(rounds, size)
    best: tuple[int, tuple[int, ...]] = (-1, ())
    for _start in range(STARTS):
        chosen = _chosen_from(rng.randrange(size), met, absent, rng)
        if len(chosen) == absent:
            uneven = _unevenness(chosen, met)
            if best[0] < 0 or uneven < best[0]:
                best = (uneven, chosen)
            if uneven <= 1:
                break
    return best


def _met(rounds: Sequence[Round], size: int) -> list[int]:
    """Return for each player those met at a table, as bits of a number."""
    met = [0] * size
    for tables in rounds:
        for table in tables:
            for p, q in combinations(table, 2):
                met[p] |= 1 << q
                met[q] |= 1 << p
    return met


def _chosen_from(first: int, met: list[int], absent: int, rng: Random) -> tuple[int, ...]:
    """Return `absent` players with this first one, adding whoever keeps the visits most even."""
    chosen: tuple[int, ...] = (first,)
    while len(chosen) < absent:
        free = [p for p in range(len(met)) if p not in chosen and not any(met[q] >> p & 1 for q in chosen)]
        if not free:
            break
        rng.shuffle(free)
        chosen = min(((*chosen, p) for p in free), key=lambda players: _visits(players, met))
    return chosen


def _visits(chosen: tuple[int, ...], met: list[int]) -> tuple[int, int]:
    """Return how many players meet an empty chair three times and twice."""
    once = twice = thrice = 0
    for player in chosen:
        thrice |= twice & met[player]
        twice |= once & met[player]
        once |= met[player]
    return thrice.bit_count(), twice.bit_count()


def _unevenness(chosen: tuple[int, ...], met: list[int]) -> int:
    visits = [sum(met[absent] >> p & 1 for absent in chosen) for p in range(len(met)) if p not in chosen]
    return max(visits) - min(visits)
