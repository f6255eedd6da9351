"""The first page in a real browser: from a server without an organiser to the desk, on the machine and by a phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clubs import first_page
from clubs.models import Account, Club

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WORDS = "tre gode ord"
SIZES = {"phone": (360, 640), "desktop": (1280, 800)}


@pytest.fixture(autouse=True)
def _served_without_an_organiser(settings, monkeypatch):
    settings.FIRST_PAGE_SECRET = first_page.new_code()
    monkeypatch.setattr(first_page, "CONTAINER_FILES", ())
    for name in first_page.CONTAINER_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def fill_in(page: Page, password: str = WORDS, **labels: str) -> None:
    words = {
        "Name of the club": "Stilling",
        "Your name": "Anna Holm",
        "User name": "anna",
        "Password": password,
    }
    for label, text in (words | {"The same password again": password} | labels).items():
        page.get_by_label(label, exact=True).fill(text)


def nothing_is_cut_off(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_who_sits_at_the_machine_goes_from_any_address_by_the_first_page_to_the_desk(open_page, size):
    page = open_page("/rules/", phone=size[0] < 500, size=size)
    expect(page).to_have_url(re.compile("/desk/first/$"))
    assert nothing_is_cut_off(page)
    expect(page.get_by_label("Code")).to_have_count(0)
    fill_in(page, "kort")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".field-error")).to_contain_text("at least 10 characters")
    expect(page.get_by_label("Name of the club")).to_have_value("Stilling")
    fill_in(page)
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(re.compile("/desk/$"))
    expect(page.locator(".onboard li")).to_have_count(3)
    assert (str(Account.objects.get()), Club.objects.get().name) == ("Anna Holm", "Stilling")


def test_another_language_keeps_what_was_typed(open_page):
    page = open_page("/", phone=True, size=SIZES["phone"])
    fill_in(page)
    page.locator("main").get_by_role("button", name="Dansk").click()
    expect(page.get_by_role("heading", name="Velkommen til Spadille")).to_be_visible()
    expect(page.get_by_label("Klubbens navn")).to_have_value("Stilling")
    assert nothing_is_cut_off(page)
    for label in ("Adgangskode", "Den samme adgangskode igen"):
        page.get_by_label(label, exact=True).fill("tre gode ord")
    page.get_by_role("button", name="Begynd").click()
    expect(page).to_have_url(re.compile("/desk/$"))
    assert Club.objects.get().language == "da"


def test_a_phone_types_the_code_and_sees_the_sample_players_play(open_page, settings, monkeypatch):
    monkeypatch.setenv("container", "podman")
    page = open_page("/", phone=True, size=SIZES["phone"])
    fill_in(page, Code="AAAAAA")
    page.get_by_label("Try it with sample players first").check()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".field-error")).to_contain_text("This is not the code.")
    assert nothing_is_cut_off(page)
    fill_in(page, Code=settings.FIRST_PAGE_SECRET.lower())
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("Three tables are playing.")).to_be_visible()
    expect(page).to_have_url(re.compile("/desk/t/.*/board/$"))


def test_the_second_of_two_browsers_is_told_that_somebody_was_first(open_page):
    first, second = open_page("/"), open_page("/")
    fill_in(first)
    fill_in(second, **{"User name": "bert", "Name of the club": "Viby"})
    first.get_by_role("button", name="Begin").click()
    expect(first).to_have_url(re.compile("/desk/$"))
    second.get_by_role("button", name="Begin").click()
    expect(
        second.get_by_text("Someone else has become the first organiser, so nothing you typed was saved")
    ).to_be_visible()
    assert Account.objects.get().username == "anna"


def test_a_double_tap_makes_one_organiser_and_leads_to_the_desk(open_page):
    page = open_page("/")
    fill_in(page)
    page.get_by_role("button", name="Begin").dblclick()
    expect(page).to_have_url(re.compile("/desk/$"))
    expect(page.get_by_text("Someone else")).to_have_count(0)
    assert Account.objects.count() == 1
