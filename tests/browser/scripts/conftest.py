"""The captain's modules by themselves: in the engine that phones have, without a server and a database.

They need a browser's storage, fetch and elements, so they are asked in one, by tests like all others: a second runner
with stand-ins for all that would prove less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Route

HOST = "http://phone.test"
EMPTY = "<!doctype html><main id=main></main>"
FORGET = """() => new Promise((done) => {
    localStorage.clear();
    sessionStorage.clear();
    const asked = indexedDB.deleteDatabase("spadille");
    asked.onsuccess = asked.onerror = asked.onblocked = () => done();
})"""


def _answer(route: Route, html: str) -> None:
    path = Path(urlsplit(route.request.url).path)
    if path.suffix == ".js":
        route.fulfill(
            body=Path(settings.BASE_DIR, *path.parts[1:]).read_text(), content_type="text/javascript"
        )
    else:
        route.fulfill(body=html, content_type="text/html")


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


def _opened(page: Page, html: str) -> Page:
    page.unroute_all()
    page.route(f"{HOST}/**", lambda route: _answer(route, html))
    page.goto(f"{HOST}/c/secret/")
    page.evaluate(FORGET)
    return page


@pytest.fixture(scope="module")
def one_phone(chromium: Browser) -> Iterator[Page]:
    with _phone(chromium) as page:
        yield page


@pytest.fixture
def phone(one_phone: Page) -> Page:
    """A new page of a phone that keeps nothing of the page before."""
    return _opened(one_phone, EMPTY)


@pytest.fixture
def phone_with(one_phone: Page) -> Callable[[str], Page]:
    """The same with HTML of one's own."""
    return lambda html: _opened(one_phone, html)
