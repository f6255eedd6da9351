"""Standings in the hall: rounds, penalties, why equals are told apart, provisional or final."""

from __future__ import annotations

import re

from django.utils import timezone

from tests.factories import first_table, make_tournament, report
from tests.pages import hall_page, words
from tournaments.domain.terms import MINUS
from tournaments.lifecycle.rulings import penalise

HTMX = {"HX-Request": "true"}
GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


def test_standings_show_rounds_penalties_and_why_equals_are_told_apart(club, alice, client):
    tournament = make_tournament(4, club=club, tie_breaks=["games_won"])
    table = first_table(tournament)
    report(table, 1, GAME)
    entry = [seat.entry for seat in table.seats.order_by("position")]
    penalise(entry[1], tokens=-2, reason="suit", round_=None, account=alice, now=timezone.now())
    header, *lines = re.findall(
        r"<tr[^>]*>(.*?)</tr>", hall_page(client, tournament, "standings/"), re.DOTALL
    )
    assert words(header) == "# Place Name Total Gap Last deal Round 1 Penalties Deals Separated by"
    sat_out, declarer, *defenders = (entry[place].player.name for place in (2, 1, 0, 3))
    under = re.compile(r'<small class="under">(.*?)</small>')
    assert [words(under.sub("", line)) for line in lines] == [
        f"1 {declarer} 0 0 ↑3 +2 {MINUS}2 1 games won 1",
        f"2 {sat_out} 0 0 ↓1 0 0 games won 0",
        *(f"3= {name} {MINUS}1 1 ↓2 {MINUS}1 1" for name in sorted(defenders)),
    ]
    # What a phone has no columns for stands below the name.
    assert [words(under.search(line)[1]) for line in lines[:3]] == [
        f"Round 1 +2 · Pen. {MINUS}2 · 1 deal · games won 1",
        "Round 1 0 · 0 deals · games won 0",
        f"Round 1 {MINUS}1 · 1 deal",
    ]  # fmt: skip


def test_standings_are_provisional_while_a_round_is_played_and_final_at_the_end(running, finished, client):
    assert "Round 1 is being played: these standings are provisional." in words(
        hall_page(client, running, "standings/")
    )
    assert "The standings are final." in words(hall_page(client, finished, "standings/"))


def test_players_who_are_equal_share_the_place(running, client):
    ranks = re.findall(r'class="rank">(?:<span[^>]*>)?(\d+=?)<', hall_page(client, running, "standings/"))
    assert ranks == ["1="] * 8


def test_a_deal_reported_is_in_the_next_standings(running, client):
    before = hall_page(client, running, "standings/", **HTMX)
    report(first_table(running), 1, GAME)
    after = hall_page(client, running, "standings/", **HTMX)
    assert ("+2" in before, "+2" in after) == (False, True)


def test_of_many_the_first_come_with_the_page_and_all_for_who_wants_them(running, client, monkeypatch):
    monkeypatch.setattr("tournaments.hall.standings.AT_FIRST", 3)
    for first in (hall_page(client, running, "standings/"), hall_page(client, running, "standings/", **HTMX)):
        assert (first.count('class="rank">'), "data-more" in first, "Show all 8 players" in first) == (
            4,
            True,
            True,
        )
        assert f'data-live="/t/{running.code}/standings/"' in first
    for whole in (
        hall_page(client, running, "standings/?all", **HTMX),
        hall_page(client, running, "standings/?all"),
    ):
        assert f'data-live="/t/{running.code}/standings/?all"' in whole
        assert (whole.count('class="rank">'), "data-more" in whole, "Show all" in whole) == (
            9,
            False,
            False,
        )
