"""The server tells open pages what has changed, and they ask for nothing; without a stream they ask as before."""

from __future__ import annotations

import json
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.bench.stage import hall, running
from tests.bench.wire import reports_body
from tests.browser.phone import WIN_NOLOS, until
from tests.kept import lay_out
from tests.patience import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A round of 80 players on a real server: (address, tournament's code, captains' links).

    Each test reports from a table of its own, and others may have reported before it.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATABASE_URL", "CACHE_URL"):
            patch.delenv(name, raising=False)
        folder = str(lay_out(tmp_path_factory.mktemp("events")))
        code, secrets = hall(80, folder)
        with running(folder, BACKUP_MINUTES="0") as (address, _process):
            yield address, code, secrets


def report(address, secret, deal):
    headers = {"Content-Type": "application/json"}
    request = Request(f"{address}/c/{secret}/reports", reports_body([deal]), headers)  # noqa: S310 - our own
    (answer,) = json.load(urlopen(request))["results"]  # noqa: S310
    assert answer["status"] == "accepted"


@pytest.fixture
def page(chromium):
    """A page, and the addresses that it has asked for, without what comes before the question mark's words."""
    context = chromium.new_context(locale="en-GB", viewport={"width": 360, "height": 640})
    context.add_init_script(COUNT_EVENTS)
    opened = watched(context.new_page())
    yield opened
    assert opened.faults == []
    context.close()


# How often a stream has told the page something.
COUNT_EVENTS = """
    window.told = 0;
    window.EventSource = class extends EventSource {
        constructor(address) {
            super(address);
            for (const name of ["still", "version", "part", "own"])
                this.addEventListener(name, () => { window.told += 1; });
        }
    };
"""


def watched(opened):
    """The page, which keeps what it asks for and what goes wrong in it."""
    opened.asked, opened.faults = [], []
    opened.on(
        "request", lambda request: opened.asked.append(request.url.rpartition("/")[2].partition("?")[0])
    )
    opened.on("pageerror", lambda error: opened.faults.append(str(error)))
    return opened


def follow(page, address):
    """Open a page and wait until its stream tells that it is up to date."""
    page.goto(address)
    expect(page.locator(".live-line")).to_contain_text("Up to date")
    until(
        page,
        "async () => performance.getEntriesByType('resource').some(({ name }) => name.includes('/version'))",
    )
    until(page, "async () => window.told > 0")
    page.wait_for_load_state("load")
    page.asked.clear()


def winners(page):
    """The rows of those who have won the two tokens of a report."""
    return page.locator("td.total:has-text('+2')")


def test_a_deal_is_on_every_page_though_none_asks(served, page):
    address, code, secrets = served
    follow(page, f"{address}/t/{code}/standings/")
    assert page.locator(".standings tbody tr").count() == 60
    before = winners(page).count()
    report(address, secrets[0], 1)
    expect(winners(page)).to_have_count(before + 1)
    assert page.locator(".standings tbody:not([data-own]) tr").count() == 60
    report(address, secrets[1], 1)
    expect(winners(page)).to_have_count(before + 2)
    assert [name for name in page.asked if name != "events"] == []
    # What the page shows is what a page that is opened now shows.
    shown = page.locator(".standings tbody:not([data-own])").inner_text()
    page.reload()
    assert page.locator(".standings tbody:not([data-own])").inner_text() == shown


def test_the_rest_of_a_long_list_comes_when_its_end_is_in_sight(served, page):
    address, code, secrets = served
    follow(page, f"{address}/t/{code}/standings/")
    page.locator("[data-rest]").scroll_into_view_if_needed()
    expect(page.locator(".standings tbody tr")).to_have_count(80)
    before = winners(page).count()
    report(address, secrets[2], 1)
    expect(winners(page)).to_have_count(before + 1)


def test_the_readers_own_row_comes_though_it_is_not_among_the_first(served, page):
    address, code, _secrets = served
    follow(page, f"{address}/t/{code}/standings/")
    last = 80
    mine = json.dumps({"numbers": {code: str(last)}})
    page.evaluate("(mine) => localStorage.setItem('spadille-my-player', mine)", mine)
    page.reload()
    expect(page.locator("#mine .mine-row")).to_be_visible()
    expect(page.locator("#mine a").first).to_have_attribute("href", f"{address}/t/{code}/player/{last}/")
    assert page.locator(".standings tbody:not([data-own]) tr").count() == 60


def test_a_page_that_is_hidden_has_no_stream_and_is_made_whole_when_it_is_seen_again(served, page):
    address, code, secrets = served
    follow(page, f"{address}/t/{code}/standings/")
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(hide, True)
    before = winners(page).count()
    seen = watched(page.context.new_page())
    follow(seen, f"{address}/t/{code}/standings/")
    report(address, secrets[3], 1)
    expect(winners(seen)).to_have_count(before + 1)
    assert winners(page).count() == before
    seen.close()
    page.evaluate(hide, False)
    expect(winners(page)).to_have_count(before + 1)


def test_without_a_stream_a_page_asks(served, page):
    address, code, secrets = served
    page.route("**/events?*", lambda route: route.abort())
    page.goto(f"{address}/t/{code}/standings/")
    before = winners(page).count()
    report(address, secrets[4], 1)
    expect(winners(page)).to_have_count(before + 1)


def test_the_wall_is_told_too(served, page):
    address, code, secrets = served
    follow(page, f"{address}/t/{code}/projector/")
    report(address, secrets[5], 1)
    expect(page.locator(".just").first).to_contain_text("table 6, deal 1")
    assert [name for name in page.asked if name not in ("events", "version")] == []


def captain(page, address, secret):
    """A captain's page that hears of its table by a stream, and has asked for all that it was told."""
    with page.expect_response("**/state*"), page.expect_request("**/events"):
        page.goto(f"{address}/c/{secret}/")
    expect(page.locator("#entry")).to_be_visible()
    wait_until_told_again(page)
    page.asked.clear()


def wait_until_told_again(page):
    """Wait for the stream's next event, which comes when nothing has changed, too, each 15 seconds."""
    before = page.evaluate("window.told")
    wait_until(lambda: page.evaluate("window.told") > before)


def test_a_report_costs_the_captains_phone_one_request_and_waiting_none(served, page):
    address, _code, secrets = served
    captain(page, address, secrets[6])
    with page.expect_response("**/reports"):
        page.evaluate(WIN_NOLOS, 3)
    wait_until_told_again(page)
    assert set(page.asked) == {"reports"}
    # What it shows is what it would be told.
    seats = page.evaluate("fetch('state').then((answer) => answer.json())")["seats"]
    page.evaluate("location.hash = 'sheet'")
    for seat in seats:
        expect(page.locator("#sheet-foot")).to_contain_text(str(abs(seat["tokens"])))


def test_a_captains_phone_hears_what_others_report_at_its_table(served, page):
    address, _code, secrets = served
    captain(page, address, secrets[8])
    with page.expect_response("**/state*"):
        report(address, secrets[8], 1)
    wait_until_told_again(page)
    assert page.asked.count("state") == 1


def test_a_captains_phone_asks_where_no_stream_tells_it_anything(served, page):
    address, _code, secrets = served
    page.route("**/events", lambda route: route.abort())
    page.goto(f"{address}/c/{secrets[9]}/")
    with page.expect_response("**/state*"):
        pass
    with page.expect_response("**/state*"):
        pass


def test_a_captains_phone_that_could_not_ask_asks_again_though_its_stream_tells_nothing_new(served, page):
    address, _code, secrets = served
    captain(page, address, secrets[10])
    page.route("**/state*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/state" in request.url):
        report(address, secrets[10], 1)
    expect(page.locator("#badge")).to_contain_text("offline")
    page.unroute("**/state*")
    expect(page.locator("#badge")).not_to_contain_text("offline")
    expect(page.locator("#badge")).to_contain_text("1 sent")


def test_a_report_that_could_not_be_sent_goes_as_soon_as_the_server_takes_it(served, page):
    address, _code, secrets = served
    captain(page, address, secrets[11])
    page.route("**/reports", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/reports" in request.url):
        page.evaluate(WIN_NOLOS, 1)
    wait_until_told_again(page)  # by now it waits longer before it tries again by itself
    page.unroute("**/reports")
    expect(page.locator("#badge")).to_contain_text("1 sent")
