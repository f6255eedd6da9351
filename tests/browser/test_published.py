"""A published site in a browser, from the disk and from a plain file server; and the page that says how to follow."""

from __future__ import annotations

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import until
from tests.browser.windows import DESKTOP, PHONE
from tests.tournaments.hall.years.conftest import chairs, evenings, people, play
from tournaments.exports.site import publishing
from tournaments.exports.site.addresses import BRIEF
from tournaments.exports.site.publishing import Wanted, publish

__all__ = ["chairs", "evenings", "people", "play"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What was still asked for as the next page was opened.
LEFT = "net::ERR_ABORTED"
WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PAPER = "getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def site(evenings, tmp_path, monkeypatch):
    monkeypatch.setattr(publishing, "flush_folder_to_disk", lambda _folder: None)
    folder = tmp_path / "site"
    publish(folder, Wanted(("en", "da"), depth=BRIEF))
    return folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_said: object) -> None:
        pass


@pytest.fixture
def served(site):
    """The address of a server that knows files alone."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()


def looked_up(page: Page, name: str, own: int) -> None:
    """From the first page through the search to somebody's own page."""
    page.locator("header a[href$='find/index.html']:visible").first.click()
    page.get_by_role("searchbox").fill(name.split(maxsplit=1)[0])
    page.get_by_role("link", name=name).click()
    page.wait_for_url(f"**/person/{own}/index.html")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


@pytest.mark.parametrize("how", ["from the disk", "from a file server"])
def test_a_published_site_is_read_and_searched_without_a_server(how, chromium: Browser, site, served, chairs):
    address = site.joinpath("index.html").as_uri() if how == "from the disk" else served
    wrong: list[str] = []
    for size, dark in ((DESKTOP, False), (PHONE, True)):
        context = chromium.new_context(
            viewport=size, color_scheme="dark" if dark else "light", locale="en-GB"
        )
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("requestfailed", lambda asked: asked.failure == LEFT or wrong.append(asked.url))
        page.on("response", lambda answer: answer.status < 400 or wrong.append(answer.url))
        page.goto(address)
        page.wait_for_url("**/en/index.html")
        if size == PHONE:
            page.locator("details.more summary").click()
        looked_up(page, chairs[0].name, chairs[0].pk)
        assert not page.evaluate(WIDE)
        papers = page.evaluate(PAPER)
        page.emulate_media(color_scheme="light" if dark else "dark")
        until(page, f"async () => {PAPER} !== {json.dumps(papers)}")
        page.go_back()
        expect(page.get_by_role("searchbox")).to_be_visible()
        context.close()
    assert wrong == []


def test_who_follows_a_club_finds_each_way_and_copies_it(club, evenings, open_page, live_server):
    page = open_page(f"/club/{club.slug}/follow/", phone=True)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Follow {club.name}")
    assert page.get_by_role("link", name="Subscribe").get_attribute("href").startswith("webcal:")
    for field in ("calendar-address", "feed-address"):
        address = urlsplit(page.locator(f"#{field}").input_value())
        assert page.request.get(f"{live_server.url}{address.path}?{address.query}").status == 200
        page.locator(f"[data-copy={field}]").tap()
        expect(page.locator("[data-share-said]")).to_have_text("Copied")
    line = page.locator("#embed-line").input_value()
    assert "<iframe" in line
    shown = page.frame_locator("iframe")
    expect(shown.locator("body")).to_contain_text(evenings[-1].name)
    page.get_by_role("button", name="Show the line").tap()
    page.wait_for_url("**#embed")
    assert not page.evaluate(WIDE)
