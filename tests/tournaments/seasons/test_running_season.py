"""The current season: first on the club's page, on the desk and where one prints."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.urls import reverse
from time_machine import travel

from clubs.models import Club
from tests.factories import affiliate, make_club, make_tournament
from tests.pages import words, words_at
from tournaments.models import Season
from tournaments.seasons.season import progress_of, running_season

FIRST, LAST = date(2026, 9, 1), date(2026, 12, 31)
DURING = "2026-11-21 12:00:00+00:00"


@pytest.fixture
def union(club) -> Club:
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    return union


def test_a_season_runs_from_its_first_to_its_last_day(club, season) -> None:
    day = timedelta(days=1)
    assert [running_season(club, one) for one in (FIRST - day, FIRST, LAST, LAST + day)] == [
        None, season, season, None,
    ]  # fmt: skip


def test_the_clubs_own_season_comes_before_its_unions(club, union, season) -> None:
    theirs = Season.objects.create(host=union, name="Unionen", starts=date(2026, 10, 1), ends=LAST)
    assert running_season(club, date(2026, 11, 1)) == season
    assert running_season(union, date(2026, 11, 1)) == theirs
    season.delete()
    assert running_season(club, date(2026, 11, 1)) == theirs


def test_progress_leaves_out_evenings_that_are_called_off(evening, season, club) -> None:
    coming = make_tournament(0, club=club, season=season, date=date(2026, 11, 26))
    make_tournament(
        0, club=club, season=season, date=date(2026, 11, 25), called_off_at="2026-11-01T12:00:00Z"
    )
    assert progress_of(season, date(2026, 11, 21)) == (1, 0, 2, coming, coming.date)


@travel(DURING, tick=False)
def test_an_evening_in_progress_is_counted_wherever_the_season_is(client, as_alice, club, season) -> None:
    make_tournament(4, club=club, season=season, date=date(2026, 11, 20))
    make_tournament(0, club=club, season=season, date=date(2026, 11, 26))
    assert progress_of(season, date(2026, 11, 21))[:3] == (0, 1, 2)
    pages = (client, reverse("hall_club", args=[club.slug])), (as_alice, "/desk/")
    for browser, page in pages:
        assert "0 of 2 evenings played, 1 in progress" in words_at(browser, page)


@pytest.mark.parametrize(
    ("today", "is_next"), [(date(2026, 11, 26), "Aften 3"), (date(2026, 11, 27), "Aften 4"), (LAST, None)]
)
def test_an_evening_whose_day_has_passed_is_not_next(club, season, today, is_next) -> None:
    for name, day in (("Aften 3", date(2026, 11, 26)), ("Aften 4", date(2026, 12, 3))):
        make_tournament(0, club=club, season=season, name=name, date=day)
    coming = progress_of(season, today).next
    assert (coming and coming.name) == is_next


@travel(DURING, tick=False)
def test_the_clubs_page_begins_with_the_season_and_who_leads_it(client, club, evening, season) -> None:
    Season.objects.filter(pk=season.pk).update(least_evenings=0)
    page = client.get(reverse("hall_club", args=[club.slug]))
    shown = words(page.content.decode())
    assert "1 of 1 evening played" in shown
    assert shown.index("Efterår 2026") < shown.index("Last winners")
    coming = make_tournament(0, club=club, name="Aften 4", date=date(2026, 11, 26))
    shown = words_at(client, reverse("hall_club", args=[club.slug]))
    assert shown.index("Efterår 2026") < shown.index("Next evening") < shown.index(coming.name)
    assert [line.row.line.rank for line in page.context["season_now"]["leading"]] == [1, 2, 3]


@travel("2027-01-01 12:00:00+00:00", tick=False)
def test_a_season_that_is_over_is_not_on_top(client, club, season) -> None:
    assert client.get(reverse("hall_club", args=[club.slug])).context["season_now"] is None


@travel(DURING, tick=False)
def test_the_desk_and_the_print_menu_begin_with_the_season(as_alice, club, season) -> None:
    coming = make_tournament(0, club=club, season=season, name="Aften 3", date=date(2026, 11, 26))
    desk = words_at(as_alice, "/desk/")
    assert "Efterår 2026 · Stilling · 0 of 1 evening played · Next: Aften 3, 26 November 2026" in desk
    printing = reverse("desk_print", args=[coming.code])
    assert "Efterår 2026 Print the ladder" in words_at(as_alice, printing)
    Season.with_removed.filter(pk=season.pk).update(removed_at="2026-11-01T12:00:00Z")
    assert "Efterår 2026" not in words_at(as_alice, printing) + words_at(as_alice, "/desk/")


@travel(DURING, tick=False)
def test_the_desk_of_a_club_shows_its_unions_season_without_pages_it_may_not_open(
    as_alice, club, union
) -> None:
    season = Season.objects.create(host=union, name="Unionen", starts=FIRST, ends=LAST)
    coming = make_tournament(0, club=union, season=season, name="Finale", date=date(2026, 11, 26))
    page = as_alice.get("/desk/").content.decode()
    said = "Unionen · Fyns Forbund · 0 of 1 evening played · Next: Finale, 26 November 2026 See the ladder"
    assert said in words(page)
    for address in (reverse("club_season", args=[union.slug, season.pk]), f"/desk/t/{coming.code}/"):
        assert f'href="{address}"' not in page
    assert f'href="{coming.get_absolute_url()}"' in page


@travel(DURING, tick=False)
def test_the_print_menu_has_the_ladder_above_the_sheets(as_alice, club, season) -> None:
    evening = make_tournament(4, club=club, season=season, date=date(2026, 11, 21))
    shown = words_at(as_alice, reverse("desk_print", args=[evening.code]))
    assert shown.index("Print the ladder") < shown.index("Single sheets")
