"""The fixture plan of a league of 12 teams and 22 rounds with 25 wishes; seconds of a core."""

from __future__ import annotations

import time
from random import Random

from tests.bench.stage import percentile
from tournaments.draw.fixtures import Apart, NotAtHome, plan_fixtures
from tournaments.draw.meetings import next_meetings

TEAMS, ROUNDS, WISHES, PLANS = 12, 22, 24, 20
WANTED = 2.0


def main() -> None:
    times, refused = [], 0
    for seed in range(PLANS):
        random = Random(seed)
        days = next_meetings(range(1, TEAMS + 1), ROUNDS, meetings=2, seed=seed)
        wishes = [
            NotAtHome(random.randint(1, TEAMS), random.randrange(ROUNDS), is_hard=random.random() < 0.5)
            for _wish in range(WISHES)
        ]
        begun = time.process_time()
        refused += len(plan_fixtures(days, [*wishes, Apart(1, 2, is_hard=True)], seed=seed).refused)
        times.append(time.process_time() - begun)
    print(
        f"{PLANS} plans of {TEAMS} teams, {ROUNDS} rounds: median {percentile(times, 0.5):.2f} s, at most"
        f" {max(times):.2f} s, wanted {WANTED:.0f} s; {refused} of {PLANS * (WISHES + 1)} wishes not granted"
    )


if __name__ == "__main__":
    main()
