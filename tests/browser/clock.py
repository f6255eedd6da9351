"""The clock of a page that was opened with `clock=True`: it goes on by the test's word, however busy the machine is."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from playwright.sync_api import Error, Page

if TYPE_CHECKING:
    from playwright.sync_api import Request

NOW = "Date.now() / 1000"
# The requests that each page waits for.
UNDER_WAY: WeakKeyDictionary[Page, set[Request]] = WeakKeyDictionary()


def stop_clock(page: Page) -> None:
    """Stop the page's clock, a second ahead or later: it takes a moment to come alone."""
    try:
        page.clock.pause_at(page.evaluate(NOW) + 1)
    except Error:  # that moment was over when the page heard of it, which has stopped the clock
        page.clock.pause_at(page.evaluate(NOW))


def watch_requests(page: Page) -> None:
    """Note which requests of a page are under way, from before it is opened: `pass_seconds` waits for them."""
    under_way = UNDER_WAY[page] = set()

    def begin(request: Request) -> None:
        if request.resource_type != "eventsource":  # it stays open
            under_way.add(request)

    def end(request: Request) -> None:
        under_way.discard(request)

    page.on("request", begin)
    page.on("requestfinished", end)
    page.on("requestfailed", end)


def pass_seconds(page: Page, seconds: int) -> None:
    """Let so many seconds pass on a stopped clock; each begins when all requests have been answered.

    One that was under way before would else be answered behind the last second, and its next poll never come.
    """
    for _second in range(seconds):
        _wait_for_answers(page)
        page.clock.run_for(1000)
    _wait_for_answers(page)


def _wait_for_answers(page: Page) -> None:
    page.evaluate("0")  # events of a page are heard while something is asked of it
    while UNDER_WAY[page]:
        page.evaluate("0")
