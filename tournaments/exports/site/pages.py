"""Rendering the pages of the published site: relative links between files, and no live updates."""

from __future__ import annotations

import hashlib
import re
from collections import deque
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import Http404, HttpRequest, QueryDict
from django.urls import resolve
from django.utils import translation

from core.caching import memo_scope
from tournaments.exports.site.addresses import (
    FRONT,
    Chosen,
    Fate,
    Made,
    Page,
    file_of,
    is_led_elsewhere,
    page_at,
    read_page,
    unit_of,
    way_to,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from django.http.response import HttpResponseBase


# The input is from our own templates: all attribute values are in double quotes, without quotes or brackets inside.
# So regular expressions suffice; a parser would take longer than rendering the page.

# What does nothing without a server, or without the scripts that speak with one. A browser lets no module be read from
# a folder; the theme's script is none.
IDLE = re.compile(
    r"<form\b.*?</form>"
    r"|<details class=\"(?:span|asking)\".*?</details>"
    r"|<button\b(?![^>]*data-theme-switch).*?</button>"
    r"|<script\b[^>]*type=\"module\"[^>]*></script>"
    r"|<aside\b[^>]* id=\"mine\".*?</aside>"
    r"|<p class=\"live-line.*?</p>"
    r"|<meta name=\"htmx-config\"[^>]*>"
    r"|<link rel=\"preload\"[^>]*>",
    re.DOTALL,
)
# What such scripts would look for.
FOR_SCRIPTS = re.compile(
    r' (?:hx-[\w-]+|data-live(?:-\w+)?|data-later|data-version|data-sum|data-help|data-close|data-me|data-code)="[^"]*"'
)
ANCHOR = re.compile(r"<a\b([^>]*)>(.*?)</a>", re.DOTALL)
HREF = re.compile(r'\bhref="([^"]*)"')
# Attributes of everything else that a browser loads.
FETCHED = re.compile(
    r'<(?:link|img|script|iframe|meta|image|use)\b[^>]*?\b(?:href|src|content)="(?P<at>[^"]*)"[^>]*>(?:</(?:script|iframe)>)?'
)
WHOLE = re.compile(r'<meta (?:property="og:(?:url|image)|name="twitter:)[^>]*>\s*')
OF_ADDRESS = re.compile(r'<meta (?:property="og:(?:url|image)"|name="twitter:image"|id="contrast") ')
# What is left around what has gone; what a script fills in has a name.
EMPTY = re.compile(
    r"<(li|p|ul|nav|h2|section|small)\b(?![^>]*\bid=)[^>]*>[\s·]*</\1>"
    r"|<section\b[^>]*>\s*<div class=\"section-head\">\s*<h2\b[^>]*>[^<]*</h2>\s*</div>\s*</section>"
)
LANGUAGE_FORM = re.compile(r'<form class="language".*?</form>', re.DOTALL)
HELP = re.compile(r'<a class="help"[^>]*>\?</a>')
FIND_ON_PHONES = re.compile(r'<a class="help on-phone".*?</a>', re.DOTALL)
LANGUAGES_HERE, FIND_HERE, FIND_THERE = "<!--languages-->", "<!--find-->", "<!--find on phones-->"
STATIC = "/static/"
NOT_LINKS = ("#", "mailto:", "tel:", "data:", "http:", "https:", "webcal:", "webcals:")
MAGNIFIER = (
    '<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" fill="none" stroke="currentColor"'
    ' stroke-width="2.5"><circle cx="10" cy="10" r="6"/><path d="m15 15 6 6"/></svg>'
)
NO_INDEX = '<meta name="robots" content="noindex">'


class Site(NamedTuple):
    """The parameters of a site that its pages need: contents, language, and public URL."""

    chosen: Chosen
    language: str
    languages: tuple[str, ...]
    # What the URLs begin with that the program meant for others, and whether that is this site's own.
    base: str
    # What the header leads to besides: (name, file).
    find: tuple[str, str]
    names: dict[str, str]
    root: str = "/"


Become = tuple[Fate, Page | None, str]


class Links:
    """The links of one page, as they become; `dead` are URLs that have turned out to be nothing."""

    def __init__(self, site: Site, here: Page) -> None:
        self.site, self.here = site, here
        self.dead: Collection[str] = ()
        self.file = file_of(here)
        # What is named and has no pages here.
        self.outside: set[str] = set()
        # Links repeat on a page; each is looked up when reading and when writing.
        self.known: dict[str, Become] = {}

    def become(self, link: str) -> Become:
        """The fate of a link, the page it leads to where it is one of the hall, and what is written for it."""
        if link not in self.known:
            self.known[link] = self._become(unescape(link))
        fate, page, written = self.known[link]
        if self.dead and page is not None and page.address in self.dead:
            # A page's name is informative without the link; “Print the ladder” without a file is not.
            return (Fate.WORDS if page.path.endswith("/") else Fate.GONE), None, ""
        return fate, page, written

    def _become(self, link: str) -> Become:
        if link.startswith(self.site.base):
            link = link.removeprefix(self.site.base) or "/"
        if link.startswith(NOT_LINKS):
            return Fate.LEADS, None, link
        if link.startswith(STATIC):
            return Fate.LEADS, Page(link), way_to(link.lstrip("/"), self.file)
        address, _hash, fragment = link.partition("#")
        page = page_at(address, self.here)
        if page is not None and page.path == "/" and self.site.root != "/":
            page = Page(self.site.root)
        fate = self.site.chosen.fate(page)
        if page is not None and fate is Fate.WORDS:
            self.outside.add(unit_of(page.path))
        if page is None or fate is not Fate.LEADS:
            return (Fate.WORDS if fate is Fate.LEADS else fate), None, ""
        return fate, page, way_to(file_of(page), self.file) + (f"#{fragment}" if fragment else "")


def _without_idle(text: str) -> str:
    return IDLE.sub("", text)


def links_of(links: Links, text: str) -> tuple[list[Page], set[str]]:
    """The pages and files that a page will lead to, and what it names that has no pages here."""
    site, found = links.site, dict[Page, None]()
    kept = WHOLE.sub("", _without_idle(text)) if not site.chosen.has_address else _without_idle(text)
    for link in (*HREF.findall(kept), *(one["at"] for one in FETCHED.finditer(kept) if _is_address(one))):
        _fate, page, _written = links.become(link)
        if page is not None:
            found[page] = None
    return list(found), links.outside - set(site.chosen.units)


def _is_address(tag: re.Match[str]) -> bool:
    """Whether the tag's value is a URL; most meta tags have text."""
    return not tag[0].startswith("<meta") or OF_ADDRESS.match(tag[0]) is not None


def rewritten(links: Links, text: str) -> str:
    """The page as a file."""
    site = links.site
    if not site.chosen.has_address:
        text = WHOLE.sub("", text)
    text = LANGUAGE_FORM.sub(LANGUAGES_HERE, HELP.sub(FIND_HERE, FIND_ON_PHONES.sub(FIND_THERE, text)))
    text = FETCHED.sub(lambda tag: _fetched(site, links, tag), _without_idle(text))
    text = FOR_SCRIPTS.sub("", ANCHOR.sub(lambda tag: _anchor(links, tag), text))
    while (shorter := EMPTY.sub("", text)) != text:
        text = shorter
    put = {
        FIND_HERE: _find(site, links.file, "help", MAGNIFIER),
        FIND_THERE: _find(site, links.file, "help on-phone", escape(site.find[0])),
        LANGUAGES_HERE: _languages(site, links.file),
    }
    return re.sub("|".join(put), lambda mark: put[mark[0]], text)


def _anchor(links: Links, tag: re.Match[str]) -> str:
    had = HREF.search(tag[1])
    if had is None:
        return tag[0]
    fate, page, written = links.become(had[1])
    if fate is Fate.WORDS:
        return tag[2]
    # A page that leads to itself is what was led to instead of what it has itself.
    is_itself = page == links.here and is_led_elsewhere(had[1].partition("#")[0].partition("?")[0])
    if fate is Fate.GONE or is_itself:
        return ""
    return f'<a{tag[1][: had.start()]}href="{escape(written)}"{tag[1][had.end() :]}>{tag[2]}</a>'


def _fetched(site: Site, links: Links, tag: re.Match[str]) -> str:
    if not _is_address(tag):
        return tag[0]
    fate, page, written = links.become(tag["at"])
    if fate is not Fate.LEADS:
        return ""
    if tag["at"].startswith(site.base):  # links for other sites remain absolute
        written = f"{site.base}/{file_of(page)}".removesuffix(FRONT) if page else site.base
    start, end = tag.span("at")
    return tag[0][: start - tag.start()] + escape(written) + tag[0][end - tag.start() :]


def _find(site: Site, file: str, style: str, said: str) -> str:
    """The way to the page that searches, where “?” was, and on phones in the menu."""
    name, there = site.find
    return f'<a class="{style}" href="{way_to(there, file)}" aria-label="{escape(name)}">{said}</a>'


def _languages(site: Site, file: str) -> str:
    """The links to the page in the site's other languages; each has a folder."""
    told = [
        f'<a href="{way_to(f"{code}/{file}", f"{site.language}/{file}")}" lang="{code}" hreflang="{code}">'
        f"{escape(site.names[code])}</a>"
        for code in site.languages
        if code != site.language
    ]
    return "".join(told)


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
