"""Nobody sits at a table of three once more than another until all have had their turn, whatever meetings it costs."""

import os
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.draw_plans import EVEN_REPEATS
from tests.tournaments.draw.test_swiss import event_by_standings
from tournaments.draw.even_threes import (
    PLANS,
    are_even,
    evened,
    least_unevenness,
    stored_even_plan,
    visits_of,
)
from tournaments.draw.planner import plan, plan_next, prices_of_even_threes
from tournaments.draw.quality import quality
from tournaments.draw.tables import Apart, table_sizes

ALL = [(players, rounds) for players in range(6, 72) for rounds in range(2, 9)]
# Every cell on demand (EVERY_PLAN=1), else a sample that is always the same.
CELLS = ALL if os.environ.get("EVERY_PLAN") else Random(1).sample(ALL, 40)
CELLS_BY_STANDINGS = ALL if os.environ.get("EVERY_PLAN") else Random(2).sample(ALL, 8)
STORED = [tuple(map(int, word.split("/"))) for word in PLANS.split() if "/" in word]


def spread(rounds, players):
    visits = visits_of(rounds)
    counts = [visits[player] for player in players]
    return max(counts) - min(counts)


def assert_is_a_seating(rounds, players):
    for tables in rounds:
        assert [len(table) for table in tables] == list(table_sizes(len(players)))
        assert sorted(player for table in tables for player in table) == sorted(players)


@pytest.mark.parametrize(("players", "rounds"), CELLS)
def test_an_event_planned_as_a_whole_shares_tables_of_three_within_one(players, rounds):
    drawn = plan(players, rounds, seed=players)
    assert_is_a_seating(drawn.rounds, range(players))
    assert spread(drawn.rounds, range(players)) <= 1
    fewest = plan(players, rounds, seed=players, even_threes=False).quality
    known = EVEN_REPEATS.get((players, rounds), fewest.repeats)
    assert drawn.quality.repeats == known


@pytest.mark.parametrize(("players", "rounds"), STORED)
def test_a_stored_plan_is_even_and_costs_what_is_known(players, rounds):
    stored = stored_even_plan(players, rounds)
    assert_is_a_seating(stored, range(players))
    assert spread(stored, range(players)) <= 1
    assert quality(stored).repeats == EVEN_REPEATS[players, rounds]
    assert plan(players, rounds, seed=4).quality.seat_imbalance == 0


@pytest.mark.parametrize("players", [8, 12, 16, 20, 24, 32])
@pytest.mark.parametrize("rounds", [3, 5, 8])
def test_plans_without_tables_of_three_are_the_same_either_way(players, rounds):
    assert plan(players, rounds, seed=2) == plan(players, rounds, seed=2, even_threes=False)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), CELLS_BY_STANDINGS)
def test_by_standings_they_are_within_one_after_every_round(players, rounds):
    event = event_by_standings(players, rounds)
    assert_is_a_seating(event, range(players))
    assert max(spread(event[:count], range(players)) for count in range(1, rounds + 1)) <= 1


@pytest.mark.parametrize(("players", "rounds", "more"), [(11, 5, 6), (13, 5, 6), (14, 4, 4), (18, 5, 3)])
def test_by_standings_an_even_share_costs_few_repeats(players, rounds, more):
    even, soft = (event_by_standings(players, rounds, even_threes=even) for even in (True, False))
    assert spread(even, range(players)) <= 1 < spread(soft, range(players))
    assert quality(even).repeats - quality(soft).repeats <= more


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    players=st.integers(9, 40),
    rounds=st.integers(3, 6),
    played=st.integers(1, 3),
    leave=st.integers(0, 2),
    come=st.integers(0, 2),
    seed=st.integers(0, 99),
)
def test_drawn_anew_in_the_middle_what_was_played_counts(players, rounds, played, leave, come, seed):
    played = min(played, rounds - 1)
    history = plan(players, rounds, seed=seed).rounds[:played]
    present = [*range(leave, players), *range(players, players + come)]
    drawn = plan_next(present, rounds - played, seed=seed, history=history, total=rounds).rounds
    assert_is_a_seating(drawn, present)
    visits = visits_of([*history, *drawn])
    counts = sorted(visits[player] for player in present)
    assert sum(count**2 for count in counts) == least_by_turns(history, drawn, present)
    if not come:
        assert counts[-1] - counts[0] <= 1 or counts[-1] == max(visits_of(history).values())


def least_by_turns(history, rounds, present):
    """Each round its tables of three seat those who have been there least: nothing can be more even."""
    visits = Counter({player: visits_of(history)[player] for player in present})
    for tables in rounds:
        seats = sum(3 for table in tables if len(table) == 3)
        for player in sorted(present, key=lambda player: visits[player])[:seats]:
            visits[player] += 1
    return sum(count**2 for count in visits.values())


def test_who_went_home_after_two_rounds_leaves_an_even_share_behind():
    history = plan(14, 5, seed=1, even_threes=False).rounds[:2]
    drawn = plan_next(range(1, 14), 3, seed=3, history=history, total=5).rounds
    assert spread([*history, *drawn], range(1, 14)) <= 1


def test_club_mates_and_wishes_do_not_break_it():
    clubs = [player % 4 for player in range(13)]
    drawn = plan(13, 4, seed=5, groups=clubs, apart=[Apart((0, 1), strict=True)])
    assert spread(drawn.rounds, range(13)) <= 1
    assert not drawn.quality.wishes_broken


@pytest.mark.parametrize(("players", "rounds"), [(10, 4), (14, 5), (17, 2), (19, 6)])
def test_the_search_evens_out_what_was_drawn_without_regard_to_it(players, rounds):
    uneven = plan(players, rounds, seed=1, even_threes=False).rounds
    assert not are_even((), uneven, players)
    found = evened(uneven, (), players, None, Random(3))
    assert_is_a_seating(found, range(players))
    assert are_even((), found, players)
    assert quality(found).repeats <= EVEN_REPEATS[players, rounds] + 2


def test_nothing_is_more_even_than_giving_each_turn_to_who_has_had_fewest():
    history = [((0, 1, 2, 3), (4, 5, 6))]
    assert least_unevenness(history, [((0, 1, 2, 3), (4, 5, 6))], 7) == 6
    assert least_unevenness(history, [((0, 1, 2, 3), (4, 5, 6))] * 2, 7) == 4 + 5 + 4


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), [(13, 12), (14, 9), (21, 11), (75, 10)])
def test_longer_events_and_larger_fields_are_even_too(players, rounds):
    assert spread(plan(players, rounds, seed=1).rounds, range(players)) <= 1


def explained():
    """The page that explains the draw."""
    return Path("docs/explanation/draws.md").read_text(encoding="utf-8")


ROW = re.compile(r"^\| (\d+), (\d+) \| (\d+); (.+?) \| (\d+); (.+?) \|$", re.MULTILINE)


def said(figures):
    fewest, most = figures.tables_of_three
    times = f"{most} times each" if fewest == most else f"{fewest} to {most} times"
    return str(figures.repeats), times


def test_the_prices_that_the_page_about_draws_tells_are_those_of_the_draw():
    rows = ROW.findall(explained())
    assert len(rows) > 4
    for players, rounds, *told in rows:
        even, fewest = prices_of_even_threes(int(players), int(rounds))
        assert (*said(even), *said(fewest)) == tuple(told), (players, rounds)


def test_the_page_about_draws_names_every_number_for_which_an_even_share_costs_repeats():
    costs = sorted(cell for cell in STORED if prices_of_even_threes(*cell))
    listed = explained().split("it costs nothing but for ")[1].split(". ")[0].replace("\n", " ")
    named = []
    for part in listed.split("), "):
        numbers, times = part.rstrip(")").split(" (")
        when = re.findall(r"\d+", times.replace(" rounds", ""))
        span = range(int(when[0]), int(when[-1]) + 1) if " to " in times else map(int, when)
        rounds = list(span)
        named += [(int(one), each) for one in re.findall(r"\d+", numbers) for each in rounds]
    assert sorted(named) == costs
