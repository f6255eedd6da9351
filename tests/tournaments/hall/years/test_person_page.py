"""A person's page over the years, everybody they met, and two head to head."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from tests.evenings import make_evening
from tests.factories import report
from tests.pages import words, words_at
from tests.tournaments.hall.years.conftest import FIRST
from tournaments.hall.years.person import STEPS, sums_curve
from tournaments.ledger import Author
from tournaments.lifecycle.playing import start_round
from tournaments.models import Award, Championship, EveningResult, Season, Stage, Table, Tournament
from tournaments.people.person import Curve, Month


def test_the_figure_of_evenings_says_how_many_were_won(client, chairs):
    notes = [client.get(f"/person/{one.pk}/").context["figures"][1][2] for one in chairs]
    won = [EveningResult.objects.filter(place=1, entry__player=one).count() for one in chairs]
    assert sorted(won) == [0, 0, 1, 2]  # they shared one evening
    assert notes == ["since 2025" + (f", {count} of them won" if count else "") for count in won]


@pytest.mark.databases
def test_a_persons_page_tells_their_years(client, chairs):
    a = chairs[0]
    page = words_at(client, f"/person/{a.pk}/")
    for said in (
        "Tokens −4 6 deals, 2 sat out",
        "Evenings 2 since 2025",
        "Declared 2 of 6 too few to say much",
        "Won of these 1 of 2 too few to say much",
        "After 2 evenings −4; highest 0, lowest −5.",
        "Game 2 declared · Kruk 1 break-even at 55 % too few 1 of 2",
        "With the first bid, as forehand: 1 game declared, 1 won, +2.00 tokens each.",
        "An average of fewer than 100 deals says little.",
    ):
        assert said in page
    # Everybody may open the page: nothing that was lost is among the honours.
    honours = page.partition("Honours")[2].partition("Over the years")[0]
    assert "Best deal Declared: " in honours
    assert "Worst" not in page
    assert "lost in a row" not in page


def test_the_newest_evening_stands_first_and_leads_to_it(client, chairs, evenings):
    html = client.get(f"/person/{chairs[0].pk}/evenings/").content.decode()
    numbers = [evening.entries.get(player=chairs[0]).number for evening in evenings]
    links = re.findall(r'href="(/t/[^"]+)"', html)
    assert links[:2] == [
        reverse("hall_player", args=[evening.code, number])
        for evening, number in zip(evenings[::-1], numbers[::-1], strict=True)
    ]
    assert "3 of 4" in words(html)


def test_a_span_is_counted_alone_and_stays_in_the_links(client, chairs):
    page = client.get(f"/person/{chairs[0].pk}/?year=2025&curve=deal").content.decode()
    assert "Tokens −5 3 deals, 1 sat out" in words(page)
    assert "After 4 deals −5" in words(page)
    assert f"/person/{chairs[0].pk}/met/?year=2025" in page
    assert "By month" not in page  # of one evening
    nothing = words_at(client, f"/person/{chairs[0].pk}/?year=1999")
    assert "This player took part in none of these evenings." in nothing


@pytest.mark.parametrize("page", ["", "evenings/", "met/", "with/{other}/"])
def test_a_span_that_cannot_be_read_is_said_and_nothing_is_counted(client, chairs, page):
    address = f"/person/{chairs[0].pk}/{page.format(other=chairs[1].pk)}"
    html = words_at(client, f"{address}?year=MMXXV")
    assert "There is no choice “MMXXV” here." in html
    assert "deals" not in html


@pytest.mark.databases
def test_titles_and_awards_are_told(client, chairs, evenings, club):
    season = Season.objects.create(host=club, name="Vinter", starts="2025-09-01", ends="2026-05-01")
    Tournament.objects.filter(pk=evenings[1].pk).update(season=season)
    Award.objects.create(season=season, player=chairs[0], title="Jokum")
    cup = Championship.objects.create(host=club, name="Mesterskab", date=date(2026, 3, 1))
    final = Stage.objects.create(championship=cup, number=1, name="Finale")
    Tournament.objects.filter(pk=evenings[0].pk).update(stage=final)
    client.get(f"/person/{chairs[0].pk}/")
    winner = evenings[0].results.get(place=1).entry.player
    assert "Jokum Vinter" in words_at(client, f"/person/{chairs[0].pk}/")
    assert "Jokum" not in words_at(client, f"/person/{chairs[0].pk}/?year=2025")
    told = {player.pk: "Mesterskab 2026" in words_at(client, f"/person/{player.pk}/") for player in chairs}
    assert [pk for pk, is_told in told.items() if is_told] == [winner.pk]


@pytest.mark.databases
def test_everybody_met_is_listed_and_found_by_name(client, chairs):
    a = chairs[0]
    page = words_at(client, f"/person/{a.pk}/met/?order=name")
    others = sorted(player.name for player in chairs[1:])
    assert re.findall("|".join(others), page) == others
    assert "8 deals" in page
    assert "too few" in page
    found = words_at(client, f"/person/{a.pk}/met/?name={chairs[1].name.split()[0].lower()}")
    assert chairs[1].name in found
    assert chairs[2].name not in found
    assert "is called “Xerxes”" in words_at(client, f"/person/{a.pk}/met/?name=Xerxes")


def test_two_head_to_head(client, chairs, evenings):
    a, b = chairs[:2]
    html = client.get(f"/person/{a.pk}/with/{b.pk}/").content.decode()
    page = words(html)
    for said in (
        "Evenings of both 2",
        "At the same table 8 deals",
        f"{evenings[1].name} 1 March 2026",
        "Fewer than 100 deals together say little",
        "Declared: Game ♥, kruk 01/03/2025, round 1, deal 2 −4",
    ):
        assert said in page
    sheet = re.search(r'href="(/t/\w+/round/1/table/1/)#line-2"', html)[1]
    assert 'id="line-2"' in client.get(sheet).content.decode()
    assert client.get(f"/person/{a.pk}/with/{a.pk}/").status_code == 404


def test_two_who_never_met(client, chairs, play, people, club, monkeypatch):
    people[:] = [Player.objects.create(name=f"{letter} Ny") for letter in "EFGH"]
    for number, player in enumerate(people, start=11):
        club.memberships.create(player=player, number=number, joined=date(2020, 1, 1))
    play(date(2026, 4, 1), FIRST)
    page = words_at(client, f"/person/{chairs[0].pk}/with/{people[0].pk}/")
    assert "They have not played on the same evening." in page


def test_of_forty_years_not_every_year_is_named_and_the_table_stays_short():
    days = [date(1986 + number // 25, 1 + number % 12, 1 + number % 25) for number in range(1000)]
    days.sort()
    totals = list(range(1001))
    curve = Curve(
        totals,
        days,
        list(zip(days, totals[1:], strict=True)),
        [Month(day.year, day.month, 1, 1, total) for day, total in zip(days, totals[1:], strict=True)],
    )
    for by in STEPS:
        drawn = sums_curve(curve, by)
        assert (drawn.last, drawn.highest, drawn.lowest) == (1000, 1000, 0)
        assert [mark.value for mark in drawn.years] == [1986, 1991, 1996, 2001, 2006, 2011, 2016, 2021]
        assert [row.until for row in drawn.rows][::39] == ["1986", "2025"]
        assert sum(row.tokens for row in drawn.rows) == 1000
        assert len(drawn.path) < 6000


def test_the_desks_page_of_a_member_leads_there_while_there_is_one(client, chairs, club, alice):
    client.force_login(alice)
    member = f"/clubs/{club.slug}/members/{chairs[0].memberships.get().pk}/"
    assert f'href="/person/{chairs[0].pk}/"' in client.get(member).content.decode()
    Player.objects.filter(pk=chairs[0].pk).update(has_objected=True)
    page = client.get(member).content.decode()
    assert "/person/" not in page
    assert "wants no page" in page


def test_an_evening_that_is_being_played_stands_among_all(client, chairs, people, club, alice):
    evening = make_evening(people, club, alice, date=date(2026, 4, 1), name="Forårsturnering")
    round_ = evening.rounds.get()
    start_round(round_, account=alice, now=timezone.now())
    table = Table.objects.select_related("round__tournament").get(round=round_)
    assert report(table, 1, FIRST[0], author=Author("desk", alice)).status == "accepted"
    page = words_at(client, f"/person/{chairs[0].pk}/evenings/")
    assert re.search(r"Forårsturnering .*?being played", page)
    assert page.count("of 4") == 2
