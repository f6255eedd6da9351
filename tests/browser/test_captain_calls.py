"""Calls of the organiser and marks for later wait in the outbox as deals do: on the phone's disk, and sent once."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.browser.phone import LATER_IS_HERE, MARK, answer_reports, badge, captain, go_to, until, win_a_nolo
from tests.factories import report
from tournaments import ledger
from tournaments.ledger.submissions import most_waiting
from tournaments.lifecycle.playing import close_round
from tournaments.models import Flag, KeptReport, Table

pytestmark = pytest.mark.browser


def asked(table: Table) -> list[tuple[str, int | None, str]]:
    """What waits for the desk."""
    return [(flag.kind, flag.deal, flag.words) for flag in table.flags.filter(settled_at=None).order_by("pk")]


def call(page: Page, words: str) -> None:
    go_to(page, "call")
    page.locator("#call-words").fill(words)
    page.locator("#call .words button").tap()


def notices(page: Page):
    return page.locator("#notices")


def test_a_mark_and_a_call_without_a_network_survive_a_reload_and_are_sent_later(
    open_page, bobs_table
) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    page.route("**/flag", lambda route: route.abort())
    page.locator("#mark-later").tap()
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    call(page, "cards are missing")
    expect(badge(page)).to_contain_text("offline · 2 only here")
    expect(page.locator("#called-state")).to_have_text("The call is kept on this phone")
    go_to(page, "")
    page.reload()
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(badge(page)).to_contain_text("offline · 2 only here")
    go_to(page, "menu")
    expect(page.locator("#flags")).to_contain_text(
        "Deal 1 is marked for later; the mark is waiting on this phone."
    )
    expect(page.locator("#flags")).to_contain_text("The call is waiting on this phone: cards are missing")
    assert asked(bobs_table) == []
    page.unroute("**/flag")
    expect(badge(page)).to_have_text("✓ 0 sent")
    expect(page.locator("#flags")).to_contain_text("The organiser has been called: cards are missing")
    assert asked(bobs_table) == [("later", 1, ""), ("call", None, "cards are missing")]


def test_an_answer_lost_on_the_way_calls_nobody_twice(open_page, bobs_table, alice) -> None:
    page = captain(open_page, bobs_table)
    keys: list[str] = []

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.post_data_json["key"])
        if len(keys) > 1:
            route.continue_()
            return
        route.fetch()
        ledger.settle_flag(Flag.objects.get(), alice, now=timezone.now())
        route.abort()

    page.route("**/flag", lose_the_first)
    with page.expect_response("**/flag"):  # the second: the first is none
        call(page, "cards are missing")
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert len(set(keys)) == 1
    assert len(keys) > 1
    assert (Flag.objects.count(), asked(bobs_table)) == (1, [])


def test_a_mark_undone_without_a_network_calls_nobody_when_it_returns(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    answer_reports(page, lambda route: route.abort())
    win_a_nolo(page)
    expect(badge(page)).to_have_text("offline · 1 only here")
    page.context.set_offline(True)
    page.locator("#mark-later").tap()
    expect(page.locator("#where")).to_have_text("Deal 3 of 4")
    go_to(page, "deal-2")
    page.locator("#deal-later").tap()
    expect(page.locator("#deal-later")).to_have_text("Mark for later")
    page.unroute("**/reports")
    page.context.set_offline(False)
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert asked(bobs_table) == []


def test_a_mark_that_the_desk_has_is_taken_back_there(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    page.locator("#mark-later").tap()
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert asked(bobs_table) == [("later", 1, "")]
    go_to(page, "deal-1")
    page.locator("#deal-later").tap()
    expect(page.locator("#deal-later")).to_have_text("Mark for later")
    go_to(page, "")
    expect(page.locator("#where")).to_have_text("Deal 1 of 4")
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert asked(bobs_table) == []


def test_a_call_that_is_not_taken_says_why_and_keeps_its_words(open_page, bobs_table, alice) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    message = "The round is not running."
    page.route(
        "**/flag",
        lambda route: route.fulfill(status=409, json={"error": "no", "message": message}, headers=MARK),
    )
    call(page, "cards are missing")
    expect(notices(page)).to_contain_text("The organiser has not been called: cards are missing")
    expect(notices(page)).to_contain_text(message)
    expect(badge(page)).to_have_text("✓ 0 sent · 1 to check")
    page.reload()
    expect(notices(page)).to_contain_text("cards are missing")
    page.get_by_role("button", name="Discard it").tap()
    expect(badge(page)).to_have_text("✓ 0 sent")


def test_where_too_much_waits_for_the_organiser_a_call_waits_on_the_phone(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    full = [True]

    def answer(route: Route) -> None:
        if full:
            route.fulfill(
                status=429,
                json={
                    "error": "no_room",
                    "message": "Too much from this table is waiting for the organiser.",
                },
                headers=MARK,
            )
        else:
            route.continue_()

    page.route("**/flag", answer)
    call(page, "cards are missing")
    expect(badge(page)).to_have_text("0 sent · 1 only here")
    full.clear()
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert asked(bobs_table) == [("call", None, "cards are missing")]


def test_a_reason_calls_by_one_tap_and_undo_takes_it_back(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    go_to(page, "call")
    places = (
        "() => [...document.querySelectorAll('#call button:not(#call-undo)')].map((one) => one.offsetTop)"
    )
    before = page.evaluate(places)
    reasons = page.locator("#call-reasons button")
    expect(reasons).to_have_count(4)
    reasons.nth(0).tap()
    expect(page.locator("#called-state")).to_have_text("The organiser has been called")
    assert asked(bobs_table) == [("call", None, "call_deal")]
    assert page.evaluate(places) == before
    expect(reasons.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(reasons.nth(1)).to_have_attribute("aria-disabled", "true")
    page.locator("#call-undo").tap()
    expect(page.locator("#called-state")).to_have_text("What is it about?")
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert asked(bobs_table) == []


def test_typed_words_call_and_stay_in_sight_with_an_undo(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    call(page, "cards are missing")
    expect(page.locator("#called-state")).to_have_text("The organiser has been called")
    expect(page.locator("#called-text")).to_have_text("cards are missing")
    expect(page.locator("#call-words")).to_have_value("")
    page.locator("#call-undo").tap()
    expect(page.locator("#called-state")).to_have_text("What is it about?")
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert asked(bobs_table) == []


def test_without_a_network_a_call_says_to_raise_a_hand_and_is_taken_back_unheard(
    open_page, bobs_table
) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    page.context.set_offline(True)
    go_to(page, "call")
    page.locator("#call-reasons button").nth(3).tap()
    expect(page.locator("#called-state")).to_have_text("The call is kept on this phone")
    expect(page.locator("#called-text")).to_contain_text("raise your hand")
    page.locator("#call-undo").tap()
    expect(page.locator("#called-state")).to_have_text("What is it about?")
    page.context.set_offline(False)
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert Flag.objects.filter(settled_at=None).count() == 0


# A dead link


def test_a_call_that_a_closed_round_kept_from_the_desk_is_said(open_page, bobs_table, alice) -> None:
    page = captain(open_page, bobs_table)
    page.route("**/flag", lambda route: route.abort())
    call(page, "cards are missing")
    expect(badge(page)).to_contain_text("1 only here")
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    page.unroute("**/flag")
    page.reload()
    expect(page.locator("h1")).to_have_text("Thank you for tonight, table 1")
    expect(notices(page)).to_contain_text("The organiser has not been called: cards are missing")
    page.get_by_role("button", name="Discard it").tap()
    expect(page.locator("#notices .message")).to_have_count(0)


def test_a_late_deal_that_there_is_no_room_for_waits_on_the_phone_and_says_so(
    open_page, bobs_table, alice
) -> None:
    page = captain(open_page, bobs_table)
    answer_reports(page, lambda route: route.abort())
    win_a_nolo(page)
    expect(badge(page)).to_contain_text("1 only here")
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    for _report in range(most_waiting(bobs_table)):
        report(bobs_table, 2)
    page.unroute("**/reports")
    page.reload()
    expect(notices(page)).to_contain_text("Too many reports from this table are waiting for the organiser;")
    expect(notices(page)).to_contain_text("Deal 1 is still on this phone")
    expect(page.get_by_role("button", name="Code for the desk")).to_be_visible()
    for kept in KeptReport.objects.all():
        ledger.set_aside(kept, alice, now=timezone.now())
    page.reload()
    expect(notices(page)).to_contain_text("Deal 1 came too late and is kept for the organiser")
    assert KeptReport.objects.filter(state="waiting").count() == 1


def test_everybody_agrees_while_a_call_waits(open_page, bobs_table) -> None:
    """Only deals keep a table from agreeing."""
    for deal in range(1, 5):
        report(bobs_table, deal)
    page = open_page(f"/c/{bobs_table.secret}/", phone=True)
    expect(page.locator("#agree")).to_be_visible()
    page.route("**/flag", lambda route: route.abort())
    call(page, "may we go home?")
    expect(badge(page)).to_contain_text("1 only here")
    go_to(page, "")
    page.locator("#agree-all").tap()
    expect(page.locator("#agree-done")).to_be_visible()
    assert not bobs_table.seats.filter(agreed_at=None).exists()
