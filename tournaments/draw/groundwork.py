"""Find who sits together, by plain numbers: the groundwork of a plan.

Numbers 0 to N - 1 stand for players. The rounds come from the best source there is: rounds without repeats by
a rule, as far as they reach, and a search for the rest. What comes from the rule stays as it is, so that
no two players meet twice before the rule's rounds are used up.

When rounds have been played already, they are matched with the rule first (below); where that fails,
or as a second opinion where it helps little, the rounds that are left are searched for from a random start.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from tournaments.draw.constructions import rounds_without_repeats, stored_plan
from tournaments.draw.even_threes import are_even, evened, stored_even_plan
from tournaments.draw.quality import Seats, least_cost, pairs_of, prices_after, seats_of, tables_of
from tournaments.draw.search import improve
from tournaments.draw.tables import CHAIRS, SMALL_TABLE, KeptApart, Round, table_sizes

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


# Finding a plan again from the rounds that were played by it.
#
# Rounds by a rule fit together so tightly that a search seldom finds the rest of a plan once some rounds are
# played. So it is first tried whether the rounds played could be the rule's: some of its rounds are matched
# with them, table by table, each player standing for one number of the rule. If that works out, the rule's
# other rounds can follow, new players take the numbers of those who left, and again no two players meet
# twice.

STEPS = 3_000  # numbers tried in all; a plan that is there is mostly found in some hundreds


def found_again(played: Sequence[Round], rule: Sequence[Round]) -> tuple[dict[int, int], list[Round]] | None:
    """Return everybody's number in the rule's rounds, and those of its rounds that have not been played.

    None when the rounds played are not the rule's, or when it takes too long to say.
    """
    return _Matcher(played, rule).extended([])


class _Matcher:
    def __init__(self, played: Sequence[Round], rule: Sequence[Round]) -> None:
        self.played = played
        self.rule = rule
        self.steps = STEPS

    def extended(self, chosen: list[int]) -> tuple[dict[int, int], list[Round]] | None:
        """Match one more round played with one of the rule's, those chosen so far staying matched."""
        matching = _Matching(self.played, [self.rule[index] for index in chosen])
        if chosen:
            self.steps = matching.complete(self.steps)
            if not matching.is_complete:
                return None
        if len(chosen) == len(self.played):
            return matching.numbers, [tables for i, tables in enumerate(self.rule) if i not in chosen]
        for index in range(len(self.rule)):
            if self.steps > 0 and index not in chosen and (found := self.extended([*chosen, index])):
                return found
        return None


class _Matching:
    """The first rounds played against as many of the rule's: which number every player can stand for."""

    def __init__(self, played: Sequence[Round], rule: Sequence[Round]) -> None:
        pairs = list(zip(played, rule, strict=False))
        self.rule = [tables for _played, tables in pairs]
        self.table_of = [_tables_of(tables) for tables, _rule in pairs]
        self.rule_table_of = [_tables_of(tables) for _played, tables in pairs]
        self.sizes = [[len(table) for table in tables] for tables, _rule in pairs]
        self.absent = [
            len(its) - len(mine) for its, mine in zip(self.rule_table_of, self.table_of, strict=True)
        ]
        self.matched: list[dict[int, int]] = [{} for _pair in pairs]  # table played -> the rule's table
        self.numbers: dict[int, int] = {}
        self.players = sorted({player for tables in self.table_of for player in tables})

    @property
    def is_complete(self) -> bool:
        """Return whether every player has a number."""
        return len(self.numbers) == len(self.players)

    def complete(self, steps: int) -> int:
        """Number all players, or none of them, and return the steps that are left."""
        if self.is_complete or steps <= 0:
            return steps
        player = max((p for p in self.players if p not in self.numbers), key=self._known_tables)
        for number in self._candidates(player):
            steps -= 1
            before = [dict(tables) for tables in self.matched]
            if self._take(player, number):
                steps = self.complete(steps)
            if self.is_complete or steps <= 0:
                break
            self.numbers.pop(player, None)
            self.matched = before
        return steps

    def _known_tables(self, player: int) -> int:
        return sum(
            tables.get(player) in matched for tables, matched in zip(self.table_of, self.matched, strict=True)
        )

    def _candidates(self, player: int) -> list[int]:
        """Return the free numbers at the tables that are matched already, or all free numbers."""
        places = [
            set(rule[matched[tables[player]]])
            for rule, tables, matched in zip(self.rule, self.table_of, self.matched, strict=True)
            if tables.get(player) in matched
        ]
        free = set.intersection(*places) if places else set(self.rule_table_of[0])
        return sorted(free - set(self.numbers.values()))

    def _take(self, player: int, number: int) -> bool:
        """Let the player stand for the number, unless a table would match two, or a smaller one."""
        for index, tables in enumerate(self.table_of):
            if player in tables:
                mine, its = tables[player], self.rule_table_of[index][number]
                matched = self.matched[index]
                taken = mine not in matched and its in matched.values()
                if taken or matched.get(mine, its) != its:
                    return False
                missing = len(self.rule[index][its]) - self.sizes[index][mine]
                if not 0 <= missing <= self.absent[index]:
                    return False
                matched[mine] = its
        self.numbers[player] = number
        return True


def _tables_of(tables: Round) -> dict[int, int]:
    return {player: index for index, table in enumerate(tables) for player in table}


# Tables of three: which players of a plan for the next multiple of four stay away.
#
# A plan for 28 serves 27: the players at the 28th's table have an empty chair at the table. When two or three
# stay away they must be players who never meet, lest a table has two empty chairs; and they are chosen so
# that everybody meets an empty chair equally often.

STARTS = 40


def players_to_leave_out(rounds: Sequence[Round], absent: int, rng: Random) -> tuple[int, tuple[int, ...]]:
    """Return how uneven visits to tables of three become (most - fewest), and the players to leave out.

    Uneven is -1 with no players when there are not enough who never meet.
    """
    if not absent:
        return 0, ()
    size = sum(len(table) for table in rounds[0])
    met = _met(rounds, size)
    best: tuple[int, tuple[int, ...]] = (-1, ())
    for _start in range(STARTS):
        chosen = _chosen_from(rng.randrange(size), met, absent, rng)
        if len(chosen) == absent:
            uneven = _unevenness(chosen, met)
            if best[0] < 0 or uneven < best[0]:
                best = (uneven, chosen)
            if uneven <= 1:
                break
    return best


def _met(rounds: Sequence[Round], size: int) -> list[int]:
    """Return for each player those met at a table, as bits of a number."""
    met = [0] * size
    for tables in rounds:
        for table in tables:
            for p, q in combinations(table, 2):
                met[p] |= 1 << q
                met[q] |= 1 << p
    return met


def _chosen_from(first: int, met: list[int], absent: int, rng: Random) -> tuple[int, ...]:
    """Return `absent` players with this first one, adding the players that leave the visits most even."""
    chosen: tuple[int, ...] = (first,)
    while len(chosen) < absent:
        free = [p for p in range(len(met)) if p not in chosen and not any(met[q] >> p & 1 for q in chosen)]
        if not free:
            break
        rng.shuffle(free)
        chosen = min(((*chosen, p) for p in free), key=lambda players: _visits(players, met))
    return chosen


def _visits(chosen: tuple[int, ...], met: list[int]) -> tuple[int, int]:
    """Return how many players meet an empty chair three times and twice."""
    once = twice = thrice = 0
    for player in chosen:
        thrice |= twice & met[player]
        twice |= once & met[player]
        once |= met[player]
    return thrice.bit_count(), twice.bit_count()


def _unevenness(chosen: tuple[int, ...], met: list[int]) -> int:
    visits = [sum(met[absent] >> p & 1 for absent in chosen) for p in range(len(met)) if p not in chosen]
    return max(visits) - min(visits)
