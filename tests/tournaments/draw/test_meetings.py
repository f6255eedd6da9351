"""Who meets whom next: the schedule goes on as long as it can, and is mended where somebody came or went."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments.draw.meetings import next_meetings, rounds_to_meet


def met(days):
    return Counter(frozenset(pair) for day in days for pair in day.matches)


def everybody(teams):
    return {frozenset(pair) for pair in combinations(teams, 2)}


@pytest.mark.parametrize(
    ("count", "meetings", "rounds"), [(2, 1, 1), (5, 1, 5), (6, 1, 5), (6, 2, 10), (1, 1, 0)]
)
def test_the_rounds_follow_from_the_numbers(count, meetings, rounds):
    assert rounds_to_meet(count, meetings) == rounds


@pytest.mark.parametrize("teams", [[3, 5], [1, 2, 4, 7, 8], [2, 3, 5, 7, 11, 13]])
@pytest.mark.parametrize("meetings", [1, 2])
def test_drawn_round_by_round_it_is_the_same_schedule(teams, meetings):
    rounds = rounds_to_meet(len(teams), meetings)
    whole = next_meetings(teams, rounds, meetings=meetings, seed=4)
    assert met(whole) == dict.fromkeys(everybody(teams), meetings)
    for played in range(rounds):
        rest = next_meetings(teams, rounds - played, meetings=meetings, history=whole[:played], seed=4)
        assert rest == whole[played:]


def test_once_all_have_met_nobody_meets_again():
    assert len(next_meetings(range(4), 8, seed=1)) == 3


def test_where_one_of_an_even_number_goes_its_opponents_have_a_bye():
    whole = next_meetings(range(6), 5, seed=4)
    rest = next_meetings(range(5), 3, history=whole[:2], seed=4)
    assert [len(day.byes) for day in rest] == [1, 1, 1]
    assert all(5 not in pair for pair in met(rest))
    assert set(met(whole[:2])) | set(met(rest)) >= everybody(range(5))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("before", "after"),
    [(range(6), range(7)), (range(7), range(6)), (range(8), range(6)), (range(5), range(6))],
)
def test_where_somebody_came_or_went_nobody_meets_twice_and_most_meet(before, after, seed):
    played = next_meetings(before, 2, seed=seed)
    left = rounds_to_meet(len(after))
    rest = next_meetings(after, left, history=played, seed=seed)
    together = met(played) + met(rest)
    assert max(together.values()) == 1
    assert set(together) >= everybody(after)  # with rounds enough, all meet all
    for day in rest:
        assert sorted([*day.byes, *(team for pair in day.matches for team in pair)]) == list(after)
