"""Making all pages: from one tournament, person or club to the next by their links, on several cores.

What was made from the same as now is not made again, and leads on as it did.
"""

from __future__ import annotations

import pickle
from collections import defaultdict, deque
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import connection

from core.processes import Call, Workers
from tournaments.exports.site.addresses import Made, Page, read_page, unit_of
from tournaments.exports.site.pages import Maker, Task, make_here
from tournaments.exports.site.pool_start import begin
from tournaments.exports.site.rewriting import STATIC, Site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


# Tasks begun or queued per process, so that none waits for the next.
AHEAD = 3


class Making:
    """Build of a site in one language; `prints` are current fingerprints, `before` the previous pages."""

    def __init__(
        self, site: Site, prints: Mapping[str, str], before: Mapping[str, Made], folder: Path
    ) -> None:
        self.site, self.prints, self.before, self.folder = site, prints, before, folder
        self.done: dict[str, Made] = {}
        self.wanted: dict[str, set[str]] = defaultdict(set)
        self.ready: deque[str] = deque()
        self.busy: dict[str, Call[Made]] = {}
        self.static: set[str] = set()

    def make(
        self, roots: Iterable[Page], processes: int, tell: Callable[[int, int], None]
    ) -> dict[str, Made]:
        self.want(roots)
        with _makers(self.site, self.folder, processes) as pool:
            self._make_all(pool, processes, tell)
            # What leads to where there is nothing is made again, without those links.
            for unit, made in list(self.done.items()):
                if dead := [link for link in made.links if self._is_dead(link)]:
                    self.done[unit] = pool.make(self._task(unit, made.roots, dead)).result()
        return self.done

    def _make_all(self, pool: Pool, processes: int, tell: Callable[[int, int], None]) -> None:
        while self.ready or self.busy:
            while self.ready and len(self.busy) < processes * AHEAD:
                if task := self._next():
                    self.busy[task.unit] = pool.make(task)
            if self.busy:
                pool.wait()
                for unit in [unit for unit, made in self.busy.items() if made.is_done]:
                    self._take(unit, self.busy.pop(unit).result())
            tell(len(self.done), len(self.prints))

    def want(self, pages: Iterable[Page]) -> None:
        for page in pages:
            unit = unit_of(page.path)
            if page.path.startswith(STATIC):
                self.static.add(page.path)
            elif unit in self.prints and page.address not in self.wanted[unit]:
                self.wanted[unit].add(page.address)
                if unit not in self.busy and not self._is_known(unit, page.address):
                    self.ready.append(unit)

    def _is_known(self, unit: str, address: str) -> bool:
        made = self.done.get(unit)
        return made is not None and (address in made.pages or address in made.nothing)

    def _is_dead(self, link: str) -> bool:
        page = read_page(link)
        made = self.done.get(unit_of(page.path))
        return not page.path.startswith(STATIC) and (made is None or link not in made.pages)

    def _next(self) -> Task | None:
        """The next to be made; what is as it was is taken as it is."""
        unit = self.ready.popleft()
        wanted = {address for address in self.wanted[unit] if not self._is_known(unit, address)}
        if not wanted:
            return None
        old = self.done.get(unit) or self.before.get(unit)
        if old is not None and unit not in self.done and self._is_as_it_was(unit, old, wanted):
            self._take(unit, old)
            return None
        return self._task(unit, {*wanted, *(old.roots if old else ())}, ())

    def _is_as_it_was(self, unit: str, old: Made, wanted: set[str]) -> bool:
        if old.print != self.prints[unit] or old.dead or not wanted <= {*old.pages, *old.nothing}:
            return False
        return not any(other in self.prints for other in old.outside)

    def _task(self, unit: str, roots: Iterable[str], dead: Iterable[str]) -> Task:
        before = self.before.get(unit)
        return Task(
            unit, self.prints[unit], tuple(sorted(roots)), tuple(dead), before.files if before else {}
        )

    def _take(self, unit: str, made: Made) -> None:
        self.done[unit] = made
        self.want(read_page(link) for link in made.links)
        # What was led to while it was being made.
        if any(not self._is_known(unit, address) for address in self.wanted[unit]):
            self.ready.append(unit)


class Pool:
    """Renders pages in child processes, or in this process."""

    def __init__(self, others: Workers | None, maker: Maker) -> None:
        self.others, self.maker = others, maker

    def make(self, task: Task) -> Call[Made]:
        if self.others:
            return self.others.submit(make_here, task)
        return Call.done(self.maker.make(task))

    def wait(self) -> None:
        """Wait until one of those in child processes is made."""
        if self.others:
            self.others.wait()


@contextmanager
def _makers(site: Site, folder: Path, processes: int) -> Iterator[Pool]:
    maker = Maker(site, folder)
    if processes == 1:
        yield Pool(None, maker)
        return
    database = str(connection.settings_dict["NAME"])
    with Workers(processes, "spawn", begin, database, pickle.dumps((site, folder))) as others:
        yield Pool(others, maker)


def searched(units: Mapping[str, Made]) -> Iterator[tuple[str, str, str]]:
    """(name, description, file) of all search entries, by name."""
    yield from sorted({one for made in units.values() for one in map(tuple, made.found)})  # type: ignore[misc]
