"""Nothing moves under a finger: every zone of the entry is at the same pixel, whatever the page says or asks."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phone import (
    LATER_IS_HERE,
    badge,
    captain,
    go_to,
    settled,
    tap,
    until,
    win_a_nolo,
)
from tests.factories import first_table, make_tournament, report
from tournaments.models import Report

pytestmark = pytest.mark.browser

# Head, the last deal, this deal, who plays, what, trumps, the result: their places, and that of all buttons in them.
ZONES = """() => Object.fromEntries([".strip", "#last", "#at-deal", "#declarer", "#contract", "#trump", "#result"].map((zone) => {
    const place = (node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
    };
    const node = document.querySelector(zone);
    const buttons = zone === "#last" ? [] : [...node.querySelectorAll("button, .button, .tab")].filter(({ offsetWidth }) => offsetWidth);
    return [zone, [place(node), ...buttons.map(place)]];
}))"""  # noqa: E501 - a line of another language


def zones(page: Page) -> dict[str, list[list[int]]]:
    settled(page)
    assert page.evaluate("window.scrollY") == 0
    return page.evaluate(ZONES)


@pytest.mark.parametrize("size", [(360, 640), (320, 568)])
@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_every_zone_stays_at_its_pixel_in_all_states(open_page, transactional_db, size, locale) -> None:
    table = first_table(make_tournament(players=4, deals_per_round=8))
    page = open_page(f"/c/{table.secret}/", phone=True, locale=locale, size=size)
    expect(page.locator("#entry")).to_be_visible()
    until(page, LATER_IS_HERE)
    expect(badge(page)).to_contain_text("0")
    first = zones(page)
    seen = {"before the first deal": first}
    page.locator("#save").tap()
    expect(page.locator("#declarer.asked")).to_be_visible()
    seen["saved too early"] = zones(page)
    page.locator("#declarer button").first.tap()
    seen["a declarer"] = zones(page)
    page.locator("#save").tap()
    expect(page.locator("#contract.asked")).to_be_visible()
    seen["no contract"] = zones(page)
    page.locator("#contract button").nth(5).tap()
    page.locator("#save").tap()
    seen["no trump"] = zones(page)
    page.locator("#trump button").nth(1).tap()
    seen["all but the result"] = zones(page)
    page.locator("#result button").nth(1).tap()
    expect(page.locator("#last.saved")).to_be_visible()
    seen["a tout, saved"] = zones(page)
    page.locator("#declarer .passed").tap()
    expect(page.locator("#last-state")).to_contain_text("2")
    seen["all passed, saved"] = zones(page)
    page.context.set_offline(True)
    page.locator("#declarer button").first.tap()
    page.locator("#contract button").nth(7).tap()
    page.locator("#result button").first.tap()
    expect(page.locator("#last.kept")).to_be_visible()
    expect(badge(page)).to_have_class("badge-link busy")
    seen["kept on the phone"] = zones(page)
    assert {state for state, places in seen.items() if places != first} == set()


def test_all_passed_is_one_tap_and_its_button_sleeps_before_the_next_deal(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    passed = page.locator("#declarer .passed")
    passed.tap()
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(passed).to_have_attribute("aria-disabled", "true")
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert Report.objects.get().result == {"all_passed": True}
    expect(passed).to_have_attribute("aria-disabled", "false")
    page.locator("#undo").tap()
    expect(page.locator("#where")).to_have_text("Deal 1 of 4")
    expect(badge(page)).to_have_text("✓ 0 sent")


def test_a_phone_that_asks_for_save_asks_after_all_passed_too(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    go_to(page, "menu")
    page.locator("#careful").tap()
    go_to(page, "")
    page.locator("#declarer .passed").tap()
    expect(page.locator("#where")).to_have_text("Deal 1 of 4")
    tap(page, "Save")
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")


def test_what_is_missing_is_said_in_the_bar_and_ringed(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.locator("#save").tap()
    expect(page.locator("#preview")).to_have_text("First choose who plays: one of the names at the top.")
    expect(page.locator("#declarer")).to_have_class("group declarers asked")
    page.locator("#declarer button").first.tap()
    expect(page.locator("#declarer")).to_have_class("group declarers")
    expect(page.locator("#preview")).to_have_text("What is played?")


def test_buttons_of_players_say_how_they_stand_and_then_what_the_deal_gives(open_page, bobs_table) -> None:
    report(bobs_table, 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    page = captain(open_page, bobs_table)
    tokens = Report.objects.get().tokens
    shown = page.locator("#declarer .who i").all_inner_texts()
    out = page.locator("#dealer-line").inner_text().split()[-1]
    signs = [f"+{amount}" if amount > 0 else f"−{-amount}" if amount else "0" for amount in tokens]
    assert sorted([*shown, out]) == sorted(signs)
    go_to(page, "menu")
    page.locator("#careful").tap()
    go_to(page, "")
    tap(page, page.locator("#declarer .label").first.inner_text(), "Pure nolo", "won")
    expect(page.locator("#declarer .who i.gives").first).to_have_text("+8")


def test_a_tout_is_saved_by_its_tap_and_asked_about_beside_the_way_back(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    tap(page, page.locator("#declarer .label").first.inner_text(), "Solo", "hearts", "tout")
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(page.locator("#preview")).to_contain_text("A tout is rare.")
    expect(page.locator("#undo")).to_have_text("Undo deal 1")
    expect(badge(page)).to_have_text("✓ 1 sent")
    expect(page.locator("#notices .message")).to_have_count(0)
    page.locator("#declarer button").first.tap()
    expect(page.locator("#preview")).to_have_text("What is played?")


def test_a_deal_is_said_to_be_saved_only_when_the_server_has_it(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.context.set_offline(True)
    win_a_nolo(page)
    expect(page.locator("#last-state")).to_have_text("✓ Kept on this phone")
    expect(page.locator("#said")).to_contain_text("Deal 1 kept on this phone.")
    expect(badge(page)).to_have_text("offline · 1 only here")
    assert "saved" not in page.locator("#last").inner_text()
    page.context.set_offline(False)
    expect(page.locator("#last-state")).to_have_text("✓ Deal 1 saved")
