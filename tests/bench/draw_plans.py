"""Bars for whole events: how few repeats, how even seats and tables of three, how fast, by players and rounds."""

import time
from collections.abc import Iterator
from functools import cache

from tournaments.draw.chairs import chairs_of
from tournaments.draw.planner import Plan, plan

SEEDS = (1, 2, 3)
USUAL = range(16, 201)
LARGE = range(201, 1001, 17)
ROUNDS = range(2, 9)

# Where repeats cannot be avoided, or nobody knows how: players, then repeats by number of rounds.
REPEATS = {
    8: {2: 4, 3: 8, 4: 20, 5: 32, 6: 44, 7: 56, 8: 68},
    9: {5: 9, 6: 18, 7: 27, 8: 36},
    10: {2: 1, 3: 5, 4: 10, 5: 19, 6: 27, 7: 39, 8: 51},
    11: {2: 2, 3: 7, 4: 14, 5: 24, 6: 36, 7: 50, 8: 65},
    12: {2: 3, 3: 9, 4: 16, 5: 28, 6: 42, 7: 60, 8: 78},
    13: {5: 3, 6: 12, 7: 27, 8: 42},
    14: {5: 2, 6: 17, 7: 35, 8: 53},
    15: {6: 21, 7: 42, 8: 63},
    16: {6: 24, 7: 48, 8: 72},
    17: {6: 3, 7: 13, 8: 32},
    18: {6: 3, 7: 16, 8: 39},
    19: {6: 3, 7: 18, 8: 45},
    20: {6: 6, 7: 20, 8: 50},
    21: {8: 9},
    22: {8: 12},
    23: {8: 17},
    24: {8: 18},
}
# Where an even share of tables of three costs repeats or needs a stored plan: the repeats of that plan.
EVEN_REPEATS = {
    (7, 2): 6, (7, 3): 10, (7, 4): 17, (10, 2): 4, (10, 3): 8, (10, 4): 12, (10, 5): 20, (10, 7): 39,
    (11, 2): 3, (11, 3): 9, (11, 4): 17, (11, 5): 26, (11, 6): 35, (13, 2): 2, (13, 3): 6, (13, 4): 6,
    (13, 5): 7, (13, 6): 13, (14, 2): 4, (14, 3): 4, (14, 4): 4, (14, 5): 6, (17, 2): 4, (17, 6): 3,
    (17, 7): 12, (18, 6): 6, (19, 6): 6, (22, 7): 4, (25, 7): 0, (25, 8): 3, (26, 7): 0, (26, 8): 5,
    (29, 8): 0, (30, 8): 0,
}  # fmt: skip
LONG = {24: 7, 28: 9, 32: 9, 36: 11, 40: 13, 44: 11, 48: 15}


@cache
def _timed(players: int, rounds: int, seed: int) -> tuple[Plan, float]:
    started = time.process_time()
    drawn = plan(players, rounds, seed=seed)
    return drawn, time.process_time() - started


def _cells(players: range) -> Iterator[tuple[str, int, int, Plan, float]]:
    for n in players:
        for rounds in ROUNDS:
            for seed in SEEDS:
                drawn, seconds = _timed(n, rounds, seed)
                yield f"{n} players, {rounds} rounds, seed {seed}", n, rounds, drawn, seconds


def repeats() -> Iterator[str]:
    for cell, n, rounds, drawn, _seconds in _cells(USUAL):
        bar = EVEN_REPEATS.get((n, rounds), REPEATS.get(n, {}).get(rounds, 0))
        figures = drawn.quality
        if figures.repeats > bar or figures.most_meetings > 1 + bool(bar):
            yield f"{cell}: {figures.repeats} repeats, one pair {figures.most_meetings} times (bar {bar})"


def small_clubs() -> Iterator[str]:
    for cell, n, rounds, drawn, seconds in _cells(range(8, 16)):
        bar = EVEN_REPEATS.get((n, rounds), REPEATS.get(n, {}).get(rounds, 0))
        most = 4 if (n, rounds) == (8, 8) else 3
        figures = drawn.quality
        if figures.repeats > bar or figures.most_meetings > most or seconds > 1.2:
            yield f"{cell}: {figures.repeats} repeats, one pair {figures.most_meetings} times, {seconds:.2f} s"


def seconds_a_plan() -> Iterator[str]:
    for cell, n, _rounds, _drawn, seconds in _cells(USUAL):
        if seconds > (1.2 if -n % 4 > 1 else 0.5):
            yield f"{cell}: {seconds:.2f} s"


def seconds_in_all() -> Iterator[str]:
    for seed in SEEDS:
        seconds = sum(_timed(n, rounds, seed)[1] for n in USUAL for rounds in ROUNDS)
        if seconds > 120:
            yield f"seed {seed}: {seconds:.0f} s"


def seats() -> Iterator[str]:
    for cell, _n, rounds, drawn, _seconds in _cells(range(9, 201)):
        figures = drawn.quality
        fewest, most = figures.first_deals
        if figures.seat_imbalance or most - fewest > 1 or _a_chair_twice_in_four_rounds(drawn, rounds):
            yield f"{cell}: {figures.seat_imbalance} players uneven, first deals {fewest} to {most}"


def _a_chair_twice_in_four_rounds(drawn: Plan, rounds: int) -> bool:
    for start in range(0, rounds, 4):
        had: set[tuple[int, int]] = set()
        for index in range(start, min(start + 4, rounds)):
            for table in chairs_of(drawn.rounds[index], index):
                for taken in [(p, chair) for chair, p in enumerate(table) if p is not None]:
                    if taken in had:
                        return True
                    had.add(taken)
    return False


def tables_of_three() -> Iterator[str]:
    for cell, _n, _rounds, drawn, _seconds in _cells(range(6, 201)):
        fewest, most = drawn.quality.tables_of_three
        if most - fewest > 1:
            yield f"{cell}: {fewest} to {most} times each"


def large_fields() -> Iterator[str]:
    for n in (*LARGE, 1000):
        for rounds in (3, 5, 8):
            drawn, seconds = _timed(n, rounds, 1)
            if drawn.quality.repeats or drawn.quality.seat_imbalance or seconds > 0.5:
                yield f"{n} players, {rounds} rounds: {drawn.quality.repeats} repeats, {seconds:.2f} s"


def long_series() -> Iterator[str]:
    for n, rounds in LONG.items():
        drawn, seconds = _timed(n, rounds, 1)
        if drawn.quality.repeats or seconds > 0.1:
            yield f"{n} players, {rounds} rounds: {drawn.quality.repeats} repeats, {seconds:.2f} s"


BARS = [
    ("repeats", "none for 16 to 200 players in 2 to 8 rounds but where listed, nobody three times", repeats),
    ("small clubs", "8 to 15 players: as few repeats as listed, at most 1.2 s", small_clubs),
    ("seconds", "0.5 s a plan with one table of three or none, 1.2 s with more", seconds_a_plan),
    ("sweep", "all plans for 16 to 200 players in 120 s", seconds_in_all),
    ("seats", "9 to 200 players: nobody a chair or first deal two times more, none twice in four rounds", seats),
    ("tables of three", "within one for everybody but where listed, there within three", tables_of_three),
    ("large", "201 to 1,000 players: no repeats, even seats, 0.5 s", large_fields),
    ("long series", "no repeats up to 7/9/9/11/13/11/15 rounds of 24/28/32/36/40/44/48 players, 0.1 s", long_series),
]  # fmt: skip
