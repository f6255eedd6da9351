"""Validated settlements a second, a recount of 60,000 deals, and lines a second of `answer`; one core."""

from __future__ import annotations

import io
import json
import sys
import time
from itertools import cycle, islice

from scoring import get_rulebook
from scoring.results import read_result
from scoring.seats import Seating
from scoring.settlement import settle
from tournaments.demo.rehearsal import results

RESULTS = 200_000
RECOUNTED = 60_000


def main() -> None:
    for rulebook in ("union", "rasle"):
        rules = get_rulebook(rulebook, {})
        seatings = cycle(Seating(players=4, dealer=dealer) for dealer in range(4))
        reported = list(zip(results(rules, 4, 2000, seed=1), seatings, strict=False))
        read = [(read_result(result, seating), seating) for result, seating in reported]
        begun = time.perf_counter()
        for result, seating in islice(cycle(read), RESULTS):
            settle(result, seating, rules)
        seconds = time.perf_counter() - begun
        print(f"{rulebook}: {RESULTS / seconds:,.0f} validated settlements/s")
        begun = time.perf_counter()
        for stored, seating in islice(cycle(reported), RECOUNTED):
            settle(read_result(stored, seating), seating, rules)
        print(f"{rulebook}: {RECOUNTED:,} stored deals recounted in {time.perf_counter() - begun:.2f} s")
    answer_lines()


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
        begun = time.perf_counter()
        command(["answer"])
        seconds = time.perf_counter() - begun
    finally:
        sys.stdin, sys.stdout = sys_in, sys_out
    print(f"answer: {30_000 / seconds:,.0f} lines/s")
