"""Repeats, by number of players and rounds: what mathematics allows, or the best that is known."""

import pytest

from tournaments.draw.planner import plan
from tournaments.draw.quality import quality


@pytest.mark.parametrize("players", [16, *range(20, 41), 44, 45, 48, 52, 56, 60, 61, 64])
def test_no_pair_meets_twice_in_five_rounds(players):
    figures = plan(players, 5, seed=players).quality
    assert (figures.repeats, figures.most_meetings) == (0, 1)
    assert figures.tables_of_three[1] - figures.tables_of_three[0] <= 1


@pytest.mark.parametrize("rounds", [2, 3, 4])
@pytest.mark.parametrize("players", [15, 17, 18, 19, 21, 23, 26, 27, 33, 42, 63])
def test_no_pair_meets_twice_in_fewer_rounds(players, rounds):
    figures = plan(players, rounds, seed=1, even_threes=False).quality
    assert (figures.repeats, figures.most_meetings) == (0, 1)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        (24, 7),
        (28, 9),
        (32, 9),
        (36, 11),
        (40, 13),
        (44, 11),
        (48, 15),
        (27, 8),
        (23, 7),
        (57, 8),
        (84, 8),
        (64, 21),
    ],
)
def test_no_pair_meets_twice_in_longer_events(players, rounds):
    figures = plan(players, rounds, seed=1).quality
    assert (figures.repeats, figures.most_meetings) == (0, 1)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(17, 3), (18, 4), (18, 7), (19, 5), (21, 7), (22, 5), (23, 6), (27, 8), (29, 7), (31, 8), (42, 8)],
)
def test_tables_of_three_are_within_one_for_everybody(players, rounds):
    fewest, most = plan(players, rounds, seed=1).quality.tables_of_three
    assert most - fewest <= 1


@pytest.mark.parametrize("players", [200, 501, 1000])
def test_no_pair_meets_twice_in_large_fields(players):
    figures = plan(players, 8, seed=1).quality
    assert (figures.repeats, figures.most_meetings, figures.seat_imbalance) == (0, 1, 0)


@pytest.mark.parametrize(
    ("players", "rounds", "repeats", "most_meetings"),
    [
        (3, 4, 9, 4),
        (4, 4, 18, 4),
        (6, 2, 2, 2), (6, 3, 6, 2), (6, 4, 12, 2), (6, 5, 15, 3), (6, 6, 22, 3), (6, 7, 27, 4), (6, 8, 33, 4),
        (7, 2, 3, 2), (7, 3, 9, 2), (7, 4, 18, 2), (7, 5, 24, 3), (7, 6, 33, 3), (7, 7, 42, 3), (7, 8, 51, 4),
        (8, 2, 4, 2), (8, 3, 8, 3), (8, 4, 20, 3), (8, 5, 32, 3), (8, 6, 44, 3), (8, 7, 56, 3), (8, 8, 68, 4),
        (9, 5, 9, 2), (9, 6, 18, 2), (9, 7, 27, 2), (9, 8, 36, 2),
        (10, 2, 1, 2), (10, 3, 3, 2), (10, 4, 7, 2), (10, 5, 15, 2), (10, 6, 27, 2), (10, 7, 39, 2), (10, 8, 51, 3),
        (11, 2, 2, 2), (11, 3, 6, 2), (11, 4, 12, 2), (11, 5, 20, 2), (11, 6, 35, 2), (11, 7, 50, 3), (11, 8, 65, 3),
        (12, 2, 3, 2), (12, 3, 9, 2), (12, 4, 15, 3), (12, 5, 24, 3), (12, 6, 42, 3), (12, 7, 60, 3), (12, 8, 78, 3),
        (13, 5, 3, 2), (13, 6, 12, 2), (13, 7, 27, 2), (13, 8, 42, 2),
        (14, 5, 2, 2), (14, 6, 17, 2), (14, 7, 35, 2), (14, 8, 53, 2),
        (15, 6, 21, 2), (15, 7, 42, 2), (15, 8, 63, 2),
        (16, 6, 24, 2), (16, 7, 48, 2), (16, 8, 72, 2),
        (17, 6, 1, 2), (17, 7, 11, 2), (17, 8, 32, 2),
        (18, 6, 2, 2), (18, 7, 16, 2), (18, 8, 39, 2),
        (19, 6, 3, 2), (19, 7, 18, 2), (19, 8, 45, 2),
        (20, 6, 6, 2), (20, 7, 20, 2), (20, 8, 50, 2),
        (21, 8, 9, 2),
        (22, 8, 11, 2),
        (23, 8, 11, 2),
        (24, 8, 12, 2),
    ],
)  # fmt: skip
def test_repeats_where_counting_forces_them_or_nobody_knows_better(players, rounds, repeats, most_meetings):
    figures = plan(players, rounds, seed=players, even_threes=False).quality
    assert (figures.repeats, figures.most_meetings) == (repeats, most_meetings)
    assert figures.bound <= repeats


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        (9, 8),
        (12, 5),
        (12, 8),
        (14, 8),
        (15, 8),
        (17, 8),
        (19, 7),
        (20, 7),
        (20, 8),
        (23, 8),
        (24, 8),
    ],
)
def test_no_plan_can_have_fewer_repeats_than_these(players, rounds):
    figures = plan(players, rounds, seed=1).quality
    assert figures.repeats == figures.bound > 0


@pytest.mark.parametrize(("players", "rounds"), [(17, 6), (19, 7), (20, 6), (22, 8), (23, 8), (24, 8)])
def test_repeats_come_last_should_the_event_end_early(players, rounds):
    drawn = plan(players, rounds, seed=1, even_threes=False).rounds
    assert quality(drawn[:5]).repeats == 0
