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


def settlements() -> None:
    from tournaments.demo.rehearsal import results

    for rulebook in ("union", "rasle"):
        rules = get_rulebook(rulebook, {})
        seatings = cycle(Seating(players=4, dealer=dealer) for dealer in range(4))
        reported = list(zip(results(rules, 4, 2000, seed=1), seatings, strict=False))
        read = [(read_result(result, seating), seating) for result, seating in reported]
        begun = time.process_time()
        for result, seating in islice(cycle(read), RESULTS):
            settle(result, seating, rules)
        seconds = time.process_time() - begun
        print(f"{rulebook}: {RESULTS / seconds:,.0f} validated settlements/s")
        anew = settlement._settled.__wrapped__
        begun = time.process_time()
        for result, seating in islice(cycle(read), RESULTS // 4):
            anew(result, seating, rules)
        seconds = time.process_time() - begun
        print(f"{rulebook}: {RESULTS / 4 / seconds:,.0f} of results not seen before")
        begun = time.process_time()
        for stored, seating in islice(cycle(reported), RECOUNTED):
            settle(read_result(stored, seating), seating, rules)
        print(f"{rulebook}: {RECOUNTED:,} stored deals recounted in {time.process_time() - begun:.2f} s")


def answer_lines() -> None:
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
    print(f"answer: {30_000 / seconds:,.0f} lines/s")


if __name__ == "__main__":
    setup_django(os.environ["SPADILLE_DATA"])
    settlements()
    answer_lines()
