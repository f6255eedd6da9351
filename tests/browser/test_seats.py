"""In the middle of a round the dealer was wrong, or a deal was forgotten: on the phone and at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.phone import badge, captain, go_to, settled, tap, win_a_nolo
from tests.browser.windows import PHONE
from tests.factories import first_table, make_player, make_tournament, report
from tournaments.entries import entering
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Outlook, change_seats
from tournaments.lifecycle.seat_changes import sit_down_late
from tournaments.models import Report, SeatChange, Table

if TYPE_CHECKING:
    from clubs.models import Account

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def now():
    return timezone.now()


def sign_in(page: Page) -> None:
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("a long password")
    page.keyboard.press("Enter")


def names(table: Table) -> list[str]:
    return [seat.entry.shown_name for seat in table.seats.select_related("entry__player")]


def no_wider_than(page: Page, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_captain_moves_the_dealer_and_sees_before_what_follows(open_page, bobs_table) -> None:
    c = names(bobs_table)[2]
    report(bobs_table, 1)
    report(bobs_table, 2, {"contract": "pure_nolo", "declarer": 2, "outcome": "won"})
    page = captain(open_page, bobs_table)
    go_to(page, "menu")
    page.get_by_role("link", name="Dealer and seats").tap()
    page.get_by_role("link", name="Another dealer").tap()
    page.get_by_label("From which deal on?").fill("2")
    page.get_by_label("Who deals it?").select_option(label=f"C {c}")
    page.get_by_label("Reason").fill("dealt out of turn")
    page.get_by_role("button", name="Show the consequences").tap()
    expect(page.locator("#follows tbody tr").nth(1)).to_contain_text("Pure nolo")
    no_wider_than(page, PHONE["width"])
    assert SeatChange.objects.count() == 0
    page.get_by_role("button", name="Save it like this").tap()
    expect(page.locator("#sheet-lines tr").nth(1).locator("td").nth(3)).to_contain_text("dealer")
    page.goto(f"{page.url.split('#')[0]}")
    expect(page.locator("#dealer-line")).not_to_contain_text(f"Dealer {c}")
    assert [change.change for change in SeatChange.objects.all()] == [{"deal": 2, "dealer": 2}]
    assert Report.objects.get(deal_number=2, revision=2).dealer == 2
    assert list(differences(bobs_table.round.tournament)) == []


def test_what_waits_on_a_phone_while_the_desk_moves_the_dealer_is_asked_back(
    open_page, bobs_table, alice: Account, now
) -> None:
    page = captain(open_page, bobs_table)
    win_a_nolo(page)
    expect(badge(page)).to_have_text("✓ 1 sent")
    page.context.set_offline(True)
    win_a_nolo(page)
    expect(badge(page)).to_contain_text("1 only here")
    move = {"deal": 2, "dealer": 3}
    bobs_table.refresh_from_db()
    change_seats(
        bobs_table,
        move,
        seen=Outlook(bobs_table, move).seen,
        resolved={},
        reason="out of turn",
        account=alice,
        now=now,
    )
    page.context.set_offline(False)
    card = page.locator("#notices .message", has_text="Dealer or seats have been changed in the meantime")
    expect(card).to_contain_text(f"{names(bobs_table)[3]} deals deal 2")
    assert Report.objects.count() == 1
    card.get_by_role("button", name="Check it").tap()
    expect(page.locator("#where")).to_contain_text("Deal 2 of")
    expect(page.locator("#dealer-line")).to_contain_text(f"Dealer {names(bobs_table)[3].split()[0]}")
    for group in ("declarer", "contract", "result"):  # the declarer plays in this deal, too
        expect(page.locator(f"#{group} button[aria-pressed=true]")).to_have_count(1)
    settled(page)
    tap(page, "Save")
    expect(badge(page)).to_have_text("✓ 2 sent")
    assert Report.objects.get(deal_number=2).dealer == 3
    assert list(differences(bobs_table.round.tournament)) == []


def test_the_desk_puts_a_forgotten_deal_in_and_the_phone_goes_on_after_it(open_page, bobs_table) -> None:
    report(bobs_table, 1)
    report(bobs_table, 2, {"contract": "pure_nolo", "declarer": 2, "outcome": "won"})
    phone = captain(open_page, bobs_table)
    desk = open_page(f"/desk/t/{bobs_table.round.tournament.code}/round/1/table/{bobs_table.number}/")
    sign_in(desk)
    desk.get_by_role("link", name="Dealer and seats").click()
    desk.get_by_role("link", name="A deal was forgotten").click()
    desk.get_by_label("Which deal was forgotten?").fill("2")
    desk.get_by_label("Reason").fill("nobody wrote it down")
    desk.get_by_role("button", name="Show the consequences").click()
    expect(desk.locator("#follows")).to_contain_text("open: to be entered")
    desk.get_by_role("button", name="Save it like this").click()
    expect(desk.get_by_label("In one line")).to_be_visible()
    desk.get_by_label("In one line").fill("- pass")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(badge(phone)).to_have_text("✓ 3 sent")
    expect(phone.locator("#where")).to_have_text("Deal 4 of 4")
    assert list(differences(bobs_table.round.tournament)) == []


def test_a_fourth_sits_down_while_the_phone_of_a_table_of_three_is_in_a_cellar(open_page, alice, now) -> None:
    tournament = make_tournament(players=3, deals_per_round=4, deals_at_three=3, account=alice)
    table = first_table(tournament)
    page = captain(open_page, table)
    page.context.set_offline(True)
    win_a_nolo(page)
    expect(badge(page)).to_contain_text("1 only here")
    entry = entering.enter(tournament, make_player("Ulla Vest"), club=None, account=alice, now=now)
    entering.check_in(entry, present=True, account=alice, now=now)
    sit_down_late(table, entry, account=alice, now=now)
    page.context.set_offline(False)
    card = page.locator("#notices .message", has_text="Dealer or seats have been changed in the meantime")
    expect(card).to_contain_text("sits out")
    go_to(page, "sheet")
    expect(page.locator("#sheet-head")).to_contain_text("Ulla")
    expect(page.locator("#sheet")).not_to_contain_text("NaN")
    card.get_by_role("button", name="Check it").tap()
    expect(page.locator("#where")).to_have_text("Deal 1 of 4")
    for group in ("declarer", "contract", "result"):  # the declarer plays in this deal, too
        expect(page.locator(f"#{group} button[aria-pressed=true]")).to_have_count(1)
    settled(page)
    tap(page, "Save")
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert len(Report.objects.get().tokens) == 4
    assert list(differences(tournament)) == []
