"""A season's plan keeps who meets whom, grants the wishes that go together, and names the others."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import pytest

from tournaments.draw.fixtures import (
    MORE_AWAY,
    Apart,
    JourneysAlike,
    NotAtHome,
    journeys_of,
    plan_fixtures,
    refused_in,
    unlike_journeys,
)
from tournaments.draw.meetings import Matchday, next_meetings

CASES = [(12, 2, 22), (11, 2, 22), (12, 1, 11), (7, 1, 7), (4, 2, 6), (2, 2, 2)]


def season(teams, meetings, rounds):
    return next_meetings(range(1, teams + 1), rounds, meetings=meetings, seed=7)


def wishes_of(teams, weeks, seed, many=2):
    random = Random(seed)
    days = [
        NotAtHome(random.randint(1, teams), random.randrange(weeks), is_hard=random.random() < 0.5)
        for _wish in range(many * teams)
    ]
    return [*days, Apart(1, 2, is_hard=True)]


def met(days):
    return Counter(frozenset(pair) for day in days for pair in day.matches)


def at_home(days):
    return Counter(home for day in days for home, _away in day.matches)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_plan_has_the_same_meetings_and_rounds(case, seed):
    days = season(*case)
    plan = plan_fixtures(days, wishes_of(case[0], len(days), seed), seed=seed)
    assert met(plan.days) == met(days)
    assert sorted(map(sorted, (map(sorted, day.matches) for day in plan.days))) == sorted(
        map(sorted, (map(sorted, day.matches) for day in days))
    )
    assert [day.byes for day in plan.days].count(()) == [day.byes for day in days].count(())
    if case[1] == 2:  # at home once against each
        assert at_home(plan.days) == at_home(days)
    else:
        most = Counter(team for day in days for pair in day.matches for team in pair)
        assert all(abs(2 * at_home(plan.days)[team] - most[team]) <= 3 for team in most)


def test_what_is_not_granted_is_named_and_everything_else_is_granted():
    days = season(12, 2, 22)
    wishes = wishes_of(12, 22, 3)
    plan = plan_fixtures(days, wishes, seed=3)
    assert plan.refused == refused_in(plan.days, wishes)
    assert len(plan.refused) < len(refused_in(days, wishes))
    assert not [refused for refused in plan.refused if refused.wish.is_hard]


def test_two_teams_of_a_hall_are_never_at_home_together():
    plan = plan_fixtures(season(12, 2, 22), [Apart(1, 2, is_hard=True), Apart(5, 9)], seed=1)
    assert plan.refused == ()
    for day in plan.days:
        homes = {home for home, _away in day.matches}
        assert not {1, 2} <= homes
        assert not {5, 9} <= homes


def test_a_hard_wish_is_granted_before_soft_ones():
    # Two teams in two rounds: somebody is at home in each week.
    days = season(2, 2, 2)
    wishes = [NotAtHome(1, 0), NotAtHome(2, 1), NotAtHome(2, 0, is_hard=True)]
    plan = plan_fixtures(days, wishes, seed=1)
    assert [(refused.wish, refused.weeks) for refused in plan.refused] == [(wishes[0], (0,))] or [
        refused.wish.is_hard for refused in plan.refused
    ] == [False, False]


@pytest.mark.parametrize(
    "wish", [NotAtHome(99, 0), NotAtHome(1, 99), NotAtHome(1, -1), Apart(1, 99), Apart(98, 99)]
)
def test_a_wish_of_nobody_or_of_no_week_changes_nothing(wish):
    days = season(4, 2, 6)
    assert plan_fixtures(days, [wish], seed=1).refused == ()


def test_without_wishes_or_rounds_the_schedule_stays():
    days = season(5, 1, 5)
    assert plan_fixtures(days, [], seed=1).days == tuple(days)
    assert plan_fixtures([], [NotAtHome(1, 0)], seed=1).days == ()


def test_the_same_seed_gives_the_same_plan():
    days, wishes = season(12, 2, 22), wishes_of(12, 22, 4)
    assert plan_fixtures(days, wishes, seed=4) == plan_fixtures(days, wishes, seed=4)


@pytest.mark.parametrize("case", CASES)
def test_with_journeys_alike_teams_travel_as_often_and_are_home_and_away_by_turns(case):
    days = season(*case)
    plan = plan_fixtures(days, [JourneysAlike()], seed=3)
    assert met(plan.days) == met(days)
    journeys = journeys_of(plan.days)
    away = [one.away for one in journeys]
    assert max(away) - min(away) <= MORE_AWAY
    assert sum(one.breaks for one in journeys) <= sum(one.breaks for one in journeys_of(days))
    assert unlike_journeys(plan.days) == []


def test_teams_own_wishes_come_before_journeys_alike():
    days, wishes = season(12, 2, 22), [NotAtHome(1, week) for week in range(8)]
    plan = plan_fixtures(days, [*wishes, JourneysAlike()], seed=5)
    assert plan.refused == ()
    # Eight weeks running away: that team has more breaks than others, and is named.
    assert [one.team for one in unlike_journeys(plan.days)] == [1]


def test_a_bye_between_two_matches_is_no_break():
    days = [Matchday(((1, 2),), (3,)), Matchday(((3, 2),), (1,)), Matchday(((1, 3),), (2,))]
    assert [(one.team, one.away, one.breaks) for one in journeys_of(days)] == [
        (1, 0, 0),
        (2, 2, 1),
        (3, 1, 0),
    ]


def test_twelve_teams_and_twenty_two_rounds_are_planned_within_two_seconds():
    days, wishes = season(12, 2, 22), wishes_of(12, 22, 3)
    began = time.process_time()
    plan_fixtures(days, [*wishes, JourneysAlike()], seed=3)
    assert time.process_time() - began < 2
