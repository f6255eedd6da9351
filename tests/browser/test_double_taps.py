"""A finger that taps twice has tapped once: nothing answers that was not there when it came down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phone import go_to, settled, tap
from tests.factories import first_table, make_tournament, report
from tournaments.models import Flag, Report

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import CDPSession, Locator, Page

pytestmark = pytest.mark.browser

# The phones in use: a common one, a large one, and the smallest.
PHONES = [(360, 640), (412, 915), (320, 568)]
# How long after the first tap the second comes, in ms.
GAPS = [120, 200, 280, 400]
MOMENT = 600  # so long, in ms, is a second tap at the same place the same
WHILE = 11_000  # so long, in ms, *Undo* is offered, and a little more
# A contract with a row of trumps and one without, or the only one there is.
RULEBOOKS = [
    ("union", 4, [("Solo", "hearts"), ("Pure nolo", None)]),
    ("rasle", 3, [("Tourné", "clubs"), ("Spade game", None)]),
    ("crocodile", 4, [("Play", "hearts"), ("Grand", None)]),
    ("ombre_intro", 3, [("Ombre", "hearts")]),
]


@pytest.fixture
def phone(open_page) -> Callable[..., Page]:
    """A table's page on a phone of this size, whose clock is the test's."""

    def opened(secret: str, width: int, height: int) -> Page:
        return open_page(f"/c/{secret}/", phone=True, clock=True, size=(width, height))

    return opened


def answers_again(page: Page) -> None:
    """Let the moment pass in which nothing answers after something has moved."""
    page.clock.run_for(MOMENT)
    settled(page)


class Finger:
    """Touches where a thing stands now, and again after a while, wherever that thing has gone."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touch: CDPSession = page.context.new_cdp_session(page)

    def down_and_up(self, x: float, y: float) -> None:
        self.touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        self.touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def taps_twice(self, thing: Locator, gap: int) -> None:
        """The page's clock stands still but for the gap, in ms: a busy machine makes no two taps of them."""
        page = self.page
        answers_again(page)
        page.evaluate(
            """() => {
                window.clicks = 0;
                window.addEventListener("click", () => { window.clicks += 1; }, { capture: true, once: true });
            }"""
        )
        box = thing.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
        self.down_and_up(x, y)
        while not page.evaluate("window.clicks"):  # the touch is answered before its click
            page.wait_for_timeout(5)
        page.clock.run_for(gap)
        self.down_and_up(x + 4, y + 3)
        page.clock.resume()


@pytest.mark.parametrize(("width", "height"), PHONES)
@pytest.mark.parametrize(("rulebook", "players", "contracts"), RULEBOOKS)
def test_a_result_tapped_twice_saves_one_deal_and_does_nothing_else(
    phone, transactional_db, width, height, rulebook, players, contracts
) -> None:
    table = first_table(make_tournament(players=players, rulebook=rulebook))
    page = phone(table.secret, width, height)
    finger = Finger(page)
    for done, (gap, (contract, suit)) in enumerate(
        ((gap, one) for gap in GAPS for one in contracts), start=1
    ):
        page.locator("#declarer button").first.tap()
        chosen = page.locator("#contract").get_by_role("button", name=contract, exact=True)
        if chosen.get_attribute("aria-pressed") == "false":
            chosen.tap()
        if suit:
            tap(page, suit)
        finger.taps_twice(page.locator("#result button").first, gap)
        expect(page.locator("#badge")).to_have_text(f"{done} saved · 0 waiting")
        expect(page.locator("#where")).to_have_text(f"Deal {done + 1} of {table.deals}")
        expect(page.locator("#declarer [aria-pressed=true], #contract [aria-pressed=true]")).to_have_count(0)
        assert page.evaluate("location.hash") == ""
        assert not Flag.objects.exists()
        answers_again(page)
    assert list(Report.objects.order_by("sequence").values_list("deal_number", "revision")) == [
        (deal, 1) for deal in range(1, len(GAPS) * len(contracts) + 1)
    ]


@pytest.mark.parametrize("gap", GAPS)
def test_the_last_result_tapped_twice_says_no_players_yes(phone, transactional_db, gap) -> None:
    table = first_table(make_tournament(players=4, deals_per_round=4))
    for deal in (1, 2, 3):
        report(table, deal)
    page = phone(table.secret, 360, 640)
    tap(page, page.locator("#declarer .label").first.inner_text(), "Pure nolo")
    Finger(page).taps_twice(page.locator("#result button").first, gap)
    expect(page.locator("#agree")).to_be_visible()
    expect(page.locator("#badge")).to_have_text("4 saved · 0 waiting")
    answers_again(page)
    assert table.seats.exclude(agreed_at=None).count() == 0
    assert page.evaluate("location.hash") == ""


@pytest.mark.parametrize("gap", GAPS)
def test_a_choice_tapped_twice_is_chosen(phone, transactional_db, gap) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 320, 568)
    finger = Finger(page)
    for group in ("declarer", "contract", "trump"):
        finger.taps_twice(page.locator(f"#{group} button").first, gap)
        expect(page.locator(f"#{group} [aria-pressed=true]")).to_have_count(1)
        page.clock.run_for(MOMENT)
    finger.taps_twice(page.locator("#more"), gap)
    expect(page.locator("#rare")).to_be_visible()


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize(("width", "height"), PHONES)
def test_a_result_that_is_asked_back_is_not_answered_by_the_same_finger(
    phone, transactional_db, width, height, gap
) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, width, height)
    tap(page, page.locator("#declarer .label").first.inner_text(), "Solo", "spades")
    for result in page.locator("#result button").all():
        finger = Finger(page)
        finger.taps_twice(result, gap)
        expect(page.locator("#save")).to_have_text("Yes, save")
        answers_again(page)
        assert not Report.objects.exists()
        page.locator("#no").tap()
        expect(page.locator("#save")).to_have_text("Save")


@pytest.mark.parametrize("gap", GAPS)
def test_undo_and_yes_tapped_twice_are_done_once(phone, transactional_db, gap) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    finger = Finger(page)
    tap(page, page.locator("#declarer .label").first.inner_text(), "Solo", "spades", "Won")
    finger.taps_twice(page.locator("#save"), gap)
    expect(page.locator("#badge")).to_have_text("1 saved · 0 waiting")
    tap(page, page.locator("#declarer .label").first.inner_text(), "Pure nolo", "Won")
    expect(page.locator("#badge")).to_have_text("2 saved · 0 waiting")
    finger.taps_twice(page.locator("#undo"), gap)
    expect(page.locator("#badge")).to_have_text("1 saved · 0 waiting")
    answers_again(page)
    expect(page.locator("#where")).to_have_text(f"Deal 2 of {table.deals}")
    assert [(one.deal_number, one.result is None) for one in Report.objects.order_by("sequence")] == [
        (1, False),
        (2, False),
        (2, True),
    ]


@pytest.mark.parametrize("gap", GAPS)
def test_a_mark_tapped_twice_marks_one_deal(phone, transactional_db, gap) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    Finger(page).taps_twice(page.locator("#mark-later"), gap)
    expect(page.locator("#where")).to_have_text(f"Deal 2 of {table.deals}")
    answers_again(page)
    assert list(Flag.objects.values_list("deal", "settled_at")) == [(1, None)]


# Zones


def test_nothing_moves_from_the_first_tap_to_the_next_deal(phone, transactional_db) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    expect(page.locator("#entry")).to_be_visible()
    zones = ["#last", "#at-deal", "#declarer", "#contract", "#trump", "#result", "#bar"]

    def places() -> list[list[float]]:
        return page.evaluate(
            """(zones) => zones.map((zone) => {
                const { y, height } = document.querySelector(zone).getBoundingClientRect();
                return [y, height];
            })""",
            zones,
        )

    before = places()
    for thing in ("#declarer button", "#contract button", "#trump button", "#result button"):
        page.locator(thing).first.tap()
        assert places() == before, thing
    expect(page.locator("#where")).to_have_text(f"Deal 2 of {table.deals}")
    assert places() == before
    sides = page.locator(".aside > *, #undo").all()
    assert len(sides) == 3
    results = page.locator("#result").bounding_box()
    for side in sides:
        box = side.bounding_box()
        assert box["y"] + box["height"] < results["y"] - 250


def test_a_card_that_comes_over_the_entry_moves_nothing_under_a_finger(
    phone, transactional_db, alice
) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    page.locator("#declarer button").first.tap()
    answers_again(page)
    report(table, 1)
    page.wait_for_function("() => document.querySelector('#notices').textContent.includes('meanwhile')")
    assert page.evaluate("document.documentElement.className") == "hushed"


def test_what_only_goes_away_keeps_no_tap_from_its_place(phone, transactional_db) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    tap(page, page.locator("#declarer .label").first.inner_text(), "Pure nolo", "Won")
    expect(page.locator("#badge")).to_have_text("1 saved · 0 waiting")
    answers_again(page)
    page.evaluate(
        """() => {
            window.hushes = 0;
            new MutationObserver(() => { window.hushes += 1; }).observe(document.documentElement, { attributes: true });
        }"""
    )
    page.clock.run_for(WHILE)
    expect(page.locator("#undo")).to_be_hidden()
    assert page.evaluate("window.hushes") == 0


# What is left and what is kept


def test_while_something_is_asked_the_bar_holds_yes_and_no_alone(phone, transactional_db) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    tap(page, page.locator("#declarer .label").first.inner_text(), "Pure nolo", "Won")
    expect(page.locator("#undo")).to_have_text("Undo deal 1")
    tap(page, page.locator("#declarer .label").first.inner_text(), "Solo", "spades", "Won")
    assert page.locator("#bar button:visible").all_inner_texts() == ["No, change it", "Yes, save"]
    expect(page.locator("#last button:visible, #last a:visible")).to_have_count(0)
    page.locator("#no").tap()
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#trump [aria-pressed=true]")).to_contain_text("spades")


def test_a_mark_is_undone_and_what_was_left_out_is_said(phone, transactional_db) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    page.locator("#mark-later").tap()
    expect(page.locator("#where")).to_have_text(f"Deal 2 of {table.deals}")
    page.locator("#undo", has_text="Undo the mark").tap()
    expect(page.locator("#where")).to_have_text(f"Deal 1 of {table.deals}")
    expect(page.locator("#badge")).to_have_text("0 saved · 0 waiting")
    assert not Flag.objects.filter(settled_at=None).exists()
    page.locator("#mark-later").tap()
    expect(page.locator("#where")).to_have_text(f"Deal 2 of {table.deals}")
    tap(page, "all passed", "Save")
    expect(page.locator("#badge")).to_have_text("1 saved · 0 waiting")
    page.clock.run_for(WHILE)
    expect(page.locator("#undo")).to_be_hidden()
    page.locator("#left-out", has_text="Left out: deal 1").tap()
    expect(page.locator("#mark-later")).to_have_attribute("aria-pressed", "true")
    go_to(page, "deal-1")
    page.locator("#deal-later").tap()
    expect(page.locator("#deal-later")).to_have_text("Mark for later")
    expect(page.locator("#badge")).to_have_text("1 saved · 0 waiting")
    assert not Flag.objects.filter(settled_at=None).exists()


def test_after_saving_the_keyboard_is_at_the_next_deal(phone, transactional_db) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    expect(page.locator("#entry")).to_be_visible()
    answers_again(page)
    for group in ("declarer", "contract", "trump", "result"):
        page.locator(f"#{group} button").first.focus()
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#badge")).to_have_text("1 saved · 0 waiting")
    focused = "document.activeElement.closest('[id]').id"
    assert page.evaluate(focused) == "declarer"
    expect(page.locator("#declarer [aria-pressed=true]")).to_have_count(0)
