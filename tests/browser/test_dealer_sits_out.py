"""A table of four on the phone where the dealer sits out: the page says so, and offers the three who play."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.phone import captain
from tests.factories import first_table, make_tournament, report
from tournaments.models import Table

pytestmark = pytest.mark.browser

ENTRADA = {"contract": "entrada", "declarer": 1, "trump": "H", "outcome": "won", "pool": 5, "estuches": 2}


@pytest.fixture
def bobs_table(transactional_db, alice) -> Table:
    made = make_tournament(
        players=4, rulebook="renegado", options={"sits_out": "dealer"}, deals_per_round=4, account=alice
    )
    return first_table(made)


def test_the_phone_says_that_the_dealer_sits_out_and_the_sheet_marks_both(open_page, bobs_table) -> None:
    assert report(bobs_table, 1, ENTRADA).status == "accepted"
    page = captain(open_page, bobs_table)
    who = [seat.entry.player.name.split()[0] for seat in bobs_table.seats.select_related("entry__player")]
    expect(page.locator("#dealer-line")).to_contain_text(f"Deals and sits out: {who[1]}")
    seats = page.locator("#declarer button")
    expect(seats).to_have_count(4)
    assert [seats.nth(at).locator(".label").inner_text() for at in range(4)] == [
        who[2],
        who[3],
        who[0],
        who[1],
    ]
    page.locator(".tab", has_text="Sheet").tap()
    first = page.locator("#sheet-lines tr").first
    expect(first.locator("td.amount small")).to_have_text(["dealer · out"])
    expect(first.locator("td.amount").nth(0)).to_contain_text("\N{MINUS SIGN}12")
    expect(first.locator("td.amount").nth(1)).to_contain_text("26")
