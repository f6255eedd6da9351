"""The pages that begin with who won, on a phone, of players with long Danish names."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.models import Player
from tests.browser.test_axe import COLOURS, REACHING_OUT, RULES, SMALL_TARGETS, SMALLEST, violations
from tests.factories import first_table, make_tournament, report
from tournaments.lifecycle.ending import finish_what_is_due, post
from tournaments.lifecycle.playing import close_round
from tournaments.models import Entry, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# One has a word of fourteen letters: all stand below each other. Of the other ones each word has room on a step.
LONG = [
    "Karen Marie Kjærgaard",
    "Kirsten Klausholmgaard",
    "Svend Åge Sørensen",
    "Carl Christian Møller-Jensen",
]
SHORT = ["Karen Marie Kjærgaard", "Kirsten Holm", "Svend Åge Sørensen", "Carl Christian Møller-Jensen"]
WON = [("solo", 1), ("solo", 1), ("solo", 2), ("simple_game", 3)]
WIDTHS = 320, 360, 412, 768, 1280
# A word of a podium's names that stands in two lines, but where it has a hyphen, or reaches out of its place.
BROKEN = """() => [...document.querySelectorAll(".podium .name")].flatMap(name => {
  const text = name.firstChild, place = name.closest("li").getBoundingClientRect();
  return [...text.data.matchAll(/[^\\s-]+/g)].filter(({0: word, index}) => {
    const range = document.createRange();
    range.setStart(text, index); range.setEnd(text, index + word.length);
    const boxes = [...range.getClientRects()];
    return boxes.length !== 1 || boxes[0].left < place.left - 3 || boxes[0].right > place.right + 3;
  }).map(([word]) => `${innerWidth}: ${word}`);
})"""


def posted(club, alice, names):
    tournament = make_tournament(4, club=club, prize_things=["Klubmesterskabspokalen", "", ""])
    for entry, name in zip(tournament.entries.order_by("number"), names, strict=True):
        Player.objects.filter(pk=entry.player_id).update(name=name)
    table = first_table(tournament)
    for deal, (contract, declarer) in enumerate(WON, 1):
        won = {"contract": contract, "declarer": declarer, "trump": "H", "outcome": "won"}
        assert report(table, deal, won).status == "accepted"
    now = timezone.now()
    close_round(table.round, account=alice, now=now, force_reason="late")
    return post(tournament, minutes=30, account=alice, now=now)


@pytest.mark.parametrize(("names", "in_rows"), [(LONG, True), (SHORT, False)], ids=["long", "short"])
def test_no_word_of_a_podium_is_broken(names, in_rows, club, alice, open_page, live_server):
    tournament = posted(club, alice, names)
    page = open_page(f"/t/{tournament.code}/", locale="da-DK", size=(360, 640))
    said = []
    for path in (tournament.get_absolute_url(), "/", f"/t/{tournament.code}/story/"):
        page.goto(live_server.url + path)
        page.evaluate("document.fonts.ready")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 640})
            said += page.evaluate(BROKEN)
        page.set_viewport_size({"width": 360, "height": 640})
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        said += page.evaluate(BROKEN)
        page.evaluate("document.documentElement.style.fontSize = ''")
        tops = page.locator(".podium .name").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().left)"
        )
        assert (len({round(left) for left in tops}) == 1) == in_rows
    assert said == []


def test_who_won_is_in_the_first_screen_of_a_phone_and_counts_down(club, alice, open_page):
    tournament = posted(club, alice, SHORT)
    page = open_page(f"/t/{tournament.code}/", locale="da-DK", size=(360, 640))
    expect(page.locator(".won h2")).to_contain_text(" vandt")
    assert (
        page.locator(".podium").bounding_box()["y"] + page.locator(".podium").bounding_box()["height"] < 640
    )
    page.locator(".won .clock .left:not([hidden])").wait_for()


def test_the_pages_that_begin_with_who_won_are_for_everybody(club, alice, open_looked_at, live_server):
    tournament = posted(club, alice, LONG)
    page, said = open_looked_at(phone=True), {}
    for path in (tournament.get_absolute_url(), "/", f"/club/{club.slug}/", f"/t/{tournament.code}/story/"):
        page.goto(live_server.url + path)
        said[path] = [
            *violations(page, RULES),
            *page.evaluate(SMALL_TARGETS, SMALLEST),
            *page.evaluate(REACHING_OUT, page.viewport_size["width"]),
        ]
        page.emulate_media(color_scheme="dark")
        said[f"{path} in the dark"] = violations(page, COLOURS)
        page.emulate_media(color_scheme="light")
    assert {path: found for path, found in said.items() if found} == {}


def test_a_clubs_next_evening_is_for_everybody(club, alice, open_looked_at, live_server):
    tournament = posted(club, alice, SHORT)
    finish_what_is_due(timezone.now() + timedelta(minutes=31))
    make = {"host": club, "name": "Juleklubaften", "date": timezone.localdate() + timedelta(days=12)}
    coming = Tournament.objects.create(**make, place="Skovby Kro, Storegade 4")
    for entry in tournament.entries.all():
        Entry.objects.create(tournament=coming, player=entry.player, club=club, number=entry.number)
    page = open_looked_at(phone=True)
    page.goto(f"{live_server.url}/club/{club.slug}/")
    expect(page.locator(".felt.next")).to_contain_text("4 are coming")
    assert violations(page, RULES) == []
    assert page.evaluate(SMALL_TARGETS, SMALLEST) == []
    assert page.evaluate(REACHING_OUT, page.viewport_size["width"]) == []
