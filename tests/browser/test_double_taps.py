"""A finger that taps twice has tapped once: nothing answers that was not there when it came down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.clock import stop_clock
from tests.browser.phone import go_to, settled, tap, until
from tests.factories import first_table, make_tournament, report, tables_of
from tournaments.models import Flag, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import CDPSession, Locator, Page

    from tournaments.models import Table

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
        page = open_page(f"/c/{secret}/", phone=True, clock=True, size=(width, height))
        page.locator("#declarer button").first.wait_for()
        return page

    return opened


def answers_again(page: Page) -> None:
    """Let the moment pass in which nothing answers after something has moved."""
    page.clock.run_for(MOMENT)
    settled(page)


# Where the middle of a thing is now; its first click is noted.
AIM = """(thing) => {
    delete document.body.dataset.clicked;
    window.addEventListener("click", () => { document.body.dataset.clicked = "yes"; }, { capture: true, once: true });
    const { x, y, width, height } = thing.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""


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
        x, y = thing.evaluate(AIM)
        stop_clock(page)
        self.down_and_up(x, y)
        # The touch is answered before its click; a page whose clock is stopped cannot look again by itself.
        expect(page.locator("body")).to_have_attribute("data-clicked", "yes")
        page.clock.run_for(gap)
        self.down_and_up(x + 4, y + 3)
        page.clock.resume()


# Choose the first player, this contract and this suit, as far as they are not chosen yet.
CHOOSE = """([contract, suit]) => {
    const press = (group, says) => {
        const button = [...document.querySelectorAll(`#${group} button`)].find(says);
        if (button.getAttribute("aria-pressed") !== "true") button.click();
    };
    press("declarer", () => true);
    press("contract", ({ textContent }) => textContent.trim() === contract);
    if (suit) press("trump", ({ textContent }) => textContent.includes(suit));
}"""
# What is seen of the deal that is entered: which it is, how many choices are made, which view it is.
SEEN = """() => [
    document.querySelector("#where").textContent,
    document.querySelectorAll("#declarer [aria-pressed=true], #contract [aria-pressed=true]").length,
    location.hash,
]"""


@pytest.mark.parametrize(("rulebook", "players", "contracts"), RULEBOOKS)
def test_a_result_tapped_twice_saves_one_deal_and_does_nothing_else(
    phone, transactional_db, rulebook, players, contracts
) -> None:
    table = first_table(make_tournament(players=players, rulebook=rulebook))
    page = phone(table.secret, *PHONES[0])
    finger = Finger(page)
    rows = [(size, gap, contract) for size in PHONES for gap in GAPS for contract in contracts]
    for done, (size, gap, contract) in enumerate(rows, start=1):
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        page.evaluate(CHOOSE, contract)
        finger.taps_twice(page.locator("#result button").first, gap)
        row = f"{size}, {gap} ms, {contract}"
        expect(page.locator("#badge"), row).to_have_text(f"✓ {done} sent")
        assert page.evaluate(SEEN) == [f"Deal {done + 1} of {table.deals}", 0, ""], row
    answers_again(page)
    assert not Flag.objects.exists()
    assert list(Report.objects.order_by("sequence").values_list("deal_number", "revision")) == [
        (deal, 1) for deal in range(1, len(rows) + 1)
    ]


@pytest.fixture
def tables(transactional_db) -> list[Table]:
    """A table for each gap: what is done at one is not done at the next."""
    return tables_of(make_tournament(players=4 * len(GAPS), deals_per_round=4))


def at_each(
    phone, tables: list[Table], size: tuple[int, int] = PHONES[0]
) -> Iterator[tuple[Page, Table, int]]:
    """The same phone, at a table of its own for each gap."""
    page = phone(tables[0].secret, *size)
    address = page.url
    for table, gap in zip(tables, GAPS, strict=True):
        page.goto(address.replace(tables[0].secret, table.secret))
        page.locator("#declarer button").first.wait_for()
        yield page, table, gap


def test_the_last_result_tapped_twice_says_no_players_yes(phone, tables) -> None:
    for table in tables:
        for deal in (1, 2, 3):
            report(table, deal)
    for page, table, gap in at_each(phone, tables):
        page.evaluate(CHOOSE, ["Pure nolo", None])
        Finger(page).taps_twice(page.locator("#result button").first, gap)
        expect(page.locator("#agree"), f"{gap} ms").to_be_visible()
        expect(page.locator("#badge"), f"{gap} ms").to_have_text("✓ 4 sent")
        answers_again(page)
        assert table.seats.exclude(agreed_at=None).count() == 0, gap
        assert page.evaluate("location.hash") == "", gap


def test_a_choice_tapped_twice_is_chosen(phone, tables) -> None:
    for page, _table, gap in at_each(phone, tables, (320, 568)):
        finger = Finger(page)
        for group in ("declarer", "contract", "trump"):
            finger.taps_twice(page.locator(f"#{group} button").first, gap)
            expect(page.locator(f"#{group} [aria-pressed=true]"), f"{group}, {gap} ms").to_have_count(1)
            page.clock.run_for(MOMENT)
        finger.taps_twice(page.locator("#more"), gap)
        expect(page.locator("#rare"), f"{gap} ms").to_be_visible()


def test_a_result_that_is_asked_back_is_not_answered_by_the_same_finger(phone, transactional_db) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, *PHONES[0])
    page.evaluate(CHOOSE, ["Solo", "spades"])
    finger = Finger(page)
    for size in PHONES:
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        for gap in GAPS:
            for result in page.locator("#result button").all():
                finger.taps_twice(result, gap)
                row = f"{size}, {gap} ms, {result}"
                expect(page.locator("#save"), row).to_have_text("Yes, save")
                answers_again(page)
                assert not Report.objects.exists(), row
                page.locator("#no").tap()
                expect(page.locator("#save"), row).to_have_text("Save")


def test_undo_and_yes_tapped_twice_are_done_once(phone, tables) -> None:
    for page, table, gap in at_each(phone, tables):
        finger = Finger(page)
        tap(page, page.locator("#declarer .label").first.inner_text(), "Solo", "spades", "Won")
        finger.taps_twice(page.locator("#save"), gap)
        expect(page.locator("#badge"), f"{gap} ms").to_have_text("✓ 1 sent")
        tap(page, page.locator("#declarer .label").first.inner_text(), "Pure nolo", "Won")
        expect(page.locator("#badge"), f"{gap} ms").to_have_text("✓ 2 sent")
        finger.taps_twice(page.locator("#undo"), gap)
        expect(page.locator("#badge"), f"{gap} ms").to_have_text("✓ 1 sent")
        answers_again(page)
        expect(page.locator("#where"), f"{gap} ms").to_have_text(f"Deal 2 of {table.deals}")
        reports = table.reports.order_by("sequence")
        assert [(one.deal_number, one.result is None) for one in reports] == [
            (1, False),
            (2, False),
            (2, True),
        ], gap


def test_a_mark_tapped_twice_marks_one_deal(phone, tables) -> None:
    for page, table, gap in at_each(phone, tables):
        Finger(page).taps_twice(page.locator("#mark-later"), gap)
        expect(page.locator("#where"), f"{gap} ms").to_have_text(f"Deal 2 of {table.deals}")
        expect(page.locator("#badge"), f"{gap} ms").to_have_text("✓ 0 sent")
        answers_again(page)
        assert list(table.flags.values_list("deal", "settled_at")) == [(1, None)], gap


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


# The page's state at the moment when a card comes: it is over soon.
NOTES_THE_CARD = """() => {
    const notices = document.querySelector("#notices");
    new MutationObserver(() => {
        if (notices.textContent.includes("elsewhere")) window.whenItCame ??= document.documentElement.className;
    }).observe(notices, { childList: true, subtree: true });
}"""


def test_a_card_that_comes_over_the_entry_moves_nothing_under_a_finger(
    phone, transactional_db, alice
) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    page.locator("#declarer button").first.tap()
    answers_again(page)
    page.evaluate(NOTES_THE_CARD)
    report(table, 1)
    until(page, "async () => 'whenItCame' in window")
    assert page.evaluate("window.whenItCame") == "hushed"


def test_what_only_goes_away_keeps_no_tap_from_its_place(phone, transactional_db) -> None:
    table = first_table(make_tournament(players=4))
    page = phone(table.secret, 360, 640)
    tap(page, page.locator("#declarer .label").first.inner_text(), "Pure nolo", "Won")
    expect(page.locator("#badge")).to_have_text("✓ 1 sent")
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
    expect(page.locator("#badge")).to_have_text("✓ 0 sent")
    assert not Flag.objects.filter(settled_at=None).exists()
    page.locator("#mark-later").tap()
    expect(page.locator("#where")).to_have_text(f"Deal 2 of {table.deals}")
    tap(page, "all passed")
    expect(page.locator("#badge")).to_have_text("✓ 1 sent")
    page.clock.run_for(WHILE)
    expect(page.locator("#undo")).to_be_hidden()
    page.locator("#left-out", has_text="Skipped: deal 1").tap()
    expect(page.locator("#mark-later")).to_have_attribute("aria-pressed", "true")
    go_to(page, "deal-1")
    page.locator("#deal-later").tap()
    expect(page.locator("#deal-later")).to_have_text("Mark for later")
    expect(page.locator("#badge")).to_have_text("✓ 1 sent")
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
    expect(page.locator("#badge")).to_have_text("✓ 1 sent")
    focused = "document.activeElement.closest('[id]').id"
    assert page.evaluate(focused) == "declarer"
    expect(page.locator("#declarer [aria-pressed=true]")).to_have_count(0)
