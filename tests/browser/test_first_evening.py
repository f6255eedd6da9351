"""The first evening of somebody new: from an empty desk to printed score sheets, and how many clicks that takes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from jobs.models import Job
from tests.factories import NAMES, make_account, make_club
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Not more than these may be needed: whoever adds a page on the way says why.
MOST_CLICKS, MOST_FIELDS = 10, 3


class Newcomer:
    """Clicks and fills in what can be seen, and counts."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.fields = page, 0, 0

    def click(self, name: str, role: str = "button", **which) -> None:
        found = self.page.get_by_role(role, name=name, **which)
        expect(found.first).to_be_visible()
        found.first.click()
        self.clicks += 1

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label).fill(text)
        self.fields += 1


def test_from_an_empty_desk_to_printed_score_sheets(open_page):
    make_account("alice", make_club("Stilling"))
    alice = Newcomer(open_page("/desk/"))
    alice.fill("User name", "alice")
    alice.fill("Password", "a long password")
    alice.click("Sign in")
    expect(alice.page.locator(".onboard li")).to_have_count(3)
    alice.click("Import a list", "link")
    alice.fill("Or type or paste names here", "\n".join(NAMES))
    alice.click("Go on")
    alice.click("Import", exact=True)
    expect(alice.page.locator(".onboard li.done")).to_have_count(1)
    alice.click("New tournament", "link")
    expect(alice.page.get_by_role("checkbox", name="Enter all members of the host")).to_be_checked()
    alice.click("Make the tournament")
    alice.click("All 8 still missing are here")
    alice.click("Draw", "link", exact=True)
    alice.click("Draw", exact=True)
    alice.click("Score sheets for round 1 (PDF)")
    expect(alice.page.locator("a[href$='/file']").first).to_be_visible()
    assert (Job.objects.get().state, Tournament.objects.get().entries.count()) == (Job.State.DONE, len(NAMES))
    assert alice.clicks <= MOST_CLICKS
    assert alice.fields <= MOST_FIELDS


def test_help_opens_beside_what_is_typed_and_goes_again(open_page):
    make_account("alice", make_club("Stilling"))
    alice = Newcomer(open_page("/clubs/login/?next=/desk/new/"))
    alice.fill("User name", "alice")
    alice.fill("Password", "a long password")
    alice.click("Sign in")
    alice.fill("Venue", "Skovby Kro")
    alice.click("What is this page for?", "link")
    panel = alice.page.get_by_role("dialog", name="Setting an evening up")
    expect(panel).to_be_visible()
    alice.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(alice.page.get_by_label("Venue")).to_have_value("Skovby Kro")
    alice.page.locator("summary:has(#said-repeats)").click()
    alice.page.get_by_label("Repeats", exact=True).select_option("1")
    alice.page.get_by_label("Date").fill("2026-12-10")
    alice.page.get_by_label("Until").fill("2026-12-31")
    alice.page.get_by_label("Until").blur()
    expect(alice.page.locator("#make")).to_have_text("Make 2 evenings")
    alice.page.get_by_label("24 December 2026").check()
    expect(alice.page.locator("#make")).to_have_text("Make 3 evenings")
    alice.click("Make 3 evenings")
    expect(alice.page.get_by_text("3 evenings are made")).to_be_visible()
    assert Tournament.objects.filter(place="Skovby Kro").count() == 3
