"""A real Chromium against the real program: Debian's browser, driven over its debugging protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.windows import CHROMIUM, DESKTOP, PHONE, QUIET
from tests.factories import first_table, make_tournament
from tournaments.models import Table


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright's synchronous interface keeps an event loop in this thread; Django must not take that for an async
        # view. Only while there is a browser: it is nothing for the other tests' servers.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, live_server) -> Iterator[Callable[..., Page]]:
    """Open a page of the program in a device of its own; any error on it fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def opened(path: str, *, phone: bool = False, locale: str = "en-GB") -> Page:
        # A worker would answer before a test that stands between page and server; test_captain_https has its own.
        context = chromium.new_context(
            viewport=PHONE if phone else DESKTOP,
            has_touch=phone,
            is_mobile=phone,
            locale=locale,
            service_workers="block",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(live_server.url + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def bobs_table(transactional_db, alice) -> Table:
    """Bob's table, in a short round that runs."""
    return first_table(make_tournament(players=4, deals_per_round=4, account=alice))
