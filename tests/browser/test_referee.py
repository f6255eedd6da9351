"""The referee on a phone: a question is asked with thumbs, and nothing needs scrolling sideways."""

from __future__ import annotations

import pytest

from scoring import rulebooks
from tests.factories import make_tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def fits(page):
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    return page.evaluate("document.documentElement.scrollWidth") == 360


def test_tapped_cards_are_ruled_on(open_page):
    page = open_page("/referee/trick/", phone=True)
    page.get_by_label("What is trumps?").select_option("C")
    page.get_by_label("Card led").select_option("C2")
    spades, hearts, _diamonds, _clubs = (page.locator(".suit").nth(place) for place in range(4))
    spades.locator("label", has_text="A").tap()
    hearts.locator("label", has_text="K").tap()
    page.get_by_role("button", name="Ask the referee").tap()
    page.locator("text=♣2 does not compel ♠A").wait_for()
    assert page.locator(".chips li").all_inner_texts() == ["♠A", "♥K"]
    assert page.locator(".suit input:checked").count() == 2
    assert fits(page)


def test_an_auction_is_tapped_to_its_end_and_back(open_page):
    page = open_page("/referee/calls/", phone=True, locale="da-DK")
    for call in ("Spil", "Bedre spil", "I forhånd: Bedre spil", "Pas"):
        page.get_by_role("button", name=call, exact=True).tap()
        page.locator(f".calls li:last-child:has-text('{call}')").or_(
            page.locator(f".calls li:last-child:has-text('{call.lower()}')")
        ).first.wait_for()
    assert page.locator(".calls li").count() == 4
    assert fits(page)
    page.get_by_role("link", name="Fortryd sidste melding").tap()
    page.locator(".calls li:nth-child(3):last-child").wait_for()


def test_a_result_in_the_hall_is_settled_and_its_paragraph_is_a_tap_away(club, open_page):
    tournament = make_tournament(4, club=club)
    page = open_page(f"/t/{tournament.code}/", phone=True)
    page.locator(".ways a:has-text('Referee')").tap()
    page.get_by_label("Contract").select_option("solo")
    page.get_by_label("Declarer", exact=True).select_option("FH")
    page.get_by_label("Result").select_option("won")
    page.get_by_role("button", name="Ask the referee").tap()
    page.locator(".answer:has-text('Middlehand pays forehand 3')").wait_for()
    page.locator(".answer a:has-text('union §6.2')").first.tap()
    page.locator("h3:target:has-text('6.2')").wait_for()


@pytest.mark.parametrize("topic", ["result", "calls", "exchange", "trick"])
def test_no_rulebooks_page_is_wider_than_a_phone(open_page, topic):
    page = open_page(f"/referee/{topic}/", phone=True, locale="da-DK")
    address = page.url
    for book in rulebooks():
        page.goto(f"{address}?rules={book.id}&ask=1")
        assert fits(page), book.id
