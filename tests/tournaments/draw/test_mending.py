"""Rounds after somebody came or went: as many meetings as can be had, told by trying every plan there is."""

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import pytest

from tournaments.draw.meetings import missing_at_least, missing_from_the_start, next_meetings, rounds_to_meet


def met(days):
    return Counter(frozenset(pair) for day in days for pair in day.matches)


def missing(teams, days, meetings=1):
    times = met(days)
    return sum(max(meetings - times[frozenset(pair)], 0) for pair in combinations(teams, 2))


def byes_of(teams, days):
    byes = Counter(team for day in days for team in day.byes)
    return [byes[team] for team in teams]


def joined(before, after, played, seed, meetings=1, byes=0):
    """The rounds planned for `before`, of which some are played when there are `after`; what stays, what is drawn."""
    planned = rounds_to_meet(len(before), meetings, byes)
    days = next_meetings(before, planned, meetings=meetings, byes=byes, seed=seed)[:played]
    rest = next_meetings(after, planned - played, meetings=meetings, byes=byes, history=days, seed=seed)
    assert len(rest) <= planned - played
    for day in rest:
        assert sorted([*day.byes, *(team for pair in day.matches for team in pair)]) == sorted(after)
    return days, rest


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("pairs", [5, 7, 9, 11, 13])
def test_a_pair_that_comes_late_to_an_odd_number_costs_a_meeting_for_each_round_it_missed(pairs, seed):
    days, rest = joined(range(pairs), range(pairs + 1), 2, seed)
    assert missing(range(pairs + 1), [*days, *rest]) == 2
    assert missing_at_least(days, pairs - 2, range(pairs + 1), meetings=1) == 2
    assert sorted(byes_of(range(pairs + 1), [*days, *rest])) == [0] * (pairs - 1) + [1, 1]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("before", "after", "played", "meetings"),
    [
        (range(7), range(8), 3, 2),
        (range(12), range(13), 5, 2),
        (range(12), range(14), 3, 1),
        (range(13), range(15), 5, 1),
        (range(20), range(22), 5, 1),
        (range(8), range(6), 2, 1),
        (range(9), range(2, 9), 3, 1),
        (range(30), range(33), 6, 1),
    ],
)
def test_no_plan_has_more_meetings_and_home_and_away_are_even(before, after, played, meetings, seed):
    days, rest = joined(before, after, played, seed, meetings)
    left = rounds_to_meet(len(before), meetings) - played
    everything = [*days, *rest]
    assert missing(after, everything, meetings) == missing_at_least(days, left, after, meetings=meetings)
    assert max(met(everything).values()) <= meetings
    at_home = Counter(home for day in everything for home, _away in day.matches)
    at_home.subtract(away for day in everything for _home, away in day.matches)
    assert all(abs(at_home[team]) <= 1 for team in after)


def test_teams_that_are_free_on_purpose_stay_free_when_another_comes():
    _days, rest = joined(range(12), range(13), 3, 1, byes=2)
    assert {len(day.byes) for day in rest} == {3}


def test_a_draw_of_sixty_pairs_is_mended_too():
    days, rest = joined(range(60), range(63), 10, 1)
    assert missing(range(63), [*days, *rest]) == missing_at_least(days, 49, range(63), meetings=1)


def matchings(edges):
    if not edges:
        yield ()
        return
    first, *others = edges
    yield from matchings(others)
    for matching in matchings([edge for edge in others if not set(first) & set(edge)]):
        yield (first, *matching)


@cache
def most_meetings(edges, rounds):
    """By trying every plan."""
    if not rounds:
        return 0
    return max(
        len(matching) + most_meetings(tuple(edge for edge in edges if edge not in matching), rounds - 1)
        for matching in matchings(list(edges))
    )


@pytest.mark.parametrize("seed", range(40))
def test_of_few_the_most_meetings_are_found_and_the_bound_never_says_too_much(seed):
    rng = Random(seed)
    teams = range(rng.randint(4, 6))
    played = rng.randint(1, 4)
    days = next_meetings(range(rng.randint(3, 7)), played, seed=seed)
    left = rng.randint(1, 3)
    open_ = tuple(pair for pair in combinations(teams, 2) if frozenset(pair) not in met(days))
    rest = next_meetings(teams, left, history=days, seed=seed)
    had = sum(len(day.matches) for day in rest if any(day.matches))
    assert had == most_meetings(open_, left)
    assert missing_at_least(days, left, teams, meetings=1) <= len(open_) - had


def test_three_who_have_met_all_others_leave_one_over_each_round():
    """Nothing but counting odd numbers shows it: there are two rounds, and one meeting in each."""
    days = [*next_meetings(range(6), 5, seed=1)]
    unmet = {frozenset(pair) for pair in combinations((0, 1, 2), 2)}
    kept = [
        type(day)(tuple(pair for pair in day.matches if frozenset(pair) not in unmet), day.byes)
        for day in days
    ]
    assert missing_at_least(kept, 2, range(6), meetings=1) == 1


@pytest.mark.parametrize(("teams", "rounds", "byes", "least"), [(12, 6, 0, 30), (12, 6, 2, 36), (7, 7, 0, 0)])
def test_a_shortened_season_is_measured_by_what_so_many_rounds_have_room_for(teams, rounds, byes, least):
    days = next_meetings(range(teams), rounds, byes=byes, seed=1)
    assert missing_from_the_start(days, range(teams), meetings=1, byes=byes) == least
    assert missing(range(teams), days) == least
