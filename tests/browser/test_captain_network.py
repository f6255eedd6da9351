"""Bad networks, two phones at a table, reports that are not taken: nothing is lost, everything is said."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.browser.phone import (
    LATER_IS_HERE,
    MARK,
    WIN_NOLOS,
    answer_reports,
    badge,
    captain,
    forehand,
    go_to,
    settled,
    tap,
    until,
    win_a_nolo,
)
from tests.browser.test_axe import violations_here
from tests.factories import first_table, make_tournament, report
from tournaments.lifecycle.playing import close_round
from tournaments.models import KeptReport, Report, Table

pytestmark = pytest.mark.browser

FULL = """{ throw new DOMException("full", "QuotaExceededError"); }"""
NO_DATABASE = f"() => {{ IDBObjectStore.prototype.put = () => {FULL}; }}"
NO_STORE = f"() => {{ Storage.prototype.setItem = () => {FULL}; }}"


# Bad networks


def test_a_deal_saved_without_a_network_survives_a_reload_and_is_sent_later(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    answer_reports(page, lambda route: route.abort())
    win_a_nolo(page)
    expect(badge(page)).to_have_text("offline · 1 only here")
    page.reload()
    expect(badge(page)).to_contain_text("1 only here")
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    page.unroute("**/reports")
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert Report.objects.count() == 1


def test_an_answer_lost_on_the_way_changes_nothing(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        route.fetch()
        lost.append(route.request.url)
        route.abort()

    answer_reports(page, lose_the_first)
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert lost
    assert Report.objects.count() == 1


def test_a_deal_undone_before_it_was_sent_never_is(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.context.set_offline(True)
    win_a_nolo(page)
    expect(badge(page)).to_have_text("offline · 1 only here")
    page.locator("#undo").tap()
    tap(page, "bête")
    page.context.set_offline(False)
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert Report.objects.latest("sequence").outcome == "bete"


@pytest.mark.parametrize(
    ("blocked", "said"),
    [
        (["indexedDB"], "offline · 1 only here · little room"),
        (["indexedDB", "localStorage"], "offline · 1 only here · do not close this page"),
    ],
)
def test_a_phone_that_cannot_keep_deals_well_says_so(open_page, bobs_table, blocked, said) -> None:
    page = captain(open_page, bobs_table)
    for name in blocked:
        page.add_init_script(f"Object.defineProperty(window, '{name}', {{ get() {{ throw new Error(); }} }})")
    address = page.url
    page.goto("about:blank")  # or it would say its name once more
    Table.objects.update(phone="")  # a phone that remembers nothing does not know its own name either
    page.goto(address)
    expect(page.locator("#entry")).to_be_visible()
    answer_reports(page, lambda route: route.abort())
    win_a_nolo(page)
    expect(badge(page)).to_have_text(said)
    page.unroute("**/reports")
    expect(badge(page)).to_contain_text("✓ 1 sent")


def test_what_went_to_the_small_store_comes_along_when_there_is_a_database(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    answer_reports(page, lambda route: route.abort())
    win_a_nolo(page)
    expect(badge(page)).to_contain_text("1 only here")
    page.evaluate(
        """async () => {
            const { Outbox } = await import("/static/js/captain/outbox.js");
            const outbox = await Outbox.open(document.querySelector("#app").dataset.secret);
            const [item] = outbox.items;
            await outbox.remove(item);
            localStorage.setItem(`spadille-outbox:${item.key}`, JSON.stringify(item));
        }"""
    )
    page.unroute("**/reports")
    page.reload()
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert (
        page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('spadille-outbox'))") == []
    )


def test_twenty_deals_entered_offline_are_all_stored_once_when_the_network_returns(
    open_page, transactional_db
) -> None:
    table = first_table(make_tournament(players=4, deals_per_round=24))
    page = captain(open_page, table)
    page.context.set_offline(True)
    page.evaluate(WIN_NOLOS, 20)
    expect(badge(page)).to_have_text("offline · 20 only here")
    sizes: list[int] = []
    page.on("request", lambda request: sizes.append(len(request.post_data or "")))
    page.context.set_offline(False)
    expect(badge(page)).to_have_text("✓ 20 sent")
    assert sorted(Report.objects.values_list("deal_number", flat=True)) == list(range(1, 21))
    assert max(sizes) < 20 * 2000  # under 2 kB a deal


def test_a_full_disk_is_said_and_the_deal_stays_on_the_screen_until_it_is_sent(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    until(page, LATER_IS_HERE)
    page.evaluate(NO_DATABASE)
    page.evaluate(NO_STORE)
    page.context.set_offline(True)
    player = forehand(page)
    win_a_nolo(page)
    expect(page.locator("#said")).to_contain_text("This phone could not store the deal.")
    expect(page.locator("#notices")).to_contain_text(
        f"Deal 1 is still on this phone: {player} · Pure nolo · won"
    )
    expect(badge(page)).to_have_text("offline · 1 only here · do not close this page")
    page.context.set_offline(False)
    expect(badge(page)).to_have_text("✓ 1 sent")
    expect(page.locator("#notices .message")).to_have_count(0)


def test_a_database_without_room_gives_way_to_the_small_store(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.evaluate(NO_DATABASE)
    page.context.set_offline(True)
    win_a_nolo(page)
    expect(badge(page)).to_have_text("offline · 1 only here · little room")
    page.context.set_offline(False)
    expect(badge(page)).to_have_text("✓ 1 sent")


def test_a_clock_wrong_by_a_day_changes_nothing(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table, clock=True)
    page.clock.set_system_time(datetime.now(UTC) - timedelta(days=1))
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    expect(page.locator("#notices .message")).to_have_count(0)


# Two phones


def test_two_phones_that_differ_are_shown_side_by_side_and_a_person_chooses(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.context.set_offline(True)
    player = forehand(page)
    tap(page, player, "Pure nolo", "won")
    report(bobs_table, 1)
    page.context.set_offline(False)
    trouble = page.locator("#notices .message")
    expect(trouble).to_contain_text("Deal 1: another phone reported it differently")
    expect(trouble.locator("th[scope=col]").nth(1)).to_contain_text("Other phone")
    sides = trouble.locator("tr.differs").all_inner_texts()
    assert [side.split("\t") for side in sides[:3]] == [
        ["Declarer", "–", player],
        ["Contract", "all passed", "Pure nolo"],
        ["Result", "–", "won"],
    ]
    assert f"{player.split()[0]}\t0\t+8" in sides
    expect(badge(page)).to_have_text("✓ 1 sent · 1 to check")
    settled(page)
    assert violations_here(page) == []
    page.get_by_role("button", name="This phone is right").tap()
    expect(badge(page)).to_have_text("✓ 1 sent")
    stored = Report.objects.latest("sequence")
    assert (stored.revision, stored.outcome) == (2, "won")
    assert stored.reason == "two_phones"


def test_theirs_is_kept_by_dropping_mine(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.context.set_offline(True)
    win_a_nolo(page)
    report(bobs_table, 1)
    page.context.set_offline(False)
    page.get_by_role("button", name="Keep the other").tap()
    expect(page.locator("#notices .message")).to_have_count(0)
    assert Report.objects.count() == 1


def test_a_second_phone_is_told_that_another_one_enters_and_may_take_over(open_page, bobs_table) -> None:
    first = captain(open_page, bobs_table)
    expect(first.locator("#notices .message")).to_have_count(0)
    second = open_page(f"/c/{bobs_table.secret}/", phone=True)
    expect(second.locator("#notices")).to_contain_text(f"Another phone ({name_of(first)}) is entering")
    expect(second.locator("#entry")).to_be_hidden()
    second.get_by_role("button", name="Enter on this phone").tap()
    expect(second.locator("#entry")).to_be_visible()
    expect(second.locator("#declarer button").first).to_be_focused()
    expect(first.locator("#notices")).to_contain_text(f"Another phone ({name_of(second)}) is entering")
    assert name_of(first) != name_of(second)  # two of a kind, by their numbers


def name_of(page: Page) -> str:
    """What a phone's menu says that it is."""
    go_to(page, "menu")
    place = page.locator("#place", has_text="This phone: ")
    name = re.search(r"This phone: (Linux Chrome, no\. \d{3})\.", place.inner_text())[1]
    go_to(page, "")
    return name


def test_what_the_desk_corrects_shows_on_the_phone(open_page, bobs_table) -> None:
    report(bobs_table, 1)
    page = captain(open_page, bobs_table)
    report(
        bobs_table,
        1,
        {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"},
        base=1,
        reason="the slip",
    )
    page.locator(".tab", has_text="Sheet").tap()
    expect(page.locator("#sheet-lines tr").first).to_contain_text("Solo ♥")


# What the server does not take


def test_a_refused_deal_comes_back_with_the_reason_at_its_control(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)

    def refuse(route: Route) -> None:
        [sent] = route.request.post_data_json["reports"]
        problem = {"code": "no", "field": "contract", "message": "Not today."}
        answer = {"key": sent["key"], "status": "refused", "revision": 0, "problems": [problem]}
        route.fulfill(json={"results": [answer], "state_version": 1}, headers=MARK)

    answer_reports(page, refuse)
    win_a_nolo(page)
    expect(page.locator("#notices")).to_contain_text("Deal 1 was not accepted: Not today.")
    page.get_by_role("button", name="Check it").tap()
    expect(page.locator("#contract-problem")).to_have_text("Not today.")
    expect(page.locator("#contract [aria-pressed=true]")).to_have_text("Pure nolo")
    expect(page.locator("#where")).to_have_text("Deal 1 of 4")


def test_a_deal_for_a_closed_round_is_kept_and_said_so(open_page, bobs_table, alice) -> None:
    page = captain(open_page, bobs_table)
    page.context.set_offline(True)
    win_a_nolo(page)
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    page.context.set_offline(False)
    expect(page.locator("#notices")).to_contain_text("Deal 1 came too late and is kept for the organiser")
    expect(page.locator("#notices")).to_contain_text("The round has been closed.")
    assert KeptReport.objects.count() == 1
    page.reload()  # it stays listed until Bob has dealt with it
    expect(page.locator("#notices")).to_contain_text("Deal 1 came too late and is kept for the organiser")
    page.get_by_role("button", name="Code for the desk").tap()
    expect(page.locator("#code svg")).to_be_visible()
    settled(page)
    assert violations_here(page) == []
    page.get_by_role("button", name="Seen").tap()
    page.reload()
    expect(page.locator("h1")).to_have_text("Thank you for tonight, table 1")
    expect(page.locator("#notices .message")).to_have_count(0)


def test_the_page_of_a_closed_round_still_sends_what_waits_on_the_phone(open_page, bobs_table, alice) -> None:
    page = captain(open_page, bobs_table)
    answer_reports(page, lambda route: route.abort())
    win_a_nolo(page)
    expect(badge(page)).to_contain_text("1 only here")
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    page.unroute("**/reports")
    page.reload()
    expect(page.locator("h1")).to_have_text("Thank you for tonight, table 1")
    expect(page.locator("#notices")).to_contain_text("Deal 1 came too late and is kept for the organiser")
    assert KeptReport.objects.count() == 1
