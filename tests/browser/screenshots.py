"""The README's pictures, taken anew from the demo: `make screenshots`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.stage import empty_folder, python, served, setup_django
from tests.browser.windows import CHROMIUM, DESKTOP, PHONE, QUIET

PICTURES = Path(__file__).parent / "pictures"


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with empty_folder() as folder:
        setup_django(folder)
        python("manage.py", "demo", folder=folder)
        links = json.loads(python("manage.py", "links", "--json", folder=folder).stdout)
        ((fullest, _tables),) = Counter(link["tournament"] for link in links).most_common(1)
        link = next(link for link in links if link["tournament"] == fullest)
        with served(folder) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            captain(browser, f"{address}/c/{link['secret']}/")
            standings(browser, f"{address}/t/{link['tournament']}/standings/")
            board(browser, address, f"/desk/t/{link['tournament']}/board/")
            browser.close()


def opened(browser: Browser, address: str, size: dict[str, int]) -> Page:
    page = browser.new_context(viewport=size, device_scale_factor=1, locale="en-GB").new_page()
    page.goto(address)
    return page


def captain(browser: Browser, address: str) -> None:
    """A game in hearts, one tap before it is saved."""
    page = opened(browser, address, PHONE)
    page.locator("#declarer button").first.click()
    page.locator("#entry").get_by_role("button", name="Game").first.click()
    page.locator("#entry").get_by_role("button", name="hearts").click()
    page.screenshot(path=PICTURES / "captain.png")


def standings(browser: Browser, address: str) -> None:
    opened(browser, address, PHONE).screenshot(path=PICTURES / "standings.png")


def board(browser: Browser, address: str, path: str) -> None:
    from tournaments.demo import PASSWORD, USERNAME

    page = opened(browser, address + path, DESKTOP)
    page.get_by_label("User name").fill(USERNAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator(".tile").first.wait_for()
    page.screenshot(path=PICTURES / "board.png")


if __name__ == "__main__":
    main()
