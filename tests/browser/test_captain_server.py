"""The captain's page before the program as it is run: what it loads, and a server that is killed and comes back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.browser.phone import WIN_NOLOS, answer_reports, badge
from tests.browser.windows import PHONE
from tests.faults.stage import Stage

pytestmark = pytest.mark.browser

DEALS = 24


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    stage = Stage(tmp_path_factory.mktemp("stage"), tables=1, deals=DEALS)
    yield stage
    stage.kill()


def test_the_page_is_light_and_loses_nothing_to_a_server_killed_in_the_middle_of_a_batch(
    chromium, stage: Stage
) -> None:
    stage.start()
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True, service_workers="block")
    page = context.new_page()
    page.set_default_timeout(20_000)
    loaded: list[Response] = []
    page.on("response", lambda response: loaded.append(response))  # noqa: PLW0108 - Playwright asks for a Python function
    with page.expect_response(lambda response: "/more." in response.url):
        page.goto(f"http://127.0.0.1:{stage.port}/c/{stage.secrets[0]}/")
    expect(page.locator("#entry")).to_be_visible()
    assert_is_light(loaded)

    context.set_offline(True)
    page.evaluate(WIN_NOLOS, DEALS)
    expect(badge(page)).to_contain_text(f"0 saved · {DEALS} waiting")
    kill_after_storing(page, stage)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/reports")):
        context.set_offline(False)
    assert stage.server is None
    expect(badge(page)).to_have_text(f"0 saved · {DEALS} waiting · offline")
    page.unroute("**/reports")
    stage.start()
    expect(badge(page)).to_have_text(f"{DEALS} saved · 0 waiting", timeout=40_000)
    verified, waiting, reports = stage.recount()
    assert sorted(deal for _link, _key, deal, _result in reports) == list(range(1, DEALS + 1))
    assert waiting == 0
    assert verified
    context.close()


def assert_is_light(loaded: list[Response]) -> None:
    """What a deal needs under 40 kB of scripts and the whole under 100 kB, both before they are compressed."""
    sizes = {
        response.url: len(response.body()) for response in loaded if response.request.resource_type != "fetch"
    }
    scripts = sum(size for url, size in sizes.items() if url.endswith(".js") and "/more." not in url)
    assert 30_000 < scripts < 40_000
    assert any("/more." in url for url in sizes)
    assert sum(sizes.values()) < 100_000, sizes.values()


def kill_after_storing(page: Page, stage: Stage) -> None:
    """The first batch reaches the server, which is killed (-9) before its answer reaches the phone."""

    def carry(route: Route) -> None:
        if stage.server is not None:
            route.fetch()
            stage.kill()
        route.abort()

    answer_reports(page, carry)
