"""What every swap of one player would cost, so that an organiser can choose the cheapest."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.draw.chairs import chair_counts, chairs_of, is_uneven
from tournaments.draw.tables import CHAIRS, THREE_AND_FOUR, Groups, Round, checked_history, group_of
from tournaments.draw.wishes import Apart, wished_pairs


@dataclass(frozen=True, slots=True, order=True)
class SwapChange:
    """What changes when two players of a round change places; less than nothing is better."""

    repeats: int
    wishes: int  # broken
    club_mates: int  # pairs at a table
    seat_imbalance: int  # players
    other: int  # with whom


def swap_changes(
    rounds: Sequence[Round],
    round_index: int,
    player: int,
    groups: Groups | None = None,
    *,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
) -> list[SwapChange]:
    """Return every swap of this player with somebody at another table of the round (from 0), the best first."""
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
    mine = next((table for table in tables if player in table), ())
    found = []
    for table in tables:
        for other in table if mine and table != mine else ():
            lost = _pairs(player, mine) + _pairs(other, table)
            won = _pairs(player, table, but=other) + _pairs(other, mine, but=player)
            found.append(
                SwapChange(
                    repeats=sum(met[pair] > 0 for pair in won) - sum(met[pair] > 1 for pair in lost),
                    wishes=sum(pair in wishes for pair in won) - sum(pair in wishes for pair in lost),
                    club_mates=_mates(won, groups) - _mates(lost, groups),
                    seat_imbalance=_uneven(counts, player, chairs[player], chairs[other])
                    + _uneven(counts, other, chairs[other], chairs[player]),
                    other=other,
                )
            )
    return sorted(found)


def _pairs(player: int, table: Sequence[int], but: int = -1) -> list[tuple[int, int]]:
    return [(min(player, mate), max(player, mate)) for mate in table if mate not in {player, but}]


def _mates(pairs: Sequence[tuple[int, int]], groups: Groups | None) -> int:
    clubs = [(group_of(groups, p), group_of(groups, q)) for p, q in pairs]
    return sum(one is not None and one == other for one, other in clubs)


def _uneven(counts: Mapping[int, Sequence[int]], player: int, leaves: int, takes: int) -> int:
    """Return 1 if the player's chairs become uneven by taking one for another, -1 if even, else 0."""
    after = list(counts[player])
    after[leaves] -= 1
    after[takes] += 1
    return is_uneven(after) - is_uneven(counts[player])
