"""The hall's front door: what is played, what is coming and what has been."""

from __future__ import annotations

import re
from datetime import date, timedelta

from django.utils import timezone

from tests.factories import first_round, first_table, make_club, make_tournament, play_out, report
from tests.pages import words, words_at
from tournaments import rounds
from tournaments.models import EveningResult, Tournament
from tournaments.standings.players import standings
from tournaments.words.terms import signed


def test_the_front_door_shows_what_is_played_what_is_coming_and_what_has_been(
    running, finished, club, client
):
    today = timezone.localdate()
    make_tournament(0, club=club, drawn=False, name="Juleturnering", date=today + timedelta(days=9))
    make_tournament(0, club=club, drawn=False, name="Never held", date=today - timedelta(days=9))
    said = words(client.get("/").content.decode())
    order = ["Being played now", running.name, "Coming", "Juleturnering", "Played", "Finland", finished.name]
    assert [said.index(name) for name in order] == sorted(said.index(name) for name in order)
    assert "Never held" not in said


def test_an_evening_that_is_over_says_who_came_first_once_its_results_are_kept(finished, client):
    entries = finished.entries.order_by("number")[:4]
    EveningResult.objects.bulk_create(
        EveningResult(tournament=finished, entry=entry, place=place, total=0, tokens=0, deals=4)
        for place, entry in zip((1, 2, 2, 4), entries, strict=True)
    )
    first, second, third, _fourth = (entry.shown_name for entry in entries)
    said = f"1 {first} 2 {second} / {third}"
    assert said not in words(client.get("/").content.decode())
    Tournament.objects.filter(pk=finished.pk).update(results_kept=True)
    assert said in words(client.get("/").content.decode())


def test_past_tournaments_stand_club_by_club_the_newest_first_and_the_oldest_on_demand(club, client):
    other = make_club("Aarup")
    for day in range(1, 32):
        Tournament.objects.create(host=club, name=f"Evening {day}", date=date(2025, 1, day), state="finished")
    for year in (2020, 2026):
        Tournament.objects.create(
            host=other, name=f"Aarup Open {year}", date=date(year, 1, 1), state="finished"
        )
    recent, whole = client.get("/").content.decode(), client.get("/?all").content.decode()
    assert re.findall(r"Aarup Open \d+|Evening \d+", recent) == [
        *(f"Evening {day}" for day in range(31, 20, -1)), "Aarup Open 2026",
    ]  # fmt: skip
    assert "Aarup Open 2020" in whole
    assert ('href="?all"' in recent, "Evening 1<" in recent) == (True, False)
    assert ('href="?all"' in whole, "Evening 1<" in whole) == (False, True)


def test_the_evening_that_is_played_says_how_far_it_is_and_who_leads(running, client):
    leads = re.compile(r'<span class="name">(.*?)</span> <strong class="number">(.*?)</strong>')
    assert leads.findall(client.get("/").content.decode()) == []
    report(first_table(running), 1)
    html = client.get("/").content.decode()
    first = standings(Tournament.objects.get(pk=running.pk)).rows[:3]
    assert "Round 1 of 1 · 1 of 80 deals are reported" in words(html)
    assert leads.findall(html) == [(row.name, signed(row.total)) for row in first]


def test_an_empty_house_says_so(db, client):
    assert "No tournament has been announced yet." in words(client.get("/").content.decode())


def test_where_play_is_over_nobody_is_told_to_find_their_seat_and_what_is_played_stands_first(
    club, alice, client
):
    over = make_tournament(4, club=club, account=alice, name="Over")
    now = timezone.now()
    play_out(first_table(over), agreed=True)
    rounds.close_round(first_round(over), account=alice, now=now)
    rounds.post(Tournament.objects.get(pk=over.pk), minutes=30, account=alice, now=now)
    for path in ("/", f"/club/{club.slug}/"):
        said = words_at(client, path)
        assert ("Play is over" in said, "Being played now" in said, "Find your seat" in said) == (
            True,
            False,
            False,
        )
    played = make_tournament(
        0, club=club, account=alice, name="Played", state="running", date=date(2020, 1, 1)
    )
    said = words_at(client, "/")
    assert ("Play is over" in said, "Being played now" in said) == (False, True)
    assert said.index(played.name) < said.index(over.name)
