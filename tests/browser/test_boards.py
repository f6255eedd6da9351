"""Boards on the captain's phone: the folder is named with its deal, and another one can be named in its place."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.phone import captain, win_a_nolo
from tests.factories import first_table, make_tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_bob_sees_each_deals_folder_and_says_that_another_was_played(open_page):
    tournament = make_tournament(16, boards=True, board_sets=1, deals_per_round=40)
    table = first_table(tournament).round.tables.get(number=2)
    page = captain(open_page, table)
    expect(page.locator("#where")).to_have_text("Deal 1 · folder 9")
    win_a_nolo(page)
    expect(page.locator("#where")).to_have_text("Deal 2 · folder 10")
    page.locator(".tab", has_text="Menu").tap()
    expect(page.locator("#first-link")).to_be_hidden()
    page.goto(f"{page.url.partition('#')[0]}#deal-1")
    page.locator("#deal-folder").tap()
    page.fill("input[name=folder]", "13")
    page.fill("input[name=reason]", "mixed up")
    page.locator("main button", has_text="Save").tap()
    expect(page.locator("#sheet-lines tr").first).to_contain_text("folder 13")
    page.get_by_role("button", name="Deals 2 to 40: not played yet").tap()
    expect(page.locator("#sheet-lines tr").nth(4)).to_contain_text("folder 9")
    expect(page.locator("#sheet-lines tr").nth(32)).not_to_contain_text("folder 9")


def test_the_desks_page_of_the_folders_fits_a_phone(open_page, live_server, as_alice, club, alice):
    tournament = make_tournament(8, club=club, account=alice, boards=True, deals_per_round=8)
    page = open_page("/", phone=True)
    page.context.add_cookies(
        [{"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(live_server.url + reverse("desk_boards", args=[tournament.code]))
    expect(page.locator("code").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
