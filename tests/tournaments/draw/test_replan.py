"""Players leave and come between rounds; what was played stays, what is left is drawn again."""

import pytest

from tournaments.draw.constructions import rounds_without_repeats
from tournaments.draw.groundwork import found_again
from tournaments.draw.planner import plan, plan_next
from tournaments.draw.tables import table_sizes


def replanned(players, rounds, played, *, leave=0, come=0, seed=1):
    history = plan(players, rounds, seed=seed).rounds[:played]
    present = [*range(leave, players), *range(players, players + come)]
    drawn = plan_next(present, rounds - played, seed=seed + 100, history=history, total=rounds)
    for tables in drawn.rounds:
        assert [len(table) for table in tables] == list(table_sizes(len(present)))
        assert sorted(player for table in tables for player in table) == present
    return drawn.quality


@pytest.mark.parametrize(
    ("players", "rounds", "played", "leave", "come"),
    [
        (16, 4, 2, 1, 0), (16, 5, 2, 2, 2), (19, 5, 2, 0, 1), (20, 5, 1, 1, 0), (20, 5, 3, 0, 4), (24, 5, 2, 1, 4),
        (24, 6, 2, 0, 0), (24, 6, 3, 1, 1), (27, 4, 1, 2, 1), (27, 5, 3, 0, 4), (28, 6, 1, 3, 0), (32, 6, 4, 1, 4),
        (48, 6, 2, 3, 4), (64, 5, 3, 3, 1), (100, 6, 2, 3, 4),
    ],
)  # fmt: skip
def test_still_no_pair_meets_twice(players, rounds, played, leave, come):
    figures = replanned(players, rounds, played, leave=leave, come=come)
    assert (figures.repeats, figures.most_meetings) == (0, 1)


@pytest.mark.parametrize(("players", "leave", "come"), [(27, 0, 1), (27, 3, 0), (30, 1, 0), (35, 2, 1)])
def test_tables_of_three_stay_shared(players, leave, come):
    fewest, most = replanned(players, 5, 2, leave=leave, come=come).tables_of_three
    assert most - fewest <= 1


@pytest.mark.parametrize(
    ("players", "rounds", "played", "leave", "come"),
    [
        (20, 3, 2, 0, 1),
        (27, 3, 2, 0, 1),
        (27, 4, 1, 1, 1),
        (27, 4, 2, 0, 1),
        (27, 4, 3, 1, 1),
        (48, 3, 2, 2, 3),
    ],
)
def test_chairs_and_first_deals_come_out_even_though_the_event_ends_soon(
    players, rounds, played, leave, come
):
    figures = replanned(players, rounds, played, leave=leave, come=come)
    fewest, most = figures.first_deals
    assert (figures.repeats, figures.seat_imbalance, most - fewest <= 1) == (0, 0, True)


def test_leavers_may_make_it_one_table_less():
    figures = replanned(9, 3, 1, leave=1)
    # Everybody sat among three once, then among four. Seven is the least for eight who sat so: each way was tried.
    assert (figures.tables_of_three, figures.repeats) == ((1, 1), 7)
    assert replanned(9, 2, 1, leave=2, come=8).repeats == 0


@pytest.mark.parametrize("players", [16, 19, 20, 23, 24, 27, 28])
@pytest.mark.parametrize("played", [1, 2, 4])
def test_a_rule_is_found_again_in_the_rounds_played_by_it(players, played):
    rule = rounds_without_repeats(-(-players // 4))
    history = plan(players, 5, seed=played).rounds[:played]
    numbers, unplayed = found_again(history, rule)
    assert len(unplayed) == len(rule) - played
    assert len(set(numbers.values())) == players
    in_numbers = {frozenset(numbers[player] for player in table) for tables in history for table in tables}
    of_the_rule = {frozenset(table) for tables in rule if tables not in unplayed for table in tables}
    assert all(any(table <= whole for whole in of_the_rule) for table in in_numbers)


def test_rounds_that_no_rule_gave_are_not_found_in_one():
    one, other = plan(24, 5, seed=1).rounds[0], plan(24, 5, seed=2).rounds[0]
    assert found_again([one, other, one], rounds_without_repeats(6)) is None
