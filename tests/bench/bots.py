"""Deals played by bots over all rulebooks and options, each examined; how often what is played, and how it ends.

Half of the deals are played by the rules as they are. In a quarter, by changed rules, players now and then do anything
that is legal.

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
from scoring.bots import deal_json, next_step, play_round
from scoring.rulebooks import BadOption, rulebooks
from tests.scoring.bots.invariants import broken
from tests.scoring.bots.rash import rash

DEALS = int(os.environ.get("BOT_DEALS", "4000"))
SEED = int(os.environ.get("BOT_SEED", "1"))
ROUND = 40
TOLD = 20_000
WAYS = 200
CHANGED, REPRICED = 0.7, 0.1
SENSIBLE = 0.5


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
        seed = random.randrange(2**32)
        choose = next_step if plain or random.random() < SENSIBLE else rash(seed)
        for played in play_round(rulebook, players, ROUND, seed, choose=choose):
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
    """The rules with every other option changed by chance, and now and then a price. So many ways are tried in turn."""
    if len(known) > WAYS:
        return random.choice(known)
    specs = known[0].option_specs
    ways = [spec for spec in specs if not spec.section and random.random() < CHANGED]
    prices = [spec for spec in specs if spec.section and random.random() < REPRICED]
    while True:
        options = {spec.name: _value(spec, random) for spec in (*ways, *prices)}
        try:
            known.append(get_rulebook(known[0].id, options))
        except BadOption:
            # Prices, or ways of playing, that do not go together.
            prices = prices[1:]
            continue
        return known[-1]


def _value(spec, random: Random):
    if spec.kind == "bool":
        return random.choice((True, False))
    if spec.kind == "choice":
        return random.choice(spec.values)
    return random.randint(max(spec.minimum, int(spec.default) - 3), min(spec.maximum, int(spec.default) + 3))


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
