"""Figures of a seating's quality, which anyone can recount from the printed seat plan.

Repeats. A pair that shares a table m times has m - 1 meetings too many; their sum over all pairs is
`repeats`. It cannot be less than `bound`, for two reasons of plain counting: a table of four uses up six
pairs and a table of three three, and there are only N(N-1)/2 pairs; and where there are fewer tables than
chairs at a table, each new table holds players who sat together in any earlier round, because there were
not enough tables to keep them apart.

Club-mates. S members of a club at T tables make the fewest pairs when they are spread evenly over the
tables.

Where all clubs have four players, they play as teams of four: `clubs_meet` measures how evenly any two of them meet.

Wishes. Every round and pair that sits together against a "not together" wish is a broken one.

Seats. Seat 0 deals first. At a table of three one of the four chairs stays empty; which one rotates from
round to round (see `chairs`), and the three sit on the others in order. Someone's seats are
uneven when they have had one chair at least two times more often than another.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb
from typing import Any

from tournaments.draw.chairs import chair_counts, chairs_of, first_deals, is_uneven, uneven_players
from tournaments.draw.tables import (
    CHAIRS,
    SMALL_TABLE,
    THREE_AND_FOUR,
    Apart,
    Groups,
    KeptApart,
    Round,
    Table,
    broken_wishes,
    checked_history,
    group_of,
    in_fours,
    wished_pairs,
)


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures of a seating; ranges are (fewest, most) over those who play every round."""

    repeats: int  # meetings beyond a pair's first, over all pairs
    bound: int  # no seating of these players and rounds has fewer repeats
    most_meetings: int  # of one pair
    repeated_pairs: tuple[tuple[int, int, int], ...]  # player, player, meetings; the most first
    club_mates: tuple[int, ...]  # pairs from one club at one table, by round
    club_mates_bound: tuple[int, ...]  # the fewest that the clubs' sizes allow
    seat_imbalance: int  # players who had one chair two times more often than another
    first_deals: tuple[int, int]
    tables_of_three: tuple[int, int]
    rounds_played: tuple[int, int]  # of everybody: who has a bye plays a round less
    wishes_broken: tuple[tuple[int, int, int, bool], ...] = ()  # round from 1, two players, whether strict
    clubs_meet: tuple[int, int] | None = None  # meetings of any two clubs' players, where all have four

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        return asdict(self)


def quality(
    rounds: Sequence[Sequence[Sequence[int]]],
    groups: Groups | None = None,
    *,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
) -> Quality:
    """Return the quality of these rounds as one event, played rounds first.

    Raises DrawError "history" where a round is no seating.
    """
    event = checked_history(rounds, seats)
    chairs = max(seats)
    meetings = _meetings(event)
    repeated = sorted(((p, q, times) for (p, q), times in meetings.items() if times > 1), key=_most_first)
    regulars = _regulars(event)
    first = Counter(first_deals(event))
    small = Counter(player for tables in event for table in tables if len(table) < chairs for player in table)
    played = Counter(player for tables in event for table in tables for player in table)
    return Quality(
        repeats=sum(times - 1 for _p, _q, times in repeated),
        bound=repeats_bound(event),
        most_meetings=max(meetings.values(), default=0),
        repeated_pairs=tuple(repeated),
        club_mates=tuple(club_mates(tables, groups) for tables in event),
        club_mates_bound=tuple(club_mates_bound(tables, groups) for tables in event),
        seat_imbalance=uneven_players(chair_counts(event, chairs)),
        first_deals=_range(first, regulars),
        tables_of_three=_range(small, regulars),
        rounds_played=_range(played, list(played)),
        wishes_broken=tuple(broken_wishes(event, wished_pairs(apart))),
        clubs_meet=clubs_meet(meetings, {player: group_of(groups, player) for player in sorted(played)}),
    )


def repeats_bound(rounds: Sequence[Round]) -> int:
    """Return how many repeats counting alone forces on rounds of this shape."""
    used = sum(comb(len(table), 2) for tables in rounds for table in tables)
    everybody = [frozenset(player for table in tables for player in table) for tables in rounds]
    if len(set(everybody)) == 1:
        possible = comb(len(everybody[0]), 2)
        crowded = sum(_forced(rounds[i], len(rounds[i - 1])) for i in range(1, len(rounds)))
        return max(used - possible, crowded, 0)
    possible = len({pair for players in set(everybody) for pair in combinations(sorted(players), 2)})
    return max(used - possible, 0)


def club_mates(tables: Sequence[Table], groups: Groups | None) -> int:
    """Return how many pairs from one club share a table in this round."""
    sizes = (Counter(group_of(groups, player) for player in table) for table in tables)
    return sum(comb(size, 2) for table in sizes for club, size in table.items() if club is not None)


def club_mates_bound(tables: Sequence[Table], groups: Groups | None) -> int:
    """Return the fewest such pairs that the sizes of the clubs allow."""
    clubs = Counter(group_of(groups, player) for table in tables for player in table)
    return sum(spread_pairs(size, len(tables)) for club, size in clubs.items() if club is not None)


def clubs_meet(
    meetings: Mapping[tuple[int, int], int], clubs: Mapping[int, Hashable | None]
) -> tuple[int, int] | None:
    """Return how often the players of two clubs meet, fewest and most; None unless all play in teams of four."""
    if not in_fours(list(clubs.values())):
        return None
    met: Counter[frozenset[Hashable | None]] = Counter()
    for (p, q), times in meetings.items():
        met[frozenset((clubs[p], clubs[q]))] += times
    times_met = [met[frozenset(two)] for two in combinations(set(clubs.values()), 2)]
    return min(times_met), max(times_met)


def spread_pairs(members: int, tables: int) -> int:
    """Return the pairs that sit together when members are spread over tables as evenly as can be."""
    each, more = divmod(members, tables)
    return tables * comb(each, 2) + more * each


def _meetings(rounds: Sequence[Round]) -> Counter[tuple[int, int]]:
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def _most_first(pair: tuple[int, int, int]) -> tuple[int, int, int]:
    return (-pair[2], pair[0], pair[1])


def _forced(tables: Round, earlier: int) -> int:
    """Return the pairs that must have met before, when the round before had so few tables."""
    return sum(spread_pairs(len(table), earlier) for table in tables)


def _regulars(rounds: Sequence[Round]) -> list[int]:
    """Return those who played most rounds: newcomers cannot have dealt as often."""
    played = Counter(player for tables in rounds for table in tables for player in table)
    most = max(played.values(), default=0)
    return [player for player, times in played.items() if times == most]


def _range(counts: Counter[int], players: Sequence[int]) -> tuple[int, int]:
    values = [counts[player] for player in players]
    return (min(values, default=0), max(values, default=0))


# What a seating costs, so that a search can compare two: meetings, tables of three, club-mates.
#
# Every pair has a price: what it would cost to let them meet once more. It is nothing for two who have not met
# and rises with every meeting, so that repeats are avoided, and the few that cannot be are spread over many
# pairs. A table of three is a table of four with an empty chair; the empty chair counts as one more player,
# whom everybody should meet equally often. Two empty chairs never share a table. Club-mates have a small price
# from the start, and so have two who wish to be apart: a high one where they wish it strictly.

Prices = list[list[int]]  # of one more meeting of two players; the last row and column are the empty chair's
Seats = list[list[int]]  # of every round, four to a table; the number of players means an empty chair

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


# What every swap of one player would cost, so that an organiser can choose the cheapest.


@dataclass(frozen=True, slots=True, order=True)
class SwapChange:
    """The change of the figures when two players of a round change places; negative is better."""

    repeats: int
    wishes: int  # broken
    club_mates: int  # pairs at a table
    seat_imbalance: int  # players
    other: int  # with whom
    same_table: bool = False


def swap_changes(
    rounds: Sequence[Round],
    round_index: int,
    player: int,
    groups: Groups | None = None,
    *,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
    byes: Sequence[int] = (),
) -> list[SwapChange]:
    """Return every swap of this player with one who plays in the round (from 0) or has a bye, the best first."""
    event = checked_history(rounds, seats)
    met = Counter(pair for tables in event for table in tables for pair in combinations(sorted(table), 2))
    wishes = wished_pairs(apart)
    tables = event[round_index]
    chairs = {
        seated: chair
        for table in (chairs_of(tables, round_index) if max(seats) == CHAIRS else tables)
        for chair, seated in enumerate(table)
        if seated is not None
    }
    counts = chair_counts(event, max(seats))
    mine: Table = next((table for table in tables if player in table), ())
    if not mine and player not in byes:
        return []
    others = [(other, table) for table in tables for other in table if other != player]
    found = []
    for other, table in [*others, *((idle, ()) for idle in byes if mine and idle != player)]:
        lost = _pairs(player, mine) + _pairs(other, table) if table != mine else []
        won = _pairs(player, table, but=other) + _pairs(other, mine, but=player) if table != mine else []
        found.append(
            SwapChange(
                repeats=sum(met[pair] > 0 for pair in won) - sum(met[pair] > 1 for pair in lost),
                wishes=sum(pair in wishes for pair in won) - sum(pair in wishes for pair in lost),
                club_mates=_mates(won, groups) - _mates(lost, groups),
                seat_imbalance=_uneven(counts.get(player), chairs.get(player), chairs.get(other))
                + _uneven(counts.get(other), chairs.get(other), chairs.get(player)),
                other=other,
                same_table=table == mine,
            )
        )
    return sorted(found)


def _pairs(player: int, table: Sequence[int], but: int = -1) -> list[tuple[int, int]]:
    return [(min(player, mate), max(player, mate)) for mate in table if mate not in {player, but}]


def _mates(pairs: Sequence[tuple[int, int]], groups: Groups | None) -> int:
    clubs = [(group_of(groups, p), group_of(groups, q)) for p, q in pairs]
    return sum(one is not None and one == other for one, other in clubs)


def _uneven(counts: Sequence[int] | None, leaves: int | None, takes: int | None) -> int:
    """Return 1 if a player's chairs become uneven by taking one for another, -1 if even, else 0; None is a bye."""
    if counts is None:  # who has had no chair yet has their first one then
        return 0
    after = list(counts)
    if leaves is not None:
        after[leaves] -= 1
    if takes is not None:
        after[takes] += 1
    return is_uneven(after) - is_uneven(counts)
