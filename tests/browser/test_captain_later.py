"""What a deal can be entered without comes as a second script: by itself, again if it did not, and stays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.browser.phone import badge, captain, go_to, until, win_a_nolo
from tests.browser.tls import HttpsProxy, self_signed
from tests.browser.windows import PHONE
from tests.faults.stage import Stage

pytestmark = pytest.mark.browser

IS_HERE = "() => import('/static/js/captain/later.js').then(({ isLaterHere }) => isLaterHere())"


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
    expect(page.locator("#starting")).to_contain_text("comes with the network")
    expect(page.locator("#correction")).to_be_visible()
    expect(page.locator("#starting")).to_be_hidden()
    expect(page.locator("#contract [aria-pressed=true]")).to_have_text("Pure nolo")
    assert len(lost) == 3


@pytest.mark.parametrize("view", ["sheet", "deal-1", "correct-1", "menu"])
def test_without_a_tap_before_the_network_goes_everything_works(open_page, bobs_table, view) -> None:
    page = captain(open_page, bobs_table)
    until(page, IS_HERE)
    page.context.set_offline(True)
    win_a_nolo(page)
    go_to(page, view)
    expect(page.locator("#starting")).to_be_hidden()
    expect(page.locator(f"#{view.replace('correct', 'entry').removesuffix('-1')}")).to_be_visible()


def test_a_phone_that_keeps_the_page_keeps_all_of_it(chromium, tmp_path_factory) -> None:
    """As it is served: scripts in one, over https. Opened once, then without any network, a code can be shown."""
    stage = Stage(tmp_path_factory.mktemp("stage"), tables=1, deals=4)
    stage.start()
    proxy = HttpsProxy(f"http://127.0.0.1:{stage.port}", self_signed(stage.folder))
    proxy.start()
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True, ignore_https_errors=True)
    try:
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.goto(f"{proxy.url}/c/{stage.secrets[0]}/")
        until(page, "async () => caches.match(location.pathname)")
        proxy.stop()
        page.reload()
        win_a_nolo(page)
        expect(badge(page)).to_have_text("0 saved · 1 waiting · offline")
        go_to(page, "menu")
        page.get_by_role("button", name="Code for the desk").tap()
        expect(page.locator("svg.qr")).to_be_visible()
        page.locator(".tab", has_text="Back").tap()
        page.locator(".tab", has_text="Sheet").tap()
        expect(page.locator("#sheet-lines tr", has_text="Pure nolo")).to_have_count(1)
    finally:
        context.close()
        proxy.stop()
        stage.kill()
