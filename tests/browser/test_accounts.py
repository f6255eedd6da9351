"""Accounts in a real browser: a passkey is made and asked for; a letter that came is stopped by its link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from clubs.mail.outbox import enqueue_letter
from clubs.mail.sending import send_due
from tests.post_office import links_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def sign_in(page):
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Sign in").click()


def test_a_passkey_is_made_and_asked_for_when_one_signs_in(transactional_db, alice, open_page):
    page = open_page("/clubs/login/?next=/clubs/my-account/second/passkeys/new/", phone=True)
    keys = page.context.new_cdp_session(page)
    keys.send("WebAuthn.enable")
    keys.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    sign_in(page)
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("heading", name="Codes on paper")).to_be_visible()
    expect(page.locator("main li code")).to_have_count(10)
    page.context.clear_cookies()
    page.goto(page.url)
    sign_in(page)
    expect(page).to_have_url(re.compile("/clubs/login/second/$"))
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(re.compile("/paper/$"))


def test_a_letter_is_stopped_by_the_link_in_it(transactional_db, post_office, open_page):
    enqueue_letter("trial", "bodil@example.dk", language="en", facts={})
    send_due()
    stop = links_in(post_office.to("bodil@example.dk"))[-1]
    page = open_page(stop.removeprefix("https://lhombre.example.dk"), phone=True)
    page.get_by_role("button", name="Never email this address").click()
    expect(page.get_by_text("You will receive no more emails from here of any kind")).to_be_visible()
    assert enqueue_letter("trial", "bodil@example.dk", language="en", facts={}) is None
    page.get_by_role("button", name="Email me again").click()
    expect(page.get_by_text("You will receive emails again, as before")).to_be_visible()
    assert enqueue_letter("trial", "bodil@example.dk", language="en", facts={}) is not None
