"""A season's pages: what cannot be is said at its field, who may, whose names are shown, and where it is offered."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from tests.factories import make_club, make_tournament, player_name
from tests.tournaments.seasons.test_seasons import FORM, url
from tournaments.desk.club import seasons as desk_seasons
from tournaments.entries import personal_data
from tournaments.models import Award, Season
from tournaments.seasons.ladder_table import season_table


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"name": ""}, "name"),
        ({"ends": "2026-08-31"}, "ends"),
        ({"starts": "0202-09-01"}, "starts"),
        ({"starts": "tomorrow"}, "starts"),
        ({"best_of": "-1"}, "best_of"),
        ({"best_of": "many"}, "best_of"),
        ({"rule": "places", "place_points": ""}, "place_points"),
        ({"place_points": "ten, eight"}, "place_points"),
        ({"place_points": "99999"}, "place_points"),
        ({"place_points": "9,5 8 7"}, "place_points"),
        ({"place_points": "9 5 8 7"}, "place_points"),
        ({"rule": "luck"}, "rule"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(as_alice, club, typed, field):
    answer = as_alice.post(reverse("club_season_new", args=[club.slug]), FORM | typed)
    assert list(answer.context["form"].errors) == [field]
    assert not club.seasons.exists()


@pytest.mark.databases
def test_a_double_click_makes_one_season_and_another_of_its_name_is_refused(as_alice, club):
    new = reverse("club_season_new", args=[club.slug])
    ways = {as_alice.post(new, FORM).headers["Location"] for _click in range(2)}
    assert ways == {url("club_season", club.seasons.get())}
    answer = as_alice.post(new, FORM | {"best_of": "5"})
    assert "The club already has a season with this name" in answer.content.decode()


def test_only_organisers_change_a_season_and_only_its_own_clubs(as_charlie, as_alice, season):
    other = make_club("Nim")
    theirs = Season.objects.create(host=other, name="Nims", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    at_home = reverse("club_seasons", args=[season.host.slug])
    for name, led_to in (("club_season", None), ("club_season_edit", None), ("club_season_delete", at_home)):
        assert as_charlie.get(url(name, season)).status_code == 403
        assert as_alice.get(url(name, theirs)).status_code == 403
        answer = as_alice.get(reverse(name, args=[season.host.slug, theirs.pk]))
        assert (answer.status_code, answer.headers.get("Location")) == (302 if led_to else 404, led_to)


def test_an_award_goes_to_somebody_of_the_season_and_can_be_taken_back(as_alice, season, evening, players):
    award = {"title": "Jokum", "player": players[7].pk, "words": ""}
    answer = as_alice.post(url("club_season_award", season), award)
    assert "Choose one of the players" in answer.content.decode()
    as_alice.post(url("club_season_award", season), award | {"player": players[0].pk})
    as_alice.post(url("club_season_award", season), award | {"player": players[0].pk})
    given = Award.objects.get()
    as_alice.post(url("club_season_no_award", season, given.pk))
    assert not Award.objects.exists()


def test_who_erases_is_in_the_ladder_without_a_name(client, alice, season, evening, players):
    Award.objects.create(season=season, title="Jokum", player=players[0])
    assert player_name(0) in client.get(season.get_absolute_url()).content.decode()
    personal_data.erase(players[0], account=alice, today=date(2026, 12, 1), now=timezone.now())
    text = client.get(season.get_absolute_url()).content.decode()
    assert player_name(0) not in text
    assert "N.N." in text


@pytest.mark.parametrize(("style", "shown"), [("initial", "Anna H."), ("number", ">1<")])
def test_names_are_shown_as_the_club_has_agreed(client, club, season, evening, style, shown):
    club.name_style = style
    club.save()
    text = client.get(season.get_absolute_url()).content.decode()
    assert shown in text
    assert "Anna Holm" not in text


@pytest.mark.time_machine("2026-10-01 18:00+02:00")
def test_a_tournaments_set_up_offers_the_season_of_its_host_and_no_other(as_alice, club, season):
    other = Season.objects.create(
        host=make_club("Nim"), name="Nims", starts=date(2026, 1, 1), ends=date(2026, 12, 31)
    )
    form = as_alice.get(reverse("tournament_new")).context["form"]
    assert list(form.fields["season"].queryset) == [season]
    tournament = make_tournament(4, club=club, started=False, drawn=False)
    page = reverse("tournament_setup", args=[tournament.code])
    form = as_alice.get(page).context["form"]
    values = {field.html_name: field.value() for field in form if field.value() not in (None, "")}
    values |= {"rulebook": form.chosen, "options_of": form.chosen, "host": club.pk}
    refused = as_alice.post(page, values | {"season": other.pk})
    assert "This season no longer exists. Choose another." in refused.content.decode()
    as_alice.post(page, values | {"season": season.pk, "comparison": "factor", "three_factor": "0,75"})
    tournament.refresh_from_db()
    assert (tournament.season, tournament.comparison, tournament.three_factor) == (season, "factor", "3/4")


def test_a_clubs_page_has_its_calendar_and_seasons(client, club, season):
    coming = make_tournament(
        4, club=club, started=False, drawn=False, name="Jul; å, ø", date=date(2099, 12, 24), place="Kroen"
    )
    page = client.get(reverse("hall_club", args=[club.slug])).content.decode()
    assert coming.name in page
    assert season.name in page
    answer = client.get(reverse("hall_calendar", args=[club.slug]))
    assert answer.headers["Content-Type"].startswith("text/calendar")
    (event,) = Calendar.from_ical(answer.getvalue()).walk("VEVENT")
    assert str(event["summary"]) == f"Jul; å, ø ({club})"
    assert event["dtstart"].dt == date(2099, 12, 24)
    assert str(event["location"]) == "Kroen"


def test_the_seasons_page_at_the_desk_counts_its_ladder_once(as_alice, club, season, evening, monkeypatch):
    """For the players to choose from, and for the page: of four hundred evenings it takes 100 ms."""
    counted = []

    def count(*asked):
        counted.append(asked)
        return season_table(*asked)

    monkeypatch.setattr(desk_seasons, "season_table", count)
    assert as_alice.get(f"/clubs/{club.slug}/seasons/{season.pk}/").status_code == 200
    assert len(counted) == 1
    sent = as_alice.post(f"/clubs/{club.slug}/seasons/{season.pk}/awards/", {"title": ""})
    assert sent.status_code == 200
    assert len(counted) == 2
