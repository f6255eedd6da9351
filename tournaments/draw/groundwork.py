"""Who sits together, before anybody has a name: the groundwork of a plan.

Numbers 0 to N - 1 stand for players. The rounds come from the best source there is: rounds without repeats by
a rule, as far as they reach, and a search for the rest. What comes from the rule stays as it is, so that
nobody meets anybody twice before the rule's rounds are used up.

When rounds have been played already, they are matched with the rule first (`continuation`); where that fails,
or as a second opinion where it helps little, the rounds that are left are searched for from a random start.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from tournaments.draw.constructions import rounds_without_repeats
from tournaments.draw.continuation import found_again
from tournaments.draw.empties import players_to_leave_out
from tournaments.draw.even_threes import are_even, evened
from tournaments.draw.pricing import Seats, least_cost, pairs_of, prices_after, seats_of, tables_of
from tournaments.draw.search import improve
from tournaments.draw.stored import stored_plan
from tournaments.draw.stored_even import stored_even_plan
from tournaments.draw.tables import CHAIRS, SMALL_TABLE, Round, table_sizes
from tournaments.draw.wishes import KeptApart

SWAPS = 150_000
SEARCHES = 2
SMALL_FIELD, SMALL_FIELD_SWAPS = 20, 300_000  # so few players fit together so tightly that it takes longer
EVENING_SWAPS = 200_000
EVENINGS = 5
CHOICES = 6
LARGEST_MATCHED = 32  # players; in larger fields a search finds the rest of a plan easily


def rounds_from_scratch(players: int, rounds: int, rng: Random, *, even: bool) -> tuple[Round, ...]:
    """Return an event's rounds for numbers 0 to players - 1, with as few repeats as we know how to reach.

    With `even`, as few as tables of three leave that everybody sits at equally often.
    """
    if even and (stored := stored_even_plan(players, rounds)):
        return stored
    found = _fewest_repeats(players, rounds, rng)
    if not even or are_even((), found, players):
        return found
    return evened(found, (), players, None, rng)


def _fewest_repeats(players: int, rounds: int, rng: Random) -> tuple[Round, ...]:
    stored = stored_plan(players, rounds)
    if stored:
        return stored
    ruled, uneven = _ruled_rounds(players, rounds, rng)
    if len(ruled) < rounds:
        return (*ruled, *rounds_after(players, rounds - len(ruled), ruled, None, rng, even=False))
    return _evened(ruled, players, rng) if uneven > 1 else ruled


def _evened(ruled: tuple[Round, ...], players: int, rng: Random) -> tuple[Round, ...]:
    """Return rounds without repeats that share tables of three more evenly, or else the same rounds."""
    best, uneven = ruled, _visit_range(ruled, players)
    prices = prices_after(players, (), None)
    start = [seats_of(tables, players) for tables in ruled]
    target = least_cost(ruled, prices, None)
    for _search in range(EVENINGS):
        _cost, found = improve(start, prices, rng, swaps=EVENING_SWAPS, target=target)
        rounds = tuple(tables_of(seats, players) for seats in found)
        if not _repeats(rounds) and _visit_range(rounds, players) < uneven:
            best, uneven = rounds, _visit_range(rounds, players)
        if uneven <= 1:
            break
    return best


def rounds_after(
    players: int, rounds: int, history: Sequence[Round], kept: KeptApart | None, rng: Random, *, even: bool
) -> tuple[Round, ...]:
    """Return rounds to follow the history, where numbers from `players` on stand for people who have left.

    With `even`, tables of three are shared as evenly as what was played allows, whatever repeats that costs.
    """
    found = _cheapest_after(players, rounds, history, kept, rng, even=even)
    if not even or are_even(history, found, players):
        return found
    return evened(found, history, players, kept, rng)


def _cheapest_after(
    players: int, rounds: int, history: Sequence[Round], kept: KeptApart | None, rng: Random, *, even: bool
) -> tuple[Round, ...]:
    prices = prices_after(players, history, kept)
    target = least_cost([_random_round(players, rng)] * rounds, prices, kept)
    swaps = SMALL_FIELD_SWAPS if players <= SMALL_FIELD else SWAPS
    least = None
    best: Seats = []
    for start in _starts(players, rounds, history, rng, even=even):
        cost, found = improve(start, prices, rng, swaps=swaps, target=target)
        if least is None or cost < least:
            least, best = cost, found
        if cost <= target:
            break
    return tuple(tables_of(seats, players) for seats in best)


def _starts(
    players: int, rounds: int, history: Sequence[Round], rng: Random, *, even: bool
) -> Iterator[Seats]:
    """Yield rounds to begin a search with: the rest of the plan that was played, then random ones."""
    rest = _rest_of_plan(players, rounds, history, rng, even=even)
    if rest:
        yield rest
    for _search in range(SEARCHES):
        yield [seats_of(_random_round(players, rng), players) for _round in range(rounds)]


def _rest_of_plan(
    players: int, rounds: int, history: Sequence[Round], rng: Random, *, even: bool
) -> Seats | None:
    """Return rounds of the plan that the history followed, newcomers on the numbers of those who left."""
    tables = len(table_sizes(players))
    if not history or CHAIRS * tables > LARGEST_MATCHED:
        return None
    began = sum(len(table) for table in history[0])
    in_all = len(history) + rounds
    stored = (even and stored_even_plan(began, in_all)) or stored_plan(began, in_all)
    for rule in (stored, rounds_without_repeats(tables)):
        if len(rule) < len(history) + rounds or len(rule[0]) != tables:
            continue
        if found := found_again(history, rule):
            numbers, unplayed = found
            return _with_newcomers(players, numbers, unplayed[:rounds], rng)
    return None


def _with_newcomers(
    players: int, numbers: dict[int, int], unplayed: Sequence[Round], rng: Random
) -> Seats | None:
    """Return the seats of unplayed rounds with players for numbers; None where newcomers are too many."""
    there = {numbers[player]: player for player in numbers if player < players}
    newcomers = [player for player in range(players) if player not in numbers]
    free = sorted({number for table in unplayed[0] for number in table} - set(there))
    if len(newcomers) > len(free):
        return None
    there.update(zip(rng.sample(free, len(newcomers)), newcomers, strict=True))
    seats = [[there.get(number, players) for number in seats_of(tables, -1)] for tables in unplayed]
    return [_empties_apart(chosen, players) for chosen in seats]


def _empties_apart(seats: list[int], empty: int) -> list[int]:
    """Return the seats with one empty chair at a table at most, players moving over from full tables."""
    apart = list(seats)
    tables = [range(start, start + CHAIRS) for start in range(0, len(seats), CHAIRS)]
    full = [table for table in tables if empty not in (apart[seat] for seat in table)]
    for table in tables:
        for spare in [seat for seat in table if apart[seat] == empty][1:]:
            mover = full.pop()[0]
            apart[spare], apart[mover] = apart[mover], empty
    return apart


def _ruled_rounds(players: int, rounds: int, rng: Random) -> tuple[tuple[Round, ...], int]:
    """Return as many rounds without repeats as a rule gives, and how uneven their tables of three are."""
    sizes = table_sizes(players)
    ready = rounds_without_repeats(len(sizes))
    absent = CHAIRS * len(sizes) - players
    for count in range(min(rounds, len(ready)), 0, -1):
        # Rounds in which classes play by themselves come last; without them, a class can be a big club.
        pool = ready[: max(count, len(sizes))]
        choices = [
            _choice(pool, count, absent, rng) for _choice_number in range(CHOICES if absent > 1 else 1)
        ]
        possible = [choice for choice in choices if choice[0] >= 0]
        if possible:
            uneven, chosen, left_out = min(possible)
            return tuple(_without(tables, left_out) for tables in chosen), uneven
    return (), 0


def _choice(
    ready: Sequence[Round], count: int, absent: int, rng: Random
) -> tuple[int, list[Round], tuple[int, ...]]:
    chosen = rng.sample(ready, count)
    uneven, left_out = players_to_leave_out(chosen, absent, rng)
    return uneven, chosen, left_out


def _without(tables: Round, left_out: tuple[int, ...]) -> Round:
    """Return the round without some players, those above them moving up, tables of four first."""
    stays = [
        tuple(p - sum(gone < p for gone in left_out) for p in table if p not in left_out) for table in tables
    ]
    return tuple(sorted(stays, key=len, reverse=True))


def _random_round(players: int, rng: Random) -> Round:
    order = rng.sample(range(players), players)
    return tuple(tuple(order.pop() for _seat in range(size)) for size in table_sizes(players))


def _repeats(rounds: Sequence[Round]) -> int:
    pairs = list(pairs_of(rounds))
    return len(pairs) - len(set(pairs))


def _visit_range(rounds: Sequence[Round], players: int) -> int:
    visits = Counter(p for tables in rounds for table in tables if len(table) == SMALL_TABLE for p in table)
    return max(visits[p] for p in range(players)) - min(visits[p] for p in range(players))
