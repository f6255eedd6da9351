"""The captain's modules by themselves: in the engine that phones have, without a server and a database.

They need a browser's storage, fetch and elements, so they are asked in one, by tests like all others: a second runner
with stand-ins for all that would prove less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Route

HOST = "http://phone.test"
KINDS = {".js": "text/javascript", ".css": "text/css"}
EMPTY = "<!doctype html><main id=main></main>"


def _answer(route: Route, html: str) -> None:
    path = Path(urlsplit(route.request.url).path)
    if path.parts[:2] != ("/", "static"):
        route.fulfill(body=html, content_type="text/html")
        return
    file = Path(settings.BASE_DIR, *path.parts[1:])
    route.fulfill(body=file.read_text(), content_type=KINDS[file.suffix])


@pytest.fixture
def blank(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """A phone's page with this HTML, which can import our modules; an error on it fails the test."""
    contexts = []
    errors: list[str] = []

    def opened(html: str = EMPTY) -> Page:
        context = chromium.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.route(f"{HOST}/**", lambda route: _answer(route, html))
        page.goto(f"{HOST}/c/secret/")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []
