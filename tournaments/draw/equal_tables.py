"""Tables of one size: two, three or five players at each, and a bye for those who are left over.

Who sits together comes from a rule where no player needs a bye and the rule reaches far enough, otherwise from a
search.

The rules. At tables of two everybody meets everybody: one player stays, the others move around the tables (the
"circle"), and where the number is odd, the opponent of the empty chair has the bye. At larger tables the players
are divided into as many classes as a table has chairs, one of each class at every table; in round r class k
has moved on by k times r, counted in a field (`constructions`), so that for each two classes the distance is another
one every round. Fifteen players at tables of three are the schoolgirls of Kirkman's puzzle: seven rounds
in which everybody meets everybody once.

The search is that of `search`, for any size: two players of a round change tables, and the change is accepted when
it helps, or by chance.

Byes go to those who have played most, ties by lot, so that no player sits out twice before all have once.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

from tournaments.draw.chairs import chair_counts, uneven_players
from tournaments.draw.constructions import circle, field_of
from tournaments.draw.search import chance
from tournaments.draw.tables import KeptApart, Round, Table, byes

MEETING = 8  # the price of a pair's second meeting; its third costs twice as much, and so on
EARLY_MATES = (
    24,
    2,
)  # the price of a pair of club-mates at a table in rounds 1 and 2; LATER_MATES afterwards
LATER_MATES = 1
WISH = {False: 6, True: 400}  # of two who wish to be apart, by whether strictly
STAGES = 48
SWAPS = 60_000
SEARCHES = 3
HOT, COLD = 0.7 * MEETING, 0.1 * MEETING
NUMBERINGS = 2_000
SEATINGS = 3
SWEEPS = 40

PAIR = 2
KIRKMAN = (15, 3)
# Letters are players, words are tables: each line a round of Kirkman's fifteen.
SCHOOLGIRLS = """
abc dhl ejo fkm gin
ade bhj cmn fio gkl
afg bik clo djn ehm
ahi bln cef dko gjm
ajk bmo cdg eil fhn
alm bdf cij ekn gho
ano beg chk dim fjl
"""


def rounds_alike(
    players: int, rounds: int, size: int, history: Sequence[Round], kept: KeptApart, rng: Random
) -> tuple[Round, ...]:
    """Return rounds of full tables for numbers 0 to players - 1, to follow the history.

    Numbers from `players` on stand for people who have left; `kept` is who of the others is separated.
    """
    ruled = () if history else _ruled(players, size)
    if len(ruled) >= rounds:
        return _assign_players(ruled[:rounds], players, kept, rng)
    return _searched(players, rounds, size, history, kept, rng)


def seat_alike(rounds: Sequence[Round], history: Sequence[Round], rng: Random) -> tuple[Round, ...]:
    """Return the rounds with every table in seat order: everybody has every chair equally often."""
    best: tuple[Round, ...] = ()
    least = None
    for _try in range(SEATINGS):
        seated, uneven = _seated(rounds, history, rng)
        if least is None or uneven < least:
            best, least = seated, uneven
        if not least:
            break
    return best


# By a rule


def _ruled(players: int, size: int) -> tuple[Round, ...]:
    """Return the rounds without repeats that a rule gives; () for none."""
    if size == PAIR:
        return tuple(circle(players))
    if byes(players, (size,)):
        return ()
    if (players, size) == KIRKMAN:
        return tuple(
            tuple(tuple(ord(letter) - ord("a") for letter in table) for table in line.split())
            for line in SCHOOLGIRLS.strip().splitlines()
        )
    return tuple(_moved(players // size, size))


def _moved(tables: int, size: int) -> list[Round]:
    """Classes that move on in a field of so many places; where the classes are tables, each plays once more."""
    field = field_of(tables) if tables >= size else None
    if field is None:
        return []
    rounds: list[Round] = [
        tuple(
            tuple(k * tables + field.plus[table][field.times[k][turn]] for k in range(size))
            for table in range(tables)
        )
        for turn in range(tables)
    ]
    if tables == size:
        rounds.append(tuple(tuple(k * tables + place for place in range(size)) for k in range(size)))
    return rounds


def _assign_players(rounds: Sequence[Round], players: int, kept: KeptApart, rng: Random) -> tuple[Round, ...]:
    """Return the rounds with players for numbers by lot, who exchange numbers until all sit apart who should."""
    names = rng.sample(range(players), players)
    if not kept.asks_nothing:
        least = _mates(rounds, names, kept)
        for _try in range(NUMBERINGS):
            if not least:
                break
            one, other = rng.randrange(players), rng.randrange(players)
            names[one], names[other] = names[other], names[one]
            mates = _mates(rounds, names, kept)
            if mates > least:
                names[one], names[other] = names[other], names[one]
            least = min(mates, least)
    return tuple(tuple(tuple(names[number] for number in table) for table in tables) for tables in rounds)


def _mates(rounds: Sequence[Round], names: Sequence[int], kept: KeptApart) -> int:
    """Return what the pairs at a table cost who should be apart, club-mates in early rounds more than late."""
    cost = 0
    for index, tables in enumerate(rounds):
        for table in tables:
            for p, q in combinations([names[number] for number in table], 2):
                cost += _dislike(index, p, q, kept)
    return cost


def _dislike(index: int, p: int, q: int, kept: KeptApart) -> int:
    """Return what it costs to seat two in the round of this index who should be apart."""
    cost = 0
    if kept.are_mates(p, q):
        cost = EARLY_MATES[index] if index < len(EARLY_MATES) else LATER_MATES
    wish = (min(p, q), max(p, q))
    return cost + WISH[kept.wishes[wish]] if wish in kept.wishes else cost


# By search


def _searched(
    players: int, rounds: int, size: int, history: Sequence[Round], kept: KeptApart, rng: Random
) -> tuple[Round, ...]:
    best: tuple[Round, ...] = ()
    least = None
    for _search in range(SEARCHES):
        starts = [
            rng.sample(seated, len(seated)) for seated in _who_plays(players, rounds, size, history, rng)
        ]
        search = _Search(starts, size, players, history, kept)
        for stage in range(STAGES):
            search.run(rng, SWAPS // STAGES, HOT + (COLD - HOT) * stage / (STAGES - 1))
        if least is None or search.best_cost < least:
            best, least = search.best_rounds(), search.best_cost
        if not least:
            break
    return best


def _who_plays(
    players: int, rounds: int, size: int, history: Sequence[Round], rng: Random
) -> list[list[int]]:
    """Return who plays in each round: those who have played most have the byes, ties by lot."""
    over = byes(players, (size,))
    played = Counter(player for tables in history for table in tables for player in table)
    lot = rng.sample(range(players), players)
    chosen = []
    for _round in range(rounds):
        order = sorted(lot, key=lambda player: -played[player])
        chosen.append(order[over:])
        played.update(order[over:])
    return chosen


class _Search:
    """Rounds under way, each a list of seats, `size` to a table, and the cheapest that were met."""

    def __init__(
        self, rounds: Sequence[list[int]], size: int, players: int, history: Sequence[Round], kept: KeptApart
    ) -> None:
        self.rounds = [list(seats) for seats in rounds]
        self.size = size
        everybody = 1 + max([players - 1, *(p for tables in history for table in tables for p in table)])
        self.met = [[0] * everybody for _player in range(everybody)]
        for tables in history:
            for table in tables:
                for p, q in combinations(table, 2):
                    self._count(p, q, 1)
        before = len(history)
        asked = () if kept.asks_nothing else range(len(rounds))
        self.dislike = [
            [[_dislike(before + index, p, q, kept) for q in range(players)] for p in range(players)]
            for index in asked
        ]
        self.cost = 0
        for index, seats in enumerate(self.rounds):
            for start in range(0, len(seats), size):
                for p, q in combinations(seats[start : start + size], 2):
                    self.cost += self._price(index, p, q)
                    self._count(p, q, 1)
        self.best_cost = self.cost
        self.best = [list(seats) for seats in self.rounds]

    def _count(self, p: int, q: int, times: int) -> None:
        self.met[p][q] += times
        self.met[q][p] += times

    def _price(self, index: int, p: int, q: int) -> int:
        """Return what it costs that p and q meet in this round, once more than they have met."""
        return MEETING * self.met[p][q] + (self.dislike[index][p][q] if self.dislike else 0)

    def run(self, rng: Random, swaps: int, heat: float) -> None:
        """Try swaps at one temperature. Swaps are made only once known to be accepted; most time is spent here."""
        random, rounds, size = rng.random, self.rounds, self.size
        for _swap in range(swaps):
            index = int(random() * len(rounds))
            seats = rounds[index]
            one, other = int(random() * len(seats)), int(random() * len(seats))
            here, there = one - one % size, other - other % size
            if here == there:
                continue
            p, q = seats[one], seats[other]
            mates, others = seats[here : here + size], seats[there : there + size]
            mates.remove(p)
            others.remove(q)
            loss = self._loss(p, q, mates, others)
            if self.dislike:
                loss += self._disliked(index, p, q, mates, others)
            if loss > 0 and random() >= chance(loss / heat):
                continue
            self._swap(p, q, mates, others)
            seats[one], seats[other] = q, p
            self.cost += loss
            if self.cost < self.best_cost:
                self.best_cost = self.cost
                self.best = [list(seats) for seats in rounds]
                if not self.best_cost:
                    return

    def _loss(self, p: int, q: int, mates: list[int], others: list[int]) -> int:
        """Return what it costs in meetings that p leaves its mates for others, and q the others for them."""
        met_p, met_q = self.met[p], self.met[q]
        more = len(mates) + len(others)
        for mate in mates:
            more += met_q[mate] - met_p[mate]
        for mate in others:
            more += met_p[mate] - met_q[mate]
        return MEETING * more

    def _disliked(self, index: int, p: int, q: int, mates: list[int], others: list[int]) -> int:
        """Return the same for those who should be apart."""
        of_p, of_q = self.dislike[index][p], self.dislike[index][q]
        gone = sum(of_q[mate] - of_p[mate] for mate in mates)
        return gone + sum(of_p[mate] - of_q[mate] for mate in others)

    def _swap(self, p: int, q: int, mates: list[int], others: list[int]) -> None:
        """Count that p has left its mates for others, and q the others for them."""
        for mate in mates:
            self._count(p, mate, -1)
            self._count(q, mate, 1)
        for mate in others:
            self._count(q, mate, -1)
            self._count(p, mate, 1)

    def best_rounds(self) -> tuple[Round, ...]:
        """Return the cheapest rounds as tables."""
        return tuple(
            tuple(tuple(seats[start : start + self.size]) for start in range(0, len(seats), self.size))
            for seats in self.best
        )


# Chairs


def _seated(rounds: Sequence[Round], history: Sequence[Round], rng: Random) -> tuple[tuple[Round, ...], int]:
    """Return the rounds in seat order, and how uneven everybody's chairs are.

    Each table in turn is seated again as suits its players best, ties by lot, so that what one table cannot make
    even moves on to another that can.
    """
    size = len(rounds[0][0])
    orders = list(permutations(range(size)))
    counts = chair_counts(history, size)
    for player in (player for tables in rounds for table in tables for player in table):
        counts.setdefault(player, [0] * size)
    seated = [[_sit_down(table, counts, orders, rng) for table in tables] for tables in rounds]
    for _sweep in range(SWEEPS):
        if not uneven_players(counts):
            break
        for tables in seated:
            for number, table in enumerate(tables):
                for chair, player in enumerate(table):
                    counts[player][chair] -= 1
                tables[number] = _sit_down(table, counts, orders, rng)
    return tuple(tuple(tables) for tables in seated), uneven_players(counts)


def _sit_down(
    table: Table, counts: dict[int, list[int]], orders: list[tuple[int, ...]], rng: Random
) -> Table:
    """Let the players of a table take the chairs that they have had least often, all in all; count them."""
    rng.shuffle(orders)
    had = [counts[player] for player in table]
    best = min(orders, key=lambda order: sum(had[who][chair] for chair, who in enumerate(order)))
    for chair, who in enumerate(best):
        had[who][chair] += 1
    return tuple(table[who] for who in best)
