"""Rendering the pages of the published site."""

from __future__ import annotations

import hashlib
import re
from collections import deque
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import Http404, HttpRequest, QueryDict
from django.urls import resolve
from django.utils import translation

from core.caching import memo_scope
from tournaments.exports.site.addresses import Made, Page, file_of, read_page, unit_of
from tournaments.exports.site.rewriting import NO_INDEX, STATIC, Links, Site, links_of, rewritten

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http.response import HttpResponseBase


# Fetch pages of the hall as an anonymous visitor without cookies, in one language.

# Prefix of absolute URLs if the site's own is unknown: it must not remain in any page.
NO_ADDRESS = "https://site.invalid"
FOUND = 200
# What the hall answers where it has nothing, or leads elsewhere.
NOTHING = frozenset({301, 302, 303, 307, 308, 404, 410})
PDF = "application/pdf"


class NotShown(Exception):
    """The hall did not show what it has: no site is made without it; in English, for the command line."""


class Answer(NamedTuple):
    body: bytes
    content_type: str

    @property
    def is_page(self) -> bool:
        return self.content_type.startswith("text/html")


class SiteRequest(HttpRequest):
    """A request for a page of the published site, with what middleware adds to a visitor's."""

    session: Any
    htmx: bool
    site_address: str
    is_for_site: bool
    _messages: CookieStorage


def request_for(page: Page, base: str) -> SiteRequest:
    """The request of an anonymous visitor; `base` is the prefix of absolute URLs."""
    request = SiteRequest()
    request.method = "GET"
    request.path = request.path_info = page.path
    request.GET = QueryDict(page.part)
    request.META = {"SERVER_NAME": "localhost", "SERVER_PORT": "80", "QUERY_STRING": page.part}
    request.user = AnonymousUser()
    request._messages = CookieStorage(request)
    request.session = {}
    request.htmx = False
    request.LANGUAGE_CODE = translation.get_language()
    request.site_address = base or NO_ADDRESS
    request.is_for_site = True
    return request


def read(page: Page, base: str) -> Answer | None:
    """The response of the hall; None for 404s and redirects. In the active language.

    Raises `NotShown` for any other error, so that nothing disappears from the site unnoticed.
    """
    request = request_for(page, base)
    match = resolve(page.path)
    request.resolver_match = match
    try:
        answer: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    except Http404:
        return None
    if answer.status_code in NOTHING:
        return None
    if answer.status_code != FOUND:
        raise NotShown(f"{page.address} answers {answer.status_code}.")
    content_type = answer.headers.get("Content-Type", "")
    if (
        page.path.endswith(".pdf") and content_type != PDF
    ):  # a sheet for a browser to print, on a machine without PDF
        return None
    return Answer(answer.getvalue(), content_type)


# Making the pages of one tournament, person or club: from page to page by their links.

TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
WHEN = re.compile(r'<p class="when">(.*?)</p>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
LONGEST_SAID = 120


class Task(NamedTuple):
    """A task: render the pages that `roots` link to; `files` are the digests of existing files."""

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
        """Render the unit's pages from its roots along their links; other targets are collected in `made`."""
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
                made.found.append((*_title_and_description(text), file))
        made.pages[page.address] = (put(self.folder, file, data, task.files), listed)


def _without_stray_address(answer: Answer | None) -> Answer | None:
    """Return no file if it contains a URL while the site's own is not known."""
    return None if answer and not answer.is_page and NO_ADDRESS.encode() in answer.body else answer


def _title_and_description(text: str) -> tuple[str, str]:
    """Title and description for the search."""
    title = TITLE.search(text)
    name = unescape(title[1]).strip().removesuffix("Spadille").strip(" ·") if title else ""
    when = WHEN.search(text)
    said = " ".join(unescape(TAG.sub("", when[1])).split()) if when else ""
    return name, said[:LONGEST_SAID]


def put(folder: Path, file: str, data: bytes, before: Mapping[str, str]) -> str:
    """Write a file to the staging folder unless it is unchanged; returns its fingerprint."""
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
