"""Rounds drawn anew after players left or came, drawn once more so that everybody's chairs come out even.

When an event is planned as a whole, any tables can be seated evenly (`seats`). In the rounds that are left, most
players still need certain chairs, and two who need the same one may share a table. So, round by round, players change
tables, as in `search`, until at every table all have a chair that they have had least often; but nobody meets more
often for it, and club-mates, wishes and tables of three stay as good as they were.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from tournaments.draw.chairs import chair_counts, empty_seat, least_had, unmet
from tournaments.draw.even_threes import unevenness_of_threes
from tournaments.draw.pricing import Prices, pairs_of, prices_after, seats_of, tables_of
from tournaments.draw.search import chance
from tournaments.draw.seats import seat_players, unevenness
from tournaments.draw.tables import CHAIRS, Round
from tournaments.draw.wishes import KeptApart, broken_wishes

CHANGES, TRIES = 40_000, 2  # in all; and again where somebody's chairs are still uneven
LARGEST = 400  # players; half of them are tried twice, more would take too long
STAGES = 24
HOT, COLD = 0.9, 0.3
PRICE, CHAIR = 3, 2  # what a pair's price weighs, and somebody without a chair that they need
CALM = 0.2  # how often a table that could not be better is looked at all the same


def with_even_chairs(
    rounds: Sequence[Round], history: Sequence[Round], kept: KeptApart, rng: Random, *, even: bool
) -> tuple[Round, ...]:
    """Return rounds that follow the history, or others at no higher price that give more players even chairs.

    With `even`, none that share tables of three less evenly.

    Who will play are numbers from 0; higher ones in the history are people who have left.
    """
    best = tuple(rounds)
    for _try in range(min(TRIES, LARGEST // len(kept.clubs))):
        if unevenness([*history, *best]) == (0, 0):
            break
        ways = (best, *_other_ways(rounds, history, kept, rng))
        best = min(ways, key=lambda way: _badness([*history, *way], kept, even=even))
    return best


def _badness(event: Sequence[Round], kept: KeptApart, *, even: bool) -> tuple[int, ...]:
    """Return what makes an event bad: broken wishes and repeats, which come before chairs and first deals."""
    pairs = list(pairs_of(event))
    uneven = unevenness_of_threes(event, len(kept.clubs)) if even else 0
    return uneven, len(broken_wishes(event, kept.wishes)), len(pairs) - len(set(pairs)), *unevenness(event)


def _other_ways(
    rounds: Sequence[Round], history: Sequence[Round], kept: KeptApart, rng: Random
) -> tuple[tuple[Round, ...], tuple[Round, ...]]:
    """Return the rounds with players changed over round by round, seated one by one and all together."""
    found, seated = list(rounds), list(history)
    for index, tables in enumerate(rounds):
        prices = prices_after(len(kept.clubs), [*seated, *found[index + 1 :]], kept)
        search = _Search(tables, seated, prices)
        search.run(rng, CHANGES // len(rounds))
        found[index] = search.tables()
        seated += seat_players([found[index]], seated, rng)
    return tuple(seated[len(history) :]), seat_players(found, history, rng)


class _Search:
    """One round under way; the highest number of all is the empty chair's."""

    def __init__(self, tables: Round, event: Sequence[Round], prices: Prices) -> None:
        self.prices, self.empty = prices, len(prices) - 1
        self.seats = seats = seats_of(tables, self.empty)
        counts = chair_counts(event)
        self.needs = [least_had(counts.get(player, [0] * CHAIRS)) for player in range(self.empty)]
        starts = range(0, len(seats), CHAIRS)
        small = [start for start in starts if self.empty in seats[start : start + CHAIRS]]
        self.left_empty = {
            start // CHAIRS: 1 << empty_seat(len(event), nth) for nth, start in enumerate(small)
        }
        self.costs = [self._cost(start // CHAIRS) for start in starts]
        self.best, self.fewest = list(seats), sum(lacking for _price, lacking in self.costs)
        self.most_price = sum(price for price, _lacking in self.costs)

    def _cost(self, table: int) -> tuple[int, int]:
        """Return what the pairs at a table cost, and how many sit on a chair that they do not need."""
        seated = self.seats[table * CHAIRS : table * CHAIRS + CHAIRS]
        price = sum(self.prices[p][q] for p, q in combinations(seated, 2))
        empty = self.left_empty.get(table, 0)
        needs = sorted(empty if player == self.empty else self.needs[player] & ~empty for player in seated)
        return price, unmet(tuple(needs), CHAIRS)

    def tables(self) -> Round:
        """Return the best tables met, which cost no more than those that the search began with."""
        return tables_of(self.best, self.empty)

    def run(self, rng: Random, changes: int) -> None:
        """Let two players change tables, most of all from tables where somebody lacks a chair."""
        price = self.most_price
        lacking = self.fewest
        for change in range(changes):
            if not self.fewest:
                break
            heat = HOT + (COLD - HOT) * (change * STAGES // changes) / STAGES
            one, other = int(rng.random() * len(self.seats)), int(rng.random() * len(self.seats))
            here, there = one // CHAIRS, other // CHAIRS
            calm = self.costs[here] == (0, 0) and rng.random() > CALM
            if calm or here == there or self.empty in (self.seats[one], self.seats[other]):
                continue
            self._swap(one, other)
            new = self._cost(here), self._cost(there)
            dearer = sum(cost[0] for cost in new) - self.costs[here][0] - self.costs[there][0]
            worse = sum(cost[1] for cost in new) - self.costs[here][1] - self.costs[there][1]
            loss = PRICE * dearer + CHAIR * worse
            if loss > 0 and rng.random() >= chance(loss / heat):
                self._swap(one, other)
                continue
            self.costs[here], self.costs[there] = new
            price, lacking = price + dearer, lacking + worse
            if price <= self.most_price and lacking < self.fewest:
                self.best, self.fewest = list(self.seats), lacking

    def _swap(self, one: int, other: int) -> None:
        self.seats[one], self.seats[other] = self.seats[other], self.seats[one]
