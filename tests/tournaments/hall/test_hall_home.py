"""The hall's front door: what is played, what is coming and what has been."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from clubs.models import Club
from tests.factories import first_round, first_table, make_club, make_tournament, play_out, report
from tests.pages import words, words_at
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.domain.terms import signed
from tournaments.hall.home import with_evenings
from tournaments.lifecycle.ending import post
from tournaments.lifecycle.fixtures import next_days
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import set_dates
from tournaments.models import EveningResult, Match, Season, Tournament
from tournaments.seasons.results import tell_firsts
from tournaments.standings.players import standings


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
        EveningResult(tournament=finished, entry=entry, place=place, total=total, tokens=total, deals=4)
        for place, total, entry in zip((1, 2, 2, 4), (9, 3, 3, -15), entries, strict=True)
    )
    first, second, third, _fourth = (entry.shown_name for entry in entries)
    said = f"1 {first} +9 2 {second} / {third} +3"
    assert said not in words(client.get("/").content.decode())
    Tournament.objects.filter(pk=finished.pk).update(results_kept=True)
    assert said in words(client.get("/").content.decode())


@pytest.mark.parametrize(
    ("changed", "carried", "totals"),
    [
        ({}, 0, ["+9", "0", ""]),  # nobody's loss
        ({"comparison": Tournament.Comparison.FACTOR}, 0, ["+9", "0", ""]),
        ({"comparison": Tournament.Comparison.AVERAGE}, 0, ["", "", ""]),
        ({"format": "pairs"}, 0, ["", "", ""]),
        ({}, 5, ["", "", ""]),
    ],
)
def test_the_first_three_have_the_totals_that_decided_their_places(finished, changed, carried, totals):
    for place, (total, entry) in enumerate(zip((9, 0, -4), finished.entries.all(), strict=False), start=1):
        EveningResult.objects.create(
            tournament=finished, entry=entry, place=place, total=total, tokens=total, deals=4
        )
    finished.entries.update(carried=carried)
    Tournament.objects.filter(pk=finished.pk).update(results_kept=True, **changed)
    evening = Tournament.objects.select_related("host").get(pk=finished.pk)
    tell_firsts([evening])
    assert [first.total for first in evening.firsts] == totals


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
    assert "Round 1 of 1 · 1 of 80 deals reported" in words(html)
    assert leads.findall(html) == [(row.name, signed(row.total)) for row in first]


def test_an_empty_house_says_so(db, client):
    assert "No tournament has been announced yet." in words(client.get("/").content.decode())


def test_where_play_is_over_nobody_is_told_to_find_their_seat_and_what_is_played_stands_first(
    club, alice, client
):
    over = make_tournament(4, club=club, account=alice, name="Over")
    now = timezone.now()
    play_out(first_table(over), agreed=True)
    close_round(first_round(over), account=alice, now=now)
    post(Tournament.objects.get(pk=over.pk), minutes=30, account=alice, now=now)
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


@pytest.fixture
def league(club, by_alice):
    """Three rounds: the first has been played, the second is in four days, the third in a week more."""
    today = timezone.localdate()
    made = make_teams(club, by_alice, teams=3, name="Liga", date=today - timedelta(days=3))
    days = {number: today + timedelta(days=ahead) for number, ahead in ((1, -3), (2, 4), (3, 11))}
    set_dates(made, days, **by_alice)
    first = start_round(made.rounds.get(number=1), **by_alice)
    for table in first.tables.select_related("round__tournament", "match"):
        play(table)
    close_round(first, **by_alice)
    return made


def day_text(ahead):
    return date_format(timezone.localdate() + timedelta(days=ahead), "DATE_FORMAT")


def test_a_league_between_its_days_is_to_come_and_not_being_played(client, club, league):
    for path in ("/", f"/club/{club.slug}/"):
        said = words_at(client, path)
        assert "Being played now" not in said
        assert f"Liga next match day {day_text(4)}" in said
    said = words_at(client, f"/t/{league.code}/")
    assert "begins soon" not in said
    assert f"Round 2 is played on {day_text(4)}" in said


def test_a_league_between_its_days_is_what_is_next_in_a_season(client, as_alice, club, league):
    today = timezone.localdate()
    season = Season.objects.create(
        host=club, name="Sæson", starts=today - timedelta(days=9), ends=today + timedelta(days=30)
    )
    Tournament.objects.filter(pk=league.pk).update(season=season)
    make_tournament(0, club=club, season=season, name="Past", date=today - timedelta(days=2))
    make_tournament(0, club=club, season=season, name="Later", date=today + timedelta(days=5))
    for browser, path in ((client, f"/club/{club.slug}/"), (as_alice, "/desk/")):
        assert f"Next: Liga, {day_text(4)}" in words_at(browser, path)


@pytest.mark.parametrize(
    ("days", "started_ago", "postponed", "expected"),
    [
        ({2: 0}, None, None, None),  # today is the next day
        ({2: 4}, None, 0, None),  # a postponed match is played today
        ({2: 4}, None, 2, 2),  # or before the next round
        ({2: 4}, 0, None, None),  # the round was started early, today
        ({2: -1}, 1, None, None),  # it goes on past midnight
        ({2: -5}, 5, None, 11),  # it was left open
        ({2: None}, None, None, None),  # nobody knows when the next round is
    ],
)
def test_a_league_is_being_played_on_its_days_alone(league, by_alice, days, started_ago, postponed, expected):
    today = timezone.localdate()
    ahead = {number: None if day is None else today + timedelta(days=day) for number, day in days.items()}
    set_dates(league, ahead, **by_alice)
    if started_ago is not None:
        started = start_round(league.rounds.get(number=2), **by_alice)
        started.started_at = timezone.now() - timedelta(days=started_ago)
        started.save(update_fields=["started_at"])
    if postponed is not None:
        match = league.rounds.get(number=2).matches.get(away__isnull=False)
        Match.objects.filter(pk=match.pk).update(postponed_to=today + timedelta(days=postponed))
    league.refresh_from_db()
    found = next_days([league], today)
    assert found == ({} if expected is None else {league.pk: today + timedelta(days=expected)})


def test_each_club_says_its_next_evening_and_who_won_the_last_one(club, finished, client):
    today = timezone.localdate()
    day = today + timedelta(days=9)
    for later in (0, 7):
        make_tournament(0, club=club, drawn=False, date=day + timedelta(days=later))
    first = finished.entries.order_by("number")[0]
    EveningResult.objects.create(tournament=finished, entry=first, place=1, total=0, tokens=0, deals=4)
    Tournament.objects.filter(pk=finished.pk).update(results_kept=True)
    said = words(client.get("/").content.decode())
    clubs = said[said.index("Clubs") :]
    assert f"Next evening: {date_format(day, 'MONTH_DAY_FORMAT')}" in clubs
    assert clubs.count("Next evening") == 1
    assert f"Last evening: {first.shown_name} won" in clubs
    # Further pages of the list have older evenings: nothing is said there of the last one.
    assert "Last evening" not in words(client.get("/?all").content.decode())


def test_the_next_evening_of_a_club_is_no_match_day_of_its_league():
    club = Club(pk=1, name="Stilling")
    league, evening = (Tournament(host=club, date=date(2026, month, 5)) for month in (9, 12))
    league.next_day = date(2026, 12, 2)
    assert [one.next_day for one in with_evenings([club], [league, evening], [])] == [evening.date]
