"""The first evening of somebody new, by what is offered: from an empty desk to the sheets and on to the podium.

How many clicks it takes until the sheets are printed is counted.
"""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone, translation
from playwright.sync_api import Page, expect

from clubs import first_page
from clubs.models import Membership
from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.factories import NAMES, make_account, make_club, make_tournament, play_out
from tournaments.lifecycle.money import podiums
from tournaments.models import Table, Tournament

LOCALES = {"en": "en-GB", "da": "da-DK", "sv": "sv-SE"}
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# From an empty folder to printed sheets: whoever adds a page on the way says why.
MOST_CLICKS, MOST_FIELDS = 6, 6
FETCH_FILE = """() => fetch(document.querySelector("a[href$='/file']").href)
  .then(answer => [answer.status, answer.headers.get("content-type")])"""


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


@pytest.fixture
def without_an_organiser(settings, monkeypatch):
    """A server in whose folder there is nothing yet, asked by a browser on the machine itself."""
    settings.FIRST_PAGE_SECRET = first_page.new_code()
    monkeypatch.setattr(first_page, "CONTAINER_FILES", ())
    for name in first_page.CONTAINER_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def all_done(clicker: Newcomer) -> None:
    """Make the sheets as the worker does beside the pages; the page shows by itself that they are ready."""
    expect(clicker.page.locator(".job")).to_be_visible()
    job = Job.objects.latest("pk")
    if job.is_waiting:
        do_here(job)
    expect(clicker.page.locator("a[href$='/file']").first).to_be_visible()


def test_from_an_empty_folder_to_printed_sheets_and_the_podium(open_page, without_an_organiser):
    anna = Newcomer(open_page("/"))
    anna.fill("Name of the club", "Stilling")
    anna.fill("Your name", "Anna Holm")
    anna.fill("User name", "anna")
    anna.page.get_by_label("Password", exact=True).fill("tre gode ord")
    anna.fields += 1
    anna.fill("The same password again", "tre gode ord")
    anna.click("Begin")
    anna.fill("Who is playing tonight?", "\n".join(NAMES))
    anna.click("Continue")
    expect(anna.page.get_by_role("heading", level=1)).to_have_text("8 play tonight, 3 rounds.")
    expect(anna.page.locator("main .primary")).to_have_count(1)
    anna.click("Set up the evening")
    anna.click("All 8 still missing are here")
    anna.click("Draw and print")
    all_done(anna)
    anna.click("Open the PDF", "link")
    job, tournament = Job.objects.get(), Tournament.objects.get()
    assert (job.state, job.about["sheet"]) == (Job.State.DONE, "everything")
    assert tournament.entries.playing().count() == Membership.objects.count() == len(NAMES)
    assert (anna.clicks, anna.fields) == (MOST_CLICKS, MOST_FIELDS)


TUTORIAL = Path(settings.BASE_DIR) / "docs" / "tutorial"
IN_WORDS = {"en": "first-evening.md", "da": "first-evening.da.md", "sv": "first-evening.sv.md"}


@pytest.mark.parametrize("language", IN_WORDS)
def test_the_tutorials_buttons_are_pressed_from_the_first_page_to_the_final_standings(
    open_page, without_an_organiser, language
):
    told = " ".join((TUTORIAL / IN_WORDS[language]).read_text("utf-8").split())

    def say(text, **values):
        with translation.override(language):
            return translation.gettext(text) % values

    def named(text, **values):
        """What stands on a button that the tutorial names."""
        words = say(text, **values)
        assert f"*{words}*" in told, words
        return words

    anna = Newcomer(open_page("/", locale=LOCALES[language]))
    for label, typed in (("Name of the club", "Stilling"), ("Your name", "Anna Holm"), ("User name", "anna")):
        anna.fill(say(label), typed)
    for label in ("Password", "The same password again"):
        anna.page.get_by_label(say(label), exact=True).fill("tre gode ord")
    anna.click(say("Begin"))
    anna.fill(named("Who is playing tonight?"), "\n".join(NAMES))
    anna.click(named("Continue"))
    anna.click(named("Set up the evening"))
    tournament = Tournament.objects.get()
    Tournament.objects.update(rounds_planned=1, deals_per_round=4)
    with translation.override(language):
        everybody = translation.ngettext(
            "The one still missing is here", "All %(count)s still missing are here", len(NAMES)
        )
    anna.click(everybody % {"count": len(NAMES)})
    anna.click(named("Draw and print"))
    all_done(anna)
    expect(anna.page.get_by_role("link", name=named("Open the PDF")).first).to_be_visible()
    overview = anna.page.url.partition("/desk/")[0] + f"/desk/t/{tournament.code}/"
    anna.page.goto(overview)
    anna.click(named("Start round %(number)d", number=1), "link")
    anna.click(named("Start round %(number)d now", number=1))
    for table in Table.objects.select_related("round__tournament"):
        play_out(table, agreed=True)
    anna.page.goto(overview)
    anna.click(named("Close round %(number)d", number=1), "link")
    anna.click(say("Close round %(number)d now", number=1))
    anna.click(named("Finish the tournament"), "link")
    anna.click(say("Finish the tournament now"))
    for role in ("link", "button"):
        anna.click(named("Make them final now"), role)
    expect(anna.page.get_by_role("button", name=named("Print the standings"))).to_be_visible()
    assert Tournament.objects.get().is_finished


def test_an_evening_that_repeats_the_last_takes_three_clicks(open_page):
    club = make_club("Stilling")
    make_account("alice", club)
    last = make_tournament(8, club=club, started=False, name="Klubaften", deals_per_round=4)
    Tournament.objects.filter(pk=last.pk).update(
        date=timezone.localdate() - timedelta(days=7), state="finished"
    )
    page = open_page("/desk/")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("a long password")
    page.keyboard.press("Enter")
    alice = Newcomer(page)
    alice.click("Repeat the last evening")
    alice.click("All 8 still missing are here")
    alice.click("Draw and print")
    all_done(alice)
    assert (alice.clicks, alice.fields) == (3, 0)
    again = Tournament.objects.exclude(pk=last.pk).get()
    assert (again.name, again.deals_per_round, again.date) == ("Klubaften", 4, timezone.localdate())


def test_from_an_empty_desk_step_by_step_to_the_podium(open_page):
    make_account("alice", make_club("Stilling"))
    alice = Newcomer(open_page("/desk/"))
    alice.fill("User name", "alice")
    alice.fill("Password", "a long password")
    alice.click("Sign in")
    expect(alice.page.locator(".onboard li")).to_have_count(3)
    alice.click("Import a list", "link")
    alice.fill("Or type or paste names here", "\n".join(NAMES))
    alice.click("Continue")
    alice.click("Import", exact=True)
    expect(alice.page.locator(".onboard li.done")).to_have_count(1)
    alice.click("New tournament", "link")
    expect(alice.page.get_by_role("checkbox", name="Enter all of the host’s members at once")).to_be_checked()
    alice.page.get_by_label("Rounds", exact=True).fill("1")
    alice.click("Create the tournament")
    alice.click("All 8 still missing are here")
    alice.click("Draw and print")
    all_done(alice)
    assert Tournament.objects.get().entries.count() == len(NAMES)
    play_and_finish(alice)


def play_and_finish(alice: Newcomer) -> None:
    """From here on the next step is always the one button above the page, or the page's own."""
    alice.click("Start round 1", "link")
    alice.click("Start the clock with the round", "checkbox")
    expect(alice.page.get_by_label("Minutes")).to_have_value("120")
    alice.click("Start round 1 now")
    expect(alice.page.locator("#strip .left")).to_have_text(re.compile(r"^(2:00:00|1:59:\d\d)$"))
    expect(alice.page.locator("#strip .step")).to_have_count(0)  # while cards are played there is none
    tables = list(Table.objects.select_related("round__tournament"))
    for table in tables:
        play_out(table)
    alice.click("All have signed", "link")
    alice.click("All have signed")
    alice.click("Undo")
    expect(alice.page.locator(".tile.signs")).to_have_count(len(tables))
    alice.click("All have signed", "link")
    alice.click("All have signed")
    alice.click("Close round 1", "link")
    alice.click("Close round 1 now")
    first = podiums(Tournament.objects.get())[0]
    expect(alice.page.get_by_role("region", name=first.won, exact=True)).to_be_visible()
    alice.click("Finish the tournament", "link")
    alice.click("Finish the tournament now")
    expect(alice.page.get_by_role("heading", level=1)).to_have_text(first.won)
    expect(alice.page.locator(".podium .name").first).to_have_text(first.places[0].name)
    assert alice.page.locator(".todo .now h2").all_inner_texts() == ["Print"]
    assert alice.page.locator(".todo .did").count() == 2
    expect(alice.page.locator(".finish .state")).to_contain_text("provisional until")
    alice.click("Make them final now", "link")
    expect(alice.page.get_by_label("Objections can be made for")).to_have_value("0")
    alice.click("Make them final now")
    expect(alice.page.locator(".finish .state")).to_contain_text("Final since")
    finished = alice.page.url
    alice.click("Print the standings")
    expect(alice.page.locator("a[href$='/file']").first).to_be_visible()
    assert Job.objects.filter(state=Job.State.DONE).count() == 2
    assert alice.page.evaluate(FETCH_FILE) == [200, "application/pdf"]
    alice.page.goto(finished)
    assert alice.page.locator(".todo .now h2").all_inner_texts() == ["Publish"]
    alice.click("Set it up")
    expect(alice.page.get_by_role("button", name="All 8 still missing are here")).to_be_visible()
    alice.page.goto(finished)
    expect(alice.page.locator(".todo .did")).to_have_count(5)


def test_help_opens_beside_what_is_typed_and_goes_again(open_page):
    make_account("alice", make_club("Stilling"))
    alice = Newcomer(open_page("/clubs/login/?next=/desk/new/"))
    alice.fill("User name", "alice")
    alice.fill("Password", "a long password")
    alice.click("Sign in")
    alice.fill("Venue", "Skovby Kro")
    alice.click("What is this page for?", "link")
    panel = alice.page.get_by_role("dialog", name="Setting up an evening")
    expect(panel).to_be_visible()
    alice.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(alice.page.get_by_label("Venue")).to_have_value("Skovby Kro")
    alice.page.locator("summary:has(#said-repeats)").click()
    alice.page.get_by_label("Repeats", exact=True).select_option("1")
    alice.page.get_by_label("Date").fill("2026-12-10")
    alice.page.get_by_label("Until").fill("2026-12-31")
    alice.page.get_by_label("Until").blur()
    expect(alice.page.locator("#make")).to_have_text("Create 2 evenings")
    alice.page.get_by_label("24 December 2026").check()
    expect(alice.page.locator("#make")).to_have_text("Create 3 evenings")
    alice.click("Create 3 evenings")
    expect(alice.page.get_by_text("3 evenings have been created")).to_be_visible()
    assert Tournament.objects.filter(place="Skovby Kro").count() == 3
