"""Tables of one size: two, three or five at each, and byes for those who are left over."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tournaments.draw.planner import plan, plan_next
from tournaments.draw.quality import quality
from tournaments.draw.tables import DrawError, byes, table_sizes


@pytest.mark.parametrize(
    ("players", "size", "tables", "over"),
    [(3, 3, 1, 0), (4, 3, 1, 1), (5, 3, 1, 2), (9, 3, 3, 0), (11, 3, 3, 2), (7, 2, 3, 1), (12, 5, 2, 2)],
)
def test_all_tables_are_full_and_the_others_have_a_bye(players, size, tables, over):
    assert table_sizes(players, (size,)) == (size,) * tables
    assert byes(players, (size,)) == over


@pytest.mark.parametrize("size", [2, 3, 5])
def test_fewer_players_than_a_table_holds_are_refused(size):
    with pytest.raises(DrawError) as caught:
        plan(size - 1, 1, seed=1, seats=(size,))
    assert caught.value.code == "too_few"


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("players", [5, 6, 7, 10, 15, 16, 22])
def test_every_round_seats_everybody_once_but_for_byes_which_are_even(size, players):
    drawn = plan(players, 4, seed=2026, seats=(size,))
    played: Counter[int] = Counter()
    for tables in drawn.rounds:
        seated = [player for table in tables for player in table]
        assert all(len(table) == size for table in tables)
        assert len(seated) == len(set(seated)) == players - byes(players, (size,))
        played.update(seated)
    fewest, most = drawn.quality.rounds_played
    assert (min(played.values()), max(played.values())) == (fewest, most)
    assert most - fewest <= 1


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [
        (8, 2, 7),  # everybody meets everybody
        (9, 2, 8),
        (9, 3, 4),  # the nine of an affine plane
        (12, 3, 4),
        (15, 3, 7),  # Kirkman's schoolgirls
        (18, 3, 6),
        (21, 3, 7),
        (24, 3, 8),
        (25, 5, 6),
        (10, 3, 3),
        (11, 3, 4),
        (16, 3, 5),
        (30, 5, 3),
    ],
)
def test_nobody_meets_anybody_twice(players, size, rounds):
    drawn = plan(players, rounds, seed=5, seats=(size,))
    meetings = Counter(pair for r in drawn.rounds for t in r for pair in combinations(sorted(t), 2))
    assert max(meetings.values()) == 1
    assert drawn.quality.repeats == 0


@pytest.mark.slow
@pytest.mark.parametrize(("size", "players", "rounds"), [(2, 20, 4), (3, 27, 3), (3, 22, 6), (5, 30, 5)])
def test_everybody_has_every_chair_equally_often(size, players, rounds):
    drawn = plan(players, rounds, seed=3, seats=(size,))
    assert drawn.quality.seat_imbalance == 0
    assert drawn.quality.first_deals[1] - drawn.quality.first_deals[0] <= 1


def test_club_mates_sit_apart_in_round_one():
    for players in (9, 10, 18):
        drawn = plan(players, 3, seed=8, seats=(3,), groups=[player % 4 for player in range(players)])
        assert drawn.quality.club_mates[0] == drawn.quality.club_mates_bound[0]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "players"), [(2, 9), (3, 10), (3, 15), (5, 16)])
def test_round_by_round_gives_the_rounds_of_the_whole_event(size, players):
    whole = plan(players, 4, seed=77, seats=(size,))
    for started in range(1, 4):
        following = plan_next(
            range(players), 1, seed=77, history=whole.rounds[:started], total=4, seats=(size,)
        )
        assert following.continued
        assert following.rounds == whole.rounds[started : started + 1]


def test_who_comes_late_or_leaves_changes_only_what_has_not_started():
    first = plan(10, 1, seed=4, seats=(3,)).rounds
    bye = set(range(10)) - {player for table in first[0] for player in table}
    after = plan_next([*range(9), 12], 2, seed=4, history=first, seats=(3,))
    assert not after.continued
    seated = {player for table in after.rounds[0] for player in table}
    assert bye - {9} <= seated
    assert 12 in seated
    assert quality([*first, *after.rounds], seats=(3,)).repeats == after.quality.repeats


def test_a_table_of_another_size_is_no_seating():
    with pytest.raises(DrawError) as caught:
        quality([((0, 1, 2), (3, 4, 5, 6))], seats=(3,))
    assert caught.value.code == "history"
