"""Entering from home by a real mail server: enter, wait, move up, show the own code at the door."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from clubs.mail.sending import send_due
from tests.post_office import links_in
from tests.tournaments.lifecycle.registration.evening import evening, of, page_of, says_yes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def newest_link(post_office) -> str:
    """The page that the newest letter leads to, as a path."""
    send_due()
    link = next(link for link in links_in(post_office.came[-1]) if "/entry/" in link)
    return "/t/" + link.split("/t/")[1]


def test_a_member_enters_waits_moves_up_and_is_checked_in_by_their_code(
    open_page, post_office, live_server, club, alice, client, tmp_path
):
    tournament = evening(club, places=1)
    client.post(f"/t/{tournament.code}/enter/", {"who": "1"})
    anna = of(tournament, "1")
    says_yes(client, anna)
    bo = open_page(tournament.get_absolute_url(), phone=True)
    expect(bo.get_by_text("All places are taken.")).to_be_visible()
    bo.get_by_role("link", name="Enter from home").click()
    bo.get_by_label("Your member number or email address").fill("bo@example.org")
    bo.get_by_role("button", name="Email me the link").click()
    expect(bo.get_by_text("Check your email.")).to_be_visible()
    bo.goto(live_server.url + newest_link(post_office))
    bo.get_by_role("button", name="Yes, I will come").click()
    expect(bo.get_by_text("You are next in line.")).to_be_visible()
    hers = open_page(page_of(anna))
    hers.get_by_role("button", name="I cannot come").click()
    hers.get_by_role("button", name="Yes, withdraw").click()
    expect(hers.get_by_text("You have withdrawn", exact=True)).to_be_visible()
    bo.goto(live_server.url + newest_link(post_office))
    expect(bo.get_by_text("You have a place")).to_be_visible()
    assert post_office.came[-1]["Subject"].startswith("You have a place")
    # At the door his phone's code is photographed.
    square = tmp_path / "square.png"
    bo.locator(".entry-square").screenshot(path=square)
    door = open_page(f"/desk/t/{tournament.code}/door/")
    door.get_by_label("User name").fill("alice")
    door.get_by_label("Password").fill("a long password")
    door.get_by_role("button", name="Sign in").click()
    door.get_by_label("Or a photograph of it").set_input_files(square)
    door.get_by_role("button", name="Check in").click()
    expect(door.get_by_text("Bo Krogh is here.")).to_be_visible()
    bo.reload()
    expect(bo.get_by_text("You are here")).to_be_visible()
