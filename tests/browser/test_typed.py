"""Another language is chosen in the middle of a form: what has been typed is still there, in every kind of form."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.phone import captain, go_to
from tests.factories import first_table, make_tournament
from tournaments.models import Flag

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = "Object.keys(sessionStorage).filter((name) => name.startsWith('spadille-typed'))"


@pytest.fixture
def desk(open_page, alice):
    def opened(path: str) -> Page:
        page = open_page(path)
        page.fill("[name=username]", "alice")
        page.fill("[name=password]", "a long password")
        page.keyboard.press("Enter")
        expect(page.locator("[name=password]")).to_have_count(0)  # the form to sign in names the same address
        return page

    return opened


def in_danish(page: Page) -> None:
    page.locator("details.more").evaluate("one => { one.open = true; }")
    page.get_by_role("button", name="Dansk").click()
    expect(page.locator("html")).to_have_attribute("lang", "da")
    assert page.evaluate(KEPT) == []


def test_a_half_filled_set_up_keeps_every_field_also_those_that_another_choice_brings(desk, club):
    page = desk("/desk/new/")
    page.fill("[name=name]", "Julehombre")
    page.locator("summary:has(#said-played)").click()
    page.check("[name=format][value=pairs]")
    expect(page.locator("[name=rounds_planned]")).to_have_value("5")  # what this format proposes
    page.fill("[name=rounds_planned]", "7")
    page.select_option("[name=rulebook]", "rasle")
    kaske = page.locator("[name$=kaske]").first
    kaske.wait_for(state="attached")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    kaske.check()
    expect(page.locator("[name=rounds_planned]")).to_have_value("7")
    in_danish(page)
    expect(page.locator("[name=name]")).to_have_value("Julehombre")
    expect(page.locator("[name=rounds_planned]")).to_have_value("7")
    expect(page.locator("[name=format][value=pairs]")).to_be_checked()
    expect(page.locator("[name=rulebook]")).to_have_value("rasle")
    expect(kaske).to_be_checked()


def test_a_half_typed_slip_is_checked_again_and_nothing_asks_whether_to_leave(open_page, transactional_db):
    table = first_table(make_tournament(4, deals_per_round=4))
    page = open_page(f"/c/{table.secret}/slip", phone=True)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.fill("[name=line-1]", "- pass")
    page.fill("[name=line-3]", "B gmae")
    in_danish(page)
    expect(page.locator("[name=line-1]")).to_have_value("- pass")
    expect(page.locator("[name=line-3]")).to_have_value("B gmae")
    expect(page.locator("[data-deal='3'] .problem")).to_contain_text("gmae")
    assert asked == []


def test_passwords_are_never_kept(open_page, transactional_db):
    page = open_page("/desk/")
    page.fill("[name=username]", "alice")
    page.fill("[name=password]", "a long password")
    in_danish(page)
    expect(page.locator("[name=username]")).to_have_value("alice")
    expect(page.locator("[name=password]")).to_have_value("")


def test_a_slip_sent_after_signing_out_is_there_again_after_signing_in(desk, alice, club):
    tournament = make_tournament(4, club=club, account=alice, deals_per_round=4)
    page = desk(f"/desk/t/{tournament.code}/round/1/table/1/slip/")
    page.fill("[name=line-1]", "- pass")
    page.fill("[name=line-3]", "B gmae")
    page.context.clear_cookies(name="sessionid")
    page.locator("#slip-save").click()
    expect(page.locator(".message")).to_contain_text("You were signed out, so nothing was saved")
    page.fill("[name=username]", "alice")
    page.fill("[name=password]", "not the password")
    page.keyboard.press("Enter")
    expect(page.locator(".message.error, .errorlist").first).to_be_visible()
    page.fill("[name=password]", "a long password")
    page.keyboard.press("Enter")
    expect(page.locator("[name=line-1]")).to_have_value("- pass")
    expect(page.locator("[name=line-3]")).to_have_value("B gmae")


def test_a_form_from_before_another_sign_in_waits_behind_the_page_that_refuses_it(desk, club):
    page = desk("/desk/new/")
    page.fill("[name=name]", "Julehombre")
    page.context.clear_cookies(name="csrftoken")
    page.get_by_role("button", name="Create the tournament").click()
    page.get_by_role("link", name="Back to what you typed").click()
    expect(page.locator("[name=name]")).to_have_value("Julehombre")


def test_what_was_stored_is_not_put_back(desk, club):
    page = desk("/desk/new/")
    page.fill("[name=name]", "Julehombre")
    page.get_by_role("button", name="Create the tournament").click()
    page.wait_for_url("**/desk/t/**")
    page.goto(page.url.split("/desk/")[0] + "/desk/new/")
    expect(page.locator("[name=name]")).to_have_value("Club evening")
    assert page.evaluate(KEPT) == []


def test_the_words_of_a_call_wait_on_the_captains_page_until_it_is_sent(open_page, transactional_db):
    page = captain(open_page, first_table(make_tournament(4, deals_per_round=4)))
    go_to(page, "call")
    page.locator("#call-words").fill("The table wobbles")
    go_to(page, "menu")
    page.get_by_role("button", name="Dansk").tap()
    expect(page.locator("html")).to_have_attribute("lang", "da")
    go_to(page, "call")
    expect(page.locator("#call-words")).to_have_value("The table wobbles")
    page.locator("#call").get_by_role("button", name="Send").tap()
    expect(page.locator("#called-state")).to_have_text("Arrangøren er tilkaldt")
    assert Flag.objects.get().words == "The table wobbles"
    page.reload()
    expect(page.locator("#call-words")).to_have_value("")


def test_nothing_is_typed_into_fields_that_another_format_is_about_to_replace(desk, club):
    page = desk("/desk/new/")
    page.locator("summary:has(#said-played)").click()
    waiting: list[Route] = []
    # A method of a list takes no mark, and Playwright marks what it calls.
    page.route("**/desk/new/", lambda route: waiting.append(route))  # noqa: PLW0108
    page.locator("[name=format][value=pairs]").check()
    rounds = page.locator("[name=rounds_planned]")
    expect(rounds).to_be_disabled()
    waiting[0].continue_()
    page.unroute("**/desk/new/")
    expect(page.locator("#said-counts")).to_contain_text("match points")
    rounds.fill("7")
    expect(rounds).to_have_value("7")
