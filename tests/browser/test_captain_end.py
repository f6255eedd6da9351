"""The end of a round on the phone: thanks, the table's four with their places, and the ways on, above the fold."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.phone import LATER_IS_HERE, settled, until
from tests.browser.test_axe import violations_here
from tests.factories import first_table, make_tournament, play_out
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round
from tournaments.models import Table, Tournament

pytestmark = pytest.mark.browser

SIZES = [(360, 640), (320, 568)]


@pytest.fixture
def last_table(transactional_db, alice) -> Table:
    """A table of the last round, all of it played."""
    table = first_table(make_tournament(8, 1, account=alice, deals_per_round=4))
    play_out(table)
    return table


def is_above_the_fold(page: Page, *parts: str) -> bool:
    height = page.viewport_size["height"]
    boxes = [page.locator(part).last.bounding_box() for part in parts]
    return all(box and box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_when_all_agree_thanks_places_and_standings_are_above_the_fold(
    open_page, last_table, size, locale
) -> None:
    page = open_page(f"/c/{last_table.secret}/#agree", phone=True, locale=locale, size=size)
    page.locator("#agree-all").tap()
    expect(page.locator("#agree-places li")).to_have_count(4)
    expect(page.locator("#agree-ask")).to_be_hidden()
    settled(page)
    parts = ["#agree-thanks", "#agree-places li", "#agree-provisional", "#agree-standings", ".after > *"]
    assert is_above_the_fold(page, *parts)
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert violations_here(page) == []


def test_an_average_of_many_digits_stays_in_one_line(open_page, last_table) -> None:
    page = open_page(f"/c/{last_table.secret}/#agree", phone=True)
    page.locator("#agree-all").tap()
    total = page.locator("#agree-places strong").first
    expect(total).to_be_visible()
    heights = [
        total.evaluate("(total, text) => { total.textContent = text; return total.offsetHeight; }", text)
        for text in ("+1", "−118.67")
    ]
    assert heights[0] == heights[1]
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]


def test_who_finds_something_wrong_then_can_take_a_yes_back(open_page, last_table) -> None:
    page = open_page(f"/c/{last_table.secret}/#agree", phone=True)
    page.locator("#agree-all").tap()
    expect(page.locator("#agree-thanks")).to_have_text("Thank you for tonight, table 1")
    page.locator("#agree-wrong").tap()
    page.locator("#agree-seats button").first.tap()
    expect(page.locator("#agree-end")).to_be_hidden()
    expect(page.locator("#agree-seats [aria-pressed=true]")).to_have_count(3)
    assert last_table.seats.filter(agreed_at=None).count() == 1


@pytest.mark.parametrize("size", SIZES)
def test_the_closed_link_has_them_above_the_fold_too(open_page, last_table, alice, size) -> None:
    close_round(last_table.round, account=alice, now=timezone.now(), force_reason="late")
    page = open_page(f"/c/{last_table.secret}/", phone=True, size=size)
    expect(page.locator("h1")).to_have_text("Thank you for tonight, table 1")
    assert is_above_the_fold(page, "h1", ".placed li", ".note.wait", ".wide-one", ".two a")
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("size", SIZES)
def test_after_the_final_word_it_has_who_won_the_places_and_cards_above_the_fold(
    open_page, last_table, alice, size
) -> None:
    for table in last_table.round.tables.exclude(pk=last_table.pk):
        play_out(table)
    close_round(last_table.round, account=alice, now=timezone.now(), force_reason="late")
    finish(Tournament.objects.get(), account=alice, now=timezone.now())
    page = open_page(f"/c/{last_table.secret}/", phone=True, locale="da-DK", size=size)
    expect(page.locator(".took")).to_have_count(4)
    assert is_above_the_fold(page, "h1", ".placed li", ".took", ".wide-one", ".two a")
    boxes = page.locator(".took").evaluate_all("all => all.map(one => [one.offsetWidth, one.offsetHeight])")
    assert min(map(min, boxes)) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert violations_here(page) == []


@pytest.mark.parametrize("view", ["", "sheet", "call", "agree"])
def test_with_letters_of_twice_the_size_no_view_goes_sideways(open_page, bobs_table, view) -> None:
    page = open_page(f"/c/{bobs_table.secret}/#{view}", phone=True, locale="da-DK")
    until(page, LATER_IS_HERE)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
