"""Files for other programs: as docs/reference/files.md says, with whom the hall names; in full for organisers alone."""

from __future__ import annotations

import csv
import re
from io import StringIO
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Player, Role
from tests.factories import first_round, first_table, make_account, make_tournament, play_out
from tournaments.exports.result_tables import MEMBER, RATING, RESULTS
from tournaments.hall.feeds import MOST
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round
from tournaments.models import Season
from tournaments.people import visibility
from tournaments.seasons import ratings

pytestmark = pytest.mark.django_db
TOLD = Path(__file__).parents[4] / "docs/reference/files.md"


def rows_of(answer):
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(StringIO(answer.getvalue().decode(), newline="")))


@pytest.fixture
def season(club):
    today = timezone.localdate()
    return Season.objects.create(host=club, name="=Efteråret", starts=today, ends=today)


@pytest.fixture
def played(club, season, by_alice):
    tournament = make_tournament(4, club=club, season=season, deals_per_round=5)
    play_out(first_table(tournament), agreed=True)
    close_round(first_round(tournament), **by_alice)
    return finish(tournament, **by_alice)


def public(client, club, season, played):
    year = client.get(reverse("hall_results_file", args=[club.slug, played.date.year]))
    of_season = client.get(reverse("hall_season_results", args=[season.pk]))
    rows = rows_of(year)
    assert rows == rows_of(of_season)
    return rows


def test_results_are_exact_and_the_same_in_every_language(client, club, season, played):
    rows = public(client, club, season, played)
    assert tuple(rows[0]) == RESULTS
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
    assert sum(int(row["tokens"]) for row in rows) == 0
    assert {(row["evening"], row["date"], row["host"], row["season"], row["format"]) for row in rows} == {
        (played.code, str(played.date), club.slug, "'=Efteråret", "individual")
    }
    danish = client.get(reverse("hall_season_results", args=[season.pk]), headers={"Accept-Language": "da"})
    assert rows_of(danish) == rows


def test_who_is_hidden_is_hidden_here_and_places_have_no_gap(client, club, season, played):
    rows = public(client, club, season, played)
    objects = Player.objects.get(name=rows[0]["name"])
    Player.objects.filter(pk=objects.pk).update(has_objected=True)
    again = public(client, club, season, played)
    assert (again[0]["name"], again[0]["person"], again[0]["place"]) == ("", "", "1")
    assert [row["name"] for row in again[1:]] == [row["name"] for row in rows[1:]]
    Club.objects.update(name_style=Club.NameStyle.NUMBER)
    assert [row["name"] for row in public(client, club, season, played)][1:] == [
        row["number"] for row in rows
    ][1:]
    Club.objects.update(statistics=Club.Statistics.NOWHERE)
    assert rows_of(client.get(reverse("hall_results_file", args=[club.slug, played.date.year]))) == []


def test_a_number_tells_nobody_whose_it_is(client, club, season, played, monkeypatch):
    """Also where they are named elsewhere, and have a page of their own from there."""
    monkeypatch.setattr(visibility, "with_page", set)
    monkeypatch.setattr(ratings, "LEAST_TABLES", 1)
    Club.objects.update(name_style=Club.NameStyle.FULL)
    rating = reverse("hall_rating_file", args=[club.slug])
    for style, told in ((Club.NameStyle.FULL, {True}), (Club.NameStyle.NUMBER, {False})):
        Club.objects.update(name_style=style)
        for rows in (public(client, club, season, played), rows_of(client.get(rating))):
            assert {bool(row["person"]) for row in rows} == told


def test_search_engines_list_a_file_where_they_may_list_its_people(client, club, season):
    addresses = (
        reverse("hall_rating_file", args=[club.slug]),
        reverse("hall_results_file", args=[club.slug, 2026]),
        reverse("hall_season_results", args=[season.pk]),
    )
    for is_findable, told in ((True, None), (False, "noindex")):
        Club.objects.update(is_findable=is_findable, shows_rating=True)
        assert {client.get(one).headers.get("X-Robots-Tag") for one in addresses} == {told}


def test_organisers_alone_have_everybody_in_full(client, club, season, played):
    Club.objects.update(name_style=Club.NameStyle.NUMBER)
    alice, bob = make_account("alice2", club), make_account("bob", club, Role.Kind.HELPER)
    for what in ("rating", f"results-{played.date.year}", f"season-{season.pk}"):
        address = reverse("club_file", args=[club.slug, what])
        client.force_login(bob)
        assert client.get(address).status_code == 403
        client.force_login(alice)
        rows = rows_of(client.get(address))
        assert what == "rating" or {row["name"] for row in rows} == {
            player.name for player in Player.objects.all()
        }
    assert tuple(rows[0]) == (*RESULTS, MEMBER)
    assert rows_of(client.get(reverse("club_file", args=[club.slug, "results-0"]))) == []
    for wrong in ("results-", "season-0", "season-99999999999", "results-99999", "else"):
        assert client.get(reverse("club_file", args=[club.slug, wrong])).status_code == 404
    page = client.get(reverse("club_files", args=[club.slug])).content.decode()
    assert all(
        reverse("club_file", args=[club.slug, what]) in page for what in ("rating", f"season-{season.pk}")
    )


@pytest.mark.parametrize("year", [0, 99999])
def test_a_year_that_never_was_has_nobody(client, club, year):
    assert rows_of(client.get(reverse("hall_results_file", args=[club.slug, year]))) == []


def test_a_rating_list_is_told_where_the_hall_tells_it(client, club, played):
    address = reverse("hall_rating_file", args=[club.slug])
    assert client.get(address).getvalue().decode() == ",".join(RATING) + "\r\n"
    Club.objects.update(shows_rating=False)
    assert client.get(address).status_code == 404


def test_who_asks_for_very_many_waits(client, club, monkeypatch):
    monkeypatch.setitem(MOST, "tables", 1)
    address = reverse("hall_results_file", args=[club.slug, 2026])
    assert [client.get(address).status_code for _ in range(2)] == [200, 429]


def test_each_column_is_told_of():
    told = set(re.findall(r"`([a-z_]+)`", TOLD.read_text(encoding="utf-8")))
    assert {*RESULTS, *RATING, MEMBER} <= told
