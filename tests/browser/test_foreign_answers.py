"""Somebody else answers in the server's place: a login page of the hall's Wi-Fi, a proxy, a router.

Until the network is back nothing on a page may change but the word that there is no connection, and nothing is lost.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from tests.browser.phone import LATER_IS_HERE, badge, captain, go_to, until, win_a_nolo
from tests.factories import report
from tournaments.models import Flag, Report

pytestmark = pytest.mark.browser

HTML = "<!doctype html><title>Welcome</title><h1>Sign in to our Wi-Fi</h1>"
FOREIGN: dict[str, dict[str, Any]] = {
    "a login page": {"status": 200, "content_type": "text/html", "body": HTML},
    "an empty object": {"status": 200, "content_type": "application/json", "body": "{}"},
    "nothing": {"status": 200, "body": ""},
    "no content": {"status": 204, "body": ""},
    "a refusal": {"status": 400, "content_type": "text/html", "body": HTML},
    "a login to be made": {"status": 403, "content_type": "text/html", "body": HTML},
    "no such address": {"status": 404, "content_type": "application/json", "body": '{"error": "unknown"}'},
    "gone": {"status": 410, "content_type": "text/html", "body": HTML},
    "too many": {"status": 429, "content_type": "text/html", "body": HTML},
    "a broken proxy": {"status": 502, "content_type": "text/html", "body": HTML},
}


def stand_between(page: Page, answer: dict[str, Any]) -> None:
    """Answer in the server's place whatever the page's scripts ask."""

    def instead(route: Route) -> None:
        if route.request.resource_type in ("fetch", "xhr"):
            route.fulfill(**answer)
        else:
            route.continue_()

    page.route("**/*", instead)


@pytest.mark.parametrize("who", FOREIGN)
def test_a_captains_page_goes_on_as_without_a_network(open_page, bobs_table, who) -> None:
    page = captain(open_page, bobs_table)
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    until(page, LATER_IS_HERE)
    stand_between(page, FOREIGN[who])
    expect(badge(page)).to_have_text("offline")
    win_a_nolo(page)
    page.locator("#mark-later").tap()
    expect(badge(page)).to_have_text("offline · 2 only here")
    expect(page.locator("#where")).to_have_text("Deal 4 of 4")
    expect(page.locator("#notices .message")).to_have_count(0)
    page.reload()
    expect(page.locator("#where")).to_have_text("Deal 4 of 4")
    expect(page.locator("#entry")).to_be_visible()
    assert (Report.objects.count(), Flag.objects.count()) == (1, 0)
    page.unroute("**/*")
    expect(badge(page)).to_have_text("✓ 2 sent")
    assert (Report.objects.count(), Flag.objects.get().deal) == (2, 3)


def test_a_call_is_said_to_be_heard_only_when_the_organiser_has_it(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    stand_between(page, FOREIGN["a login page"])
    go_to(page, "call")
    page.get_by_role("button", name="Please come over").tap()
    expect(page.locator("#called-state")).to_have_text("The call is kept on this phone")
    expect(badge(page)).to_have_text("offline · 1 only here")
    assert Flag.objects.count() == 0
    page.unroute("**/*")
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert Flag.objects.count() == 1


ODD = {
    "what an older program kept of a login page": {"heard": None, "deals": [], "table": {}},
    "a table without its deals": {"deals": []},
    "deals of no table": {"deals": [{"number": 99, "dealer": 0}] * 4},
    "no seats": {"seats": []},
    "words": "told",
    "nothing": None,
}


@pytest.mark.parametrize("what", ODD)
def test_what_a_phone_kept_is_thrown_away_where_it_is_odd(open_page, bobs_table, what) -> None:
    page = captain(open_page, bobs_table)
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    odd = ODD[what]
    spoil = """([odd, secret]) => {
        const state = JSON.parse(document.getElementById("state").textContent);
        const told = odd && odd.trim ? odd : odd && { ...state, heard: 10 ** 9, ...odd };
        localStorage.setItem("spadille-told", JSON.stringify({ table: secret, language: "en", told }));
        localStorage.setItem("spadille-phone", JSON.stringify({}));
        localStorage.setItem("spadille-outbox:x", "{");
        localStorage.setItem("spadille-outbox:y", JSON.stringify({ key: "y", table: secret, status: "waiting" }));
        sessionStorage.setItem(`spadille-draft:${secret}`, JSON.stringify({ name: "entry", number: 2, selection: {} }));
    }"""
    page.evaluate(spoil, [odd, bobs_table.secret])
    bobs_table.__class__.objects.update(phone="")
    page.reload()
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(badge(page)).to_have_text("✓ 1 sent")
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 2 sent")


def test_a_page_that_shows_the_hall_keeps_what_it_shows(open_page, bobs_table) -> None:
    tournament = bobs_table.round.tournament
    page = open_page(f"/t/{tournament.code}/")
    line = page.locator(".live-line")
    expect(line).to_contain_text("Up to date")
    shown = page.locator("[data-live]").first.inner_text()
    stand_between(page, FOREIGN["a login page"])
    expect(line).to_contain_text("No connection since")
    report(bobs_table, 1)
    assert page.locator("[data-live]").first.inner_text() == shown
    page.unroute("**/*")
    expect(line).to_contain_text("Up to date")


@pytest.mark.parametrize("who", ["a login page", "an empty object", "nothing"])
def test_a_part_that_somebody_else_answers_does_not_come_into_the_hall_or_the_desk(
    open_page, bobs_table, alice, who
) -> None:
    tournament = bobs_table.round.tournament
    asked: list[str] = []

    def parts_alone(route: Route) -> None:
        """The version comes through, and tells of something new; the part that shows it does not."""
        if route.request.headers.get("hx-request"):
            asked.append(route.request.url)
            route.fulfill(**FOREIGN[who])
        else:
            route.continue_()

    page = open_page("/clubs/login/")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("a long password")
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/")
    home = page.url.removesuffix("/desk/")
    for name in ("hall", "desk_board"):
        page.unroute("**/*")
        page.goto(home + reverse(name, args=[tournament.code]))
        parts = page.locator("[data-live]")
        expect(page.locator(".live-line")).to_contain_text("Up to date")
        count = parts.count()
        asked.clear()
        page.route("**/*", parts_alone)
        report(bobs_table, 1 + Report.objects.count())
        expect(page.locator(".live-line")).to_contain_text("No connection since")
        assert asked
        assert parts.count() == count
        assert "Sign in to our Wi-Fi" not in page.content()
