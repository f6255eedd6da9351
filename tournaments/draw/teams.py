"""Pairs and teams of four: who meets whom, by rules that are written down instead of searched for.

Pair t is players 2t and 2t + 1, team t players 4t to 4t + 3.

Who meets whom says the circle (`constructions`); the first of the two has seats 0 and 2.

Four teams at a table: `four_teams` has the rule.

Two teams at a table. The circle says which teams meet; of each, two members sit at one table and two at the
other, and a team has three ways to split, which take turns.
"""

from collections.abc import Sequence
from itertools import permutations, product, zip_longest
from random import Random

from tournaments.draw.constructions import circle
from tournaments.draw.four_teams import four_teams_apart
from tournaments.draw.planner import Plan
from tournaments.draw.quality import quality
from tournaments.draw.seats import seat_players
from tournaments.draw.tables import CHAIRS, DrawError, Round, Table, _

PAIR = 2
# The ways to split a team of four: who sits at the first table, and who at the second.
SPLITS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def pairs_against_pairs(pairs: int, rounds: int, *, seed: int) -> tuple[Round, ...]:
    """Return rounds of tables with two pairs, partners facing each other (seats 0 and 2, 1 and 3).

    Nobody meets the same pair twice before all have met; then the circle begins again. Raises DrawError
    "too_few_pairs" for less than two.
    """
    return seated_in_pairs(
        [
            [((PAIR * one, PAIR * one + 1), (PAIR * other, PAIR * other + 1)) for one, other in meetings]
            for meetings in _meetings(pairs, rounds, Random(seed))
        ]
    )


def teams_against_teams(teams: int, rounds: int, *, seed: int) -> tuple[Round, ...]:
    """Return rounds in which two teams meet at two tables, two of each at either, partners facing each other.

    Nobody has the same opponent twice before all teams have met; team-mates are partners in a third of the
    rounds. Raises DrawError "too_few_pairs" for less than two teams.
    """
    met: list[list[tuple[tuple[int, int], tuple[int, int]]]] = []
    for index, meetings in enumerate(_meetings(teams, rounds, Random(seed))):
        tables = []
        for one, other in meetings:
            for mine, theirs in zip(SPLITS[index % len(SPLITS)], SPLITS[index % len(SPLITS)], strict=True):
                ours = (CHAIRS * one + mine[0], CHAIRS * one + mine[1])
                tables.append((ours, (CHAIRS * other + theirs[0], CHAIRS * other + theirs[1])))
        met.append(tables)
    return seated_in_pairs(met)


def four_teams_a_table(teams: int, rounds: int, *, seed: int) -> Plan:
    """Plan rounds with four different teams at every table; raises DrawError "too_few_teams" below four."""
    if teams < CHAIRS:
        text = _("Four teams at a table need at least four teams; there are {teams}.")
        raise DrawError("too_few_teams", text, teams=teams)
    rng = Random(seed)
    tables = four_teams_apart(teams, rounds, rng)
    seated = seat_players([rng.sample(round_, len(round_)) for round_ in tables], (), rng)
    team_of = [player // CHAIRS for player in range(CHAIRS * teams)]
    return Plan(seated, seed, quality(seated, team_of), continued=False)


def _meetings(count: int, rounds: int, rng: Random) -> list[list[tuple[int, int]]]:
    """Return the circle's rounds, names and order of tables by lot, again from its beginning where it ends."""
    if count < PAIR:
        raise DrawError("too_few_pairs", _("It takes at least two to play against each other."))
    lot = rng.sample(range(count), count)
    ring = circle(count)
    found = []
    for index in range(rounds):
        again = index // len(ring) % 2
        named = [(lot[one], lot[other]) for one, other in ring[index % len(ring)]]
        found.append(rng.sample([pair[::-1] if again else pair for pair in named], len(named)))
    return found


def seated_in_pairs(
    rounds: Sequence[Sequence[tuple[tuple[int, ...], tuple[int, ...]]]],
    had: dict[tuple[int, int], int] | None = None,
) -> tuple[Round, ...]:
    """Return the rounds in seat order, everybody on a chair that they have had least often, as far as can be.

    Of each table those of seats 0 and 2 are given, and those of 1 and 3, of which there may be one fewer. `had` says
    how often who has had a chair before, by chair and player; it goes on counting.
    """
    had = {} if had is None else had
    seated = []
    for meetings in rounds:
        tables: list[Table] = []
        for two in meetings:
            ways = [_by_turns(*sides) for sides in product(*map(permutations, two))]
            best = min(ways, key=lambda way: sum(had.get(seat, 0) for seat in enumerate(way)))
            for seat in enumerate(best):
                had[seat] = had.get(seat, 0) + 1
            tables.append(best)
        seated.append(tuple(tables))
    return tuple(seated)


def _by_turns(first: Sequence[int], second: Sequence[int]) -> Table:
    """One of the first, one of the second, and so on round the table."""
    return tuple(one for two in zip_longest(first, second) for one in two if one is not None)
