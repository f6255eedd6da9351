"""Four teams at a table, one player of each: nobody meets a team-mate, and all teams meet equally often.

Team t is players 4t to 4t + 3. Put the teams on a circle. In a round, member k of every team moves on by some number of
places, each k by another one; where they arrive is their table. Two members k and l meet, of teams that are as far
apart as their moves differ: so nobody meets anybody twice when, for each two members, that difference is another one
every round, and team-mates never meet when it is never zero. How often two teams meet is then how often the distance
between them is among all the differences of all rounds. Moves for which every distance comes equally often, give or
take one, are searched for by changing one at a time, as in `search`: they are few, so that this takes no time.

In as many rounds as there are other teams, moves in a field (`fields`) do it: member k moves on by k*r, and every two
teams meet twelve times. Where no other moves are found, some of these are taken for fewer rounds; and where
there is no field, team-mates are kept apart as club-mates are.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from tournaments.draw.fields import field_of
from tournaments.draw.search import chance
from tournaments.draw.tables import CHAIRS, Round

FEWEST_FOR_A_FIELD = 5
MEMBERS = tuple(combinations(range(CHAIRS), 2))
CHANGES = 15_000
HOT, COLD = 4.0, 0.3
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
    moves = None if field and rounds == teams - 1 else _Moves(teams, rounds, rng).found(rng)
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

    def found(self, rng: Random) -> list[list[int]] | None:
        """Return the most even moves met that clash nowhere; None for none."""
        best, least = None, self.even * self.teams
        cost = self._cost()
        for change in range(CHANGES):
            heat = HOT + (COLD - HOT) * change / CHANGES
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
