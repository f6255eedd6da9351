"""At the desk, on a phone's width too: what another has stored meanwhile stands beside what is typed, and fits."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.test_axe import violations_here
from tests.factories import report
from tournaments.ledger import Author

pytestmark = pytest.mark.browser

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.mark.parametrize("width", [360, 1280])
def test_both_versions_of_a_deal_fit_beside_each_other(open_page, bobs_table, alice, width) -> None:
    report(bobs_table, 1)
    page = open_page("/clubs/login/")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("a long password")
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/")
    page.set_viewport_size({"width": width, "height": 640})
    deal = reverse("desk_deal", args=[bobs_table.round.tournament.code, 1, 1, 1])
    page.goto(page.url.replace("/desk/", deal))
    report(bobs_table, 1, SOLO, base=1, reason="typed wrong", author=Author("desk", alice))
    page.locator("[name=line]").fill("B game h bete")
    expect(page.locator("#effect .both-versions")).to_be_visible()  # while it is typed already
    page.locator("[name=reason]").fill("the paper says so")
    page.get_by_role("button", name="Save the correction").click()
    both = page.locator(".both-versions")
    expect(both).to_contain_text("typed wrong")
    expect(both.locator(".differs")).to_have_count(4)
    expect(page.locator("[name=line]")).to_have_value("B game h bete")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations_here(page) == []
    page.get_by_role("button", name="Save the correction").click()
    expect(page.locator("#deal-1")).to_contain_text("bête")
    assert bobs_table.dealt.get(number=1).current.revision == 3
