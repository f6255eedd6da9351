"""The captain's modules by themselves: in the engine that phones have, without a server and a database.

They need a browser's storage, fetch and elements, so they are asked in one, by tests like all others: a second runner
with stand-ins for all that would prove less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Route

HOST = "http://phone.test"
EMPTY = "<!doctype html><main id=main></main>"


def _answer(route: Route, html: str) -> None:
    path = Path(urlsplit(route.request.url).path)
    if path.suffix == ".js":
        route.fulfill(
            body=Path(settings.BASE_DIR, *path.parts[1:]).read_text(), content_type="text/javascript"
        )
    else:
        route.fulfill(body=html, content_type="text/html")


@contextmanager
def phone_page(chromium: Browser, html: str = EMPTY) -> Iterator[Page]:
    """A phone's page with this HTML, which can import our modules; an error on it fails the test."""
    errors: list[str] = []
    context = chromium.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route(f"{HOST}/**", lambda route: _answer(route, html))
    page.goto(f"{HOST}/c/secret/")
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    with phone_page(chromium) as page:
        yield page


@pytest.fixture
def phone_with(chromium: Browser) -> Iterator[Callable[[str], Page]]:
    """A phone's page with HTML of one's own."""
    with ExitStack() as stack:
        yield lambda html: stack.enter_context(phone_page(chromium, html))
