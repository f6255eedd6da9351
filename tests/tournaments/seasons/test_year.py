"""The year of a club or union: holidays, dates, what clashes, and the page to print."""

from __future__ import annotations

import re
from datetime import date
from io import BytesIO

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from clubs.models import Club
from clubs.register import keep_count
from tests.factories import affiliate, make_club, make_player
from tests.pages import text
from tests.tournaments.seasons.test_season import make_teams
from tournaments.entries import entering
from tournaments.lifecycle.home_matches import give_own_days
from tournaments.lifecycle.rulings import set_dates
from tournaments.models import Championship, Season, Tournament
from tournaments.models.base import FromHome
from tournaments.paper.year import year_pdf
from tournaments.seasons.year import (
    YearDate,
    clashes_in,
    dates_of,
    neighbour_clashes,
    people_twice,
    public_holidays,
)


@pytest.mark.parametrize(
    ("day", "name", "countries"),
    [
        # https://www.retsinformation.dk, https://www.riksdagen.se and https://lovdata.no; calendars of 2024 to 2027.
        (date(2026, 4, 2), "Maundy Thursday", "DK NO"),
        (date(2026, 4, 3), "Good Friday", "DK SE NO"),
        (date(2026, 4, 6), "Easter Monday", "DK SE NO"),
        (date(2026, 5, 14), "Ascension Day", "DK SE NO"),
        (date(2026, 5, 24), "Whit Sunday", "DK SE NO"),
        (date(2026, 5, 25), "Whit Monday", "DK NO"),
        (date(2027, 3, 28), "Easter Sunday", "DK SE NO"),
        (date(2027, 5, 6), "Ascension Day", "DK SE NO"),
        (date(2026, 6, 20), "Midsummer Day", "SE"),
        (date(2027, 6, 25), "Midsummer Eve", "SE"),
        (date(2026, 10, 31), "All Saints’ Day", "SE"),
        (date(2027, 11, 6), "All Saints’ Day", "SE"),
        (date(2026, 5, 17), "Constitution Day", "NO"),
        (date(2026, 6, 6), "National Day", "SE"),
        # Ascension Day of 2024 was the day after Norway's liberation; Whit Sunday of 2043 falls on 17 May.
        (date(2024, 5, 9), "Ascension Day", "DK SE NO"),
        (date(2043, 5, 17), "Whit Sunday", "DK SE NO"),
    ],
)
def test_holidays_are_on_the_days_of_the_calendar(day, name, countries):
    assert public_holidays(day.year)[day] == (name, countries)


def test_the_general_prayer_day_is_no_more():
    assert date(2026, 5, 1) in public_holidays(2026)  # Labour Day in Sweden and Norway
    assert date(2027, 4, 23) not in public_holidays(2027)


@pytest.fixture
def union(club):
    union = make_club("Union")
    affiliate(club, union)
    return union


def evening(host, day, name="Aften", **fields):
    code = f"A{Tournament.objects.count():05d}"
    return Tournament.objects.create(host=host, name=name, date=day, code=code, **fields)


def said(dates):
    return [(one.day.isoformat(), one.text) for one in dates]


def test_a_unions_year_has_what_is_played_what_is_due_and_what_is_counted(club, union, alice):
    evening(
        union, date(2026, 3, 7), "Forårsturnering", entering=FromHome(is_on=True, closes_days=4).to_json()
    )
    evening(club, date(2026, 3, 9), "Klubaften")
    evening(club, date(2025, 3, 9), "Sidste år")
    evening(make_club("Nim"), date(2026, 3, 9), "En fremmed")
    Championship.objects.create(host=union, name="DM", date=date(2026, 11, 1))
    Season.objects.create(host=union, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    keep_count(union, date(2025, 10, 1), account=alice, now=timezone.now())
    assert said(dates_of(union, 2026)) == [
        ("2026-01-01", "“2026” begins"),
        ("2026-03-03", "Entry closes: Forårsturnering"),
        ("2026-03-07", "Forårsturnering"),
        ("2026-03-09", "Klubaften"),
        ("2026-10-01", "Count of members, as last time"),
        ("2026-11-01", "DM"),
        ("2026-12-31", "“2026” ends"),
    ]
    assert [one.text for one in dates_of(union, 2026) if one.is_of_club] == ["Klubaften"]


def test_a_match_at_home_is_at_its_own_place_and_clashes_with_an_evening_there(club, union, by_alice):
    league = make_teams(union, by_alice, teams=2, name="Serien", date=date(2026, 3, 9), place="At home")
    set_dates(league, {1: date(2026, 3, 9)}, **by_alice)
    give_own_days(league, **by_alice)
    league.teams.update(place="Kroen")
    evening(club, date(2026, 3, 9), "Klubaften", place="Kroen")
    dates = [one for one in dates_of(union, 2026) if one.is_played]
    assert [one.place for one in dates] == ["Kroen", "Kroen"]
    names = ", ".join(one.text for one in dates)
    assert [one.text for one in clashes_in(dates)] == [
        f"Neighbours play on the same day in Kroen (Stilling, Union): {names}"
    ]


def test_two_of_one_host_neighbours_and_holidays_clash():
    def on(day, name, club, place="", tournament=1):
        return YearDate(day, name, len(club), club, place, tournament=tournament, event=str(tournament))

    day, good_friday = date(2026, 9, 5), date(2026, 4, 3)
    found = clashes_in(
        [
            on(day, "Cup", "Viby", "Kro", 1),
            on(day, "Aften", "Viby", "Sal", 2),
            on(day, "Møde", "Stilling", " kro ", 3),
            on(good_friday, "Langfredag", "Viby", "", 4),
            # Matches of one league on one day are one thing; a deadline is played nowhere.
            on(date(2026, 9, 6), "Liga: A – B", "Viby", "", 5),
            on(date(2026, 9, 6), "Liga: C – D", "Viby", "", 5),
            YearDate(date(2026, 9, 6), "Entry closes: Cup"),
        ]
    )
    assert found == [
        (good_friday, "Good Friday (DK SE NO): Langfredag"),
        (day, "Viby hosts several on the same day: Cup, Aften"),
        (day, "Neighbours play on the same day in Kro (Stilling, Viby): Cup, Møde"),
    ]


VIBY, STILLING, ODENSE = "56.12900, 10.15900", "56.06200, 9.98900", "55.40300, 10.40200"


def put(club, position):
    Club.objects.filter(pk=club.pk).update(position=position)


def near(club, union):
    """A club in the union 13 km from `club`, and one further away."""
    found = make_club("Viby"), make_club("Odense")
    for one, position in zip((club, *found), (STILLING, VIBY, ODENSE), strict=True):
        put(one, position)
        if one != club:
            affiliate(one, union)
    return found


def neighbours_of(club, year=2026):
    return [(one.day.day, one.text) for one in neighbour_clashes(club, year, dates_of(club, year))]


def test_neighbours_within_the_unions_kilometres_clash_and_others_do_not(club, union, as_alice):
    viby, odense = near(club, union)
    evening(club, date(2026, 3, 9), "Klubaften", place="Kroen")
    evening(odense, date(2026, 3, 9), "Langt væk")
    evening(make_club("Nim", position=STILLING), date(2026, 3, 9), "En fremmed")
    evening(viby, date(2026, 3, 10), "Dagen efter")
    assert neighbours_of(union) == []
    held = evening(viby, date(2026, 3, 9), "Viby spiller", place="Sal")
    said = [(9, "Stilling and Viby are neighbours (13 km) and play on the same day: Klubaften, Viby spiller")]
    assert (neighbours_of(union), neighbours_of(club), neighbours_of(viby)) == (said, said, said)
    page = text(as_alice.get(reverse("club_year", args=[club.slug]), {"year": "2026"}))
    assert said[0][1] in page
    assert neighbours_of(odense) == neighbours_of(club, 2027) == []
    # At one place they are named by that, once.
    Tournament.objects.filter(pk=held.pk).update(place="kroen")
    assert neighbours_of(union) == []
    assert [one.text for one in clashes_in(dates_of(union, 2026))] == [
        "Neighbours play on the same day in Kroen (Stilling, Viby): Klubaften, Viby spiller"
    ]
    # The club's own year has only its own evening there: the place is not compared.
    assert neighbours_of(club) == said


@pytest.mark.parametrize("kilometres", [0, 12])
def test_a_union_says_how_near_is_near(club, union, kilometres):
    viby, _odense = near(club, union)
    for one in (club, viby):
        evening(one, date(2026, 3, 9), place=one.name)
    Club.objects.filter(pk=union.pk).update(neighbours_km=kilometres)
    assert neighbours_of(union) == neighbours_of(club) == []


def test_a_match_at_home_is_at_the_position_of_the_home_teams_club(club, union, by_alice):
    viby, odense = near(club, union)
    put(union, VIBY)
    league = make_teams(union, by_alice, teams=2, name="Serien", date=date(2026, 3, 9))
    set_dates(league, {1: date(2026, 3, 9)}, **by_alice)
    give_own_days(league, **by_alice)
    evening(club, date(2026, 3, 9), "Klubaften")
    match = next(one.text for one in dates_of(union, 2026) if one.text.startswith("Serien:"))
    league.teams.update(club=odense)
    assert neighbours_of(union) == []
    league.teams.update(club=viby)
    both = ", ".join(sorted(["Klubaften", match]))
    said = f"Stilling and Viby are neighbours (13 km) and play on the same day: {both}"
    assert neighbours_of(union) == neighbours_of(club) == [(9, said)]


def test_who_is_entered_in_two_on_one_day_is_named_and_who_withdrew_is_not(club, union, by_alice):
    both = [evening(club, date(2026, 9, 5), "Cup"), evening(union, date(2026, 9, 5), "Møde")]
    other = evening(club, date(2026, 9, 6), "Søndag")
    anna, bo = make_player("Anna Holm", club, 1), make_player("Bo Dam", club, 2)
    for tournament in (*both, other):
        entering.enter(tournament, anna, club=club, **by_alice)
    for tournament in both:
        entry = entering.enter(tournament, bo, club=club, **by_alice)
    entering.withdraw(entry, reason="ill", **by_alice)
    assert people_twice(dates_of(union, 2026)) == [
        (date(2026, 9, 5), "Anna Holm is entered in several on the same day: Cup, Møde")
    ]


def pages_of(data):
    return [page.extract_text() for page in PdfReader(BytesIO(data)).pages]


def many(count):
    return [
        YearDate(date(2026, 1 + number * 12 // count, 1 + number % 28), f"Aften {number}")
        for number in range(count)
    ]


@pytest.mark.parametrize(("count", "pages"), [(1, 1), (60, 1), (110, 1), (400, 3)])
def test_the_year_is_one_page_and_says_where_it_goes_on(club, count, pages):
    made = pages_of(year_pdf(club, 2026, sorted(many(count)), {}, printed_at=timezone.now()))
    assert len(made) == pages
    assert ["Continued on the next page." in page for page in made] == [True] * (pages - 1) + [False]
    listed = re.findall(r"Aften (\d+)", "".join(made))
    assert sorted(map(int, listed)) == list(range(count))


def test_the_page_has_a_year_with_or_without_the_clubs_evenings(as_alice, as_charlie, club, union):
    evening(club, date(2026, 3, 9), "Klubaften")
    evening(club, date(2026, 4, 3), "Langfredag")
    page = reverse("club_year", args=[club.slug])
    shown = text(as_alice.get(page, {"year": "2026"}))
    assert "Klubaften" in shown
    assert "Good Friday (DK SE NO): Langfredag" in shown
    assert "Klubaften" not in text(as_alice.get(page, {"year": "2027"}))
    for wrong in ("x", "1", "99999999999"):
        assert as_alice.get(page, {"year": wrong}).context["asked"].year == timezone.localdate().year
    assert as_charlie.get(page).status_code == 403
    printed = as_alice.get(reverse("club_year_pdf", args=[club.slug]), {"year": "2026", "clubs": ""})
    assert any("Langfredag" in page for page in pages_of(printed.content))
