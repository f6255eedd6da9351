"""What a seating costs, so that a search can compare two: meetings, tables of three, club-mates.

Every pair has a price: what it would cost to let them meet once more. It is nothing for two who have not met
and rises with every meeting, so that repeats are avoided, and the few that cannot be are spread over many
pairs. A table of three is a table of four with an empty chair; the empty chair counts as one more player,
whom everybody should meet equally often. Two empty chairs never share a table. Club-mates have a small price
from the start, and so have two who wish to be kept apart: a high one where they wish it strictly.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from tournaments.draw.quality import club_mates_bound, repeats_bound
from tournaments.draw.tables import CHAIRS, SMALL_TABLE, Round
from tournaments.draw.wishes import KeptApart

Prices = list[list[int]]  # of one more meeting of two players; the last row and column are the empty chair's
Seats = list[list[int]]  # of every round, four to a table; the number of players stands for an empty chair

MEETING = 2  # a pair's price rises by this with every meeting
CLUB_MATES = MEETING  # as if they had met once already
WISH = {False: MEETING + 1, True: 10 * MEETING}  # of two who wish to be apart, by whether strictly
NEVER = 1_000_000


def prices_after(players: int, history: Sequence[Round], kept: KeptApart | None) -> Prices:
    """Return the prices after the rounds played; numbers from `players` on are people who have left."""
    prices = [[0] * (players + 1) for _player in range(players + 1)]
    for p, q in pairs_of(history):
        if p < players and q < players:
            prices[p][q] += MEETING
            prices[q][p] += MEETING
    for player in _small_table_visits(history):
        if player < players:
            prices[player][players] += MEETING
            prices[players][player] += MEETING
    for p, q in combinations(range(players), 2):
        if kept and kept.are_mates(p, q):
            prices[p][q] += CLUB_MATES
            prices[q][p] += CLUB_MATES
    for (p, q), strict in (kept.wishes if kept else {}).items():
        prices[p][q] += WISH[strict]
        prices[q][p] += WISH[strict]
    prices[players][players] = NEVER
    return prices


def least_cost(rounds: Sequence[Round], prices: Prices, kept: KeptApart | None) -> int:
    """Return a cost that rounds of this shape cannot be below, by counting."""
    players = len(prices) - 1
    visits = _cheapest(Counter(prices[players][:players]), sum(1 for _player in _small_table_visits(rounds)))
    return least_cost_of_meetings(rounds, prices, kept) + visits


def least_cost_of_meetings(rounds: Sequence[Round], prices: Prices, kept: KeptApart | None) -> int:
    """Return the part of it that meetings cost, without visits to tables of three."""
    players = len(prices) - 1
    met = Counter(
        prices[p][q] - CLUB_MATES * bool(kept and kept.are_mates(p, q))
        for p, q in combinations(range(players), 2)
    )
    meetings = _cheapest(met, sum(1 for _pair in pairs_of(rounds)))
    mates = sum(club_mates_bound(tables, kept.clubs) for tables in rounds) if kept else 0
    return max(meetings, MEETING * repeats_bound(rounds)) + CLUB_MATES * mates


def _cheapest(at_price: Counter[int], wanted: int) -> int:
    """Return what so many meetings cost at least, when so many pairs have each price, rising as they are used."""
    cost = 0
    while wanted:
        price = min(price for price, pairs in at_price.items() if pairs)
        used = min(wanted, at_price[price])
        cost += used * price
        at_price[price] -= used
        at_price[price + MEETING] += used
        wanted -= used
    return cost


def pairs_of(rounds: Sequence[Round]) -> Iterator[tuple[int, int]]:
    """Yield every meeting, the smaller number first."""
    for tables in rounds:
        for table in tables:
            yield from combinations(sorted(table), 2)


def _small_table_visits(rounds: Sequence[Round]) -> Iterator[int]:
    return (p for tables in rounds for table in tables if len(table) == SMALL_TABLE for p in table)


def seats_of(tables: Round, empty: int) -> list[int]:
    """Return the round's seats, four to a table, `empty` for the chair that a table of three leaves."""
    return [player for table in tables for player in (*table, empty)[:CHAIRS]]


def tables_of(seats: Sequence[int], empty: int) -> Round:
    """Return the tables, those of four before those of three."""
    tables = (seats[start : start + CHAIRS] for start in range(0, len(seats), CHAIRS))
    return tuple(sorted((tuple(p for p in table if p != empty) for table in tables), key=len, reverse=True))
