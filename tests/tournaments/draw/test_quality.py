"""The figures that a draw is published with, recounted by hand."""

import json
from itertools import pairwise

import pytest

from tournaments.draw.chairs import chairs_of
from tournaments.draw.quality import quality

EIGHT = [((0, 1, 2, 3), (4, 5, 6, 7)), ((0, 1, 4, 5), (2, 3, 6, 7)), ((0, 1, 6, 7), (4, 5, 2, 3))]
SEVEN = [((0, 1, 2, 3), (4, 5, 6)), ((4, 0, 1, 5), (2, 3, 6))]


def test_meetings_beyond_the_first_are_repeats():
    figures = quality(EIGHT)
    assert (figures.repeats, figures.bound, figures.most_meetings) == (8, 8, 3)
    assert figures.repeated_pairs == ((0, 1, 3), (2, 3, 3), (4, 5, 3), (6, 7, 3))


def test_of_two_rounds_of_eight_players_four_pairs_meet_again_whatever_one_does():
    assert quality(EIGHT[:2]).bound == 4


@pytest.mark.parametrize(
    ("players", "rounds", "bound"),
    [
        (12, 2, 3),
        (12, 4, 9),
        (12, 5, 24),
        (16, 5, 0),
        (16, 6, 24),
        (9, 4, 0),
        (9, 5, 9),
        (11, 3, 4),
        (24, 8, 12),
    ],
)
def test_what_counting_forces(players, rounds, bound):
    threes = -players % 4
    edges = [4 * i for i in range((players - 3 * threes) // 4 + 1)]
    edges += [edges[-1] + 3 * i for i in range(1, threes + 1)]
    tables = tuple(tuple(range(start, end)) for start, end in pairwise(edges))
    assert quality([tables] * rounds).bound == bound


def test_a_newcomer_makes_new_pairs_possible():
    apart = ((0, 1, 2), (3, 4, 5))
    assert quality([apart, apart]).bound == 2
    assert quality([apart, ((0, 1, 2), (3, 4, 6))]).bound == 0


def test_first_deals_and_tables_of_three_by_those_who_play_every_round():
    figures = quality(SEVEN)
    assert (figures.first_deals, figures.tables_of_three) == ((0, 2), (0, 2))
    assert quality([*SEVEN, ((0, 1, 2, 3), (4, 5, 7))]).first_deals == (0, 3)


def test_club_mates_at_a_table_and_the_fewest_that_the_clubs_allow():
    figures = quality(EIGHT, ["Ro"] * 4 + [None] * 4)
    assert figures.club_mates == (6, 2, 2)
    assert figures.club_mates_bound == (2, 2, 2)
    assert quality(EIGHT, {0: "Ro", 1: "Ro"}).club_mates == (1, 1, 1)
    assert quality(EIGHT).club_mates == (0, 0, 0)


def test_a_seat_twice_and_another_never_is_uneven():
    assert quality([((0, 1, 2, 3),), ((1, 0, 3, 2),)]).seat_imbalance == 0
    assert quality([((0, 1, 2, 3),), ((0, 1, 3, 2),)]).seat_imbalance == 2


def test_the_empty_chair_moves_on_from_round_to_round_and_from_table_to_table():
    threes = ((0, 1, 2), (3, 4, 5))
    assert [chairs_of(threes, index)[0] for index in range(5)] == [
        (0, 1, 2, None),
        (0, 1, None, 2),
        (0, None, 1, 2),
        (None, 0, 1, 2),
        (0, 1, 2, None),
    ]
    assert chairs_of(threes, 0)[1] == (3, 4, None, 5)


def test_the_figures_can_be_written_as_json():
    figures = json.loads(json.dumps(quality(EIGHT).as_dict()))
    assert figures["repeated_pairs"][0] == [0, 1, 3]
    assert figures["bound"] == 8


def test_before_the_first_round_there_is_nothing_to_count():
    assert quality([]).as_dict()["repeats"] == 0
