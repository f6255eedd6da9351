"""What Bob does at his table: a phone of 360 x 640 with the captain's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.windows import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import Table

# As many deals as said, each by three taps.
WIN_NOLOS = """async (deals) => {
    const press = (group, text) =>
        [...document.querySelectorAll(`#${group} button`)].find((button) => button.textContent.includes(text)).click();
    const said = document.querySelector("#said");
    for (let deal = 1; deal <= deals; deal += 1) {
        press("declarer", "");
        press("contract", "Pure nolo");
        press("result", "won");
        while (!said.textContent.startsWith(`Deal ${deal} kept`)) await new Promise(requestAnimationFrame);
    }
}"""

# Whether the second script has come.
LATER_IS_HERE = "async () => Object.keys(globalThis.spadille?.later ?? {}).length > 0"


def captain(open_page: Callable[..., Page], table: Table, *, clock: bool = False) -> Page:
    page = open_page(f"/c/{table.secret}/", phone=True, clock=clock)
    expect(page.locator("#entry")).to_be_visible()
    return page


def tap(page: Page, *names: str) -> None:
    """Tap buttons of the entry by what is written on them."""
    for name in names:
        page.locator("#entry button", has_text=name).first.tap()


def forehand(page: Page) -> str:
    """The first player offered as declarer."""
    return page.locator("#declarer .label").first.inner_text()


def win_a_nolo(page: Page) -> None:
    """Report that the forehand won a pure nolo: three taps."""
    tap(page, forehand(page), "Pure nolo", "won")


def badge(page: Page) -> Locator:
    return page.locator("#badge")


def until(page: Page, holds: str) -> None:
    """Wait, as long as PATIENCE says, until an asynchronous function of the page says yes.

    `wait_for_function` takes any promise for a yes.
    """
    page.evaluate(
        f"""async () => {{
            for (let tries = 0; tries < {PATIENCE // 50}; tries += 1) {{
                if (await ({holds})()) return;
                await new Promise((resolve) => setTimeout(resolve, 50));
            }}
            throw new Error("it never came");
        }}"""
    )


def settled(page: Page) -> None:
    """Wait out the moment in which nothing answers after something has moved."""
    until(page, "async () => !document.documentElement.classList.contains('hushed')")


MARK = {"X-Spadille": "1"}  # on all that the program answers


def answer_reports(page: Page, answer: Callable[[Route], None]) -> None:
    """Stand between the phone and the server: `answer(route)` for every batch sent."""
    page.route("**/reports", answer)


def go_to(page: Page, view: str) -> None:
    page.goto(f"{page.url.split('#')[0]}#{view}")
