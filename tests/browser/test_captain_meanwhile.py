"""What somebody else reports while Bob types: it is said, shown beside his, and neither is lost or written over."""

from __future__ import annotations

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser import phone
from tests.browser.phone import (
    LATER_IS_HERE,
    MARK,
    answer_reports,
    badge,
    forehand,
    go_to,
    settled,
    tap,
    until,
    win_a_nolo,
)
from tests.browser.test_axe import violations_here
from tests.factories import report
from tournaments.ledger import Author
from tournaments.models import Deal, Report, Table

pytestmark = pytest.mark.browser

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
DESK = Author("desk")


def captain(open_page, table: Table) -> Page:
    """Bob's page, with its second script."""
    page = phone.captain(open_page, table)
    until(page, LATER_IS_HERE)
    return page


def versions(table: Table, deal: int) -> list[tuple[str, str]]:
    """Each version's source and outcome, the newest last."""
    reports = Report.objects.filter(table=table, deal_number=deal).order_by("revision")
    return [(one.source, one.outcome) for one in reports]


def card(page: Page):
    return page.locator("#notices .message")


def differs(page: Page) -> list[list[str]]:
    return [row.split("\t") for row in card(page).locator("tr.differs").all_inner_texts()]


def correct(page: Page, deal: int) -> None:
    go_to(page, f"correct-{deal}")
    expect(page.locator("#correction")).to_be_visible()


# A correction


def test_a_correction_is_not_saved_over_one_made_meanwhile(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    correct(page, 1)
    tap(page, "bête")
    report(bobs_table, 1, SOLO, base=1, reason="the slip", author=DESK)
    expect(card(page)).to_contain_text("Deal 1 was entered or changed elsewhere: check what counts now.")
    assert ["Contract", "Solo ♥", "Pure nolo"] in differs(page)
    assert ["Result", "won", "bête"] in differs(page)
    settled(page)
    # What sticks to the foot lies over half a row of buttons, which can be scrolled from under it.
    page.locator("#bar").evaluate("(bar) => { bar.style.position = 'static'; }")
    assert violations_here(page) == []
    tap(page, "typed wrong")
    page.locator("#save").tap()
    expect(page.locator("#result-problem")).to_have_text("Choose above which of the two is right.")
    assert versions(bobs_table, 1) == [("captain", "won"), ("desk", "won")]
    page.get_by_role("button", name="This phone is right").tap()
    expect(card(page)).to_have_count(0)
    expect(page.locator("#result [aria-pressed=true]")).to_contain_text("bête")
    expect(page.locator("#reason")).to_have_value("typed wrong")
    page.locator("#save").tap()
    expect(page.locator("#sheet")).to_be_visible()
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert versions(bobs_table, 1) == [("captain", "won"), ("desk", "won"), ("captain", "bete")]


def test_a_correction_made_without_a_network_is_told_of_the_other_when_it_is_sent(open_page, bobs_table):
    """The phone could not know: the server says so, and both stand beside each other."""
    report(bobs_table, 1)
    page = captain(open_page, bobs_table)
    correct(page, 1)
    page.context.set_offline(True)
    report(bobs_table, 1, SOLO, base=1, reason="the slip", author=DESK)
    tap(page, "all passed", forehand(page), "Pure nolo", "won", "typed wrong")
    page.locator("#save").tap()
    expect(badge(page)).to_contain_text("1 only here")
    page.context.set_offline(False)
    expect(card(page)).to_contain_text("Deal 1: another phone reported it differently")
    assert ["Contract", "Solo ♥", "Pure nolo"] in differs(page)
    assert versions(bobs_table, 1) == [("captain", "washout"), ("desk", "won")]


def test_two_reports_of_a_deal_that_wait_are_none_of_them_stored_over_anothers(open_page, bobs_table):
    """The second goes over the first; it must not pass for one that saw what the desk has typed meanwhile."""
    page = captain(open_page, bobs_table)
    page.context.set_offline(True)
    win_a_nolo(page)
    expect(badge(page)).to_contain_text("1 only here")
    correct(page, 1)
    tap(page, "bête", "typed wrong")
    page.locator("#save").tap()
    expect(badge(page)).to_contain_text("2 only here")
    report(bobs_table, 1, SOLO, author=DESK)
    page.context.set_offline(False)
    expect(card(page)).to_contain_text("Deal 1: another phone reported it differently")
    expect(badge(page)).to_have_text("✓ 1 sent · 1 to check")
    assert ["Result", "won", "bête"] in differs(page)  # the last that this phone has said
    assert versions(bobs_table, 1) == [("desk", "won")]
    page.get_by_role("button", name="This phone is right").tap()
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert versions(bobs_table, 1) == [("desk", "won"), ("captain", "bete")]


def test_two_reports_of_a_deal_that_wait_are_both_stored_where_nobody_differs(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    page.context.set_offline(True)
    win_a_nolo(page)
    expect(badge(page)).to_contain_text("1 only here")
    correct(page, 1)
    tap(page, "bête", "typed wrong")
    page.locator("#save").tap()
    expect(badge(page)).to_contain_text("2 only here")
    page.context.set_offline(False)
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert versions(bobs_table, 1) == [("captain", "won"), ("captain", "bete")]


def test_a_form_opened_on_what_waits_goes_over_it_once_it_is_stored(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    page.context.set_offline(True)
    win_a_nolo(page)
    expect(badge(page)).to_contain_text("1 only here")
    correct(page, 1)
    page.context.set_offline(False)
    expect(badge(page)).to_have_text("✓ 1 sent")
    tap(page, "bête", "typed wrong")
    page.locator("#save").tap()
    expect(page.locator("#sheet")).to_be_visible()
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert versions(bobs_table, 1) == [("captain", "won"), ("captain", "bete")]


# Taking back


def test_a_deal_changed_meanwhile_is_not_taken_back_unseen(open_page, bobs_table):
    report(bobs_table, 1)
    page = captain(open_page, bobs_table)
    go_to(page, "deal-1")
    page.locator("#deal-back").tap()
    page.locator("#back-reason").fill("counted twice")
    report(bobs_table, 1, SOLO, base=1, reason="the slip", author=DESK)
    expect(page.locator("#deal-now")).to_contain_text("Solo ♥")
    page.locator("#back-form button").tap()
    expect(page.locator("#back-problem")).to_have_text(
        "Deal 1 was entered or changed elsewhere: check what counts now."
    )
    expect(page.locator("#deal-older")).to_contain_text("all passed")
    expect(page.locator("#back-reason")).to_have_value("counted twice")
    assert versions(bobs_table, 1) == [("captain", "washout"), ("desk", "won")]
    page.locator("#back-form button").tap()
    expect(page.locator("#sheet")).to_be_visible()
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert versions(bobs_table, 1) == [("captain", "washout"), ("desk", "won"), ("captain", "")]


def test_undo_takes_back_ones_own_report_and_no_other(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    report(bobs_table, 1, SOLO, base=1, reason="the slip", author=DESK)
    page.locator("#undo").tap()
    expect(card(page).first).to_contain_text("Deal 1")
    expect(badge(page)).to_contain_text("✓ 1 sent")
    assert Deal.objects.get(table=bobs_table, number=1).current.result == SOLO


# While a new deal is typed


def test_the_taps_stay_when_the_desk_enters_the_deal_meanwhile(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    player = forehand(page)
    tap(page, player, "Solo")
    report(bobs_table, 1, author=DESK)
    expect(card(page)).to_contain_text("Deal 1 was entered or changed elsewhere")
    expect(page.locator("#where")).to_have_text("Deal 1 of 4")
    expect(page.locator("#contract [aria-pressed=true]")).to_have_text("Solo")
    assert differs(page)[:2] == [["Declarer", "–", player], ["Contract", "all passed", "Solo"]]
    page.reload()  # and over a reload
    expect(card(page)).to_contain_text("Deal 1 was entered or changed elsewhere")
    expect(page.locator("#contract [aria-pressed=true]")).to_have_text("Solo")
    tap(page, "hearts", "won")
    expect(page.locator("#result-problem")).to_have_text("Choose above which of the two is right.")
    page.get_by_role("button", name="This phone is right").tap()
    expect(page.locator("#reason")).to_have_value("Two phones differed; agreed at the table.")
    page.locator("#save").tap()
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert versions(bobs_table, 1) == [("desk", "washout"), ("captain", "won")]


def test_the_taps_give_way_when_the_other_is_kept(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    tap(page, forehand(page), "Solo")
    report(bobs_table, 1, author=DESK)
    page.get_by_role("button", name="Keep the other").tap()
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(card(page)).to_have_count(0)
    expect(page.locator("#contract [aria-pressed=true]")).to_have_count(0)
    assert versions(bobs_table, 1) == [("desk", "washout")]


def test_the_last_deals_taps_stay_too(open_page, bobs_table):
    for deal in range(1, 4):
        report(bobs_table, deal)
    page = captain(open_page, bobs_table)
    tap(page, forehand(page), "Solo")
    report(bobs_table, 4, author=DESK)
    expect(card(page)).to_contain_text("Deal 4 was entered or changed elsewhere")
    expect(page.locator("#entry")).to_be_visible()


def test_nothing_tapped_goes_on_to_the_next_deal(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    report(bobs_table, 1, author=DESK)
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(card(page)).to_have_count(0)


def test_what_came_under_a_key_that_is_anothers_is_said_to_be_kept(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    key = uuid4()
    report(bobs_table, 2, key=key)

    def under_that_key(route):
        [sent] = route.request.post_data_json["reports"]
        body = {"reports": [sent | {"key": str(key)}]}
        answer = route.fetch(post_data=body).json()
        answer["results"][0]["key"] = sent["key"]
        route.fulfill(json=answer, headers=MARK)

    answer_reports(page, under_that_key)
    win_a_nolo(page)
    expect(card(page)).to_contain_text("It does not match what was sent before; the organiser decides.")
    assert bobs_table.kept_reports.get().why == "key"
