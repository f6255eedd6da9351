"""The prizes at the finish: while they are typed, their sum is compared with the pool."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.factories import first_round, make_tournament, play_out
from tournaments.lifecycle.ending import post
from tournaments.lifecycle.playing import close_round
from tournaments.models import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["1.200", "400", ""], "1,600 kroner in all: the whole pool."),
        (["1,200.50", "", ""], "1,200.50 kroner in all: 399.50 stay with the club."),
        (["1200", "500,-", "100 kr."], "1,800 kroner in all: the club adds 200."),
        (["much", "500", ""], ""),
        (["", "", ""], ""),
    ],
)
def test_the_sum_is_that_of_what_is_typed(open_page, alice, club, typed, said):
    tournament = make_tournament(8, club=club, entry_fee=20000, deals_per_round=4)
    tournament.entries.update(fee_paid=True)
    for table in Table.objects.all():
        play_out(table)
    close_round(first_round(tournament), force_reason="late", account=alice, now=timezone.now())
    post(tournament, minutes=30, account=alice, now=timezone.now())
    page = open_page(f"/desk/t/{tournament.code}/finish/")
    page.fill("[name=username]", "alice")
    page.fill("[name=password]", "a long password")
    page.keyboard.press("Enter")
    expect(page.locator(".prize-sum")).to_have_text("1,600 kroner in all: the whole pool.")
    for place, kroner in enumerate(typed):
        page.locator("[name=by_place]").nth(place).fill(kroner)
    expect(page.locator(".prize-sum")).to_have_text(said)
    if said:
        page.goto(page.url.replace("/finish/", "/money/"))
        expect(page.locator(".prize-sum")).to_have_text("")
        page.locator("[name=by_place]").first.fill("25")
        expect(page.locator(".prize-sum")).to_have_text("400 kroner in all: 1,200 stay with the club.")
