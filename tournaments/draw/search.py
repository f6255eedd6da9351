"""Search for rounds where no rule gives them: swap two players, and accept the swap when it helps.

Only looking for improvements gets stuck soon. So a swap that makes matters worse is accepted too, often at first
and ever more seldom ("simulated annealing"). The number of swaps tried is fixed beforehand and their choice
comes from the seed, so that the same seed gives the same rounds on any machine; chances are worked out with
plain multiplication and division, which all machines do alike. `quality.Prices` defines what is better.
"""

from itertools import combinations
from random import Random

from tournaments.draw.quality import MEETING, Prices, Seats
from tournaments.draw.tables import CHAIRS

STAGES = 64
HOT, COLD = 0.7, 0.15  # the loss that is accepted with chance 1/e, at the start and at the end
WORST_LOSS = 24  # a swap that loses this much is never accepted


def improve(rounds: Seats, prices: Prices, rng: Random, *, swaps: int, target: int) -> tuple[int, Seats]:
    """Return what the cheapest rounds met in `swaps` swaps cost, and these; stop early at the target.

    `prices` is what pairs cost before these rounds (meetings in rounds played, club-mates) and is left as
    it is.
    """
    search = _Search(rounds, prices)
    for stage in range(STAGES):
        if search.best_cost <= target:
            break
        heat = HOT + (COLD - HOT) * stage / (STAGES - 1)
        search.run(rng, swaps // STAGES, [chance(loss / heat) for loss in range(WORST_LOSS)], target)
    return search.best_cost, search.best


def chance(x: float) -> float:
    """Return nearly exp(-x), from operations that give the same on every machine."""
    return 1 / (1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5)))))


class _Search:
    """Rounds under way, the prices that they have driven up, and the cheapest rounds so far."""

    def __init__(self, rounds: Seats, prices: Prices) -> None:
        self.rounds = [list(seats) for seats in rounds]
        self.prices = [list(row) for row in prices]
        self.cost = 0
        for seats in rounds:
            for start in range(0, len(seats), CHAIRS):
                for p, q in combinations(seats[start : start + CHAIRS], 2):
                    self._meet(p, q)
        self.best_cost = self.cost
        self.best = [list(seats) for seats in rounds]
        self.others = [
            tuple(
                other for other in range(seat - seat % CHAIRS, seat - seat % CHAIRS + CHAIRS) if other != seat
            )
            for seat in range(len(rounds[0]))
        ]

    def _meet(self, p: int, q: int) -> None:
        self.cost += self.prices[p][q]
        self.prices[p][q] += MEETING
        if p != q:
            self.prices[q][p] += MEETING

    def run(self, rng: Random, swaps: int, chances: list[float], target: int) -> None:
        """Try swaps at one temperature.

        Nearly all the time is spent in this loop: it reads attributes once and spells the six pairs out.
        """
        random, prices, others, rounds = rng.random, self.prices, self.others, self.rounds
        count, seats_count, cost = len(rounds), len(self.others), self.cost
        empty = len(prices) - 1
        several_empty = rounds[0].count(empty) > 1
        for _swap in range(swaps):
            seats = rounds[int(random() * count)]
            seat, other = int(random() * seats_count), int(random() * seats_count)
            x, y = seats[seat], seats[other]
            if seat >> 2 == other >> 2 or x == y:
                continue
            i, j, k = others[seat]
            a, b, c = seats[i], seats[j], seats[k]
            i, j, k = others[other]
            d, e, f = seats[i], seats[j], seats[k]
            of_x, of_y = prices[x], prices[y]
            loss = (
                of_x[d] + of_x[e] + of_x[f] + of_y[a] + of_y[b] + of_y[c]
                - of_x[a] - of_x[b] - of_x[c] - of_y[d] - of_y[e] - of_y[f]
                + 6 * MEETING
            )  # fmt: skip
            if several_empty and empty in (a, b, c) and empty in (d, e, f):
                loss -= 2 * MEETING  # both stay with an empty chair, which the sum above counts as one more
            if loss > 0 and (loss >= WORST_LOSS or random() >= chances[loss]):
                continue
            seats[seat], seats[other] = y, x
            cost += loss
            for mate in (a, b, c):
                of_x[mate] -= MEETING
                of_y[mate] += MEETING
                prices[mate][x] -= MEETING
                prices[mate][y] += MEETING
            for mate in (d, e, f):
                of_x[mate] += MEETING
                of_y[mate] -= MEETING
                prices[mate][x] += MEETING
                prices[mate][y] -= MEETING
            if cost < self.best_cost:
                self.best_cost = cost
                self.best = [list(kept) for kept in rounds]
                if cost <= target:
                    break
        self.cost = cost
