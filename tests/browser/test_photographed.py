"""Alice photographs a sheet that a table has ticked: two lines are asked, the rest is read; the standings are right."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.factories import first_table, make_tournament
from tests.photographs.tables import photograph, printed_page
from tournaments.exports.verify.recount import differences
from tournaments.ledger.scoresheet import score_sheet
from tournaments.reporting.scans import page as read_page
from tournaments.reporting.scans.merging import ENOUGH

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DEALS = 40
WON = {"contract": "solo", "trump": "H", "result": "won"}
# Counted where they are made: keys pressed, presses of the mouse or a finger, and elements that had the focus.
COUNT = """() => {
  window.done = { keys: 0, presses: 0 };
  addEventListener("keydown", ({ key }) => { window.done.keys += key.length === 1 || key === "Enter"; }, true);
  addEventListener("pointerdown", () => { window.done.presses += 1; }, true);
}"""
# The keystroke-level model of Card, Moran and Newell, in seconds: a key, pointing at something and pressing, moving a
# hand between mouse and keys, making up one's mind. And what is ours: taking the picture of a sheet that lies there,
# waiting until it is read, looking at one line beside its piece of the paper.
KEY, POINT, HAND, MIND = 0.28, 1.2, 0.4, 1.35
PICTURE, READ, LOOK = 6.0, 3.0, 1.2


def seconds(done, *, asked, looked):
    """What a table takes its person: the picture, then keys and presses, with so many lines looked at."""
    mind = MIND * (1 + asked)
    return PICTURE + READ + done["keys"] * KEY + done["presses"] * (POINT + HAND) + mind + looked * LOOK


def lines_of(layout):
    """Every deal a solo by who deals next, but for deal 3 without its trump, and deal 6 with a note."""
    lines = [{"declarer": str((row.dealer + 1) % 4)} | WON for row in layout.rows]
    del lines[2]["trump"]
    lines[5]["alone"] = "note"
    return lines


def answered(page, layout, *, blocks):
    """Answer all by the keyboard alone, and take it in; what was done, with the press that has opened the page."""
    page.evaluate(COUNT)
    expect(page.locator("[name=line-3]")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(f"{'ABCD'[(layout.rows[2].dealer + 1) % 4]} solo h won")
    page.keyboard.press("Enter")
    expect(page.locator("[name=line-6]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[name=right-6]")).to_be_checked()
    for block in range(blocks):
        expect(page.locator("[name^=looked-]").nth(block)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("[name^=looked-]").nth(block)).to_be_checked()
    expect(page.get_by_role("button", name="Save this table")).to_be_focused()
    done = page.evaluate("window.done")
    page.keyboard.press("Enter")
    expect(page.locator("#messages .message.success")).to_contain_text("40 deals have been saved.")
    return {"keys": done["keys"] + 1, "presses": done["presses"] + 1}


def test_a_ticked_sheet_is_photographed_answered_and_taken_in(alice, open_page, tmp_path, monkeypatch):
    table = first_table(make_tournament(4, account=alice, rulebook="union", deals_per_round=DEALS))
    page_, layout = printed_page(table)
    (tmp_path / "sheet.jpg").write_bytes(photograph(page_, layout, lines_of(layout)))
    (tmp_path / "list.jpg").write_bytes(b"no picture")
    address = f"/desk/t/{table.round.tournament.code}/paper/"
    page = open_page(address)
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("a long password")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address}")
    page.locator("#choose").set_input_files([tmp_path / "sheet.jpg", tmp_path / "list.jpg"])
    # Each by itself: what is no picture keeps no other from being read.
    expect(page.locator("#sending li.field-error")).to_contain_text(
        "list.jpg: This photograph cannot be read"
    )
    expect(page.locator("#sending li.muted")).to_have_text("sheet.jpg: sent")
    do_here(Job.objects.get())
    page.get_by_role("link", name="Table 1, round 1").click()
    expect(page.locator("[name=line-3]")).to_be_focused()
    expect(page.locator("[name=right-6]")).not_to_be_checked()
    assert page.locator(".read-line").count() == DEALS
    assert page.evaluate("document.querySelector('.piece image').getBBox().width") == 1100
    # Enter that is held down answers one line.
    page.locator("[name=line-6]").focus()
    for _repeated in range(8):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator("[name=right-6]")).to_be_checked()
    expect(page.locator("[name=line-3]")).to_be_focused()
    assert page.locator("[name^=looked-]:checked, [name=right-3]:checked").count() == 0
    page.reload()
    # Taken in before all is looked at: nothing is stored, and what is lacking is said.
    page.get_by_role("button", name="Save this table").click()
    expect(page.locator("#messages .message.warning")).to_contain_text("Nothing has been saved yet")
    expect(page.locator("[name=line-3]")).to_be_focused()
    assert table.reports.count() == 0
    done = answered(page, layout, blocks=4)
    sheet = score_sheet(table)
    assert [line.report.contract for line in sheet.lines] == ["solo"] * DEALS
    assert [line.declarer for line in sheet.lines] == [(row.dealer + 1) % 4 for row in layout.rows]
    assert list(differences(table.round.tournament)) == []
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#messages .message.success")).to_have_text("It has been undone.")
    assert score_sheet(table).reported == 0
    # Every line was looked at, since the club's sheets are not trusted yet.
    assert (done, round(seconds(done, asked=2, looked=DEALS))) == ({"keys": 20, "presses": 1}, 68)
    # Where they are, only what is asked is looked at, and the button comes next.
    monkeypatch.setattr(read_page, "sheets_right", lambda _club: ENOUGH)
    page.get_by_role("link", name="Table 1, round 1").click()
    done = answered(page, layout, blocks=0)
    assert (done, round(seconds(done, asked=2, looked=2))) == ({"keys": 16, "presses": 1}, 22)
