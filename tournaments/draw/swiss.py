"""Draw by the standings ("Swiss"): neighbours in the standings share a table, but no two players meet twice for it.

Players are numbered by their place. Tables start as places 1 to 4, 5 to 8 and so on; then two players who are
not far from each other change tables, and the change is accepted when it helps, or by chance as in `search`. What
weighs how much, in places between a table's best and last player:

    a strict wish not to share a table                           5,000
    a pair's second meeting                                      1,000, its third 2,000
    another wish                                                 100
    a table of three for who has been at one more than others    50, or 20,000 where all are to have had their turn
    a player without any of the chairs they have had least       4 to 40, more as four rounds fill up
    two club-mates                                               4

Where tables have one size, those left over have a bye: of those who have played most, the last ones.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from tournaments.draw.chairs import chair_counts, least_had, seat_players, unmet
from tournaments.draw.equal_tables import seat_alike
from tournaments.draw.even_threes import are_even
from tournaments.draw.planner import Plan
from tournaments.draw.quality import pairs_of, quality
from tournaments.draw.search import chance
from tournaments.draw.tables import (
    CHAIRS,
    SMALL_TABLE,
    THREE_AND_FOUR,
    Apart,
    DrawError,
    Groups,
    KeptApart,
    Round,
    _,
    byes,
    checked_history,
    checked_players,
    kept_apart,
    numbered,
    table_sizes,
)

WISH = {False: 100, True: 5000}  # by whether strictly
REPEAT = 1000
SMALL_TABLE_AGAIN, SMALL_TABLE_HARD = 50, 20_000
CHAIR = (4, 8, 20, 40)  # by how many of four rounds have been played
CLUB_MATES = 4
NEVER = 100_000
NEAR = 24  # places that two who change tables are apart at most
SWAPS, SWAPS_EACH = 60_000, 150  # in all, and more for every player
SEARCHES = 3  # again where two players still have to meet twice
STAGES = 24
HOT, COLD = 3.0, 0.2
MOST_KNOWN = 50_000  # tables whose cost is stored in a search
CALM = 0.5  # how often a table that could not be better is looked at all the same


def tables_by_standings(
    history: Sequence[Round],
    kept: KeptApart,
    seats: Sequence[int],
    rng: Random,
    *,
    even_chairs: bool,
    even_threes: bool,
) -> Round:
    """Return the next round's tables for numbers 0 and up, the leader first, at tables of these sizes.

    The history speaks in the same numbers, those beyond `kept` are people who have left. With
    `even_chairs`, tables are chosen so that everybody can have a chair that they have had least often. With
    `even_threes`, a table of three costs as usual at first; where the tables found are not even, a search follows
    in which only those sit at three who have been there least.
    """
    tables = _searched(_Search(history, kept, seats, even_chairs=even_chairs), rng)
    if even_threes and len(seats) > 1 and not are_even(history, [tables], len(kept.clubs)):
        tables = _searched(_Search(history, kept, seats, even_chairs=even_chairs, hard=True), rng)
    return tables


def _searched(search: "_Search", rng: Random) -> Round:
    """Return the best tables that some searches find, as many as it takes until no two players meet again."""
    for _search in range(SEARCHES):
        search.run(rng, SWAPS + SWAPS_EACH * search.players)
        if not search.still_repeats:
            break
    tables = (
        tuple(p for p in search.best[start : start + search.size] if p < search.players)
        for start in range(0, len(search.best), search.size)
    )
    return tuple(sorted(tables, key=lambda table: (-len(table), min(table))))


class _Costs(dict[tuple[int, ...], int]):
    """What tables cost, each worked out once: in a small field the same tables come again and again."""

    def __init__(self, cost: Callable[[Sequence[int]], int]) -> None:
        self.cost = cost

    def __missing__(self, table: tuple[int, ...]) -> int:
        cost = self.cost(table)
        if len(self) < MOST_KNOWN:
            self[table] = cost
        return cost


class _Search:
    """One round under way: numbers from `players` on are the empty chairs at tables of three."""

    def __init__(
        self,
        history: Sequence[Round],
        kept: KeptApart,
        seats: Sequence[int],
        *,
        even_chairs: bool,
        hard: bool = False,
    ) -> None:
        self.players = players = len(kept.clubs)
        self.size = max(seats)
        self.prices: list[dict[int, int]] = [{} for _player in range(players)]
        for (p, q), times in Counter(pairs_of(history)).items():
            self._raise(p, q, REPEAT * times)
        for (p, q), strict in kept.wishes.items():
            self._raise(p, q, WISH[strict])
        for p, q in combinations(range(players), 2) if kept.has_mates else ():
            if kept.are_mates(p, q):
                self._raise(p, q, CLUB_MATES)
        visits = Counter(p for tables in history for table in tables if len(table) < self.size for p in table)
        fewest = min(visits[p] for p in range(players))
        price = SMALL_TABLE_HARD if hard else SMALL_TABLE_AGAIN
        self.visited = [price * (visits[p] - fewest) for p in range(players)]
        self.hard = hard
        self.needs = _needs(history, players, self.size) if even_chairs else []
        self.chair_price = CHAIR[len(history) % CHAIRS]
        self.seats = self._without_byes(history, seats) if len(seats) == 1 else self._neighbours()
        self.best = list(self.seats)
        self.least = NEVER * len(self.seats)
        self.known = _Costs(self._cost)

    def _raise(self, p: int, q: int, price: int) -> None:
        if p < self.players and q < self.players:
            self.prices[p][q] = self.prices[p].get(q, 0) + price
            self.prices[q][p] = self.prices[q].get(p, 0) + price

    def _without_byes(self, history: Sequence[Round], seats: Sequence[int]) -> list[int]:
        played = Counter(p for tables in history for table in tables for p in table)
        by_rest = sorted(range(self.players), key=lambda p: (played[p], p))
        return sorted(by_rest[: self.players - byes(self.players, seats)])

    def _neighbours(self) -> list[int]:
        """Return neighbours at tables, tables of three for those who have been there least, from the end."""
        if self.hard:
            return self._least_at_three()
        left = list(range(self.players))
        small: list[int] = []
        for number in range(table_sizes(self.players).count(SMALL_TABLE)):
            start = min(
                range(len(left) - SMALL_TABLE, -1, -1),
                key=lambda first: sum(self.visited[p] for p in left[first : first + SMALL_TABLE]),
            )
            small += [*left[start : start + SMALL_TABLE], self.players + number]
            del left[start : start + SMALL_TABLE]
        return left + small

    def _least_at_three(self) -> list[int]:
        """Return neighbours at tables, those of three for exactly those who have been there least, the last first."""
        tables = table_sizes(self.players).count(SMALL_TABLE)
        by_visits = sorted(range(self.players), key=lambda p: (self.visited[p], -p))
        small = sorted(by_visits[: SMALL_TABLE * tables])
        seats = [p for p in range(self.players) if p not in small]
        for number in range(tables):
            seats += [*small[number * SMALL_TABLE : (number + 1) * SMALL_TABLE], self.players + number]
        return seats

    def _cost(self, table: Sequence[int]) -> int:
        highest = max(table)
        if self.size != CHAIRS or highest >= self.players:
            return self._cost_of_any(table)
        # Nearly all tables are full tables of four, and nearly all the time is spent here.
        prices, (a, b, c, d) = self.prices, table
        of_a, of_b = prices[a], prices[b]
        cost = highest - min(table) + of_a.get(b, 0) + of_a.get(c, 0) + of_a.get(d, 0)
        cost += of_b.get(c, 0) + of_b.get(d, 0) + prices[c].get(d, 0)
        if self.needs:
            needs = self.needs
            cost += self.chair_price * unmet((needs[a], needs[b], needs[c], needs[d]), CHAIRS)
        return cost

    def _cost_of_any(self, table: Sequence[int]) -> int:
        players = [p for p in table if p < self.players]
        cost = max(players) - min(players)
        if len(players) < self.size:
            cost += sum(self.visited[p] for p in players)
            cost += NEVER * (self.size - 1 - len(players))
        for p, q in combinations(players, 2):
            cost += self.prices[p].get(q, 0)
        if self.needs:
            cost += self.chair_price * unmet(tuple(self.needs[p] for p in players), self.size)
        return cost

    def run(self, rng: Random, swaps: int) -> None:
        """Let players change tables, most of all at tables that are far from what they could be.

        Nearly all the time is spent in this loop: it reads attributes once, and each table's cost is worked out once.
        """
        random, seats, size, players = rng.random, self.seats, self.size, self.players
        count, span, known = len(seats), 2 * NEAR + 1, self.known
        where = {player: seat for seat, player in enumerate(seats)}
        costs = [self._cost(seats[start : start + size]) for start in range(0, count, size)]
        cost = sum(costs)
        for stage in range(STAGES):
            heat = HOT + (COLD - HOT) * stage / (STAGES - 1)
            for _swap in range(swaps // STAGES):
                seat = int(random() * count)
                here = seat // size
                if costs[here] < size and random() > CALM:
                    continue
                player = seats[seat]
                # A player near in the standings; any player for an empty chair.
                if player >= players:
                    other = int(random() * players)
                else:
                    other = player + int(random() * span) - NEAR
                    if not 0 <= other < players:
                        other = seats[int(random() * count)]
                place = where.get(other, seat)  # byes do not move
                there = place // size
                if here == there:
                    continue
                seats[seat], seats[place] = other, player
                new_here = known[tuple(seats[here * size : here * size + size])]
                new_there = known[tuple(seats[there * size : there * size + size])]
                loss = new_here + new_there - costs[here] - costs[there]
                if loss > 0 and random() >= chance(loss / heat):
                    seats[seat], seats[place] = player, other
                    continue
                where[player], where[other] = place, seat
                costs[here], costs[there] = new_here, new_there
                cost += loss
                if cost < self.least:
                    self.least = cost
                    self.best = list(seats)

    @property
    def still_repeats(self) -> bool:
        """Return whether a pair meets again, or a strict wish is broken, at the best tables found."""
        starts = range(0, len(self.best), self.size)
        tables = (self.best[start : start + self.size] for start in starts)
        return any(self._cost(table) - self._cost_of_visits(table) >= REPEAT for table in tables)

    def _cost_of_visits(self, table: Sequence[int]) -> int:
        players = [p for p in table if p < self.players]
        return sum(self.visited[p] for p in players) if len(players) < self.size else 0


def _needs(history: Sequence[Round], players: int, chairs: int) -> list[int]:
    """Return for every player the chairs had least often, as bits of a number."""
    had = chair_counts(history, chairs)
    return [least_had(had.get(player, [0] * chairs)) for player in range(players)]


# Other ways to seat a round than `planner`'s: by the standings, by lot alone, and as the organiser enters it.
#
# All return a Plan with its quality, so that their costs can be compared. Seats are shared evenly in
# each, but for those that the organiser enters.


def plan_by_standings(  # noqa: PLR0913 - the facts of an event, all but three with a default
    ranking: Sequence[int],
    *,
    seed: int,
    history: Sequence[Round],
    groups: Groups | None = None,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
    even_chairs: bool = True,
    even_threes: bool = True,
) -> Plan:
    """Plan the next round for those in the ranking, the leader first: neighbours share tables ("Swiss").

    No two players meet twice as long as that can be had. `even_threes` as in `plan`, which comes before even
    that. `even_chairs` gives up some neighbourhood so that
    everybody can have each chair once in four rounds. Raises DrawError like `plan_next`.
    """
    checked_players(ranking, seats)
    played = checked_history(history, seats)
    rng = Random(seed)
    kept = kept_apart(ranking, groups, apart)
    found = tables_by_standings(
        numbered(played, ranking), kept, seats, rng, even_chairs=even_chairs, even_threes=even_threes
    )
    tables = tuple(tuple(ranking[number] for number in table) for table in found)
    new = _seated((tables,), played, seats, rng)
    return Plan(new, seed, quality([*played, *new], groups, seats=seats, apart=apart), continued=False)


def plan_by_lot(
    present: Sequence[int],
    rounds: int,
    *,
    seed: int,
    history: Sequence[Round] = (),
    groups: Groups | None = None,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
) -> Plan:
    """Plan rounds by lot alone, regardless of earlier meetings; byes go to those who have played most, then by lot.

    `groups` and `apart` are only what the result is judged by. Raises DrawError like `plan_next`.
    """
    players = checked_players(present, seats)
    if rounds < 1:
        raise DrawError("no_rounds", _("A draw needs at least one round."))
    event = list(checked_history(history, seats))
    rng = Random(seed)
    sizes = table_sizes(len(players), seats)
    for _round in range(rounds):
        played = Counter(p for tables in event for table in tables for p in table)
        by_rest = sorted(rng.sample(players, len(players)), key=lambda p: played[p])
        lot = rng.sample(by_rest[: sum(sizes)], sum(sizes))
        tables = tuple(tuple(lot.pop() for _seat in range(size)) for size in sizes)
        event += _seated((tables,), event, seats, rng)
    return Plan(
        tuple(event[len(history) :]), seed, quality(event, groups, seats=seats, apart=apart), continued=False
    )


def plan_as_given(
    given: Sequence[Round],
    present: Sequence[int],
    *,
    history: Sequence[Round] = (),
    groups: Groups | None = None,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
) -> Plan:
    """Take the organiser's rounds as they are, tables in seat order; the seed is 0 and means nothing.

    Raises DrawError "not_present" and "not_given" where a round seats another player or leaves one out,
    "history" for a table of a wrong size or a player with two seats. Where tables have one size, as many as
    the planner would give a bye may be left out.
    """
    players = checked_players(present, seats)
    before = list(checked_history(history, seats))
    rounds = checked_history([*before, *given], seats)[len(before) :]
    for number, tables in enumerate(rounds, start=len(before) + 1):
        seated = {player for table in tables for player in table}
        for player in sorted(seated - set(players)):
            text = _("Round {round}: player {player} is not here.")
            raise DrawError("not_present", text, round=number, player=player)
        missing = sorted(set(players) - seated)
        if len(missing) > byes(len(players), seats):
            text = _("Round {round}: player {player} has no seat.")
            raise DrawError("not_given", text, round=number, player=missing[0])
    return Plan(rounds, 0, quality([*before, *rounds], groups, seats=seats, apart=apart), continued=False)


def _seated(
    rounds: tuple[Round, ...], played: Sequence[Round], seats: Sequence[int], rng: Random
) -> tuple[Round, ...]:
    """Return the rounds with everybody on a chair that they have had least often, as far as can be."""
    return seat_players(rounds, played, rng) if len(seats) > 1 else seat_alike(rounds, played, rng)
