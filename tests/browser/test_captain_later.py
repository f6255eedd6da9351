"""What a deal can be entered without comes as a second script: by itself, again if it did not, and stays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.browser.phone import LATER_IS_HERE, captain, go_to, until, win_a_nolo

pytestmark = pytest.mark.browser


def test_what_has_not_come_says_so_and_comes_with_the_network(open_page, bobs_table) -> None:
    page = open_page("/c/", phone=True)
    lost: list[str] = []

    def lose_two(route: Route) -> None:
        lost.append(route.request.url)
        route.abort() if len(lost) < 3 else route.continue_()

    page.route("**/more.js*", lose_two)
    page.goto(page.url + bobs_table.secret + "/")
    win_a_nolo(page)
    go_to(page, "correct-1")
    expect(page.locator("#starting")).to_contain_text("it appears once there is a connection")
    expect(page.locator("#correction")).to_be_visible()
    expect(page.locator("#starting")).to_be_hidden()
    expect(page.locator("#contract [aria-pressed=true]")).to_have_text("Pure nolo")
    assert len(lost) == 3


@pytest.mark.parametrize("view", ["sheet", "deal-1", "correct-1", "menu"])
def test_without_a_tap_before_the_network_goes_everything_works(open_page, bobs_table, view) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    page.context.set_offline(True)
    win_a_nolo(page)
    go_to(page, view)
    expect(page.locator("#starting")).to_be_hidden()
    expect(page.locator(f"#{view.replace('correct', 'entry').removesuffix('-1')}")).to_be_visible()
