"""The evening's story and sharing in a real browser: a tap on a line follows it, and what is said is what is shared."""

from __future__ import annotations

import pytest

from tests.browser.phone import until
from tests.factories import first_round, make_tournament, play_out, report
from tournaments.models import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The phone's own sheet, as a page sees it: what is sent is kept.
SHEET = """
  navigator.canShare = () => true;
  navigator.share = async (sent) => { window.sent = { text: sent.text, picture: sent.files && sent.files[0].type }; };
"""


@pytest.fixture
def played(club):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    first, second = Table.objects.filter(round=first_round(tournament)).select_related("round__tournament")
    play_out(first)
    return tournament, second


def test_a_tap_on_a_line_follows_it_and_an_open_table_stays_open(played, open_page):
    tournament, table = played
    page = open_page(f"/t/{tournament.code}/story/", phone=True)
    assert page.locator(".legend .l4").count() == 0
    page.locator(".plot a.l0 .hit").first.dispatch_event("click")
    page.locator(".legend .l4").wait_for(state="attached")
    page.locator("#race-table summary").tap()
    report(table, 1)
    page.locator("text=1 passed by all").wait_for()
    assert page.locator("#race-table[open]").count() == 1


def test_the_phones_own_sheet_gets_text_and_picture(played, open_page):
    page = open_page("/", phone=True)
    page.context.add_init_script(SHEET)
    page.goto(page.url + f"t/{played[0].code}/share/")
    page.locator("[data-share-now]").tap()
    until(page, "async () => Boolean(window.sent)")
    assert page.evaluate("window.sent") == {
        "text": page.locator("#share-text").input_value(),
        "picture": "image/png",
    }
    page.locator("[data-copy=share-text]").tap()
    page.locator("[data-share-said]:has-text('Copied')").wait_for()
