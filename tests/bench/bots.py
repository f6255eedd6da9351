"""Deals played by bots over all rulebooks and options, each examined; how often what is played, and how it ends.

`BOT_DEALS=1000000 python -m tests.bench bots` plays so many; stopped before (`kill`), it tells of those it has played.
Exits with status 1 where an invariant is broken.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from random import Random

from scoring import get_rulebook
from scoring.bots import deal_json, play_round
from scoring.rulebooks import BadOption, rulebooks
from tests.scoring.bots.invariants import broken

DEALS = int(os.environ.get("BOT_DEALS", "4000"))
SEED = int(os.environ.get("BOT_SEED", "1"))
ROUND = 40
TOLD = 20_000
WAYS = 200


def main() -> None:
    tally = Tally()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        play(tally)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    print(tally.line())
    for table, count in tally.counts.items():
        print(f"{table}: {_line(count)}")
    if tally.wrong:
        sys.exit(1)


class Tally:
    """What has been played so far: of rules as they are, how often what."""

    def __init__(self):
        self.counts = defaultdict(Counter)
        self.deals = self.wrong = 0
        self.begun = time.process_time()

    def line(self):
        seconds = time.process_time() - self.begun
        return f"{self.deals:,} deals in {seconds:,.0f} s of one core, {self.wrong} with something broken"


def play(tally: Tally) -> None:
    tables = [(rulebook, players) for rulebook in rulebooks() for players in rulebook.players]
    random = Random(SEED)
    known: dict[str, list] = {rulebook.id: [rulebook] for rulebook in rulebooks()}
    for number in range(DEALS // ROUND):
        default, players = tables[number % len(tables)]
        # Every other round at a table is played by the rules as they are.
        plain = number // len(tables) % 2 == 0
        rulebook = default if plain else _changed(known[default.id], random)
        for played in play_round(rulebook, players, ROUND, seed=random.randrange(2**32)):
            found = broken(played)
            tally.deals += 1
            if found:
                tally.wrong += 1
                print(f"{found}\n{deal_json(played)['text']}", flush=True)
            if plain:
                _count(tally.counts[f"{default.id}, {players} players"], played)
        if tally.deals % TOLD == 0:
            print(tally.line(), flush=True)


def _changed(known: list, random: Random):
    """The rules with some options changed by chance. So many ways are tried in turn that all options are met."""
    if len(known) > WAYS:
        return random.choice(known)
    specs = known[0].option_specs
    while True:
        options = {
            spec.name: _value(spec, random) for spec in random.sample(specs, random.randint(1, len(specs)))
        }
        try:
            known.append(get_rulebook(known[0].id, options))
        except BadOption:
            # Prices or options that do not go together.
            continue
        return known[-1]


def _value(spec, random: Random):
    if spec.kind == "bool":
        return random.choice((True, False))
    if spec.kind == "choice":
        return random.choice(spec.values)
    return random.choice((spec.default, random.randint(spec.minimum, min(spec.maximum, 12))))


def _count(count: Counter, played) -> None:
    result, outcome = played.result, played.settlement.outcome
    count["deals"] += 1
    count["passed out" if result.all_passed else result.contract] += 1
    count[f"outcome {outcome}"] += 1
    for extra in played.settlement.extras:
        count[f"extra {extra}"] += 1
    count["gave up"] += result.abandoned


def _line(count: Counter) -> str:
    deals = count["deals"]
    return ", ".join(
        f"{name} {100 * number / deals:.2f} %"
        for name, number in count.most_common()
        if name != "deals" and number
    )


if __name__ == "__main__":
    main()
