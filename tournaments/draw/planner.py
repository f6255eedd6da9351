"""The draw: plan an event, or what of it has not started.

A fresh event is drawn in four steps. Who sits together: by a rule where mathematics has one
(`constructions`), with players left out where the number is not divisible by four (`groundwork`), by search
where there is none (`search`). Who is who in that plan: by lot, club-mates apart (`separation`; where
all clubs have four players, moves of four teams do both). Which table has
which number: by lot, tables of three last. Who has which chair: evenly (`chairs`).

After some rounds, the plan that the same seed gave continues when the rounds played are its beginning, so
that drawing round by round gives the same rounds as drawing all at once. When players joined or left, places
were swapped or the seed is another one, the rounds that are left are taken from the rule that was played by,
if it can be found again (`groundwork`), or searched for; what was played counts, for chairs too.

Where all tables have one size, `equal_tables` does all of this but the lots.

The same seed and the same input give the same plan on any machine: every choice comes from
random.Random(seed), the work is bounded by counting and not by the clock, and nothing depends on the order
in which a set is gone through.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random

from tournaments.draw.chairs import chair_counts, empty_seat, least_had, seat_players, unevenness, unmet
from tournaments.draw.constructions import field_of
from tournaments.draw.equal_tables import rounds_alike, seat_alike
from tournaments.draw.even_threes import stored_even_plan, unevenness_of_threes
from tournaments.draw.groundwork import rounds_from_scratch
from tournaments.draw.quality import Prices, Quality, pairs_of, prices_after, quality, seats_of, tables_of
from tournaments.draw.search import chance
from tournaments.draw.separation import clubs_apart, rounds_after_apart
from tournaments.draw.tables import (
    CHAIRS,
    THREE_AND_FOUR,
    Apart,
    DrawError,
    Groups,
    KeptApart,
    Round,
    _,
    broken_wishes,
    checked_history,
    checked_players,
    kept_apart,
    numbered,
)

USUAL_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds that were drawn, how, and the quality of the event with them."""

    rounds: tuple[Round, ...]
    seed: int
    quality: Quality  # of the rounds played and drawn together
    continued: bool  # the rounds follow those played in one plan


def plan(  # noqa: PLR0913 - the facts of an event, all but three with a default
    players: int,
    rounds: int,
    *,
    seed: int,
    groups: Groups | None = None,
    history: Sequence[Round] = (),
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
    even_threes: bool = True,
) -> Plan:
    """Plan `rounds` rounds for players 0 to players - 1, after those of `history`.

    `groups` is each player's club, None for none; `seats` the sizes that tables may have; `apart` who does
    not want to share a table (`tables` has the order in which all this gives way). With `even_threes` everybody
    sits at a table of three equally often, give or take one, whatever repeats that costs; without it, repeats
    are as few as they can be. Raises DrawError for numbers that cannot be seated.
    """
    return plan_next(
        range(players),
        rounds,
        seed=seed,
        history=history,
        groups=groups,
        total=len(history) + rounds,
        seats=seats,
        apart=apart,
        even_threes=even_threes,
    )


def plan_next(  # noqa: PLR0913 - the facts of an event, all but two with a default
    present: Sequence[int],
    rounds: int,
    *,
    seed: int,
    history: Sequence[Round] = (),
    groups: Groups | None = None,
    total: int | None = None,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
    even_threes: bool = True,
) -> Plan:
    """Plan the next `rounds` rounds for those present, who may be others than in the rounds played.

    `total` is the number of rounds that the event will have, so that rounds drawn now leave room for later
    ones. Without it, a single round is drawn as one of an event of five, several rounds as the event's last.
    `even_threes` as in `plan`.

    Raises DrawError for numbers that cannot be seated, someone present twice, or a history that is no
    seating.
    """
    players = checked_players(present, seats)
    if rounds < 1:
        raise DrawError("no_rounds", _("A draw needs at least one round."))
    played = checked_history(history, seats)
    last = total or max(len(played) + rounds, USUAL_ROUNDS if rounds == 1 else 0)
    length = max(last, len(played) + rounds) - len(played)
    kept = kept_apart(players, groups, apart)
    event = _Event(players, length, seed, kept, played, tuple(seats), even=even_threes)
    drawn, continued = event.draw_rounds()
    new = drawn[:rounds]
    return Plan(new, seed, quality([*played, *new], groups, seats=seats, apart=apart), continued)


@dataclass(frozen=True)
class _Event:
    """The input of a draw: `rounds` more rounds for these players after those played."""

    players: Sequence[int]
    rounds: int
    seed: int
    kept: KeptApart
    played: tuple[Round, ...]
    seats: tuple[int, ...]
    even: bool

    @property
    def has_equal_tables(self) -> bool:
        """Return whether all tables have the same size, with byes for those left over."""
        return self.seats != THREE_AND_FOUR

    def draw_rounds(self) -> tuple[tuple[Round, ...], bool]:
        """Return the rounds, and whether they follow those played in one plan."""
        whole = self._whole() if self._same_players() else ()
        if whole and whole[: len(self.played)] == self.played:
            return whole[len(self.played) :], True
        return self._after(), False

    def _same_players(self) -> bool:
        """Return whether everybody played in every round, or may have had a bye in it."""
        for tables in self.played:
            seated = {player for table in tables for player in table}
            if seated != set(self.players) and not (self.has_equal_tables and seated <= set(self.players)):
                return False
        return True

    def _whole(self) -> tuple[Round, ...]:
        """Return the event as drawn at once."""
        rng = Random(self.seed)
        count, rounds = len(self.players), len(self.played) + self.rounds
        if self.has_equal_tables:
            numbers = rounds_alike(count, rounds, self.seats[0], (), self.kept, rng)
        else:
            by_team = rounds_of_four_teams(self.kept.in_fours, rounds, rng) if self.kept.in_fours else ()
            numbers = by_team or self._from_scratch(count, rounds, rng)
        return self._seated(numbers, (), rng)

    def _from_scratch(self, count: int, rounds: int, rng: Random) -> tuple[Round, ...]:
        found = rounds_from_scratch(count, rounds, rng, even=self.even)
        return clubs_apart(found, self.kept, rng, even=self.even)

    def _after(self) -> tuple[Round, ...]:
        """Return rounds searched for, to follow what was played by whomever."""
        rng = Random(self.seed)
        before = numbered(self.played, self.players)
        if self.has_equal_tables:
            alike = rounds_alike(len(self.players), self.rounds, self.seats[0], before, self.kept, rng)
            return self._seated(alike, self.played, rng)
        found = rounds_after_apart(len(self.players), self.rounds, before, self.kept, rng, even=self.even)
        seated = numbered(self._seated(found, self.played, rng), self.players)
        return self._assign_players(with_even_chairs(seated, before, self.kept, rng, even=self.even))

    def _seated(self, numbers: Sequence[Round], history: Sequence[Round], rng: Random) -> tuple[Round, ...]:
        """Return the rounds with table numbers by lot, tables of three last, and everybody's seat."""
        rounds = self._assign_players(numbers)
        mixed = [sorted(rng.sample(tables, len(tables)), key=len, reverse=True) for tables in rounds]
        if self.has_equal_tables:
            return seat_alike([tuple(tables) for tables in mixed], history, rng)
        return seat_players(mixed, history, rng)

    def _assign_players(self, numbers: Sequence[Round]) -> tuple[Round, ...]:
        """Return the rounds with the players for their numbers."""
        return tuple(
            tuple(tuple(self.players[number] for number in table) for table in tables) for tables in numbers
        )


@lru_cache(maxsize=64)
def prices_of_even_threes(players: int, rounds: int) -> tuple[Quality, Quality] | None:
    """Return the quality of an event with an even share of tables of three, and with the fewest repeats.

    None where the even share costs nothing, or where that is unknown before the draw.
    """
    if not stored_even_plan(players, rounds):
        return None
    even, fewest = (plan(players, rounds, seed=1, even_threes=even).quality for even in (True, False))
    return (even, fewest) if fewest.repeats < even.repeats else None


# Rounds drawn again after players left or joined, drawn once more so that everybody's chairs come out even.
#
# When an event is planned at once, any tables can be seated evenly (`chairs`). In the rounds that are left, most
# players still need certain chairs, and two who need the same one may share a table. So, round by round, players
# change tables, as in `search`, until at every table all have a chair that they have had least often; but no two
# players meet more often for it, and club-mates, wishes and tables of three stay as good as they were.

CHAIR_CHANGES, TRIES = 40_000, 2  # in all; and again where a player's chairs are still uneven
LARGEST = 400  # players; half of them are tried twice, more would take too long
STAGES = 24
CHAIR_HOT, CHAIR_COLD = 0.9, 0.3
PRICE, CHAIR = 3, 2  # the weight of a pair's price, and of a player without a chair that they need
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
        search.run(rng, CHAIR_CHANGES // len(rounds))
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
        """Let two players change tables, preferably from tables where a player lacks a chair."""
        price = self.most_price
        lacking = self.fewest
        for change in range(changes):
            if not self.fewest:
                break
            heat = CHAIR_HOT + (CHAIR_COLD - CHAIR_HOT) * (change * STAGES // changes) / STAGES
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


# Four teams at a table, one player of each: no player meets a team-mate, and all teams meet equally often.
#
# Team t is players 4t to 4t + 3. Put the teams on a circle. In a round, member k of every team moves on by some
# number of places, each k by another one; where they arrive is their table. Two members k and l meet, of teams that
# are as far apart as their moves differ: so no two players meet twice when, for each two members, that difference is
# another one every round, and team-mates never meet when it is never zero. How often two teams meet is then how often
# the distance between them is among all the differences of all rounds. Moves for which every distance comes equally
# often, give or take one, are searched for by changing one at a time, as in `search`: they are few, so that this
# takes no time.
#
# In as many rounds as there are other teams, moves in a field do it (`constructions`): member k moves by k*r, and every
# two teams meet twelve times. Where no other moves are found, some of these are taken for fewer rounds; and where
# there is no field, team-mates are separated as club-mates are.

FEWEST_FOR_A_FIELD = 5
MEMBERS = tuple(combinations(range(CHAIRS), 2))
TEAM_CHANGES = 15_000
TEAM_HOT, TEAM_COLD = 4.0, 0.3
CLASH = 6  # what a difference costs that is zero, or comes again; uneven distances cost the square


def rounds_of_four_teams(players: Sequence[int], rounds: int, rng: Random) -> tuple[Round, ...]:
    """Return rounds of these players, who are listed team by team, by the rule; () where it does not reach so far."""
    teams = len(players) // CHAIRS
    arrivals = _arrivals(teams, rounds, rng)
    by_team = [players[start : start + CHAIRS] for start in range(0, len(players), CHAIRS)]
    lot = [rng.sample(team, CHAIRS) for team in rng.sample(by_team, teams)]
    return tuple(
        tuple(
            tuple(lot[team][member] for member, team in enumerate(table))
            for table in zip(*arrived, strict=True)
        )
        for arrived in arrivals
    )


def _arrivals(teams: int, rounds: int, rng: Random) -> list[list[list[int]]]:
    """Return for every round and member of a team which team's member comes to table 0, 1 and so on."""
    field = field_of(teams) if teams >= FEWEST_FOR_A_FIELD else None
    moves = None if field and rounds == teams - 1 else _Moves(teams, rounds, rng).best_moves(rng)
    if moves:
        return [[[(team + move) % teams for team in range(teams)] for move in moved] for moved in moves]
    if field and rounds < teams:
        factors = [[field.times[k][r] for k in range(CHAIRS)] for r in rng.sample(range(1, teams), rounds)]
        return [[[field.plus[team][move] for team in range(teams)] for move in moved] for moved in factors]
    return []


class _Moves:
    """The moves of a team's four members in every round, and how often each difference and distance comes."""

    def __init__(self, teams: int, rounds: int, rng: Random) -> None:
        self.teams = teams
        self.moves = [[rng.randrange(teams) for _member in range(CHAIRS)] for _round in range(rounds)]
        self.differences = {two: [0] * teams for two in MEMBERS}
        self.distances = [0] * teams
        self.clashes = 0
        self.even = CHAIRS * (CHAIRS - 1) * rounds / (teams - 1)
        for moved in self.moves:
            self._count(moved, 1)

    def best_moves(self, rng: Random) -> list[list[int]] | None:
        """Return the most even moves met that clash nowhere; None for none."""
        best, least = None, self.even * self.teams
        cost = self._cost()
        for change in range(TEAM_CHANGES):
            heat = TEAM_HOT + (TEAM_COLD - TEAM_HOT) * change / TEAM_CHANGES
            moved, member = self.moves[int(rng.random() * len(self.moves))], int(rng.random() * CHAIRS)
            before, place = moved[member], int(rng.random() * self.teams)
            self._move(moved, member, place)
            new = self._cost()
            if new > cost and rng.random() >= chance((new - cost) / heat):
                self._move(moved, member, before)
                continue
            cost = new
            uneven = max(self.distances[1:]) - min(self.distances[1:])
            if not self.clashes and uneven < least:
                best, least = [list(moves) for moves in self.moves], uneven
                if uneven <= (not self.even.is_integer()):
                    break
        return best

    def _move(self, moved: list[int], member: int, place: int) -> None:
        self._count(moved, -1)
        moved[member] = place
        self._count(moved, 1)

    def _count(self, moved: Sequence[int], times: int) -> None:
        for (one, other), differences in self.differences.items():
            difference = (moved[other] - moved[one]) % self.teams
            again = differences[difference] > (times < 0)
            self.clashes += times * (again or not difference)
            differences[difference] += times
            self.distances[difference] += times
            self.distances[-difference] += times

    def _cost(self) -> float:
        return CLASH * self.clashes + sum((times - self.even) ** 2 for times in self.distances[1:])
