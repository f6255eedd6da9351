"""A real Chromium against the real program: Debian's browser, driven over its debugging protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.staticfiles.storage import StaticFilesStorage
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.clock import watch_requests
from tests.browser.devices import Device, Devices, Kind
from tests.browser.files import KeptFiles
from tests.browser.windows import CHROMIUM, PATIENCE, QUIET
from tests.factories import first_table, make_tournament
from tournaments.models import Table


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright's synchronous interface keeps an event loop in this thread; Django must not take that for an async
        # view. Only while there is a browser: it is nothing for the other tests' servers.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        patch.setattr(browser, "new_context", _patient(browser.new_context))
        expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


def _patient(new_context: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """`new_context`, whose pages are waited for as long as PATIENCE says."""

    def opened(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(PATIENCE)
        return context

    return opened


@pytest.fixture(scope="session")
def _kept_files() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.contrib.staticfiles.handlers.StaticFilesHandler", KeptFiles)
        yield


@pytest.fixture(scope="session")
def live_server(_kept_files, live_server):
    return live_server


@pytest.fixture(autouse=True)
def _scripts_in_one() -> Iterator[None]:
    """A page names none to be fetched one by one. Of each test: other folders' tests may come behind these."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesStorage, "modules_in_one", True, raising=False)
        yield


@pytest.fixture(scope="session")
def devices(chromium: Browser, live_server) -> Devices:
    return Devices(chromium, live_server.url)


@pytest.fixture
def open_page(devices: Devices, live_server) -> Iterator[Callable[..., Page]]:
    """Open a page of the program in a device of its own, of the usual size; any error on it fails the test."""
    borrowed: list[Device] = []
    errors: list[str] = []

    def opened(
        path: str,
        *,
        phone: bool = False,
        locale: str = "en-GB",
        clock: bool = False,
        size: tuple[int, int] | None = None,
    ) -> Page:
        borrowed.append(devices.borrow(Kind(phone, locale, clock)))
        page = borrowed[-1].page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        if clock:
            watch_requests(page)
        if size:
            page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(live_server.url + path)
        return page

    yield opened
    for device in borrowed:
        devices.give_back(device)
    assert errors == []


@pytest.fixture
def open_looked_at(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Open a page that has axe-core in it wherever it goes: told to it once, not at every address."""

    def opened(*, phone: bool = False) -> Page:
        page = open_page("/health/", phone=phone)
        page.add_init_script(Axe().axe_script)
        return page

    return opened


@pytest.fixture
def bobs_table(transactional_db, alice) -> Table:
    """Bob's table, in a short round that runs."""
    return first_table(make_tournament(players=4, deals_per_round=4, account=alice))
