"""The sheet on the phone and a correction from it: nothing is lost on the way, and one is back where one was."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phone import badge, captain, forehand, go_to, settled, tap
from tests.factories import first_table, make_tournament, report
from tournaments.models import Report, Table

pytestmark = pytest.mark.browser

REPORTED = 24
SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
# What is seen at a point of the sheet's head and of its totals, in a row of its own for each pixel.
SEEN_THROUGH = """() => ["#sheet-head th", "#sheet-foot"].flatMap((part) => {
    const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
    const heights = Array.from({ length: Math.floor(height) - 2 }, (_, pixel) => y + 1 + pixel);
    return heights.map((at) => document.elementFromPoint(x + width / 2, at).closest("thead, tbody, tfoot").id);
})"""


@pytest.fixture
def bobs_table(transactional_db, alice) -> Table:
    """A table of 40 deals of which 24 are reported, one left out before the last."""
    table = first_table(make_tournament(players=4, account=alice))
    for deal in [*range(1, REPORTED), REPORTED + 1]:
        report(table, deal, SOLO if deal in (1, 5) else None)
    return table


def in_sight(page: Page, line: int) -> bool:
    """Whether a deal's line is seen whole between the head and the totals."""
    return page.evaluate(
        """(line) => {
            const edge = (part, side) => document.querySelector(part).getBoundingClientRect()[side];
            const { top, bottom } = document.getElementById("sheet-lines").rows[line - 1].getBoundingClientRect();
            return top >= edge("#sheet-head th", "bottom") - 1 && bottom <= edge("#sheet-foot", "top") + 1;
        }""",
        line,
    )


def open_sheet(page: Page) -> None:
    page.locator(".tab", has_text="Sheet").tap()
    expect(page.locator("#sheet-foot")).to_be_visible()
    settled(page)


# The sheet


def test_the_sheet_opens_at_the_newest_deal_with_the_totals_in_sight(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    open_sheet(page)
    assert in_sight(page, REPORTED + 1)
    assert not in_sight(page, 1)
    foot = page.locator("#sheet-foot").bounding_box()
    assert 0 < foot["y"] < foot["y"] + foot["height"] <= 640
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_nothing_shines_through_the_sheets_head_and_totals(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    open_sheet(page)
    for top in (0, 7, 111, 333, 9999):
        page.evaluate("(top) => { document.querySelector('.sideways').scrollTop = top; }", top)
        assert set(page.evaluate(SEEN_THROUGH)) == {"sheet-head", "sheet-foot"}
    for part in ("#sheet-head th", "#sheet-foot"):
        colour = page.locator(part).first.evaluate("(one) => getComputedStyle(one).backgroundColor")
        assert colour.startswith("rgb(")  # neither see-through nor none


def test_after_a_correction_the_sheet_is_where_it_was(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    open_sheet(page)
    page.locator("#sheet-lines a").nth(4).tap()
    page.locator("#deal-correct").tap()
    tap(page, "Bête", "typed wrong", "Save")
    expect(page.locator("#sheet-lines tr").nth(4)).to_contain_text("corrected")
    expect(page.locator("a[href='#deal-5']:focus")).to_have_count(1)
    assert in_sight(page, 5)
    expect(page.locator("#undo")).to_have_text("Undo deal 5")


def test_a_deal_left_out_is_seen_in_the_sheet(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    expect(page.locator("#left-out")).to_have_text(f"Skipped: deal {REPORTED}")
    open_sheet(page)
    line = page.locator("#sheet-lines tr").nth(REPORTED - 1)
    expect(line).to_contain_text("left out")
    expect(page.locator(".left-out-line")).to_have_count(1)


def test_every_row_opens_its_deal_wherever_it_is_tapped(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    for cell in ("th", "td:nth-child(2)", "td:last-child"):
        open_sheet(page)
        box = page.locator("#sheet-lines tr").nth(REPORTED - 2).locator(cell).bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator("#where")).to_have_text(f"Deal {REPORTED - 1}")
        go_to(page, "")


def test_every_link_of_the_sheet_has_a_name_of_its_own(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    open_sheet(page)
    page.get_by_role("button", name=f"Deals {REPORTED + 2} to 40: not played yet").tap()
    names = page.locator("#sheet-lines a").evaluate_all("(links) => links.map((link) => link.textContent)")
    assert len(set(names)) == len(names) == 40


def test_the_scroll_bar_covers_no_column_and_dealer_and_out_are_words(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    open_sheet(page)
    frame, table = (page.locator(part).bounding_box() for part in (".sideways", ".running"))
    assert table["x"] + table["width"] <= frame["x"] + frame["width"] - 12
    words = page.locator("#sheet-lines tr").first.locator("td small").all_inner_texts()
    assert sorted(words) == ["dealer", "out"]


# A correction


def test_a_changed_correction_is_left_only_when_one_says_so(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    go_to(page, "correct-1")
    tap(page, "Bête")
    for tab in ("Back", "Back"):
        page.locator(".tab", has_text=tab).tap()
        expect(page.locator("#preview")).to_contain_text("Discard the correction of deal 1?")
        assert page.locator("#bar button:visible").all_inner_texts() == ["No, go on", "Yes, discard it"]
        page.locator("#no").tap()
        expect(page.locator("#where")).to_have_text("Correct deal 1")
        expect(page.locator("#result [aria-pressed=true]")).to_contain_text("bête")
    page.go_back()
    expect(page.locator("#preview")).to_contain_text("Discard the correction of deal 1?")
    page.locator("#save").tap()
    expect(page.locator("#correction")).to_be_hidden()
    go_to(page, "correct-1")
    expect(page.locator("#result [aria-pressed=true]")).to_contain_text("won")
    assert Report.objects.filter(deal_number=1).count() == 1


def test_a_correction_in_which_nothing_was_changed_is_left_at_once(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    go_to(page, "correct-1")
    page.get_by_role("button", name="Cancel").tap()
    expect(page.locator("#sheet")).to_be_visible()
    assert in_sight(page, 1)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (320, 568)])
def test_the_usual_reasons_are_in_sight_when_save_asks_for_one(open_page, bobs_table, width, height) -> None:
    page = captain(open_page, bobs_table)
    page.set_viewport_size({"width": width, "height": height})
    go_to(page, "correct-1")
    tap(page, "Bête", "Save")
    expect(page.locator("#reason-problem")).to_have_text("Say why, in a few words.")
    for reason in page.locator("#reasons button").all():
        box = reason.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= height
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"  # no field: no keyboard comes up
    tap(page, "agreed at the table", "Save")
    expect(page.locator("#sheet-lines tr").first).to_contain_text("bête −6corrected")
    assert Report.objects.get(deal_number=1, revision=2).reason == "agreed_at_the_table"


# What is tapped seldom, and what is hard to see


def test_a_tout_is_four_taps_and_the_question_whether_it_is_one(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    tap(page, forehand(page), "Solo", "hearts", "Tout")
    expect(page.locator("#preview")).to_contain_text("A tout is rare. Is that right?")
    page.locator("#save").tap()
    expect(badge(page)).to_have_text(f"✓ {REPORTED + 1} sent")
    newest = Report.objects.latest("sequence")
    assert (newest.outcome, newest.result["tout"]) == ("won", "won")
    go_to(page, f"correct-{newest.deal_number}")
    expect(page.locator("#result [aria-pressed=true]")).to_contain_text("tout")


def test_a_ring_over_an_a_is_cut_off_by_nothing(open_page, bobs_table) -> None:
    names = ["Åse Ågård (Ærø)", "Ågot Vestergaard-Christoffersen", "Ådne Dam", "Åge Holm (Marstal)"]
    for seat, name in zip(bobs_table.seats.select_related("entry__player"), names, strict=True):
        seat.entry.player.name = name
        seat.entry.player.save()
    page = captain(open_page, bobs_table)
    shown = page.locator("#declarer .label").all_inner_texts()[:3]
    assert set(shown) < {"Åse", "Ågot", "Ådne", "Åge"}
    hidden = page.locator("#declarer button").first.evaluate(
        """(button) => [button, ...button.querySelectorAll("*")].map((one) => {
            const { overflowY, lineHeight, fontSize } = getComputedStyle(one);
            return [overflowY, parseFloat(lineHeight) / parseFloat(fontSize) >= 1.1];
        })"""
    )
    assert {overflow for overflow, _high in hidden} == {"visible"}
    assert all(high for _overflow, high in hidden)


def test_a_chosen_button_is_seen_in_forced_colours(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.emulate_media(forced_colors="active")
    page.locator("#declarer button").first.tap()
    chosen, other = page.locator("#declarer button").evaluate_all(
        "(buttons) => buttons.slice(0, 2).map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert chosen != other


def test_a_red_suit_is_red_and_its_sign_is_not_parted_from_its_game(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    open_sheet(page)
    sign = page.locator("#sheet-lines .suit-h").first
    expect(sign).to_have_text(re.compile("^\u00a0[♥♦]$"))
    colours = [one.evaluate("(one) => getComputedStyle(one).color") for one in (sign, page.locator("#sheet"))]
    assert colours[0] != colours[1]
