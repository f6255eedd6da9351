"""Validated settlements a second, a recount of 60,000 deals, and lines a second of `answer`; of one core's time.

Deals repeat, as they do in a hall: 2,000 of them are some 450 different results. What it takes to settle one that has
not been seen is told too.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
from itertools import cycle, islice

from scoring import get_rulebook, settlement
from scoring.results import read_result
from scoring.seats import Seating
from scoring.settlement import settle
from tests.bench.stage import empty_folder, python, setup_django

RESULTS = 200_000
RECOUNTED = 60_000


def main() -> None:
    with empty_folder() as folder:
        print(python("-m", "tests.bench.settlements", folder=folder).stdout, end="")


def told() -> None:
    for rulebook in ("union", "rasle"):
        seen, anew, recounted = settled(rulebook)
        print(f"{rulebook}: {seen:,.0f} validated settlements/s")
        print(f"{rulebook}: {anew:,.0f} of results not seen before")
        print(f"{rulebook}: {RECOUNTED:,} stored deals recounted in {recounted:.2f} s")
    print(f"answer: {answered():,.0f} lines/s")


def settled(rulebook: str) -> tuple[float, float, float]:
    """Settlements a second of results seen before, and of others; seconds for the stored deals."""
    from tournaments.demo.play import results

    rules = get_rulebook(rulebook, {})
    seatings = cycle(Seating(players=4, dealer=dealer) for dealer in range(4))
    reported = list(zip(results(rules, 4, 2000, seed=1), seatings, strict=False))
    read = [(read_result(result, seating), seating) for result, seating in reported]
    begun = time.process_time()
    for result, seating in islice(cycle(read), RESULTS):
        settle(result, seating, rules)
    seen = RESULTS / (time.process_time() - begun)
    settle_anew = settlement._settled.__wrapped__
    begun = time.process_time()
    for result, seating in islice(cycle(read), RESULTS // 4):
        settle_anew(result, seating, rules)
    anew = RESULTS / 4 / (time.process_time() - begun)
    begun = time.process_time()
    for stored, seating in islice(cycle(reported), RECOUNTED):
        settle(read_result(stored, seating), seating, rules)
    return seen, anew, time.process_time() - begun


def answered() -> float:
    """Lines a second of `answer`."""
    from scoring.__main__ import main as command

    case = {
        "id": "1", "kind": "score", "rulebook": "union", "players": 4, "options": {},
        "situation": {"contract": "solo", "declarer": "FH", "tricks": {"FH": 5, "MH": 3, "BH": 1}, "played_out": True},
    }  # fmt: skip
    lines = (json.dumps(case) + "\n").encode() * 30_000
    sys_in, sys_out = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.TextIOWrapper(io.BytesIO(lines)), io.TextIOWrapper(io.BytesIO())
    try:
        begun = time.process_time()
        command(["answer"])
        seconds = time.process_time() - begun
    finally:
        sys.stdin, sys.stdout = sys_in, sys_out
    return 30_000 / seconds


if __name__ == "__main__":
    setup_django(os.environ["SPADILLE_DATA"])
    told()
