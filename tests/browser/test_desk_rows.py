"""Pages of the desk take the rows that have changed, and the whole part where they show another one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.factories import report

pytestmark = pytest.mark.browser
# And something that a deal does not change.
PAGES = [
    ("standings/", "#places thead tr"),
    ("board/", "#board .names"),
    ("", "#hall"),
]


@pytest.fixture
def desk(open_page, as_alice, live_server):
    """Open a page of the desk, with the kinds of all later answers."""

    def opened(path):
        page = open_page("/health/")
        page.context.add_cookies(
            [{"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": live_server.url}]
        )
        page.goto(live_server.url + path)
        expect(page.locator(".live-line")).to_contain_text("Up to date")
        return page

    return opened


@pytest.mark.parametrize(("path", "unchanged"), PAGES)
def test_a_deal_changes_its_rows_and_leaves_the_others(desk, bobs_table, path, unchanged):
    report(bobs_table, 2)  # rows change by the next deal, the frame only by the first
    page = desk(f"/desk/t/{bobs_table.round.tournament.code}/{path}")
    part = page.locator("[data-live][data-sum]")
    page.evaluate("(selector) => { document.querySelector(selector).mark = true; }", unchanged)
    before = part.get_attribute("data-sum")
    with page.expect_response(
        lambda answer: (
            answer.request.headers.get("x-sum") == before
            and answer.headers["content-type"] == "application/json"
        )
    ):
        report(bobs_table, 1)
    expect(part).not_to_have_attribute("data-sum", before)
    assert page.evaluate("(selector) => document.querySelector(selector).mark", unchanged) is True
    now = page.locator("[data-live][data-sum]").inner_text()
    page.reload()
    assert page.locator("[data-live][data-sum]").inner_text() == now


def test_a_page_with_other_rows_is_made_whole(desk, bobs_table):
    report(bobs_table, 2)
    page = desk(f"/desk/t/{bobs_table.round.tournament.code}/standings/")
    page.evaluate("document.querySelector('#places tbody tr').remove()")
    assert page.locator("#places tbody tr").count() == 3
    report(bobs_table, 1)
    expect(page.locator("#places tbody tr")).to_have_count(4)
