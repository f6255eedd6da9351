"""What holds for every draw, whatever the number of players, rounds and clubs."""

import hashlib
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.draw.planner import plan, plan_next
from tournaments.draw.quality import quality
from tournaments.draw.tables import table_sizes

players_counts = st.integers(3, 40).filter(lambda n: n != 5)


def assert_everybody_sits_once(rounds, players):
    for tables in rounds:
        assert [len(table) for table in tables] == list(table_sizes(len(players)))
        assert sorted(player for table in tables for player in table) == sorted(players)


@pytest.mark.slow
@settings(max_examples=30)
@given(players_counts, st.integers(1, 4), st.integers(0, 2**32), st.data())
def test_everybody_sits_once_a_round_at_tables_of_the_right_sizes(players, rounds, seed, data):
    groups = data.draw(
        st.none() | st.lists(st.sampled_from("ABC") | st.none(), min_size=players, max_size=players)
    )
    drawn = plan(players, rounds, seed=seed, groups=groups)
    assert len(drawn.rounds) == rounds
    assert drawn.seed == seed
    assert_everybody_sits_once(drawn.rounds, range(players))
    assert drawn.quality == quality(drawn.rounds, groups)
    assert drawn.quality.repeats >= drawn.quality.bound
    mates, bounds = drawn.quality.club_mates, drawn.quality.club_mates_bound
    assert mates[0] == bounds[0]
    assert all(pairs >= bound for pairs, bound in zip(mates, bounds, strict=True))


@settings(max_examples=15)
@given(players_counts, st.integers(1, 4), st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_plan(players, rounds, seed):
    assert plan(players, rounds, seed=seed) == plan(players, rounds, seed=seed)


def test_another_seed_gives_another_plan():
    assert plan(27, 4, seed=1).rounds != plan(27, 4, seed=2).rounds


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_plan_does_not_hang_on_the_process_that_draws_it(hash_seed):
    code = (
        "from tournaments.draw.planner import plan; "
        "print(plan(26, 4, seed=9, groups=['Ro', 'Hjerting', 'Varde', None] * 6 + ['Esbjerg'] * 2).rounds)"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True, text=True
    )
    groups = ["Ro", "Hjerting", "Varde", None] * 6 + ["Esbjerg"] * 2
    assert printed.stdout.strip() == str(plan(26, 4, seed=9, groups=groups).rounds)


@pytest.mark.parametrize(
    ("players", "rounds", "groups", "digest"),
    [
        (27, 4, None, "f40a099308f3624f"),  # by a rule, one left out
        (20, 7, None, "4d9fbd1d6bf22a7b"),  # stored
        (42, 8, None, "788f9b6b94386df4"),  # tables of three evened out by search
        (24, 4, [0, 1, 2, 3] * 6, "cd25fbafbd0ec2ea"),  # club-mates apart, by search
    ],
)
def test_a_draw_that_was_published_can_be_repeated_by_a_later_version(players, rounds, groups, digest):
    drawn = plan(players, rounds, seed=2024, groups=groups).rounds
    assert hashlib.sha256(repr(drawn).encode()).hexdigest()[:16] == digest


def test_players_may_have_any_numbers():
    drawn = plan_next([104, 7, 23, 9, 55, 81, 12], 2, seed=3)
    assert_everybody_sits_once(drawn.rounds, [7, 9, 12, 23, 55, 81, 104])


def test_the_order_in_which_players_are_listed_does_not_matter():
    assert plan_next([3, 1, 2, 0], 2, seed=3) == plan_next([0, 1, 2, 3], 2, seed=3)


@pytest.mark.parametrize("players", [11, 16, 19, 20, 24, 27, 32])
def test_drawn_round_by_round_with_one_seed_it_is_the_plan_drawn_at_once(players):
    groups = {player: player % 5 for player in range(0, players, 2)}
    whole = plan(players, 4, seed=5, groups=groups)
    played = []
    for _round in range(4):
        drawn = plan_next(range(players), 1, seed=5, history=played, groups=groups, total=4)
        played += drawn.rounds
        assert drawn.continued
    assert tuple(played) == whole.rounds


def test_a_round_drawn_alone_leaves_room_for_an_event_of_five():
    first = plan_next(range(20), 1, seed=8)
    assert first.rounds == plan(20, 5, seed=8).rounds[:1]
    assert plan_next(range(20), 1, seed=8, history=first.rounds).rounds == plan(20, 5, seed=8).rounds[1:2]


def test_after_a_swap_the_rest_is_drawn_anew():
    first = plan(16, 4, seed=2).rounds[0]
    (a, b, c, d), (e, *others), *tables = first
    swapped = ((e, b, c, d), (a, *others), *tables)
    drawn = plan_next(range(16), 3, seed=2, history=[swapped])
    assert not drawn.continued
    assert_everybody_sits_once(drawn.rounds, range(16))
    assert quality([swapped, *drawn.rounds]).repeats == 0
