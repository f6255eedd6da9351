"""Pairs and teams: the formulas' promises, counted."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments.draw.chairs import chair_counts
from tournaments.draw.constructions import circle
from tournaments.draw.planner import plan
from tournaments.draw.tables import seated_in_pairs


def four_teams_a_table(teams, rounds, *, seed):
    """Drawn as where all clubs have four players."""
    return plan(4 * teams, rounds, seed=seed, groups=[player // 4 for player in range(4 * teams)])


def team_pairs(rounds):
    return Counter(
        pair
        for tables in rounds
        for table in tables
        for pair in combinations(sorted(player // 4 for player in table), 2)
    )


@pytest.mark.parametrize("count", [2, 3, 6, 7, 12, 13])
def test_in_the_circle_all_meet_once_and_come_first_as_often_as_second(count):
    meetings = [pair for round_ in circle(count) for pair in round_]
    assert sorted(tuple(sorted(pair)) for pair in meetings) == list(combinations(range(count), 2))
    first = Counter(one for one, _other in meetings)
    second = Counter(other for _one, other in meetings)
    assert all(abs(first[player] - second[player]) <= 1 for player in range(count))


@pytest.mark.parametrize("teams", [5, 7, 8, 9])
def test_four_different_teams_sit_at_every_table_and_every_two_teams_meet_twelve_times(teams):
    drawn = four_teams_a_table(teams, teams - 1, seed=3)
    assert set(team_pairs(drawn.rounds).values()) == {12}
    assert drawn.quality.repeats == 0
    assert drawn.quality.club_mates == (0,) * (teams - 1)
    assert drawn.quality.seat_imbalance == 0


@pytest.mark.parametrize(
    ("teams", "rounds"),
    [
        *[(teams, rounds) for teams in range(4, 17) for rounds in range(1, min(teams, 5))],
        (11, 6), (11, 7), (12, 7), (13, 7), (16, 8), (20, 6), (27, 8), (32, 6),
    ],
)  # fmt: skip
def test_in_shorter_events_too_any_two_teams_meet_as_often_as_others_within_one(teams, rounds):
    drawn = four_teams_a_table(teams, rounds, seed=1)
    met = team_pairs(drawn.rounds)
    times = [met[two] for two in combinations(range(teams), 2)]
    assert max(times) - min(times) == bool(sum(times) % len(times))
    assert drawn.quality.clubs_meet == (min(times), max(times))
    assert (drawn.quality.repeats, drawn.quality.club_mates) == (0, (0,) * rounds)


@pytest.mark.parametrize(("teams", "rounds"), [(4, 4), (6, 4), (10, 3), (12, 5)])
def test_where_there_is_no_formula_team_mates_are_kept_apart_too(teams, rounds):
    figures = four_teams_a_table(teams, rounds, seed=3).quality
    assert (figures.repeats, figures.club_mates) == (0, (0,) * rounds)


@pytest.mark.parametrize("pairs", [2, 3, 6, 11])
def test_pairs_sit_partners_facing_and_on_every_chair_as_often_within_one(pairs):
    rounds = seated_in_pairs(
        [
            [((2 * one, 2 * one + 1), (2 * other, 2 * other + 1)) for one, other in round_]
            for round_ in circle(pairs)
        ]
    )
    tables = [table for round_ in rounds for table in round_]
    assert all(table[0] // 2 == table[2] // 2 and table[1] // 2 == table[3] // 2 for table in tables)
    met = Counter(frozenset((table[0] // 2, table[1] // 2)) for table in tables)
    assert sorted(met.values()) == [1] * (pairs * (pairs - 1) // 2)
    chairs = chair_counts(rounds)
    assert all(max(counts) - min(counts) <= 1 for counts in chairs.values())
