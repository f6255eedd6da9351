"""A club's feed: entries keep their ids, are new when something changed and not else, and name whom the hall names."""

from __future__ import annotations

from datetime import date, timedelta
from xml.etree import ElementTree as ET

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.mail.letters import hide_news, publish_news
from clubs.models import Club, Player
from tests.factories import affiliate, first_round, first_table, make_club, make_tournament, play_out
from tournaments.entries.personal_data import erase
from tournaments.hall import feeds
from tournaments.hall.feeds import MOST
from tournaments.lifecycle.ending import call_off, finish
from tournaments.lifecycle.playing import close_round
from tournaments.models import Season, ToldResult, Tournament
from tournaments.models.base import FromHome

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def feed_of(client, club, **asked):
    answer = client.get(reverse("hall_feed", args=[club.slug]), {"l": "en"} | asked)
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert not answer.cookies
    return ET.fromstring(answer.content)  # noqa: S314 - our own


def entries_of(client, club, **asked):
    """By category: title, text, id, and when it changed."""
    found = {}
    for entry in feed_of(client, club, **asked).iter(f"{ATOM}entry"):
        kind = entry.find(f"{ATOM}category").attrib["term"]
        found[kind] = tuple(entry.findtext(ATOM + name) for name in ("title", "summary", "id", "updated"))
    return found


@pytest.fixture
def played(club, by_alice):
    season = Season.objects.create(
        host=club, name="Efteråret", starts=date(2026, 1, 1), ends=timezone.localdate() + timedelta(days=9)
    )
    tournament = make_tournament(4, club=club, name="Mortens <b>aften</b>", season=season, deals_per_round=5)
    play_out(first_table(tournament), agreed=True)
    close_round(first_round(tournament), **by_alice)
    return finish(tournament, **by_alice)


def test_a_coming_evening_is_told_and_that_it_changed_and_is_called_off(client, club, by_alice):
    tomorrow = timezone.localdate() + timedelta(days=1)
    evening = Tournament.objects.create(
        host=club, name="Jul", date=tomorrow, place="Kroen", entering=FromHome(is_on=True, places=8).to_json()
    )
    title, said, first_id, first_time = entries_of(client, club)["coming"]
    assert title.startswith("Jul, ")
    assert f"<p>{club}, Kroen</p><p>Entry is open until " in said
    assert said.endswith("<p>There is room for 8 players.</p>")
    Tournament.objects.filter(pk=evening.pk).update(version=99, stake=10)
    assert entries_of(client, club)["coming"][2:] == (first_id, first_time)
    call_off(evening, reason="sne & is", **by_alice)
    title, said, again_id, again_time = entries_of(client, club)["coming"]
    assert title.startswith("Called off: Jul, ")
    assert "<p>sne &amp; is</p>" in said
    assert (again_id, again_time >= first_time) == (first_id, True)


def test_a_final_result_is_new_again_where_its_names_change_and_not_in_another_language(
    client, club, played, by_alice
):
    before = entries_of(client, club)
    title, said, _id, changed = before["result"]
    assert title.startswith("Final: Mortens <b>aften</b>, ")
    assert "<p>1. " in said
    assert entries_of(client, club, l="da")["result"][2:] == before["result"][2:]
    assert before["season"][0] == "Efteråret after 1 evening"
    Tournament.objects.update(version=1000)  # something that no feed tells of
    assert entries_of(client, club) == before
    first = said.partition("1. ")[2].partition("<")[0]
    ToldResult.objects.update(changed_at=timezone.now() - timedelta(days=3))
    erase(
        Player.objects.get(name=first),
        account=by_alice["account"],
        today=timezone.localdate(),
        now=timezone.now(),
    )
    after = entries_of(client, club)
    assert first not in str(after)
    for kind in ("result", "season"):
        assert after[kind][2] == before[kind][2]
        assert after[kind][3] >= changed


def test_names_are_as_the_hall_shows_them(client, club, played):
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.NUMBER)
    Tournament.objects.filter(pk=played.pk).update(version=1000)
    told = entries_of(client, club)
    assert not any(player.name in str(told) for player in Player.objects.all())


def test_news_are_everybodys_only_where_that_is_ticked_and_until_they_are_taken_out(client, club, by_alice):
    publish_news(club, subject="Kun for medlemmer", text="…", **by_alice)
    assert "news" not in entries_of(client, club)
    public = publish_news(club, subject="Til alle", text="Første <linje>\nanden", is_public=True, **by_alice)
    assert entries_of(client, club)["news"][:2] == ("Til alle", "<p>Første &lt;linje&gt;</p><p>anden</p>")
    hide_news(public, **by_alice)
    assert "news" not in entries_of(client, club)


def test_an_empty_feed_and_strange_letters_are_xml(client, club):
    empty = feed_of(client, club)
    assert empty.findtext(f"{ATOM}updated") == "2000-01-01T00:00:00+00:00"
    Tournament.objects.create(host=club, name="Jul\x08 \x1b<&>", date=timezone.localdate())
    (entry,) = feed_of(client, club).iter(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title").startswith("Jul <&>, ")


def test_who_has_it_is_told_that_nothing_changed_and_every_page_leads_there(client, club, played):
    page = client.get(reverse("standings", args=[played.code])).content.decode()
    address = reverse("hall_feed", args=[club.slug])
    assert f'type="application/atom+xml" title="{club}" href="{address}?l=en"' in page
    first = client.get(address)
    assert first.headers["Last-Modified"]
    assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_a_unions_feed_has_its_clubs_evenings(client, club, played):
    union = make_club("Unionen")
    affiliate(club, union)
    assert entries_of(client, union)["result"][1].startswith(f"<p>{club}</p>")


def test_a_feed_hears_of_its_unions_season_at_other_clubs(client, club, played):
    """The season is the union's, the evening another club's: this club's feed tells how the season stands."""
    union, other = make_club("Unionen"), make_club("Naboen")
    for one in (club, other):
        affiliate(one, union)
    Season.objects.update(host=union)
    Tournament.objects.filter(pk=played.pk).update(host=other)
    assert entries_of(client, club)["season"][0] == "Efteråret after 1 evening"
    Tournament.objects.filter(pk=played.pk).update(called_off_at=timezone.now(), version=1000)
    assert "season" not in entries_of(client, club)


def test_readers_by_two_addresses_do_not_take_each_others_feed_away(client, club, monkeypatch):
    address, made = reverse("hall_feed", args=[club.slug]), []
    pieces = feeds.pieces_of
    monkeypatch.setattr(feeds, "pieces_of", lambda of: made.append(of) or pieces(of))
    for _each in range(2):
        for asked in ({"l": "en"}, {}):
            client.get(address, asked)
    assert len(made) == 2
    monkeypatch.setitem(MOST, "feed", 1)
    assert client.get(address).status_code == 429
