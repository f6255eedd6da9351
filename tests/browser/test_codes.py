"""Deals that the network does not bring: Bob's phone shows a code, Alice types or scans it, and they count once."""

from __future__ import annotations

from io import BytesIO

import pytest
import zxingcpp
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from tests.browser.phone import LATER_IS_HERE, badge, captain, go_to, until, win_a_nolo
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.playing import revoke_link
from tournaments.models import KeptReport, Report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHOW = """async () => {
    const { showCode } = await import("/static/js/captain/codes.js");
    const result = { contract: "solo", declarer: 1, trump: "H", outcome: "won" };
    const items = Array.from({ length: 12 }, (_, at) =>
        ({ key: `00000000-0000-8000-8000-00000000000${at % 10}`, deal: at + 1, base: 0, result }));
    showCode(items, "secret", document.getElementById("code"));
}"""


def scanned(picture: bytes) -> list[str]:
    with Image.open(BytesIO(picture)) as opened:
        return [square.text for square in zxingcpp.read_barcodes(opened)]


def shown_code(phone, at=0) -> str:
    return phone.locator(".code-groups").nth(at).text_content().strip()


def test_a_deal_of_a_phone_whose_link_is_dead_is_typed_at_the_desk_and_stored_once(
    bobs_table, alice, open_page
):
    phone = captain(open_page, bobs_table)
    # The page fetches what makes codes by itself, once it works.
    until(phone, LATER_IS_HERE)
    phone.context.set_offline(True)
    win_a_nolo(phone)
    expect(badge(phone)).to_contain_text("1 only here")
    revoke_link(bobs_table, account=alice, now=timezone.now())
    go_to(phone, "menu")
    phone.get_by_role("button", name="Code for the desk").tap()
    text = shown_code(phone)
    assert scanned(phone.locator("svg.qr").screenshot()) == [text.replace(" ", "")]
    assert phone.evaluate("document.documentElement.scrollWidth") == 360

    desk = open_page(f"/desk/t/{bobs_table.round.tournament.code}/code/")
    expect(desk.get_by_label("User name")).to_be_focused()
    desk.keyboard.type("alice")
    desk.keyboard.press("Tab")
    desk.keyboard.type("a long password")
    desk.keyboard.press("Enter")
    field = desk.get_by_label("Code", exact=True)
    expect(field).to_be_focused()
    wrong = text[:-1] + ("3" if text[-1] == "2" else "2")
    desk.keyboard.type(wrong)
    desk.keyboard.press("Enter")
    groups = wrong.split()
    expect(desk.locator(".field-error")).to_contain_text(f"Group {len(groups)} (“{groups[-1]}”) is mistyped")
    assert field.input_value() == wrong
    for _time in range(2):  # a scanner types what the square says, and Enter
        field.fill("")
        desk.keyboard.type(text.replace(" ", ""))
        desk.keyboard.press("Enter")
        expect(desk.locator(".message")).to_contain_text("decide below on deal 1.")
    expect(desk.locator(".late")).to_contain_text("a code from a phone with a replaced link")
    desk.get_by_role("button", name="Accept").click()
    expect(desk.locator(".message.success")).to_have_text("The report of deal 1 now counts.")

    phone.context.set_offline(False)  # and it delivers by itself
    expect(phone.locator("#notices")).to_contain_text("This link has been replaced.")
    assert (Report.objects.count(), KeptReport.objects.count()) == (1, 1)
    assert list(differences(bobs_table.round.tournament)) == []


def test_many_waiting_deals_are_a_few_codes_that_a_small_phone_shows(bobs_table, open_page):
    phone = captain(open_page, bobs_table)
    phone.evaluate(SHOW)
    titles = phone.locator(".report-code h3").all_inner_texts()
    assert titles == ["Code 1 of 2. Deals: 1, 2, 3, 4, 5, 6, 7", "Code 2 of 2. Deals: 8, 9, 10, 11, 12"]
    for at in range(2):
        square = phone.locator("svg.qr").nth(at).screenshot()
        assert scanned(square) == [shown_code(phone, at).replace(" ", "")]
    phone.get_by_role("button", name="Hide").tap()
    assert phone.locator("#code").inner_text() == ""
