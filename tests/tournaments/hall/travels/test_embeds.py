"""Standings in another site's page: framed there and nowhere else, without a cookie or a script, as high as is said."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_table, make_tournament, play_out
from tournaments.hall.embeds import FRAME_HEIGHT, ROW_HEIGHT
from tournaments.hall.feeds import MOST
from tournaments.lifecycle.ending import call_off
from tournaments.models import Season, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club):
    today = timezone.localdate()
    return Season.objects.create(host=club, name="Efteråret", starts=today, ends=today)


@pytest.fixture
def evening(club, season):
    tournament = make_tournament(4, club=club, season=season, name="Mortens <i>aften</i>")
    play_out(first_table(tournament))
    return tournament


def addresses(club, season, evening):
    return [
        reverse("hall_embed", args=[evening.code]),
        reverse("hall_season_embed", args=[season.pk]),
        reverse("hall_club_embed", args=[club.slug]),
    ]


def test_these_pages_alone_may_be_framed_and_set_no_cookie_and_run_no_script(client, club, season, evening):
    for address in addresses(club, season, evening):
        answer = client.get(address, {"l": "en"})
        policy = answer.headers["Content-Security-Policy"]
        assert ("frame-ancestors *" in policy, "default-src 'self'" in policy) == (True, True)
        assert "X-Frame-Options" not in answer.headers
        assert not answer.cookies
        page = answer.content.decode()
        assert "<script" not in page
        assert "<i>" not in page
        assert 'http-equiv="refresh"' in page
        assert 'http-equiv="refresh"' not in client.get(address, {"live": "0"}).content.decode()
        known = {"If-None-Match": answer.headers["ETag"]}
        assert client.get(address, {"l": "en"}, headers=known).status_code == 304
    for address in (reverse("standings", args=[evening.code]), reverse("hall_follow", args=[club.slug])):
        answer = client.get(address)
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("asked", "night"),
    [
        ({}, "screen and (prefers-color-scheme: dark)"),
        ({"theme": "dark"}, "screen"),
        ({"theme": "light"}, None),
        ({"theme": "<x>", "rows": "-1"}, "screen and (prefers-color-scheme: dark)"),
    ],
)
def test_colours_are_as_asked_for(client, club, season, evening, asked, night):
    page = client.get(addresses(club, season, evening)[0], asked).content.decode()
    found = re.search(r'dark\.css" media="([^"]*)"', page)
    assert (found and found[1]) == night
    assert page.count("<tr>") == 4


def test_the_line_asks_for_as_much_room_as_the_page_takes(client, club, season, evening):
    page = client.get(
        reverse("hall_follow", args=[club.slug]), {"what": season.pk, "rows": 20, "theme": "dark"}
    )
    line = page.context["line"]
    height = FRAME_HEIGHT + 20 * ROW_HEIGHT
    assert f"/season/{season.pk}/embed/?l=en&amp;rows=20&amp;theme=dark" in line
    assert f'height="{height}" style="border:0"' in line
    assert line.startswith('<iframe src="http://testserver/')
    shared = client.get(reverse("hall_share", args=[evening.code])).context["line"]
    assert f"/t/{evening.code}/embed/?l=en&amp;rows=10&amp;theme=auto" in shared
    assert 'title="Mortens &lt;i&gt;aften&lt;/i&gt;"' in shared


def test_a_club_shows_what_is_played_then_what_was_and_what_comes(client, club, evening, by_alice):
    def page():
        return client.get(reverse("hall_club_embed", args=[club.slug]), {"l": "en"}).content.decode()

    assert "running" in page()
    Tournament.objects.create(host=club, name="Jul", date=timezone.localdate() + timedelta(days=3))
    assert "Next: Jul, " in page()
    Tournament.objects.filter(pk=evening.pk).update(state="setup")
    assert "Nothing has been played yet." in page()


def test_what_is_called_off_names_nobody(client, club, by_alice):
    tournament = call_off(make_tournament(4, club=club, started=False), reason="sne", **by_alice)
    page = client.get(reverse("hall_embed", args=[tournament.code]), {"l": "en"}).content.decode()
    assert "called off" in page
    assert "<tr>" not in page


def test_who_asks_very_often_waits(client, club, monkeypatch):
    monkeypatch.setitem(MOST, "embed", 1)
    address = reverse("hall_club_embed", args=[club.slug])
    assert [client.get(address).status_code for _ in range(3)] == [200, 429, 429]
