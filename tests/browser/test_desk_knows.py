"""The desk knows the evening: a call is seen on every page, keys walk the tables, Ctrl-K finds everything."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.phone import until
from tests.factories import make_tournament, report
from tournaments.ledger import raise_flag
from tournaments.models import Entry, Flag, Penalty, Table, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def evening(transactional_db, alice) -> Tournament:
    """Four tables that play."""
    return make_tournament(16, 1, account=alice, deals_per_round=4)


def desk(open_page, tournament: Tournament, page: str) -> Page:
    """A page of the desk, signed in."""
    address = f"/desk/t/{tournament.code}/{page}"
    opened: Page = open_page(address)
    opened.get_by_label("User name").fill("alice")
    opened.get_by_label("Password").fill("a long password")
    opened.get_by_role("button", name="Sign in").click()
    opened.wait_for_url(f"**{address}")
    return opened


# Counts how often something sounds; nobody listens.
SILENCE = """() => {
  window.rung = 0;
  const get = (_, name) => (name === Symbol.toPrimitive ? () => 0 : any);
  const any = new Proxy(() => any, { get, set: () => true });
  window.AudioContext = class { constructor() { window.rung += 1; return any; } };
}"""


def test_a_call_is_seen_on_whatever_page_and_heard_once_by_who_wants_that(open_page, evening):
    page = desk(open_page, evening, "penalties/")
    page.evaluate(SILENCE)
    page.locator(".more > summary").click()
    page.get_by_role("button", name="A sound when a table calls").click()  # off until then; it is heard once
    reason = page.locator("[name=reason]")
    reason.fill("arrived late")
    expect(page).to_have_title(re.compile("^Penalties"))
    second = Table.objects.get(round__tournament=evening, number=2)
    raise_flag(second, Flag.Kind.CALL, deal=None, words="who led?", now=timezone.now())
    expect(page).to_have_title(re.compile(r"^\(1\) Penalties"))
    expect(page.locator("#strip .needs")).to_contain_text("needs you")
    expect(page.locator("#nav-needs .n")).to_have_text("1")
    expect(reason).to_have_value("arrived late")  # nothing typed is lost
    until(page, "async () => window.rung === 2")
    report(second, 1)
    expect(page.locator("#strip")).to_contain_text("1 of 16 deals")
    assert page.evaluate("window.rung") == 2


def test_a_penalty_is_given_and_cancelled_once_however_often_one_presses(open_page, evening):
    page = desk(open_page, evening, "penalties/")
    page.get_by_label("Player").select_option(index=1)
    page.get_by_label("Reason").fill("arrived late")
    page.get_by_role("button", name="Give the penalty").dblclick()
    in_force = page.get_by_role("region", name="In force")
    expect(in_force).to_contain_text("arrived late")
    expect(in_force.locator(".penalty")).to_have_count(1)
    cancel = page.get_by_role("link", name="Cancel it")
    cancel.click()
    page.get_by_role("link", name="Not now").click()
    cancel.click()
    page.get_by_label("Reason").fill("the train was late")
    page.get_by_role("button", name="Cancel the penalty").dblclick()
    expect(page.get_by_role("heading", name="Cancelled")).to_be_visible()
    page.go_back()  # to the question, which is none any more
    expect(page.get_by_text("This penalty has already been cancelled.")).to_be_visible()
    expect(page.get_by_role("heading", name="Penalties")).to_be_visible()
    ruled = Penalty.objects.get()
    assert (ruled.tokens, ruled.reason, ruled.cancel_reason) == (-1, "arrived late", "the train was late")


def test_tables_are_walked_by_keys_and_found_by_ctrl_k(open_page, evening):
    page = desk(open_page, evening, "board/")
    page.locator("#table-1").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#table-2")).to_be_focused()
    page.keyboard.press("Enter")
    title = page.get_by_role("heading", name=re.compile("Table 2, round 1"))
    expect(title).to_be_visible()
    page.keyboard.press(".")  # single keys are off until they are switched on
    page.locator(".more > summary").click()
    page.get_by_role("button", name="Keys , and .").click()
    page.keyboard.press(".")
    expect(page.get_by_role("heading", name=re.compile("Table 3, round 1"))).to_be_visible()
    page.keyboard.press(",")
    expect(title).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("Table 4, round 1"))).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_at_the_door_enter_ticks_who_is_found_and_says_whom(open_page, transactional_db, alice):
    evening = make_tournament(8, 1, account=alice, started=False, drawn=False, entry_fee=5000)
    evening.entries.update(status=Entry.Status.ENTERED)
    page = desk(open_page, evening, "check-in/")
    search, told = page.get_by_label("Find a player"), page.locator("#ticked")
    search.press_sequentially("anna")
    search.press("Enter")  # before the list can be hers
    expect(told).to_have_text("Anna Holm is here.")
    expect(search).to_have_value("")
    search.press_sequentially("bo kr")
    search.press("Shift+Enter")
    expect(told).to_have_text("Bo Krogh is here and has paid.")
    for typed, said in (("anna", "Nobody with that name is still expected."), ("r", "Several players match")):
        search.fill(typed)
        search.press("Enter")
        expect(told).to_contain_text(said)
    here = evening.entries.filter(status=Entry.Status.PRESENT)
    assert [(str(entry), entry.fee_paid) for entry in here] == [("Anna Holm", False), ("Bo Krogh", True)]


def test_all_tables_of_a_usual_evening_are_in_sight(open_page, transactional_db, alice):
    page = desk(open_page, make_tournament(62, 1, account=alice), "board/")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".tile")).to_have_count(16)
    expect(page.locator("#table-16")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.querySelector('.board').getBoundingClientRect().bottom") <= 800
    assert page.evaluate("scrollX + document.documentElement.scrollWidth") <= 1280
