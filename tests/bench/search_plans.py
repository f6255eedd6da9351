"""Searches for plans worth storing in `tournaments/draw/constructions.py`, and prints those that beat what is known.

python -m tests.bench.search_plans 18/7 29/7                 two cells, a minute each
python -m tests.bench.search_plans 20/7 --seconds 600        longer
python -m tests.bench.search_plans 18/7 --seconds 30 --afresh    as if nothing was known
python -m tests.bench.search_plans 13/5 --even               plans for `stored_even.py`: tables of three shared evenly

The search is the draw's own (`tournaments.draw.search`), from random rounds, a rule's, or the best plan so far
with some rounds dissolved, with more swaps than an evening has time for. Better is: fewer meetings of one
pair, fewer repeats, tables of three more evenly shared, repeats later. What it prints can be put into PLANS as
it stands.
"""

import argparse
import time
from collections.abc import Iterator
from random import Random
from string import ascii_letters

from tournaments.draw.constructions import rounds_without_repeats
from tournaments.draw.even_threes import evened
from tournaments.draw.planner import plan
from tournaments.draw.quality import least_cost, prices_after, quality, seats_of, tables_of
from tournaments.draw.search import improve
from tournaments.draw.tables import CHAIRS, Round, table_sizes

SWAPS = 4_000_000
WIDTH = 120


def main(words: list[str] | None = None) -> None:
    asked = argparse.ArgumentParser(prog="search_plans")
    asked.add_argument("cells", nargs="+", help="players/rounds")
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--afresh", action="store_true")
    asked.add_argument("--even", action="store_true")
    told = asked.parse_args(words)
    for cell in told.cells:
        players, rounds = (int(number) for number in cell.split("/"))
        best = () if told.afresh else plan(players, rounds, seed=1, even_threes=told.even).rounds
        print(f"# {cell}: known {badness(best) if best else None}", flush=True)
        for found in better(players, rounds, told.seconds, Random(told.seed), best, even=told.even):
            print(f"# {badness(found)}\n{written(players, found)}", flush=True)


def badness(rounds: tuple[Round, ...]) -> tuple[int, ...]:
    """Return what makes a plan bad, the worst first: meetings, repeats, uneven tables of three, how early."""
    figures = quality(rounds)
    uneven = figures.tables_of_three[1] - figures.tables_of_three[0]
    early = [quality(rounds[:count]).repeats for count in range(len(rounds) - 1, 0, -1)]
    return (figures.most_meetings, figures.repeats, max(uneven, 1), *early)


def better(
    players: int, rounds: int, seconds: float, rng: Random, best: tuple[Round, ...], *, even: bool
) -> Iterator[tuple[Round, ...]]:
    """Yield plans, each better than the one before, until the time is up."""
    started = time.monotonic()
    known = badness(best) if best else None
    prices = prices_after(players, (), None)
    while time.monotonic() - started < seconds:
        start = [seats_of(tables, players) for tables in _start(players, rounds, best, rng)]
        shape = tuple(tables_of(seats, players) for seats in start)
        _cost, seats = improve(start, prices, rng, swaps=SWAPS, target=least_cost(shape, prices, None))
        found = tuple(tables_of(found, players) for found in seats)
        found = repeats_last(evened(found, (), players, None, rng) if even else found)
        if known is None or badness(found) < known:
            known, best = badness(found), found
            yield found


def _start(players: int, rounds: int, best: tuple[Round, ...], rng: Random) -> list[Round]:
    """Return rounds to begin with: some of the best plan's, of a rule's where no chair is empty, and random ones."""
    ruled = rounds_without_repeats(len(table_sizes(players))) if players % CHAIRS == 0 else ()
    source = rng.choice([best, ruled, ()])
    kept = rng.sample(source, min(len(source), rng.randint(0, rounds)))
    while len(kept) < rounds:
        order = rng.sample(range(players), players)
        kept.append(tuple(tuple(order.pop() for _seat in range(size)) for size in table_sizes(players)))
    return kept


def repeats_last(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    """Return the rounds in an order in which the event has few repeats wherever it ends."""
    left, late = list(rounds), []
    while len(left) > 1:
        last = min(left, key=lambda one: quality([other for other in left if other is not one]).repeats)
        left.remove(last)
        late.append(last)
    return tuple(left + late[::-1])


def written(players: int, rounds: tuple[Round, ...]) -> str:
    """Write a plan as PLANS has them, players called in the order in which round 1 seats them."""
    name = {
        player: ascii_letters[index] for index, player in enumerate(p for table in rounds[0] for p in table)
    }
    lines = [f"{players}/{len(rounds)}"]
    for tables in rounds:
        named = sorted(
            (sorted(name[player] for player in table) for table in tables),
            key=lambda table: (-len(table), table),
        )
        word = "".join("".join(table).ljust(CHAIRS, ".") for table in named)
        if len(lines[-1]) + len(word) >= WIDTH:
            lines.append(word)
        else:
            lines[-1] += " " + word
    return "\n".join(lines)


if __name__ == "__main__":
    main()
