"""Publishing a union with twenty years behind it: seconds of a core and bytes of what pages are of, and of all of it.

`YEARS` is where such years are kept (`tests.bench.years`), else data/bench; `YEARS_SCALE` makes fewer. Of each kind of
thing so many are made as `PUBLISH_SAMPLE` says, picked evenly, after one that reads the templates; the whole is told
from them. Nothing is written to that folder but what reading its pages keeps: give it a copy. `python -m tests.bench
publish` prints tables for the figures; `PUBLISH_DEPTHS` says of which depths (brief,usual).
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench.cold import cpu, settle_down
from tests.bench.years import Size, made

SAMPLE = int(os.environ.get("PUBLISH_SAMPLE", "24"))
NAMES = {
    "t": "tournaments", "person": "people", "season": "seasons", "club": "clubs", "history": "clubs’ years",
    "rating": "ratings", "championship": "championships", "home": "the first page and all lists", "rules": "rules",
}  # fmt: skip
DEPTHS = os.environ.get("PUBLISH_DEPTHS", "brief,usual").split(",")
CORES = 2


class Cost(NamedTuple):
    things: int
    made: int
    seconds: float
    pages: int
    size: int

    @property
    def whole(self) -> float:
        return self.seconds * self.things / self.made


def main() -> None:
    folder = Path(os.environ["YEARS"]) if "YEARS" in os.environ else None
    made(Size().scaled(float(os.environ.get("YEARS_SCALE", "0.05"))), to=folder)
    settle_down()
    from django.utils import timezone

    from tournaments.exports.site.addresses import BRIEF, USUAL
    from tournaments.exports.site.fingerprints import MadeOf

    begun = cpu()
    prints = MadeOf(timezone.localdate()).prints()
    asked = cpu() - begun
    print(f"What {len(prints):,} things are made of: {asked:.1f} s\n")
    for depth in [depth for depth in (BRIEF, USUAL) if depth in DEPTHS]:
        with TemporaryDirectory() as there:
            costs, again = _costs(prints, depth, Path(there))
        whole = sum(cost.whole for cost in costs.values())
        size = sum(cost.size * cost.things / cost.made for cost in costs.values())
        print(f"| `{depth}` | there are | made | seconds each | pages each | kB each | s in all |")
        print("|---|---|---|---|---|---|---|")
        for kind, cost in costs.items():
            each = f"{cost.seconds / cost.made:.2f} | {cost.pages / cost.made:.0f} | {cost.size / cost.made / 1000:.0f}"
            print(
                f"| {NAMES[kind]} | {cost.things:,} | {cost.made} | {each} | {cost.whole:,.0f} |", flush=True
            )
        print(
            f"\nFirst: {whole / 60:.0f} minutes of a core, {whole / 60 / CORES:.0f} on {CORES}, {size / 1e9:.1f} GB. "
            f"Again, nothing changed: {asked + again:.1f} s.\n"
        )


def _costs(prints: dict[str, str], depth: str, folder: Path) -> tuple[dict[str, Cost], float]:
    """What is made of each kind; and seconds to read, go through and write what a folder with all of them knows."""
    from tournaments.exports.site.addresses import Chosen, Kept, Made, read_kept, write_kept
    from tournaments.exports.site.pages import NO_ADDRESS, Maker, Site, Task
    from tournaments.exports.site.publishing import FIND

    site = Site(Chosen(depth, False, frozenset(prints)), "da", ("da",), NO_ADDRESS, ("Search", FIND), {})
    by_kind: dict[str, list[str]] = defaultdict(list)
    for unit in prints:
        by_kind[unit.partition("/")[0]].append(unit)
    maker, costs, samples = Maker(site, folder), {}, {}
    for kind in (kind for kind in NAMES if kind in by_kind):
        units = sorted(by_kind[kind])
        some = units[:: max(len(units) // SAMPLE, 1)][:SAMPLE]
        if len(units) > 1:
            maker.make(Task(units[-1], prints[units[-1]], (_root(units[-1]),), (), {}))
        begun, before = cpu(), _size(folder)
        found = [maker.make(Task(unit, prints[unit], (_root(unit),), (), {})) for unit in some]
        seconds, pages = cpu() - begun, sum(len(made.pages) for made in found)
        costs[kind] = Cost(len(units), len(some), seconds, pages, _size(folder) - before)
        samples[kind] = found
    whole: dict[str, Made] = {}
    for kind, found in samples.items():
        whole |= {unit: found[number % len(found)] for number, unit in enumerate(by_kind[kind])}
    write_kept(folder, {"": Kept(whole)})
    begun = cpu()
    kept = read_kept(folder)
    Counter(link for made in kept[""].units.values() for link in made.links)
    write_kept(folder, kept)
    return costs, cpu() - begun


def _root(unit: str) -> str:
    kind, _slash, which = unit.partition("/")
    roots = {
        "history": f"/club/{which}/history/",
        "rating": f"/club/{which}/rating/",
        "home": "/",
        "rules": "/rules/",
    }
    return roots.get(kind, f"/{unit}/")


def _size(folder: Path) -> int:
    """Bytes that are there."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
