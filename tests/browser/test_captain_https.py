"""Over https the captain's page starts without a network: it is kept on the phone, and only what may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.phone import badge, until, win_a_nolo
from tests.browser.tls import HttpsProxy, self_signed
from tests.browser.windows import PHONE
from tests.factories import report
from tournaments.lifecycle.playing import close_round
from tournaments.models import Report, Table

pytestmark = pytest.mark.browser

KEPT = """async () => {
    const cache = await caches.open("captain");
    return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    return self_signed(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def proxy(live_server, tls) -> Iterator[HttpsProxy]:
    proxy = HttpsProxy(live_server.url, tls)
    proxy.start()
    yield proxy
    proxy.stop()


@pytest.fixture
def open_kept(chromium: Browser, proxy: HttpsProxy) -> Iterator[Callable[[str], Page]]:
    """Open a page over https on one phone, once it is kept there."""
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True, ignore_https_errors=True)

    def opened(path: str) -> Page:
        page = context.new_page()
        page.goto(proxy.url + path)
        until(page, f"async () => (await ({KEPT})()).includes('{path}')")
        until(page, "async () => Boolean(navigator.serviceWorker.controller)")
        return page

    yield opened
    context.close()


def test_a_page_reloaded_offline_is_there_with_all_deals_and_takes_more(open_kept, proxy, bobs_table) -> None:
    page = open_kept(f"/c/{bobs_table.secret}/")
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    proxy.stop()
    win_a_nolo(page)
    expect(badge(page)).to_have_text("offline · 1 only here")
    page.reload()
    expect(page.locator("#where")).to_have_text("Deal 3 of 4")
    expect(badge(page)).to_have_text("offline · 1 only here")
    win_a_nolo(page)
    win_a_nolo(page)
    # The second script comes by itself when it can, on a busy machine later.
    expect(page.locator("#agree-problem")).to_contain_text("Some deals are still waiting on this phone")
    page.reload()
    expect(badge(page)).to_have_text("offline · 3 only here")
    page.locator(".tab", has_text="Sheet").tap()
    expect(page.locator("#sheet-lines tr", has_text="Pure nolo")).to_have_count(4)
    proxy.start()
    expect(badge(page)).to_have_text("✓ 4 sent")
    assert sorted(Report.objects.values_list("deal_number", flat=True)) == [1, 2, 3, 4]


def test_only_the_page_and_its_files_are_kept(open_kept, bobs_table) -> None:
    page = open_kept(f"/c/{bobs_table.secret}/")
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    kept = set(page.evaluate(KEPT))
    assert {path for path in kept if not path.startswith("/static/")} == {f"/c/{bobs_table.secret}/"}
    assert {"/static/css/captain.css", "/static/js/captain/main.js", "/static/js/captain/more.js"} <= kept


def test_offline_a_table_opens_its_own_page_and_no_other(
    open_kept, proxy, bobs_table, transactional_db
) -> None:
    page = open_kept(f"/c/{bobs_table.secret}/")
    proxy.stop()
    with pytest.raises(Error, match="ERR_FAILED"):
        page.goto(f"{proxy.url}/c/{'x' * len(bobs_table.secret)}/")


def test_a_dead_link_leaves_only_the_page_that_says_so_and_what_waits(
    open_kept, proxy, bobs_table, alice
) -> None:
    page = open_kept(f"/c/{bobs_table.secret}/")
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    expect(page.locator("#notices")).to_contain_text("The round has been closed.")
    until(page, "async () => ((await caches.match(location.pathname)) || {}).status === 410")
    proxy.stop()
    page.reload()
    expect(page.locator("h1")).to_have_text("Thank you for tonight, table 1")
    until(page, "async () => localStorage.getItem('spadille-told') === 'null'")


class _Portal(BaseHTTPRequestHandler):
    """The login page of the hall's Wi-Fi, in place of whatever is asked for, or of a redirect to it."""

    redirects = False

    def do_GET(self) -> None:
        body = b"<!doctype html><title>Wi-Fi</title>Sign in"
        away = self.redirects and self.path != "/welcome"
        self.send_response(302 if away else 200)
        self.send_header("Location", "/welcome")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_said: object) -> None:
        """Nobody reads what was asked."""


@pytest.fixture(params=[False, True], ids=["answers", "redirects"])
def portal(request) -> Iterator[tuple[str, int]]:
    """The address of such a page."""
    handler = type("Portal", (_Portal,), {"redirects": request.param})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server.server_address
    server.shutdown()
    server.server_close()


def test_a_login_page_takes_the_place_of_no_page_or_file_that_is_kept(
    open_kept, proxy, portal, bobs_table
) -> None:
    page = open_kept(f"/c/{bobs_table.secret}/")
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    server = proxy.target
    proxy.stop()
    proxy.target = portal
    proxy.start()
    for _again in range(2):
        page.reload()
        expect(page.locator("#where")).to_have_text("Deal 2 of 4")
        expect(badge(page)).to_have_text("offline")
    win_a_nolo(page)
    texts = page.evaluate(
        """async () => {
            const cache = await caches.open("captain");
            return Promise.all((await cache.keys()).map(async (key) => (await (await cache.match(key)).text())));
        }"""
    )
    assert texts
    assert not any("Sign in" in text and "Wi-Fi" in text for text in texts)
    proxy.stop()
    proxy.target = server
    proxy.start()
    expect(badge(page)).to_have_text("✓ 2 sent")


def test_a_login_page_that_was_kept_is_not_shown(open_kept, proxy, bobs_table) -> None:
    page = open_kept(f"/c/{bobs_table.secret}/")
    page.evaluate(
        """async () => {
            const cache = await caches.open("captain");
            const kind = { headers: { "content-type": "text/html" } };
            for (const key of await cache.keys()) await cache.put(key, new Response("Sign in to our Wi-Fi", kind));
        }"""
    )
    page.reload()
    expect(page.locator("#entry")).to_be_visible()
    until(page, "async () => (await (await caches.match(location.pathname)).text()).includes('id=\"app\"')")
    proxy.stop()
    page.reload()
    expect(page.locator("#entry")).to_be_visible()


def test_a_new_version_of_the_page_takes_the_place_of_the_one_kept(open_kept, proxy, bobs_table) -> None:
    page = open_kept(f"/c/{bobs_table.secret}/")
    page.evaluate(
        """async () => {
            const cache = await caches.open("captain");
            await cache.put("/static/js/captain/old.0123456789ab.js", new Response(""));
            await cache.put(location.pathname, new Response("an old page"));
        }"""
    )
    report(bobs_table, 1)
    page.reload()
    expect(badge(page)).to_have_text("✓ 1 sent")
    until(page, f"async () => !(await ({KEPT})()).some((path) => path.includes('old.'))")
    proxy.stop()
    page.reload()
    expect(badge(page)).to_contain_text("✓ 1 sent")


@pytest.mark.django_db
def test_the_worker_looks_after_captains_alone(client) -> None:
    answer = client.get("/c/worker.js")
    assert answer["Content-Type"] == "text/javascript"
    assert "js/captain/worker.js" in answer.content.decode()
    assert Table.objects.count() == 0
