"""Making the pages: from page to page by their links, one tournament, person or club at a time, on several cores.

What was made from the same as now is not made again, and leads on as it did.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import pickle
import re
from collections import defaultdict, deque
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.db import connection
from django.utils import translation

from tournaments.published.addresses import Page, file_of, read_page, unit_of
from tournaments.published.beginning import begin
from tournaments.published.kept import Made
from tournaments.published.reader import NO_ADDRESS, Answer, read
from tournaments.published.rewriting import NO_INDEX, STATIC, Links, Site, links_of, rewritten
from tournaments.steps.moment import one_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

# Asked of each process at once, so that none waits for the next.
AHEAD = 3
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
WHEN = re.compile(r'<p class="when">(.*?)</p>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
LONGEST_SAID = 120


class Task(NamedTuple):
    """Which pages are to be made: those that `roots` lead to; `files` are the digests of what is there already."""

    unit: str
    print: str
    roots: tuple[str, ...]
    dead: tuple[str, ...]
    files: dict[str, str]


class Maker:
    """Makes the pages of one thing after another, and puts what is otherwise than before into a folder."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site, self.folder = site, folder

    def make(self, task: Task) -> Made:
        with translation.override(self.site.language), one_moment():
            made = Made(task.print, [*task.roots], dead=[*task.dead])
            answers, leading = self._read(task, made)
            made.nothing = [page.address for page, answer in answers.items() if answer is None]
            for page, answer in answers.items():
                if answer is not None:
                    self._put(task, made, page, answer, leading[page])
            return made

    def _read(self, task: Task, made: Made) -> tuple[dict[Page, Answer | None], dict[Page, Links]]:
        """Every page of the thing with its links; where they lead besides is noted."""
        answers: dict[Page, Answer | None] = {}
        leading: dict[Page, Links] = {}
        elsewhere: set[str] = set()
        outside: set[str] = set()
        waiting = deque(read_page(root) for root in task.roots)
        while waiting:
            page = waiting.popleft()
            if page in answers:
                continue
            answer = answers[page] = _without_stray_address(read(page, self.site.base))
            leading[page] = Links(self.site, page)
            if answer is None or not answer.is_page:
                continue
            links, named = links_of(leading[page], answer.body.decode())
            outside |= named
            for link in links:
                if unit_of(link.path) == task.unit and not link.path.startswith(STATIC):
                    waiting.append(link)
                else:
                    elsewhere.add(link.address)
        made.links, made.outside = sorted(elsewhere), sorted(outside)
        return answers, leading

    def _put(self, task: Task, made: Made, page: Page, answer: Answer, links: Links) -> None:
        data, listed, file = answer.body, True, file_of(page)
        if answer.is_page:
            text = answer.body.decode()
            listed = NO_INDEX not in text
            links.dead = {*made.nothing, *made.dead}
            data = rewritten(links, text).encode()
            if not page.part and (page.path.strip("/") == task.unit or task.unit == "rules"):
                made.found.append((*_said(text), file))
        made.pages[page.address] = (put(self.folder, file, data, task.files), listed)


def _without_stray_address(answer: Answer | None) -> Answer | None:
    """Nothing, where a file has an address in it and the site's is not known."""
    return None if answer and not answer.is_page and NO_ADDRESS.encode() in answer.body else answer


def _said(text: str) -> tuple[str, str]:
    """What the search calls a page, and what it says besides."""
    title = TITLE.search(text)
    name = unescape(title[1]).strip().removesuffix("Spadille").strip(" ·") if title else ""
    when = WHEN.search(text)
    said = " ".join(unescape(TAG.sub("", when[1])).split()) if when else ""
    return name, said[:LONGEST_SAID]


def put(folder: Path, file: str, data: bytes, before: Mapping[str, str]) -> str:
    """Put a file into the folder of what is new, unless it is there as it is; what tells it from others."""
    digest = hashlib.blake2b(data, digest_size=8).hexdigest()
    if before.get(file) != digest:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return digest


class Making:
    """All pages of a site in one language; `prints` says what each is made of now, `before` what was made before."""

    def __init__(
        self, site: Site, prints: Mapping[str, str], before: Mapping[str, Made], folder: Path
    ) -> None:
        self.site, self.prints, self.before, self.folder = site, prints, before, folder
        self.done: dict[str, Made] = {}
        self.wanted: dict[str, set[str]] = defaultdict(set)
        self.ready: deque[str] = deque()
        self.busy: dict[str, Future[Made]] = {}
        self.static: set[str] = set()

    def make(
        self, roots: Iterable[Page], processes: int, tell: Callable[[int, int], None]
    ) -> dict[str, Made]:
        self.want(roots)
        with _Makers(self.site, self.folder, processes) as pool:
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
                wait(self.busy.values(), return_when=FIRST_COMPLETED)
                for unit in [unit for unit, made in self.busy.items() if made.done()]:
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
    """Makes pages in this process, or in others beside it."""

    def __init__(self, maker: Maker, others: ProcessPoolExecutor | None) -> None:
        self.maker, self.others = maker, others

    def make(self, task: Task) -> Future[Made]:
        if self.others is not None:
            return self.others.submit(_make, task)
        done: Future[Made] = Future()
        done.set_result(self.maker.make(task))
        return done


class _Makers:
    """The processes end with this one, and when all is made, or something has gone wrong."""

    def __init__(self, site: Site, folder: Path, processes: int) -> None:
        self.maker = Maker(site, folder)
        self.others = (
            ProcessPoolExecutor(
                processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=begin,
                initargs=(str(connection.settings_dict["NAME"]), pickle.dumps((site, folder))),
            )
            if processes > 1
            else None
        )

    def __enter__(self) -> Pool:
        return Pool(self.maker, self.others)

    def __exit__(self, *_problem: object) -> None:
        if self.others is not None:
            if _problem[0] is not None:
                for process in multiprocessing.active_children():
                    process.terminate()
            self.others.shutdown(cancel_futures=True)


# Of a process that only makes pages.
maker: Maker | None = None


def _make(task: Task) -> Made:
    assert maker is not None  # noqa: S101 - `beginning.begin` has made it
    return maker.make(task)


def searched(units: Mapping[str, Made]) -> Iterator[tuple[str, str, str]]:
    """(name, what else is said, file) of all that is found, by name."""
    yield from sorted({one for made in units.values() for one in map(tuple, made.found)})  # type: ignore[misc]
