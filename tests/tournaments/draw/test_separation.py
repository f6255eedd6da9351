"""Club-mates are kept apart, first of all in round 1, and never at the price of a repeat."""

import pytest

from tournaments.draw.planner import plan, plan_next


def clubs(*sizes):
    return [club for club, size in enumerate(sizes) for _member in range(size)]


@pytest.mark.parametrize(
    "sizes",
    [
        (8, 6, 4, 3, 3),
        (9, 6, 5, 4, 3),
        (8, 8, 8, 8),
        (12, 10, 8, 8, 6, 4),
        (10, 10, 9, 9, 9, 9, 8),
        (4,) * 25,
    ],
    ids=str,
)
def test_in_four_rounds_no_more_club_mates_meet_than_must_and_no_pair_meets_twice(sizes):
    figures = plan(sum(sizes), 4, seed=3, groups=clubs(*sizes)).quality
    assert figures.repeats == 0
    assert figures.club_mates == figures.club_mates_bound


@pytest.mark.parametrize(
    "sizes", [(8, 6, 4, 3, 3), (9, 6, 5, 4, 3), (8, 8, 8, 8), (12, 10, 8, 8, 6, 4)], ids=str
)
def test_in_six_rounds_the_first_three_are_the_best(sizes):
    figures = plan(sum(sizes), 6, seed=3, groups=clubs(*sizes)).quality
    assert figures.repeats == 0
    assert figures.club_mates[0] == figures.club_mates_bound[0]
    assert all(figures.club_mates[r] <= figures.club_mates_bound[r] + 1 for r in (1, 2))


@pytest.mark.parametrize("players", range(6, 24))
def test_in_the_first_round_no_more_club_mates_meet_than_must(players):
    groups = ["Esbjerg" if p % 2 else ("Ribe" if p % 3 else None) for p in range(players)]
    figures = plan(players, 2, seed=3, groups=groups).quality
    assert figures.club_mates[0] == figures.club_mates_bound[0]


def test_a_club_larger_than_all_others_together_meets_itself_as_little_as_can_be():
    figures = plan(16, 3, seed=1, groups=clubs(13, 3)).quality
    assert figures.club_mates_bound == (15, 15, 15)
    assert figures.club_mates == (15, 15, 15)


def test_players_without_a_club_are_nobodys_mates():
    assert plan(12, 1, seed=1, groups=[None] * 12).quality.club_mates == (0,)


def test_a_newcomer_is_kept_from_club_mates_too():
    groups = dict(enumerate(clubs(8, 8, 8, 8))) | {99: 0}
    played = plan(32, 4, seed=3, groups=groups).rounds[:2]
    figures = plan_next([*range(1, 32), 99], 2, seed=4, history=played, groups=groups).quality
    assert (figures.repeats, figures.club_mates) == (0, (0, 0, 0, 0))


@pytest.mark.parametrize(("clubs", "rounds", "meet"), [(6, 4, (9, 10)), (8, 3, (5, 6)), (9, 8, (12, 12))])
def test_clubs_with_four_players_each_meet_each_other_as_often_as_can_be(clubs, rounds, meet):
    groups = [f"club {player % clubs}" for player in range(4 * clubs)]
    figures = plan(4 * clubs, rounds, seed=5, groups=groups).quality
    assert (figures.clubs_meet, figures.repeats, figures.club_mates) == (meet, 0, (0,) * rounds)


@pytest.mark.parametrize(
    "groups", [None, [None] * 20, ["a", "b"] * 10, [*"aaaabbbbccccdddd", None, *"eee"], [*"aaaa" * 5]]
)
def test_how_often_clubs_meet_is_not_told_where_they_are_no_teams_of_four(groups):
    assert plan(20, 2, seed=1, groups=groups).quality.clubs_meet is None


def test_drawn_round_by_round_clubs_of_four_get_the_rounds_drawn_at_once():
    groups = [player // 4 for player in range(24)]
    whole = plan(24, 4, seed=8, groups=groups).rounds
    played = []
    for _round in whole:
        drawn = plan_next(range(24), 1, seed=8, groups=groups, history=played, total=4)
        played += drawn.rounds
    assert tuple(played) == whole
