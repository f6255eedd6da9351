"""Lists whose columns nobody knows are uploaded, on a phone and on a desk's screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_axe import REACHING_OUT, RULES, SMALL_TARGETS, SMALLEST, WIDE
from tournaments.models import OldPlace

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GIVEN = Path(__file__).parents[1] / "clubs" / "given"


@pytest.fixture
def organiser(open_looked_at, club, alice):
    def opened(path: str, *, phone: bool) -> Page:
        page = open_looked_at(phone=phone)
        page.goto(f"{page.url.partition('/health')[0]}/clubs/login/?next={path}")
        page.get_by_label("User name").fill("alice")
        page.get_by_label("Password").fill("a long password")
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("input[type=file]")).to_be_visible()
        return page

    return opened


def faults(page: Page, *, phone: bool) -> list[str]:
    found = page.evaluate("rules => axe.run(document, rules)", RULES)["violations"]
    said = [f"{one['id']}: {one['nodes'][0]['html']}" for one in found]
    return [
        *said,
        *(page.evaluate(REACHING_OUT, WIDE) + page.evaluate(SMALL_TARGETS, SMALLEST) if phone else []),
    ]


@pytest.mark.parametrize("phone", [False, True])
def test_columns_are_chosen_by_hand_and_are_known_the_next_time(organiser, club, phone):
    page = organiser("/clubs/stilling/import/", phone=phone)
    page.set_input_files("input[type=file]", GIVEN / "strange_headings.csv")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("Choose the column with the names.")).to_be_visible()
    page.wait_for_load_state()  # what is changed is sent from then on
    page.get_by_label("Hvem").focus()
    page.get_by_label("Hvem").select_option("Name")
    # It is shown at once how the rows will be, and the keyboard stays where it was.
    expect(page.locator(".reads")).to_contain_text("Gro Vik")
    expect(page.get_by_label("Hvem")).to_be_focused()
    expect(page.get_by_text("Choose the column with the names.")).to_have_count(0)
    page.get_by_label("Hvornår").select_option("Joined")
    expect(page.get_by_text("Day first? Read as 1 March 1998")).to_be_visible()
    assert faults(page, phone=phone) == []
    page.get_by_role("button", name="See what will happen").click()
    expect(page.get_by_role("heading", name="What will happen")).to_be_visible()
    assert faults(page, phone=phone) == []
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported: 2 new members.")).to_be_visible()
    page.goto(page.url.rstrip("/") + "/import/")
    page.set_input_files("input[type=file]", GIVEN / "strange_headings.csv")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("2 members unchanged")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True])
def test_old_results_without_headings_that_are_known_are_stored(organiser, club, tmp_path, phone):
    table = tmp_path / "aften.csv"
    table.write_text(
        "Hvornår;Hvem;1. rd;2. rd;Sum\n12-09-19;Gro Vik;22;9;13\n12-09-19;Ulf Ås;3;4;7\n", "utf-8"
    )
    page = organiser("/clubs/stilling/old-results/import/", phone=phone)
    page.set_input_files("input[type=file]", table)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_load_state()  # what is changed is sent from then on
    page.get_by_label("Hvornår").select_option("Date")
    expect(page.get_by_text("Day first?")).to_be_visible()
    page.get_by_label("Hvem").select_option("Name")
    expect(page.get_by_text("Choose the column with the names.")).to_have_count(0)
    page.get_by_label("Event name, if the table does not give one").fill("Klubaften")
    page.keyboard.press("Tab")
    expect(page.get_by_text("the rounds add up to 31, but it says 13.")).to_be_visible()
    page.get_by_label("13", exact=True).check()
    expect(page.get_by_label("13", exact=True)).to_be_checked()
    assert faults(page, phone=phone) == []
    page.get_by_role("button", name="Who is who").click()
    expect(page.get_by_role("heading", name="What will be saved")).to_be_visible()
    assert faults(page, phone=phone) == []
    page.get_by_role("button", name="Save them", exact=True).click()
    expect(page.get_by_text("1 event has been saved.")).to_be_visible()
    assert [(str(one), one.tokens) for one in OldPlace.objects.all()] == [
        ("1. Gro Vik", 13),
        ("2. Ulf Ås", 7),
    ]
