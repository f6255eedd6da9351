"""The hall in a real browser: what changes shows by itself, and the wall turns its pages."""

from __future__ import annotations

import time

import pytest

from tests.factories import first_table, make_tournament, report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WON = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
# What the design promises: a deal reported at a table is seen on other phones within 5 s.
SECONDS = 5


def test_a_deal_reported_is_in_open_standings_within_five_seconds_where_the_reader_was(club, open_page):
    tournament = make_tournament(8, club=club, tie_breaks=["games_won"])
    page = open_page(f"/t/{tournament.code}/standings/", phone=True)
    page.locator(".live-line:has-text('Up to date')").wait_for()
    # With large type the table is wider than the phone.
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.locator("#standings-scroll").evaluate("box => box.scrollLeft = 10")
    page.locator(".standings a").nth(5).focus()
    focused = page.evaluate("document.activeElement.getAttribute('href')")
    reported = time.monotonic()
    report(first_table(tournament), 1, WON)
    page.locator(".standings .total:has-text('+6')").wait_for()
    assert time.monotonic() - reported < SECONDS
    assert page.locator("#standings-scroll").evaluate("box => box.scrollLeft") == 10
    assert page.evaluate("document.activeElement.getAttribute('href')") == focused


def test_a_lost_connection_is_said_and_found_again(club, open_page):
    tournament = make_tournament(4, club=club)
    page = open_page(f"/t/{tournament.code}/", phone=True)
    page.locator(".live-line:has-text('Up to date')").wait_for()
    page.context.set_offline(True)
    page.locator(".live-line.lost:has-text('No connection since')").wait_for()
    report(first_table(tournament), 1, WON)
    page.context.set_offline(False)
    page.locator("text=1 of 40 deals are reported").wait_for()
    page.locator(".live-line:not(.lost):has-text('Up to date')").wait_for()


def test_a_seat_is_found_while_the_name_is_typed(club, open_page):
    tournament = make_tournament(16, club=club)
    page = open_page(f"/t/{tournament.code}/seats/", phone=True)
    page.locator("#name").press_sequentially("hol")
    page.locator(".found h2:has-text('Anna Holm')").wait_for()
    assert page.locator(".found").count() == 1
    assert page.evaluate("document.activeElement.id") == "name"
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_wall_turns_through_all_who_play_and_stops_when_told(club, open_page):
    tournament = make_tournament(64, club=club)
    page = open_page(f"/t/{tournament.code}/projector/", clock=True)
    title, number = page.locator(".slide:not(.off) h2"), page.locator("#wall-page")
    seen = [(title.inner_text(), number.inner_text())]
    while len(seen) < 2 or (seen[-1] != seen[0] and len(seen) < 40):
        page.clock.fast_forward(12_000)
        seen.append((title.inner_text(), number.inner_text()))
    titles = [name for index, (name, _page) in enumerate(seen) if index == 0 or name != seen[index - 1][0]]
    assert titles == [
        "Seats of round 1",
        "Standings while round 1 is played",
        "Round 1: 0 of 640 deals are reported",
        "Seats of round 1",
    ]
    pages = [page for name, page in seen[:-1] if name == "Seats of round 1"]
    assert pages == [f"page {index} of {len(pages)}" for index in range(1, len(pages) + 1)]
    page.keyboard.press(" ")
    page.clock.fast_forward(60_000)
    assert (title.inner_text(), number.inner_text()) == seen[0]
    page.keyboard.press("ArrowLeft")
    assert title.inner_text() == "Round 1: 0 of 640 deals are reported"


def test_nothing_on_the_wall_is_cut_off(club, open_page):
    tournament = make_tournament(64, club=club)
    page = open_page(f"/t/{tournament.code}/projector/")
    page.set_viewport_size({"width": 1920, "height": 1080})
    shown = set()
    for _turn in range(20):
        shown |= set(page.evaluate(NAMES_IN_SIGHT))
        page.keyboard.press("ArrowRight")
    assert shown == {entry.player.name for entry in tournament.entries.select_related("player")}


NAMES_IN_SIGHT = """() => [...document.querySelectorAll(".slide:not(.off) li")]
    .filter((line) => {
        const box = line.getBoundingClientRect();
        return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
    })
    .map((line) => line.querySelector(".name").textContent)
    .filter((name) => !name.startsWith("Table"))"""
