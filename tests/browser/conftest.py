"""A real Chromium against the real program: Debian's browser, driven over its debugging protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.devices import Device, Devices
from tests.browser.windows import CHROMIUM, QUIET
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


@pytest.fixture(scope="session")
def devices(chromium: Browser, live_server) -> Devices:
    return Devices(chromium, live_server.url)


@pytest.fixture
def open_page(devices: Devices, live_server) -> Iterator[Callable[..., Page]]:
    """Open a page of the program in a device of its own; any error on it fails the test.

    Whose clock a test is to move says so: a device keeps it.
    """
    borrowed: list[Device] = []
    thrown_away: list[Device] = []
    errors: list[str] = []

    def opened(path: str, *, phone: bool = False, locale: str = "en-GB", clock: bool = False) -> Page:
        device = devices.borrow((phone, locale))
        (thrown_away if clock else borrowed).append(device)
        page = device.page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        if clock:
            page.clock.install()
        page.goto(live_server.url + path)
        return page

    yield opened
    for device in borrowed:
        devices.give_back(device)
    for device in thrown_away:
        device.context.close()
    assert errors == []


@pytest.fixture
def bobs_table(transactional_db, alice) -> Table:
    """Bob's table, in a short round that runs."""
    return first_table(make_tournament(players=4, deals_per_round=4, account=alice))
