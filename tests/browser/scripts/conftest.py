"""The captain's modules by themselves: in the engine that phones have, without a server and a database.

They need a browser's storage, fetch and elements, so they are asked in one, by tests like all others: a second runner
with stand-ins for all that would prove less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from threading import Event, Thread

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page

from tests.browser.windows import ELSEWHERE

EMPTY = "<!doctype html><main id=main></main>"
FORGET = """() => new Promise((done) => {
    localStorage.clear();
    sessionStorage.clear();
    const asked = indexedDB.deleteDatabase("spadille");
    asked.onsuccess = asked.onerror = asked.onblocked = () => done();
})"""


@dataclass(frozen=True)
class Said:
    """What the house answers at `/answer/<its number>`: `cut` promises more bytes than come, `slow` sends none."""

    status: int
    body: str
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    slow: bool = False


class House(ThreadingHTTPServer):
    """Has our modules, which a phone fetches once, what a test lets it answer, and one page at every other address."""

    daemon_threads = True
    block_on_close = False
    html = EMPTY
    answers: Sequence[Said] = ()
    closing = Event()

    @property
    def url(self) -> str:
        return f"http://{ELSEWHERE}:{self.server_port}"


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: House

    def do_GET(self) -> None:
        path = PurePosixPath(self.path.partition("?")[0])
        if path.parent.name == "answer":
            self._say(self.server.answers[int(path.name)])
            return
        if path.suffix == ".js":
            body = settings.BASE_DIR.joinpath(*path.parts[1:]).read_bytes()
            kind, kept = "text/javascript", "max-age=86400, immutable"
        else:
            body, kind, kept = self.server.html.encode(), "text/html", "no-store"
        self.send_response(200)
        for header in (("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", kept)):
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def _say(self, said: Said) -> None:
        if said.slow:
            self.server.closing.wait()
        body = said.body.encode()
        self.send_response(said.status)
        for header in said.headers.items():
            self.send_header(*header)
        if said.status not in (204, 304):
            self.send_header("Content-Length", str(len(body) + said.cut))
        self.end_headers()
        with suppress(OSError):  # who has not waited hears nothing
            self.wfile.write(body)
        self.close_connection = self.close_connection or said.cut or said.slow

    def log_message(self, *_said: object) -> None:
        """Nobody reads what was asked."""


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    house = House(("127.0.0.1", 0), _Answer)
    Thread(target=house.serve_forever, args=(0.02,), daemon=True).start()
    yield house
    house.closing.set()
    house.shutdown()
    house.server_close()


@contextmanager
def _phone(chromium: Browser) -> Iterator[Page]:
    """A phone whose pages can import our modules; an error on one of them fails the test."""
    errors: list[str] = []
    context = chromium.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def _opened(page: Page, house: House, html: str) -> Page:
    page.unroute_all()
    house.html = html
    page.goto(f"{house.url}/c/secret/")
    page.evaluate(FORGET)
    return page


@pytest.fixture(scope="module")
def one_phone(chromium: Browser) -> Iterator[Page]:
    with _phone(chromium) as page:
        yield page


@pytest.fixture
def phone(one_phone: Page, house: House) -> Page:
    """A new page of a phone that keeps nothing of the page before."""
    return _opened(one_phone, house, EMPTY)


@pytest.fixture
def phone_with(one_phone: Page, house: House) -> Callable[[str], Page]:
    """The same with HTML of one's own."""
    return lambda html: _opened(one_phone, house, html)
