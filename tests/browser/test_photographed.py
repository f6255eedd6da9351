"""Alice photographs a sheet that a table has ticked: two lines are asked, the rest is read; the standings are right."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from clubs.jobs.models import Job
from clubs.jobs.working import do_here
from tests.factories import first_table, make_tournament
from tests.photographs.tables import photograph, printed_page
from tournaments.files.recount import differences
from tournaments.ledger.scoresheet import score_sheet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DEALS = 8
WON = {"contract": "solo", "trump": "H", "result": "won"}


def lines_of(layout):
    """Every deal a solo by who deals next, but for deal 3 without its trump, and deal 6 with a note."""
    lines = [{"declarer": str((row.dealer + 1) % 4)} | WON for row in layout.rows]
    del lines[2]["trump"]
    lines[5]["alone"] = "note"
    return lines


def test_a_ticked_sheet_is_photographed_answered_and_taken_in(alice, open_page, tmp_path):
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
    expect(page.locator("#sending li.field-error")).to_contain_text("list.jpg: This is no photograph")
    expect(page.locator("#sending li.muted")).to_have_text("sheet.jpg: sent")
    do_here(Job.objects.get())
    page.get_by_role("link", name="Table 1, round 1").click()
    expect(page.locator("[name=line-3]")).to_be_focused()
    expect(page.locator("[name=right-6]")).not_to_be_checked()
    assert page.locator(".read-line").count() == DEALS
    assert page.evaluate("document.querySelector('.piece image').getBBox().width") == 1100
    page.keyboard.press("Control+a")
    page.keyboard.type(f"{'ABCD'[(layout.rows[2].dealer + 1) % 4]} solo h won")
    page.keyboard.press("Enter")
    expect(page.locator("[name=line-6]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[name=right-6]")).to_be_checked()
    page.get_by_role("button", name="Take the table in").click()
    # The rest is to be compared with the paper first.
    expect(page.locator("#messages .message.warning")).to_contain_text("Nothing is taken in yet")
    assert table.reports.count() == 0
    page.get_by_label("lines are as on the paper").check()
    page.get_by_role("button", name="Take the table in").click()
    expect(page.locator("#messages .message.success")).to_contain_text("8 deals are taken in.")
    sheet = score_sheet(table)
    assert [line.report.contract for line in sheet.lines] == ["solo"] * DEALS
    assert [line.declarer for line in sheet.lines] == [(row.dealer + 1) % 4 for row in layout.rows]
    assert list(differences(table.round.tournament)) == []
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#messages .message.success")).to_have_text("It is taken back.")
    assert score_sheet(table).reported == 0
