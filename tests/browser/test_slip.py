"""A paper slip is typed by keyboard alone, faster than it was written; Bob types his on a phone afterwards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.factories import first_table, make_tournament, report
from tournaments.exports.verify.recount import differences
from tournaments.ledger.scoresheet import score_sheet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DEALS = 40
KEY_BY_KEY = 8  # so many lines; hundreds of keys more would show nothing more
# What a captain writes, with the seat that follows the dealer.
LINES = ("game h won", "solo h kodille", "nolo 2", "spade game b", "tourné c won")


def slip_lines(table):
    """A line for every deal, declared by the seat after the dealer; every sixth is passed by all."""
    sheet = score_sheet(table)
    return [
        "- pass"
        if line.number % 6 == 0
        else f"{'ABCD'[(line.dealer + 1) % 4]} {LINES[line.number % len(LINES)]}"
        for line in sheet.lines
    ]


def test_forty_lines_are_typed_by_keyboard_alone_and_all_are_stored(alice, open_page):
    table = first_table(make_tournament(4, account=alice, rulebook="union", deals_per_round=DEALS))
    address = f"/desk/t/{table.round.tournament.code}/round/1/table/1/slip/"
    page = open_page(address)
    expect(page.locator("[name=username]")).to_be_focused()  # by itself, as who types at once relies on
    page.keyboard.type("alice")
    page.keyboard.press("Tab")
    page.keyboard.type("a long password")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address}")
    expect(page.locator("[name=line-1]")).to_be_focused()
    lines = slip_lines(table)
    for deal, line in enumerate(lines, start=1):
        if deal <= KEY_BY_KEY:
            page.keyboard.type("B gmae" if deal == 7 else line)
        else:
            page.keyboard.insert_text(line)  # a word at a time, as keyboards of phones do
        page.keyboard.press("Enter")
    # Deal 7 was mistyped: the page said so as the line was left.
    expect(page.locator("[data-deal='7'] .problem")).to_contain_text("“gmae” at column 3 is not a contract.")
    expect(page.locator("[data-deal='40'] .running").first).not_to_be_empty()
    expect(page.get_by_role("button", name="Save the correct lines")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".message.success")).to_have_text("39 deals are saved.")
    expect(page.locator("[name=line-7]")).to_be_focused()
    assert page.locator("[name=line-7]").input_value() == "B gmae"
    page.keyboard.press("Control+a")
    page.keyboard.type(lines[6])
    for _step in range(DEALS - 6):
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/1/")
    sheet = score_sheet(table)
    assert (sheet.reported, table.reports.count()) == (DEALS, DEALS)
    assert list(differences(table.round.tournament)) == []


def test_the_papers_first_wrong_total_is_marked_as_it_is_left(bobs_table, open_page):
    report(bobs_table, 1, {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"})
    page = open_page(f"/c/{bobs_table.secret}/slip", phone=True)
    right = page.locator("[data-deal='1'] .running").all_inner_texts()
    page.locator("[name=paper-1]").fill(" ".join(right))
    page.locator("[name=paper-1]").press("Enter")
    page.locator("[name=line-2]").fill("- pass")
    page.locator("[name=paper-2]").fill(" ".join(["90", *right[1:]]))
    page.locator("[name=paper-2]").press("ArrowDown")
    expect(page.locator("[data-deal='2'] .paper .field-error")).to_contain_text("+90 on paper")
    assert page.locator(".paper.wrong").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("button", name="Save the correct lines").tap()
    page.wait_for_url("**/#sheet")
    assert bobs_table.reports.count() == 2


def test_lines_are_kept_while_the_server_is_away(bobs_table, open_page):
    page = open_page(f"/c/{bobs_table.secret}/slip", phone=True)
    page.context.set_offline(True)
    page.locator("[name=line-1]").fill("- pass")
    page.locator("[name=line-1]").press("Enter")
    expect(page.locator("#slip-state")).to_contain_text("The server cannot be reached.")
    page.context.set_offline(False)
    page.locator("[name=line-2]").fill("- pass")
    page.locator("[name=line-2]").press("Enter")
    expect(page.locator("[data-deal='2'] .said")).to_have_text("all passed")
    expect(page.locator("#slip-state")).to_be_hidden()
    page.get_by_role("button", name="Save the correct lines").tap()
    expect(page.locator("#app")).to_be_visible()
    assert bobs_table.reports.count() == 2


PASTE = """(field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


@pytest.mark.parametrize("phone", [True, False])
def test_forty_pasted_lines_fill_forty_rows(alice, open_page, phone):
    table = first_table(make_tournament(4, account=alice, rulebook="union", deals_per_round=DEALS))
    page = open_page(f"/c/{table.secret}/slip", phone=phone)
    lines = slip_lines(table)
    # On the desktop from a spreadsheet, with numbers in another order, and a line too many.
    cells = [f"{deal}\t{line.replace(' ', chr(9))}" for deal, line in enumerate(lines, start=1)]
    numbered = [*cells[:0:-1], f"{cells[0]}\t90\t-30\t-30\t-30", "41 - pass"]
    page.locator("[name=line-1]").evaluate(PASTE, "\r\n".join(lines if phone else numbered))
    expect(page.locator("[data-deal='40'] .running").first).not_to_be_empty()
    assert page.locator("[name=line-40]").input_value().endswith(lines[-1])
    expect(page.locator("#slip-left")).to_be_visible(visible=not phone)
    if not phone:
        expect(page.locator(".paper.wrong")).to_have_count(1)
        expect(page.locator("#slip-left")).to_contain_text("there are no deals for them: 41 - pass")
    page.get_by_role("button", name="Save the correct lines").click()
    page.wait_for_url("**/#sheet")
    assert score_sheet(table).reported == DEALS
