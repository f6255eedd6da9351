"""The clock of a page that was opened with `clock=True`: it goes on by the test's word, however busy the machine is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Error

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

NOW = "Date.now() / 1000"


def stop_clock(page: Page) -> None:
    """Stop the page's clock, a second ahead or later: it takes a moment to come alone."""
    try:
        page.clock.pause_at(page.evaluate(NOW) + 1)
    except Error:  # that moment was over when the page heard of it, which has stopped the clock
        page.clock.pause_at(page.evaluate(NOW))


def pass_seconds(page: Page, seconds: int) -> None:
    """Let so many seconds pass on a stopped clock; what the page asks for is answered before the next one begins."""
    under_way: set[Request] = set()

    def begin(request: Request) -> None:
        under_way.add(request)

    def end(request: Request) -> None:
        under_way.discard(request)

    heard = {"request": begin, "requestfinished": end, "requestfailed": end}
    for event, hear in heard.items():
        page.on(event, hear)
    for _second in range(seconds):
        page.clock.run_for(1000)
        page.evaluate("0")  # what happens on a page is heard while it is asked something
        while under_way:
            page.evaluate("0")
    for event, hear in heard.items():
        page.remove_listener(event, hear)
