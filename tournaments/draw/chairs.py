"""Chairs and first deals: who had which how often.

A table has four chairs, in order of play. At a table of three one of them stays empty: another one every round,
and another one at each table of three of a round. Chair 0 deals first; where it is empty, chair 1 does. A
`SmallTable` was drawn earlier and has the chair that it was drawn with, whatever became of the other tables.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from random import Random

from tournaments.draw.tables import CHAIRS, Round, SmallTable, Table

Chairs = list[int | None]  # who sits on chairs 0 to 3 of one table


def empty_seat(round_index: int, nth: int) -> int:
    """Return the empty chair of a round's nth table of three, both counted from 0."""
    return (CHAIRS - 1 - round_index - nth) % CHAIRS


def chairs_of(tables: Round, round_index: int) -> list[tuple[int | None, ...]]:
    """Return each table as four chairs, None on the empty one, for the event's round of this index."""
    seated: list[tuple[int | None, ...]] = []
    threes = 0
    for table in tables:
        chairs: Chairs = list(table)
        if len(table) < CHAIRS:
            empty = table.empty if isinstance(table, SmallTable) else empty_seat(round_index, threes)
            chairs.insert(empty, None)
            threes += 1
        seated.append(tuple(chairs))
    return seated


def chair_counts(rounds: Sequence[Round], chairs: int = CHAIRS) -> dict[int, list[int]]:
    """Return how often every player had each chair; with other `chairs` than four no table has an empty one."""
    counts: dict[int, list[int]] = {}
    for index, tables in enumerate(rounds):
        for table in chairs_of(tables, index) if chairs == CHAIRS else tables:
            for chair, player in enumerate(table):
                if player is not None:
                    counts.setdefault(player, [0] * chairs)[chair] += 1
    return counts


def uneven_players(counts: Mapping[int, Sequence[int]]) -> int:
    """Return how many players' chairs are uneven."""
    return sum(is_uneven(chairs) for chairs in counts.values())


def is_uneven(chairs: Sequence[int]) -> bool:
    """Return whether one chair was had at least two times more often than another."""
    return max(chairs) - min(chairs) > 1


def least_had(counts: Sequence[int]) -> int:
    """Return the chairs that a player has had least often, as a bit mask."""
    return sum(1 << chair for chair, times in enumerate(counts) if times == min(counts))


@cache
def unmet(needs: tuple[int, ...], chairs: int) -> int:
    """Return how many of a table's players must do with a chair that they do not need, however they sit."""
    return min(
        sum(not need >> chair & 1 for need, chair in zip(needs, order, strict=True))
        for order in permutations(range(chairs), len(needs))
    )


def first_deals(rounds: Sequence[Round]) -> dict[int, int]:
    """Return how often every player dealt first."""
    deals = {player: 0 for tables in rounds for table in tables for player in table}
    for tables in rounds:
        for table in tables:
            deals[table[0]] += 1
    return deals


# Who takes which chair: everybody has every chair equally often, and deals first equally often.
#
# Write down, for two chairs, an arrow at every table from the player on the first chair to the player on the
# second. A player with two arrows more going out than coming in has had the first chair too often. Follow
# arrows until one arrives at a player with the opposite surplus, and reverse that path,
# which means swapping the two chairs at every table on the way: both ends become even, and the counts
# in between do not change. Such a path always exists at full tables, so after a few turns everybody has had the two
# chairs equally often, give or take one; and when this holds for each two chairs, it holds for all four. In an event
# planned at once, this is done for every four rounds, so that everybody has each chair once in rounds 1 to 4, once more
# in rounds 5 to 8.
#
# Empty chairs at tables of three can bar every path. Then two players change chairs at some table, and the paths
# are looked for again. They can also let a player deal first too often; then another player at the table takes
# that chair, and paths at the other tables make up for it.

Turn = tuple[int, int, int]  # a table, who gives a chair away there, who takes it

# How many tries: so many as make this number of tables in all, but not fewer and not more than these.
TRIED_TABLES, FRESH_TRIES, LATER_TRIES = 1_000, (10, 100), (2, 5)
SHAKES = 20
HANDOVERS, HANDED_TABLES = (10, 100), 3_000  # in the same way


class _Block:
    """Rounds that follow an event's earlier ones and whose chairs are evened out together."""

    def __init__(
        self, rounds: Sequence[Sequence[Table]], event: Sequence[Round], rng: Random, *, by_itself: bool
    ) -> None:
        self.lengths = [len(tables) for tables in rounds]
        self.tables: list[Chairs] = []
        self.counts = {} if by_itself else chair_counts(event)
        self.deals = first_deals(event)
        self.playing = sorted({player for tables in rounds for table in tables for player in table})
        for index, tables in enumerate(rounds, start=len(event)):
            shuffled = tuple(tuple(rng.sample(table, len(table))) for table in tables)
            for chairs in chairs_of(shuffled, index):
                self._sit_down(chairs)

    def _sit_down(self, chairs: Sequence[int | None]) -> None:
        """Let the players of a table choose in turn the free chair that they have had least often."""
        free = [chair for chair, player in enumerate(chairs) if player is not None]
        table: Chairs = [None] * CHAIRS
        for player in chairs:
            if player is not None:
                counts = self.counts.setdefault(player, [0] * CHAIRS)
                chair = min(free, key=counts.__getitem__)
                free.remove(chair)
                table[chair] = player
                counts[chair] += 1
                self.deals.setdefault(player, 0)
        self.tables.append(table)
        self.deals[_dealer(table)] += 1

    def rounds(self) -> list[Round]:
        """Return the block's rounds, every table in seat order."""
        tables = iter(self.tables)
        return [
            tuple(tuple(player for player in next(tables) if player is not None) for _table in range(length))
            for length in self.lengths
        ]

    def even_out(self, rng: Random) -> None:
        """Reverse paths until no player's chairs are uneven; where no path helps, shuffle a table and retry."""
        self._turn_paths()
        for _shake in range(SHAKES):
            before = self._uneven()
            if not before:
                break
            kept = self._copy()
            self._shake(rng)
            self._turn_paths()
            if self._uneven() > before:
                self.tables, self.counts, self.deals = kept

    def _uneven(self) -> int:
        """Return how many of those who play have uneven chairs."""
        return sum(is_uneven(self.counts[player]) for player in self.playing)

    def _shake(self, rng: Random) -> None:
        """Let two players somewhere change places, and make up for it at other tables."""
        number = rng.randrange(len(self.tables))
        giver, taker = rng.sample([player for player in self.tables[number] if player is not None], 2)
        self._exchange_and_mend((number, giver, taker))

    def _exchange_and_mend(self, turn: Turn) -> None:
        number, giver, taker = turn
        much, little = self.tables[number].index(giver), self.tables[number].index(taker)
        self._exchange(turn, much, little)
        self._even_out_two(much, little, number)
        self._even_out_two(little, much, number)

    def _turn_paths(self) -> None:
        turned = True
        while turned:
            turned = False
            for much, little in permutations(range(CHAIRS), 2):
                turned |= self._even_out_two(much, little)

    def _copy(self) -> tuple[list[Chairs], dict[int, list[int]], dict[int, int]]:
        counts = {player: list(chairs) for player, chairs in self.counts.items()}
        return [list(table) for table in self.tables], counts, dict(self.deals)

    def _even_out_two(self, much: int, little: int, kept: int = -1) -> bool:
        """Reverse a path from each player who had `much` too often against `little`, excluding the table `kept`."""
        sits: dict[int, list[int]] = {}
        for number, table in enumerate(self.tables):
            player = table[much]
            if player is not None and table[little] is not None and number != kept:
                sits.setdefault(player, []).append(number)
        turned = False
        for player, counts in self.counts.items():
            while counts[much] - counts[little] > 1 and (path := self._path(player, much, little, sits)):
                for number, giver, taker in path:
                    self._exchange((number, giver, taker), much, little)
                    sits[giver].remove(number)
                    sits.setdefault(taker, []).append(number)
                turned = True
        return turned

    def _path(self, start: int, much: int, little: int, sits: Mapping[int, Sequence[int]]) -> list[Turn]:
        """Return a shortest path to someone who had `little` more often, its end first; [] for none."""
        came: dict[int, Turn] = {}
        queue = deque([start])
        while queue:
            player = queue.popleft()
            for number in sits.get(player, ()):
                other = self.tables[number][little]
                if other is None or other == start or other in came:
                    continue
                came[other] = (number, player, other)
                if self.counts[other][much] < self.counts[other][little]:
                    return list(_way_back(came, other))
                queue.append(other)
        return []

    def _exchange(self, turn: Turn, much: int, little: int) -> None:
        """Let the giver on chair `much` and the taker on chair `little` of a table change places."""
        number, giver, taker = turn
        table = self.tables[number]
        self.deals[_dealer(table)] -= 1
        table[much], table[little] = taker, giver
        self.deals[_dealer(table)] += 1
        for player, change in ((giver, -1), (taker, 1)):
            self.counts[player][much] += change
            self.counts[player][little] -= change

    def share_first_deals(self, rng: Random) -> None:
        """Hand first deals from those who have many to those who have few, where chairs can stay as even."""
        fewest, most = HANDOVERS
        for _try in range(min(max(HANDED_TABLES // len(self.tables), fewest), most)):
            if max(self.deals.values()) - min(self.deals.values()) <= 1:
                return
            gifts = list(self._gifts())
            if gifts:
                self._hand_over(rng.choice(gifts))

    def _gifts(self) -> Iterator[Turn]:
        """Yield tables whose dealer has too many first deals or where someone has too few, with the two."""
        fewest = sum(self.deals.values()) // len(self.deals)
        for number, table in enumerate(self.tables):
            dealer = _dealer(table)
            for player in table:
                if player is None or self.deals[dealer] <= self.deals[player]:
                    continue
                if self.deals[player] < fewest or self.deals[dealer] > fewest + 1:
                    yield number, dealer, player

    def _hand_over(self, turn: Turn) -> None:
        """Make the change, mend chairs at other tables, and take all back if that is worse."""
        kept = self._copy()
        before = self._uneven(), _squares(self.deals)
        self._exchange_and_mend(turn)
        if self._uneven() > before[0] or _squares(self.deals) > before[1]:
            self.tables, self.counts, self.deals = kept


def seat_players(
    rounds: Sequence[Sequence[Table]], history: Sequence[Round], rng: Random
) -> tuple[Round, ...]:
    """Return the rounds that follow the history with every table in seat order.

    The chairs that players had in the history count; without one, every four rounds are evened out by
    themselves.
    """
    best: tuple[Round, ...] = ()
    least = None
    fewest, most = LATER_TRIES if history else FRESH_TRIES
    tries = TRIED_TABLES // sum(len(tables) for tables in rounds)
    for number in range(min(max(tries, fewest), most)):
        # Another order of the tables of three leaves other chairs empty.
        order = [rng.sample(tables, len(tables)) for tables in rounds] if number % 2 else rounds
        seated = _seated(order, history, rng)
        uneven = unevenness([*history, *seated])
        if least is None or uneven < least:
            best, least = seated, uneven
        if least == (0, 0):
            break
    return best


def _seated(rounds: Sequence[Sequence[Table]], history: Sequence[Round], rng: Random) -> tuple[Round, ...]:
    event = list(history)
    step = len(rounds) if history else CHAIRS
    for start in range(0, len(rounds), step):
        sorted_rounds = _small_tables_by_circle(rounds[start : start + step])
        block = _Block(sorted_rounds, event, rng, by_itself=not history)
        block.even_out(rng)
        block.share_first_deals(rng)
        event += block.rounds()
    return tuple(event[len(history) :])


def _small_tables_by_circle(rounds: Sequence[Sequence[Table]]) -> list[list[Table]]:
    """Return the rounds with each one's tables of three sorted by the circle of players that they belong to.

    Players may fall into circles that have no table in common. Each circle must then have every empty chair
    equally often by itself, and has, when its tables of three come at the same place in every round.
    """
    circle = _circles(rounds)
    return [
        sorted(tables, key=lambda table: (-len(table), len(table) < CHAIRS and circle[table[0]]))
        for tables in rounds
    ]


def _circles(rounds: Sequence[Sequence[Table]]) -> dict[int, int]:
    """Return a number for every player, the same for those who are linked by tables."""
    tables_of: dict[int, list[Table]] = {}
    for table in (table for tables in rounds for table in tables):
        for player in table:
            tables_of.setdefault(player, []).append(table)
    circle: dict[int, int] = {}
    for first in sorted(tables_of):
        waiting = [first]
        while waiting:
            player = waiting.pop()
            if player not in circle:
                circle[player] = first
                waiting += [mate for table in tables_of[player] for mate in table]
    return circle


def unevenness(rounds: Sequence[Round]) -> tuple[int, int]:
    """Return how many players' chairs are uneven, and how many first deals are too many or too few."""
    deals = first_deals(rounds)
    fewest = sum(deals.values()) // len(deals)
    astray = sum(max(fewest - times, times - fewest - 1, 0) for times in deals.values())
    return uneven_players(chair_counts(rounds)), astray


def _squares(deals: Mapping[int, int]) -> int:
    return sum(times * times for times in deals.values())


def _dealer(table: Chairs) -> int:
    return next(player for player in table if player is not None)


def _way_back(came: Mapping[int, Turn], end: int) -> Iterator[Turn]:
    while end in came:
        yield came[end]
        end = came[end][1]
