"""A folder's page and a season's deals on a phone: by keys alone, as a voice names their parts, by day and by night."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import patch

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from core.jobs.models import Job
from core.jobs.queue import run_now
from tests.browser.test_axe import REACHING_OUT, RULES, SMALL_TARGETS, SMALLEST, WIDE
from tests.browser.test_folder_play import reach
from tests.evenings import close_round, play_folders
from tests.factories import make_tournament, tables_of
from tests.languages import LANGUAGES
from tournaments.boards import analysis
from tournaments.boards.analysis import Makes
from tournaments.models import Season
from tournaments.seasons.deals import choose_deals, shown_deals

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FOUND = [
    Makes(role, contract, trump, 29, 30, exact=False)
    for role in ("FH", "MH", "BH")
    for contract, trump in (("spade_solo", ""), ("solo", "H"), ("simple_game", "D"))
]


@pytest.fixture
def season(club, alice, monkeypatch):
    """A season whose evening has four analysed folders at two tables, with its most instructive deals chosen."""
    monkeypatch.setattr(analysis, "analyse", lambda _rulebook, _folder: FOUND)
    monkeypatch.setattr(analysis, "find_doubts_in", lambda *_round: [])
    with patch("tournaments.models.ledger.secrets.token_hex", lambda count: "5eed" * (count // 2)):
        evening = make_tournament(
            8, club=club, account=alice, boards=True, board_sets=2, deals_per_round=4, deals_at_three=3
        )
    today = timezone.localdate()
    season = Season.objects.create(
        host=club, name="Winter", starts=today - timedelta(days=400), ends=today + timedelta(days=400)
    )
    evening.season = season
    evening.save(update_fields=["season"])
    for table in tables_of(evening):
        play_folders(table)
    close_round(evening, alice)
    run_now(Job.objects.get(kind="folders"))
    choose_deals(season)
    return season


def folder_of(season):
    return reverse("hall_folder", args=[season.evenings.get().code, 1, 1])


def deals_of(season):
    return reverse("hall_season_deals", args=[season.pk])


def test_a_folder_is_read_by_keys_alone(season, open_page):
    page = open_page(folder_of(season), phone=True)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Folder 1")
    expect(page.get_by_role("table").first).to_be_visible()
    reach(page, f'a[href="{folder_of(season)}play/"]', "Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Middlehand")).to_be_visible()


def test_the_deals_of_a_season_are_read_by_keys_alone(season, open_page):
    page = open_page(reverse("hall_season", args=[season.pk]), phone=True)
    reach(page, f'a[href="{deals_of(season)}"]', "Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Deals of the season")
    deals = shown_deals(season)
    expect(page.get_by_role("article")).to_have_count(len(deals))
    first = f"Results with folder {deals[0].folder.number}"
    region = page.get_by_role("region", name=first, exact=True)
    expect(region.get_by_role("columnheader", name="Result")).to_be_attached()
    reach(page, f'[aria-label="{first}"]', "Tab")
    reach(page, "summary", "Tab")
    page.keyboard.press("Enter")
    opened = page.locator("details[open]")
    expect(opened.get_by_role("listitem")).to_have_count(9)


def test_the_booklets_lead_from_the_page(season, open_page):
    page = open_page(deals_of(season), phone=True)
    for name in ("As a booklet (PDF)", "To fold (PDF)"):
        address = page.get_by_role("link", name=name).get_attribute("href")
        answer = page.request.get(page.url.partition("/season/")[0] + address)
        assert answer.body().startswith(b"%PDF")


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_are_for_everybody(season, open_page, live_server, language):
    """WCAG 2.2 AA by axe-core, targets of 44 pixels, and letters of twice the size, by day and by night."""
    page, wrong = open_page("/health/", phone=True, locale=language), []
    page.add_init_script(Axe().axe_script)
    for path in (folder_of(season), deals_of(season)):
        page.goto(live_server.url + path)
        for summary in page.locator("main summary").all():
            summary.tap()
        assert page.evaluate("document.documentElement.lang") == language
        for room in ("light", "dark"):
            page.emulate_media(color_scheme=room)
            found = page.evaluate("options => axe.run(options).then(({ violations }) => violations)", RULES)
            wrong += [
                f"{path}, {room}: {one['id']}: {node['html'][:100]}" for one in found for node in one["nodes"]
            ]
        assert page.evaluate("document.documentElement.scrollWidth") == WIDE
        wrong += [f"{path}: {one}" for one in page.evaluate(SMALL_TARGETS, SMALLEST)]
        wrong += [f"{path}: {one}" for one in page.evaluate(REACHING_OUT, WIDE)]
    assert wrong == []
