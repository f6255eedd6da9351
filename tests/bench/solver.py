"""How long the solver takes for a contract with all cards known, for a folder with all its exchanges, and its memory.

Every contract of the union's rules that is played with a trump or with none, in deals by seed, after one exchange; of
one core's time.
"""

from __future__ import annotations

import os
import resource
import time
from collections import defaultdict
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from scoring import get_rulebook
from scoring.game import Deal
from scoring.seats import ACTIVE, Seating
from scoring.solver import CannotSolveError, CardPosition, solve, solve_outcome
from scoring.solver.exchanges import sampled_positions
from tests.bench.stage import empty_folder, python, setup_django

if TYPE_CHECKING:
    from collections.abc import Iterator

POSITIONS = 150  # of each contract; of 60 the slowest tenth is six by chance
FOLDERS = 5


def main() -> None:
    with empty_folder() as folder:
        print(python("-m", "tests.bench.solver", folder=folder).stdout, end="")


def measured() -> None:
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for contract in get_rulebook("union").contracts:
        for position in islice(positions(contract.id), POSITIONS):
            for what in (solve, solve_outcome):
                begun = time.process_time()
                what(position)
                times[contract.id, what.__name__].append(time.process_time() - begun)
                times["all", what.__name__].append(time.process_time() - begun)
    for (name, what), some in sorted(times.items()):
        ordered = sorted(some)
        median, ninth, most = ordered[len(ordered) // 2], ordered[len(ordered) * 9 // 10], ordered[-1]
        print(f"{name}, {what}: {1000 * median:.0f} ms, p90 {1000 * ninth:.0f} ms, most {1000 * most:.0f} ms")
    print(f"memory after that: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    analysed = folders()
    print(f"a folder, all seats and contracts: {min(analysed):.1f} to {max(analysed):.1f} s")
    print(f"memory after that: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def positions(contract_id: str) -> Iterator[CardPosition]:
    """Positions of a contract after the exchange, one a deal, by every seat and trump in turn."""
    rulebook = get_rulebook("union")
    contract = rulebook.by_id[contract_id]
    for seed in range(10 * POSITIONS):
        deal = Deal.dealt(rulebook, Seating(4, 0), seed)
        trump = "HDC"[seed % 3] if contract.trumps == "chosen" else None
        try:
            yield from sampled_positions(deal, ACTIVE[seed % 3], contract, trump, 1, Random(seed))
        except CannotSolveError:
            continue


def folders() -> list[float]:
    """Seconds for the analysis of each folder of a set."""
    from tournaments.boards import analysis
    from tournaments.boards.dealing import deal_folder

    times = []
    for number in range(1, FOLDERS + 1):
        begun = time.process_time()
        analysis.analyse(get_rulebook("union"), deal_folder("5eed", number))
        times.append(time.process_time() - begun)
    return times


if __name__ == "__main__":
    setup_django(os.environ["SPADILLE_DATA"])
    measured()
