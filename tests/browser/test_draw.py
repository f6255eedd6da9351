"""The draw by tap and by key: a seat is chosen, every other says its price, the second swaps, undo takes it back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.factories import make_tournament
from tournaments.models import Seat, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def evening(transactional_db, alice) -> Tournament:
    return make_tournament(23, 2, account=alice, started=False)


def at(tournament: Tournament, place: str) -> str:
    """The name of who sits there in round 1."""
    where = {"table__number": int(place[:-1]), "position": "ABCD".index(place[-1])}
    return str(Seat.objects.get(round__tournament=tournament, round__number=1, **where).entry.player)


def sign_in(page: Page) -> None:
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("a long password")
    page.keyboard.press("Enter")


def seat(page: Page, place: str):
    return page.locator(f".seats [data-seat-name^='{place}.']")


@pytest.mark.parametrize("phone", [False, True])
def test_two_taps_swap_and_one_undoes_it(open_page, evening, phone) -> None:
    one, other = at(evening, "1A"), at(evening, "4B")
    page = open_page(f"/desk/t/{evening.code}/draw/", phone=phone)
    sign_in(page)
    seat(page, "1A").click()
    expect(page.locator(".choosing")).to_contain_text(one)
    expect(page.locator(".seats .price")).to_have_count(23)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if phone:
        heights = page.evaluate("[...document.querySelectorAll('.seats button')].map(b => b.offsetHeight)")
        assert min(heights) >= 44
    seat(page, "4B").click()
    expect(page.locator(".message.undo")).to_contain_text(f"{one} and {other} have swapped seats.")
    assert (at(evening, "1A"), at(evening, "4B")) == (other, one)
    page.get_by_role("button", name="Undo").click()
    expect(seat(page, "1A")).to_contain_text(one)
    assert (at(evening, "1A"), at(evening, "4B")) == (one, other)


PLACES_OF_SEATS = """() => [...document.querySelectorAll(".seats li")].map(seat => {
  const { top, height } = seat.getBoundingClientRect();
  return [Math.round(top + scrollY), Math.round(height)];
})"""


@pytest.mark.parametrize("size", [(1280, 800), (900, 800), (360, 640)])
@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_no_seat_moves_when_one_is_chosen_and_let_go(open_page, evening, size, locale) -> None:
    page = open_page(f"/desk/t/{evening.code}/draw/", phone=size[0] < 500, locale=locale, size=size)
    page.locator("[name=username]").fill("alice")
    page.locator("[name=password]").fill("a long password")
    page.keyboard.press("Enter")
    expect(seat(page, "1A")).to_be_visible()
    page.wait_for_load_state("load")
    before = page.evaluate(PLACES_OF_SEATS)
    seat(page, "1A").click()
    expect(page.locator(".choosing")).to_be_visible()
    assert page.evaluate(PLACES_OF_SEATS) == before
    page.locator("[data-cancel]").click()
    expect(page.locator(".choosing")).to_have_count(0)
    assert page.evaluate(PLACES_OF_SEATS) == before


def test_the_whole_of_it_by_keys(open_page, evening) -> None:
    one, other = at(evening, "1A"), at(evening, "3C")
    page = open_page(f"/desk/t/{evening.code}/draw/")
    sign_in(page)
    expect(seat(page, "1A")).to_be_visible()
    page.wait_for_load_state("load")
    page.keyboard.type("1a")
    page.keyboard.press("Enter")
    expect(page.locator(".choosing")).to_contain_text(one)
    page.keyboard.press("Escape")
    expect(page.locator(".choosing")).to_have_count(0)
    expect(seat(page, "1A")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(seat(page, "1B")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".choosing")).to_contain_text(one)
    seat(page, "2A").focus()
    page.keyboard.press("ArrowRight")
    expect(seat(page, "3A")).to_be_focused()
    for place in ("3B", "3C"):
        page.keyboard.press("ArrowDown")
        expect(seat(page, place)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".message.undo")).to_be_visible()
    assert (at(evening, "1A"), at(evening, "3C")) == (other, one)
    expect(seat(page, "1A")).to_be_focused()


def test_a_double_tap_on_the_second_seat_swaps_once(open_page, evening) -> None:
    one, other = at(evening, "1A"), at(evening, "4B")
    page = open_page(f"/desk/t/{evening.code}/draw/?seat=1A")
    sign_in(page)
    seat(page, "4B").dblclick()
    expect(page.locator(".message.undo")).to_be_visible()
    assert (at(evening, "1A"), at(evening, "4B")) == (other, one)
    assert evening.log.filter(text__contains="swapped seats").count() == 1


def test_without_scripts_the_server_does_the_same(chromium, live_server, evening) -> None:
    one, other = at(evening, "1A"), at(evening, "4B")
    context = chromium.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(f"{live_server.url}/desk/t/{evening.code}/draw/")
    sign_in(page)
    seat(page, "1A").click()
    page.get_by_label("Swap with seat, such as 4B").fill("4b")
    page.keyboard.press("Enter")
    expect(page.locator(".message.undo")).to_be_visible()
    assert (at(evening, "1A"), at(evening, "4B")) == (other, one)
    context.close()
