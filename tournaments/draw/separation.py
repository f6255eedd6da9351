"""Separate club-mates, and those who wish it, without letting any two players meet more often for it.

A finished plan seats numbers; which player gets which number is free. For the first round that is easy: list
the players club by club and deal them out over the tables one by one, and every club is spread as evenly as
can be. For the other rounds, two players exchange numbers whenever that brings fewer club-mates together,
early rounds counting more than late ones and wishes more than clubs (with chances as in `search`); no
exchange may spoil round 1 again.

Where that leaves players together who need not be, a second plan is searched for: round 1 dealt out as
above (or searched for too, where a wish is broken in it), the other rounds from scratch, club-mates at a price.
The better of the two plans is taken: by strict wishes met, then fewest meetings of one pair, then fewest
repeats, then other wishes, then fewest club-mates.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb
from random import Random

from tournaments.draw.even_threes import unevenness_of_threes
from tournaments.draw.groundwork import rounds_after
from tournaments.draw.quality import quality, spread_pairs
from tournaments.draw.search import chance
from tournaments.draw.tables import KeptApart, Round, broken_wishes

NUMBERINGS = 2
EXCHANGES = 40_000
STAGES = 40
HOT, COLD = 3.0, 0.3
EARLY_ROUNDS = (1000, 8, 6, 3)  # the price of a pair of club-mates by round; 1 in later rounds
WISH = {False: 3000, True: 30_000}  # of two who wish to be apart, by whether strictly


def clubs_apart(rounds: Sequence[Round], kept: KeptApart, rng: Random, *, even: bool) -> tuple[Round, ...]:
    """Return the rounds with players for numbers by lot, or better rounds, that separate club-mates and wishes."""
    players = len(kept.clubs)
    if kept.asks_nothing:
        return _renamed(rounds, rng.sample(range(players), players))
    numbering = _best_numbering(rounds, kept, rng)
    renamed = _renamed(rounds, numbering.best)
    if numbering.is_perfect:
        return renamed
    good = () if broken_wishes(renamed[:1], kept.wishes) else renamed[:1]
    searched = (*good, *rounds_after(players, len(rounds) - len(good), good, kept, rng, even=even))
    return min((renamed, searched), key=lambda plan: _badness(plan, kept, even=even))


def rounds_after_apart(
    players: int, rounds: int, history: Sequence[Round], kept: KeptApart, rng: Random, *, even: bool
) -> tuple[Round, ...]:
    """Return rounds to follow the history that keep players apart where that costs no repeat."""
    if kept.asks_nothing:
        return rounds_after(players, rounds, history, None, rng, even=even)
    apart = rounds_after(players, rounds, history, kept, rng, even=even)
    figures = quality((*history, *apart))
    if figures.repeats == figures.bound:
        return apart
    anyhow = rounds_after(players, rounds, history, None, rng, even=even)
    return min((apart, anyhow), key=lambda plan: _badness((*history, *plan), kept, even=even))


def _best_numbering(rounds: Sequence[Round], kept: KeptApart, rng: Random) -> "_Numbering":
    numberings: list[_Numbering] = []
    for _numbering in range(NUMBERINGS):
        numberings.append(_Numbering(rounds, kept, _dealt_out(rounds[0], kept.clubs, rng)))
        numberings[-1].improve(rng)
        if numberings[-1].is_perfect:
            break
    return min(numberings, key=lambda numbering: numbering.best_cost)


def _renamed(rounds: Sequence[Round], players: Sequence[int]) -> tuple[Round, ...]:
    return tuple(tuple(tuple(players[number] for number in table) for table in tables) for tables in rounds)


def _badness(rounds: Sequence[Round], kept: KeptApart, *, even: bool) -> tuple[int, ...]:
    figures = quality(rounds, kept.clubs)
    mates = sum(price * pairs for price, pairs in zip(_prices(len(rounds)), figures.club_mates, strict=True))
    broken = [strict for *_who, strict in broken_wishes(rounds, kept.wishes)]
    uneven = unevenness_of_threes(rounds, len(kept.clubs)) if even else 0
    return uneven, broken.count(True), figures.most_meetings, figures.repeats, broken.count(False), mates


def _prices(rounds: int) -> list[int]:
    return [*EARLY_ROUNDS, *[1] * rounds][:rounds]


def _dealt_out(tables: Round, clubs: Sequence[Hashable | None], rng: Random) -> list[int]:
    """Deal the players out over the first round's tables, club by club, one to each table in turn."""
    shuffled = rng.sample(range(len(clubs)), len(clubs))
    places = {club: place for place, club in enumerate(dict.fromkeys(clubs[player] for player in shuffled))}
    in_clubs = sorted(shuffled, key=lambda player: places[clubs[player]])
    seats = [table[row] for row in range(len(tables[0])) for table in tables if row < len(table)]
    players = [0] * len(clubs)
    for number, player in zip(seats, in_clubs, strict=True):
        players[number] = player
    return players


class _Numbering:
    """An assignment of players to numbers, with counts of each club's players at each table of each round."""

    def __init__(self, rounds: Sequence[Round], kept: KeptApart, players: list[int]) -> None:
        clubs = kept.clubs
        self.players = players
        self.number_of = {player: number for number, player in enumerate(players)}
        self.wishes: dict[
            int, list[tuple[int, int]]
        ] = {}  # player -> another, and the price of a table shared
        for (p, q), strict in kept.wishes.items():
            self.wishes.setdefault(p, []).append((q, WISH[strict]))
            self.wishes.setdefault(q, []).append((p, WISH[strict]))
        self.nobodys = len(clubs)  # players without a club count as of a club without a price
        names = {club: index for index, club in enumerate(dict.fromkeys(clubs)) if club is not None}
        self.club = [self.nobodys if club is None else names[club] for club in (clubs[p] for p in players)]
        self.table_of = [_table_of(tables) for tables in rounds]
        self.prices = _prices(len(rounds))
        self.counts = [
            [Counter(self.club[number] for number in table) for table in tables] for tables in rounds
        ]
        self.cost = sum(
            price * (_pairs(counts, self.nobodys) - _fewest(counts, self.nobodys))
            for price, counts in zip(self.prices, self.counts, strict=True)
        )
        self.cost += sum(self._price_of_wishes(player) for player in self.wishes) // 2
        self.best, self.best_cost = list(players), self.cost

    @property
    def is_perfect(self) -> bool:
        """Return whether every wish is met, and in every round as few club-mates meet as the clubs' sizes allow."""
        return self.best_cost == 0

    def improve(self, rng: Random) -> None:
        """Exchange numbers until no club-mates meet who need not, or for a fixed number of tries."""
        for stage in range(STAGES):
            if self.is_perfect:
                break
            self._exchange(rng, EXCHANGES // STAGES, HOT + (COLD - HOT) * stage / (STAGES - 1))

    def _exchange(self, rng: Random, exchanges: int, heat: float) -> None:
        """Try exchanges of two numbers at one heat."""
        size = len(self.players)
        for _exchange in range(exchanges):
            one, other = int(rng.random() * size), int(rng.random() * size)
            wishful = self.players[one] in self.wishes or self.players[other] in self.wishes
            if self.club[one] == self.club[other] and not wishful:
                continue
            loss = 0 if self.club[one] == self.club[other] else self._loss(one, other)
            if wishful:
                loss += self._loss_of_wishes(one, other)
            if loss <= 0 or rng.random() < chance(loss / heat):
                self._swap(one, other)
                self.cost += loss
                if self.cost < self.best_cost:
                    self.best, self.best_cost = list(self.players), self.cost
                    if self.is_perfect:
                        return

    def _loss(self, one: int, other: int) -> int:
        mine, theirs = self.club[one], self.club[other]
        loss = 0
        for price, table_of, counts in zip(self.prices, self.table_of, self.counts, strict=True):
            here, there = table_of[one], table_of[other]
            if here == there:
                continue
            change = 0
            if mine != self.nobodys:
                change += counts[there][mine] - counts[here][mine] + 1
            if theirs != self.nobodys:
                change += counts[here][theirs] - counts[there][theirs] + 1
            loss += price * change
        return loss

    def _price_of_wishes(self, player: int) -> int:
        """Return the price of this player's tables with players to be kept apart."""
        number = self.number_of[player]
        return sum(
            price
            for other, price in self.wishes.get(player, ())
            for table_of in self.table_of
            if table_of[number] == table_of[self.number_of[other]]
        )

    def _loss_of_wishes(self, one: int, other: int) -> int:
        p, q = self.players[one], self.players[other]
        before = self._price_of_wishes(p) + self._price_of_wishes(q)
        self.number_of[p], self.number_of[q] = other, one
        after = self._price_of_wishes(p) + self._price_of_wishes(q)
        self.number_of[p], self.number_of[q] = one, other
        return after - before

    def _swap(self, one: int, other: int) -> None:
        mine, theirs = self.club[one], self.club[other]
        for table_of, counts in zip(self.table_of, self.counts, strict=True):
            here, there = counts[table_of[one]], counts[table_of[other]]
            here[mine] -= 1
            here[theirs] += 1
            there[theirs] -= 1
            there[mine] += 1
        self.club[one], self.club[other] = theirs, mine
        self.players[one], self.players[other] = self.players[other], self.players[one]
        self.number_of[self.players[one]], self.number_of[self.players[other]] = one, other


def _table_of(tables: Round) -> list[int]:
    where = {number: index for index, table in enumerate(tables) for number in table}
    return [where[number] for number in range(len(where))]


def _pairs(counts: list[Counter[int]], nobodys: int) -> int:
    return sum(comb(members, 2) for table in counts for club, members in table.items() if club != nobodys)


def _fewest(counts: list[Counter[int]], nobodys: int) -> int:
    sizes = sum(counts, Counter[int]())
    return sum(spread_pairs(members, len(counts)) for club, members in sizes.items() if club != nobodys)
