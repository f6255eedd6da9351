"""Folders' pages and booklets: by keys, as a voice names their parts, by day and by night; how they are printed."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.browser.test_axe import REACHING_OUT, RULES, SMALL_TARGETS, SMALLEST, WIDE
from tests.browser.test_draw import sign_in
from tests.browser.test_folder_play import reach
from tests.evenings import play_season_with_folders
from tests.languages import LANGUAGES
from tests.pages import texts_of
from tournaments.seasons.deals import choose_deals, shown_deals

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def played(club, alice):
    """A season whose evening has four analysed folders at two tables."""
    return play_season_with_folders(club, alice)


@pytest.fixture
def season(played):
    """The same with its most instructive deals chosen."""
    choose_deals(played)
    return played


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
    for name in ("As a booklet (PDF)", "For folding (PDF)"):
        address = page.get_by_role("link", name=name).get_attribute("href")
        answer = page.request.get(page.url.partition("/season/")[0] + address)
        assert answer.body().startswith(b"%PDF")


def file_behind(page, link):
    """The words on each page of the PDF that a link leads to."""
    origin = page.evaluate("location.origin")
    answer = page.request.get(origin + page.get_by_role("link", name=link).get_attribute("href"))
    assert answer.headers["content-type"] == "application/pdf"
    return [" ".join(text.split()) for text in texts_of(answer.body())]


def test_alice_edits_and_prints_the_booklet_of_the_season(played, open_page):
    page = open_page(reverse("club_season", args=[played.host.slug, played.pk]))
    sign_in(page)
    page.get_by_role("link", name="A booklet of the most instructive deals").click()
    page.get_by_role("button", name="Choose the deals").click()
    expect(page.locator(".job")).to_be_visible()
    do_here(Job.objects.get(kind="deals"))
    dropped, kept, *_others = played.deals.all()
    page.goto(
        page.evaluate("location.origin") + reverse("club_season_deals", args=[played.host.slug, played.pk])
    )
    first = page.get_by_role("group", name=f"Folder {dropped.folder}, round 1")
    first.get_by_label("Leave out").check()
    second = page.get_by_role("group", name=f"Folder {kept.folder}, round 1")
    second.get_by_label("Comment").fill("Lead the singleton.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(first.get_by_label("Leave out")).to_be_checked()

    plain, folded = file_behind(page, "As a booklet (PDF)"), file_behind(page, "For folding (PDF)")
    deals = shown_deals(played)
    assert dropped.folder not in [deal.folder.number for deal in deals]
    assert len(plain) == 2 * len(deals)
    assert len(folded) == 2 * -(-len(plain) // 4)
    for sides in (" ".join(plain), " ".join(folded)):
        assert f"Folder {dropped.folder}, round 1" not in sides
        assert sides.count("Lead the singleton.") == 1
        assert sides.count("A line of best play") == sum(bool(deal.row.line) for deal in deals)
    for number, deal in enumerate(deals):
        cards, told = plain[2 * number : 2 * number + 2]
        assert f"Folder {deal.folder.number}, round 1" in cards
        assert "Talon" in cards
        assert all(f" {line.table} " in cards for line in deal.lines)
        assert ("Lead the singleton." in told) is (deal.row.pk == kept.pk)

    page.get_by_role("link", name="See the page").click()
    expect(page.get_by_role("article")).to_have_count(len(deals))
    expect(page.get_by_role("blockquote")).to_have_text("Lead the singleton.")


def test_alice_prints_the_booklet_of_the_evening(played, open_page):
    evening = played.evenings.get()
    page = open_page(reverse("desk_print", args=[evening.code]))
    sign_in(page)
    page.get_by_role("button", name="Booklet of the folders, for folding (PDF)", exact=True).click()
    expect(page.locator(".job")).to_be_visible()
    job = Job.objects.latest("pk")
    if job.is_waiting:
        do_here(job)
    sides = file_behind(page, "Open the PDF")
    assert len(sides) == 2
    outer, inner = sides
    for side, folders in ((outer, (4, 1)), (inner, (2, 3))):
        assert side.count("What could be won") == 2
        assert side.count("Solo ♡: 29 of 30 (83–99 %)") == 6
        assert all(f"Folder {number}, round 1" in side for number in folders)


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
