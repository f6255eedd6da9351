"""The menu of the page's head: it closes as menus do."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def opened(open_page, alice) -> Page:
    page: Page = open_page("/")
    page.locator("details.more > summary").click()
    expect(page.locator("details.more")).to_have_attribute("open", "")
    return page


def test_escape_closes_the_menu_and_the_focus_is_on_its_button(opened):
    opened.keyboard.press("Tab")
    opened.keyboard.press("Escape")
    expect(opened.locator("details.more[open]")).to_have_count(0)
    expect(opened.locator("details.more > summary")).to_be_focused()


def test_a_tap_outside_closes_the_menu_and_one_inside_does_not(opened):
    opened.get_by_role("button", name="Dark room").click()
    expect(opened.locator("details.more[open]")).to_have_count(1)
    opened.locator("main").click(position={"x": 5, "y": 5})
    expect(opened.locator("details.more[open]")).to_have_count(0)


def test_the_help_that_the_menu_opens_does_not_stand_over_it(open_page, alice):
    page = open_page("/", phone=True)
    page.locator("details.more > summary").click()
    page.locator(".menu a.help").click()
    expect(page.locator("dialog.help-panel")).to_be_visible()
    expect(page.locator("details.more[open]")).to_have_count(0)
