"""A season's schedule: its promises, counted."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments.draw.meetings import schedule
from tournaments.draw.tables import DrawError

SIZES = range(2, 31)


def met(days):
    return Counter(frozenset(pair) for day in days for pair in day.matches)


def homes(days, teams):
    at_home = Counter(home for day in days for home, _away in day.matches)
    away = Counter(away for day in days for _home, away in day.matches)
    return [at_home[team] - away[team] for team in range(teams)]


@pytest.mark.parametrize("meetings", [1, 2])
@pytest.mark.parametrize("byes", [0, 1, 2, 3, 4])
def test_all_meet_as_often_as_said_at_home_as_often_as_away_with_as_many_byes(meetings, byes):
    for teams in (teams for teams in SIZES if byes <= teams - 2):
        days = schedule(teams, meetings=meetings, byes=byes)
        everybody = [frozenset(pair) for pair in combinations(range(teams), 2)]
        assert met(days) == dict.fromkeys(everybody, meetings)
        assert all(abs(more) <= meetings % 2 for more in homes(days, teams))
        assert len(set(Counter(team for day in days for team in day.byes).values())) <= 1
        for day in days:
            assert sorted([*day.byes, *(team for pair in day.matches for team in pair)]) == list(range(teams))


@pytest.mark.parametrize(
    ("teams", "meetings", "byes", "free"),
    [
        (11, 2, 0, [1] * 22),  # the season of eleven teams: 22 rounds
        (12, 1, 0, [0] * 11),
        (12, 1, 2, [2] * 12 + [0]),  # two byes each round except the last
        (13, 1, 3, [3] * 12 + [1] * 3),
    ],
)
def test_so_many_have_a_bye_each_round(teams, meetings, byes, free):
    assert [len(day.byes) for day in schedule(teams, meetings=meetings, byes=byes)] == free


@pytest.mark.parametrize("teams", [4, 7, 10, 12])
def test_the_second_half_is_the_first_with_home_and_away_exchanged(teams):
    days = schedule(teams, meetings=2)
    first, second = days[: len(days) // 2], days[len(days) // 2 :]
    assert [day.matches for day in second] == [
        tuple((away, home) for home, away in day.matches) for day in first
    ]


@pytest.mark.parametrize(("teams", "byes"), [(12, 0), (12, 2), (13, 0), (9, 1)])
def test_a_shortened_season_is_balanced_too(teams, byes):
    for rounds in range(1, teams):
        days = schedule(teams, byes=byes, rounds=rounds)
        assert len(days) == rounds
        assert max(met(days).values()) == 1
        assert all(abs(more) <= 1 for more in homes(days, teams))


@pytest.mark.parametrize(("teams", "byes", "code"), [(1, 0, "too_few_pairs"), (4, 3, "too_many_byes")])
def test_nobody_to_play_is_said(teams, byes, code):
    with pytest.raises(DrawError) as caught:
        schedule(teams, byes=byes)
    assert caught.value.code == code
