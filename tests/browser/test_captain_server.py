"""The captain's page before the program as it is run: what it loads and keeps; a server is killed and comes back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.browser.phone import WIN_NOLOS, answer_reports, badge, go_to, until, win_a_nolo
from tests.browser.tls import HttpsProxy, self_signed
from tests.browser.windows import PHONE
from tests.faults.stage import Stage
from tests.kept import lay_out

pytestmark = pytest.mark.browser

DEALS = 24


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    stage = Stage(lay_out(tmp_path_factory.mktemp("stage")), tables=2, deals=DEALS)
    stage.start()
    yield stage
    stage.kill()


def test_the_page_is_light_and_loses_nothing_to_a_server_killed_in_the_middle_of_a_batch(
    chromium, stage: Stage
) -> None:
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True, service_workers="block")
    page = context.new_page()
    loaded: list[Response] = []
    page.on("response", lambda response: loaded.append(response))  # noqa: PLW0108 - Playwright asks for a Python function
    with page.expect_response(lambda response: "/more." in response.url):
        page.goto(f"http://127.0.0.1:{stage.port}/c/{stage.secrets[0]}/")
    expect(page.locator("#entry")).to_be_visible()
    assert_is_light(loaded)

    context.set_offline(True)
    page.evaluate(WIN_NOLOS, DEALS)
    expect(badge(page)).to_contain_text(f"{DEALS} only here")
    kill_after_storing(page, stage)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/reports")):
        context.set_offline(False)
    assert stage.server is None
    expect(badge(page)).to_have_text(f"offline · {DEALS} only here")
    page.unroute("**/reports")
    stage.start()
    expect(badge(page)).to_have_text(f"✓ {DEALS} sent")
    verified, waiting, reports = stage.recount()
    assert sorted(deal for _link, _key, deal, _result in reports) == list(range(1, DEALS + 1))
    assert waiting == 0
    assert verified
    context.close()


def test_a_phone_that_keeps_the_page_keeps_all_of_it(chromium, stage: Stage) -> None:
    """As it is served: scripts in one, over https. Opened once, then without any network, a code can be shown."""
    proxy = HttpsProxy(f"http://127.0.0.1:{stage.port}", self_signed(stage.folder))
    proxy.start()
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True, ignore_https_errors=True)
    try:
        page = context.new_page()
        page.goto(f"{proxy.url}/c/{stage.secrets[1]}/")
        until(page, "async () => caches.match(location.pathname)")
        proxy.stop()
        page.reload()
        win_a_nolo(page)
        expect(badge(page)).to_have_text("offline · 1 only here")
        go_to(page, "menu")
        page.get_by_role("button", name="Code for the desk").tap()
        expect(page.locator("svg.qr")).to_be_visible()
        page.locator(".tab", has_text="Back").tap()
        page.locator(".tab", has_text="Sheet").tap()
        expect(page.locator("#sheet-lines tr", has_text="Pure nolo")).to_have_count(1)
    finally:
        context.close()
        proxy.stop()


def assert_is_light(loaded: list[Response]) -> None:
    """The first script under 48 kB and the whole under 120 kB before compression; test_static_files.py: after."""
    sizes = {
        response.url: len(response.body()) for response in loaded if response.request.resource_type != "fetch"
    }
    scripts = sum(size for url, size in sizes.items() if url.endswith(".js") and "/more." not in url)
    assert 30_000 < scripts < 48_000
    assert any("/more." in url for url in sizes)
    assert sum(sizes.values()) < 120_000, sizes.values()


def kill_after_storing(page: Page, stage: Stage) -> None:
    """The first batch reaches the server, which is killed (-9) before its answer reaches the phone."""

    def carry(route: Route) -> None:
        if stage.server is not None:
            route.fetch()
            stage.kill()
        route.abort()

    answer_reports(page, carry)
