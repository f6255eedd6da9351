"""Making the pages of one tournament, person or club: from page to page by their links."""

from __future__ import annotations

import hashlib
import re
from collections import deque
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.utils import translation

from core.caching import memo_scope
from tournaments.published.addresses import Page, file_of, read_page, unit_of
from tournaments.published.kept import Made
from tournaments.published.reader import NO_ADDRESS, Answer, read
from tournaments.published.rewriting import NO_INDEX, STATIC, Links, Site, links_of, rewritten

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        with translation.override(self.site.language), memo_scope():
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


# Of a process that only makes pages.
maker: Maker | None = None


def make_here(task: Task) -> Made:
    """Make them in such a process."""
    assert maker is not None  # noqa: S101 - `beginning.begin` has made it
    return maker.make(task)
