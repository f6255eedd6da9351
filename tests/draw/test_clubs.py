"""Club-mates are kept apart, first of all in round 1, and never at the price of a repeat."""

import pytest

from tournaments.draw import plan, plan_next


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
