"""Bars for what does not start from nothing: clubs, players who leave and come, standings."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from tournaments.draw.planner import plan, plan_next
from tournaments.draw.quality import Quality, quality
from tournaments.draw.swiss import plan_by_standings
from tournaments.draw.tables import Round

CLUBS = {
    24: (8, 6, 4, 3, 3),
    27: (9, 6, 5, 4, 3),
    32: (8, 8, 8, 8),
    48: (12, 10, 8, 8, 6, 4),
    64: (10, 10, 9, 9, 9, 9, 8),
    100: (4,) * 25,
    1000: (12,) * 65 + (11,) * 20,
}
# The mean of the places between best and last at a table that Pantheon's Swiss pairing reaches: players, rounds.
PANTHEON = {
    24: {4: 9.4, 6: 11.6, 8: 12.3},
    28: {4: 9.0, 6: 12.1, 8: 13.7},
    32: {4: 7.6, 6: 11.1, 8: 13.7},
    48: {4: 6.6, 6: 9.2, 8: 12.4},
    64: {4: 6.1, 6: 8.4, 8: 11.1},
    100: {4: 4.8, 6: 6.3, 8: 8.5},
    256: {4: 3.7, 6: 4.4, 8: 5.3},
    1000: {4: 3.2, 6: 3.4, 8: 3.7},
}
EVENTS = 3


def clubs() -> Iterator[str]:
    for n, sizes in CLUBS.items():
        groups = [club for club, size in enumerate(sizes) for _member in range(size)]
        for rounds in (4, 6) if n < 1000 else (4,):
            for seed in (1, 2, 3):
                started = time.process_time()
                figures = plan(n, rounds, seed=seed, groups=groups).quality
                seconds = time.process_time() - started
                more = [
                    pairs - least
                    for pairs, least in zip(figures.club_mates, figures.club_mates_bound, strict=True)
                ]
                too_many = max(more) > 0 if rounds == 4 else max(more[:3]) > 1
                if figures.repeats or too_many or seconds > 1.5:
                    yield f"{n} players, {rounds} rounds, seed {seed}: {more} more, {seconds:.2f} s"


def _replan_bar(n: int, rounds: int) -> int:
    """Return the repeats allowed."""
    if n < 24:
        return 0 if rounds == 4 else 2
    return 3 if n < 28 and rounds == 6 else 0


def replans() -> Iterator[str]:
    cells = [(n, rounds) for n in (16, 20) for rounds in (4, 5)]
    cells += [(n, rounds) for n in (24, 27, 28, 32, 48, 64, 100) for rounds in (4, 5, 6)]
    for n, rounds in cells:
        for scenario in range(6):
            rng = Random(scenario)
            played, leave, come = rng.randrange(1, rounds), rng.randrange(4), rng.randrange(5)
            history = plan(n, rounds, seed=scenario).rounds[:played]
            stay = rng.sample(range(n), n - leave)
            started = time.process_time()
            present = [*stay, *range(n, n + come)]
            figures = plan_next(present, rounds - played, seed=9, history=history).quality
            seconds = time.process_time() - started
            if figures.repeats > _replan_bar(n, rounds) or figures.most_meetings > 2 or seconds > 1.2:
                where = f"{n} players, {rounds} rounds, after {played} {leave} left and {come} came"
                yield f"{where}: {figures.repeats} repeats (counting forces {figures.bound}), {seconds:.2f} s"


def replan_chairs() -> Iterator[str]:
    for n in (24, 27, 32, 48, 64, 100):
        for rounds, played in ((3, 2), (4, 1), (4, 2), (4, 3), (5, 3), (6, 5)):
            uneven = 0
            for scenario, (leave, come) in enumerate(((1, 0), (0, 1), (1, 1), (2, 3))):
                history = plan(n, rounds, seed=scenario).rounds[:played]
                present = [*range(leave, n), *range(n, n + come)]
                left = rounds - played
                figures = plan_next(present, left, seed=9, history=history, total=rounds).quality
                uneven += figures.seat_imbalance
            if uneven > 0.1 * 4 * n:
                yield f"{n} players, {rounds} rounds, after {played}: {uneven} of {4 * n} uneven"


def _played_by_standings(
    n: int, rounds: int, seed: int, *, even_chairs: bool
) -> tuple[Quality, float, float]:
    """Play an event with skills and luck; return its quality, mean places apart and the longest draw's seconds."""
    rng = Random(seed)
    skill = [rng.gauss(0, 0.5) for _player in range(n)]
    score = [0.0] * n
    history: list[Round] = [*plan(n, 1, seed=seed).rounds]
    apart: list[int] = []
    longest = 0.0
    while True:
        for player in range(n):
            score[player] += rng.gauss(skill[player], 1)
        if len(history) == rounds:
            return quality(history), sum(apart) / len(apart), longest
        ranking = sorted(range(n), key=lambda player: -score[player])
        started = time.process_time()
        (tables,) = plan_by_standings(ranking, seed=seed, history=history, even_chairs=even_chairs).rounds
        longest = max(longest, time.process_time() - started)
        apart += _places_apart(tables, ranking)
        history.append(tables)


def _places_apart(tables: Round, ranking: Sequence[int]) -> list[int]:
    place = {player: index for index, player in enumerate(ranking)}
    return [max(place[p] for p in table) - min(place[p] for p in table) for table in tables]


def _swiss_repeats_barred(n: int, rounds: int) -> bool:
    return rounds <= (8 if n >= 48 else 6 if n >= 32 else 5 if n >= 28 else 4)


def swiss() -> Iterator[str]:
    for n, spreads in PANTHEON.items():
        for rounds in (4, 5, 6, 8) if n < 1000 else (4, 8):
            events = [
                _played_by_standings(n, rounds, seed, even_chairs=False)
                for seed in range(EVENTS if n < 1000 else 1)
            ]
            worst = max(figures.repeats for figures, _apart, _seconds in events)
            most = max(figures.most_meetings for figures, _apart, _seconds in events)
            apart = sum(apart for _figures, apart, _seconds in events) / len(events)
            seconds = max(seconds for _figures, _apart, seconds in events)
            too_far = apart > spreads.get(rounds, n) + 1.5
            slow = seconds > (0.6 if n < 1000 else 1.1)
            if (worst and _swiss_repeats_barred(n, rounds)) or most > 2 or too_far or slow:
                yield f"{n} players, {rounds} rounds: {worst} repeats, {apart:.1f} places, {seconds:.2f} s"


def swiss_chairs() -> Iterator[str]:
    for n in (32, 48, 64, 100, 256):
        events = [_played_by_standings(n, 4, seed, even_chairs=True) for seed in range(EVENTS)]
        uneven = sum(figures.seat_imbalance for figures, _apart, _seconds in events) / len(events) / n
        apart = sum(apart for _figures, apart, _seconds in events) / len(events)
        repeats = max(figures.repeats for figures, _apart, _seconds in events)
        if uneven > 0.1 or apart > PANTHEON[n][4] + 3.5 or repeats:
            yield f"{n} players: {uneven:.0%} uneven, {apart:.1f} places apart, {repeats} repeats"


def four_teams() -> Iterator[str]:
    for teams in (5, 7, 8, 9, 11, 13, 16):
        rounds = teams - 1
        drawn = plan(4 * teams, rounds, seed=1, groups=[player // 4 for player in range(4 * teams)])
        met = Counter(
            pair
            for tables in drawn.rounds
            for table in tables
            for pair in combinations(sorted(player // 4 for player in table), 2)
        )
        if drawn.quality.repeats or any(drawn.quality.club_mates) or set(met.values()) != {12}:
            yield f"{teams} teams, {rounds} rounds: {drawn.quality.repeats} repeats"


BARS = [
    ("clubs", "4 rounds: club-mates as far apart as can be, 6: the first three within one; no repeats, 1.5 s", clubs),
    ("replans", "after 3 leave and 4 come, no repeats from 24 players (few at 16, 20; 24 and 27 in 6 rounds)", replans),
    ("replan chairs", "after 1 or 2 leave and 1 to 3 come, at most a tenth of 24 or more uneven", replan_chairs),
    ("swiss", "no repeats in 4/5/6/8 rounds from 24/28/32/48 players, places as near as Pantheon's + 1.5", swiss),
    ("swiss chairs", "after 4 rounds at most a tenth uneven, places as near as Pantheon's + 3.5", swiss_chairs),
    ("teams at one table", "team-mates never together, no repeats, every two teams meet 12 times", four_teams),
]  # fmt: skip
