"""Phones and laptops that tests borrow: what a test leaves on one is wiped off, the browser behind it stays warm.

A browser's window of its own for each test costs a second of CPU, most of the time of a short test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.browser.windows import DESKTOP, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page


class Kind(NamedTuple):
    phone: bool
    locale: str
    # Whether tests move its clock: once it can be moved, that stays; each page finds it at the right time.
    clock: bool = False


class Device:
    """One browser context and a page in it that stays, so that the site's process lives on."""

    def __init__(self, browser: Browser, kind: Kind, origin: str) -> None:
        self.kind, self.origin = kind, origin
        # A worker would answer before a test that stands between page and server; test_captain_https has its own.
        self.context: BrowserContext = browser.new_context(
            viewport=PHONE if kind.phone else DESKTOP,
            has_touch=kind.phone,
            is_mobile=kind.phone,
            locale=kind.locale,
            service_workers="block",
        )
        # With the headers of all pages: else theirs, which ask for a process apart from others', would get a new one.
        self.parked = self.context.new_page()
        self.parked.goto(f"{origin}/health")
        self.session: CDPSession = self.context.new_cdp_session(self.parked)

    def page(self) -> Page:
        """Opened by the one that stays, and so in its process."""
        with self.parked.expect_popup() as opened:
            self.parked.evaluate("void open('about:blank')")
        page = opened.value
        if self.kind.clock:
            page.clock.install()
            page.clock.resume()  # a test before may have stopped it
        return page

    def wipe(self) -> None:
        """As new: no page, no cookie, nothing stored, nothing between it and the network."""
        for page in self.context.pages[1:]:
            page.close()
        self.context.set_offline(False)
        self.context.unroute_all()
        self.context.clear_cookies()
        # Behind what the closed pages have written last: told to the browser alone, it may be done before.
        self.parked.evaluate("localStorage.clear()")
        self.session.send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": "all"})
        self.session.send("Network.clearBrowserCache")


class Devices:
    """Those that are free, by kind: phone or not, the language that its browser asks for, whose clock it goes by."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self.browser, self.origin = browser, origin
        self.free: dict[Kind, list[Device]] = {}

    def borrow(self, kind: Kind) -> Device:
        free = self.free.setdefault(kind, [])
        return free.pop() if free else Device(self.browser, kind, self.origin)

    def give_back(self, device: Device) -> None:
        device.wipe()
        self.free[device.kind].append(device)
