"""From the hall to my years, to two head to head, to one deal's line and back; a record falls, and is moved again."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.evenings import make_evening, play_evening
from tests.factories import first_round, first_table, make_player, report
from tournaments.ledger import Author
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round, start_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GAME = {"contract": "simple_game", "trump": "H", "outcome": "won"}
TOUT = GAME | {"tout": "won"}


def test_from_the_hall_to_my_years_to_one_deal_and_back(open_page, transactional_db, club, alice):
    names = "Anna Holm", "Bo Krogh", "Carl Dam", "Dora Friis"
    players = [make_player(name, club, number) for number, name in enumerate(names, 1)]
    for day in (date(2025, 3, 1), date(2026, 3, 1)):
        evening = play_evening(make_evening(players, club, alice, date=day), alice)
    page = open_page(f"/t/{evening.code}/standings/", phone=True)
    page.get_by_role("table").get_by_role("link", name="Anna Holm").click()
    page.get_by_role("link", name="All evenings over the years").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna Holm")
    expect(page.get_by_role("img", name="Anna Holm’s total tokens over the years")).to_be_visible()
    # One year of it, and the curve as a table.
    page.locator("summary", has_text="All years").click()
    page.get_by_label("Year", exact=True).select_option("2025")
    page.get_by_role("button", name="Show these").click()
    expect(page.locator("summary", has_text="2025")).to_be_visible()
    page.locator("summary", has_text="The curve as a table").click()
    expect(page.get_by_role("columnheader", name="Sum")).to_be_visible()
    page.get_by_role("link", name="Everyone met at a table").click()
    page.get_by_role("link", name="Bo Krogh").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna Holm – Bo Krogh")
    both = page.url
    assert both.endswith("?year=2025")
    page.locator("#deals").get_by_role("link").first.click()
    expect(page.locator("tr:target")).to_be_in_viewport()
    page.go_back()
    assert page.url == both
    page.get_by_role("link", name="Anna Holm").click()
    page.get_by_role("table").get_by_role("link", name=evening.name).first.click()
    expect(page.get_by_role("link", name="All evenings over the years")).to_be_visible()


def test_a_record_falls_before_everybodys_eyes_and_a_correction_moves_it(open_page, club, alice):
    players = [
        make_player(name, club, number) for number, name in enumerate(("Anna", "Bo", "Carl", "Dora"), 1)
    ]
    play_evening(make_evening(players, club, alice, date=date(2025, 3, 1)), alice, seed=2)
    evening = make_evening(players, club, alice, date=date(2026, 3, 1))
    start_round(first_round(evening), account=alice, now=timezone.now())
    table = first_table(evening)
    names = {seat.position: seat.entry.player.name for seat in table.seats.all()}
    page = open_page(f"/t/{evening.code}/standings/", phone=True)
    fallen = page.locator(".fallen", has_text="with a tout")
    expect(fallen).to_have_count(0)
    report(table, 1, TOUT | {"declarer": 1})
    expect(fallen).to_contain_text(names[1])
    report(table, 1, GAME | {"declarer": 1}, base=1, reason="no tout", author=Author("desk", alice))
    expect(fallen).to_have_count(0)
    report(table, 2, TOUT | {"declarer": 2})
    expect(fallen).to_contain_text(names[2])
    close_round(first_round(evening), account=alice, now=timezone.now(), force_reason="late")
    evening = finish(evening, account=alice, now=timezone.now())

    records = open_page(f"/club/{club.slug}/records/")
    expect(records.locator(".held > div", has_text="tout").locator(".whose")).to_have_text(names[2])
