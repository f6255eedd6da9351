"""Sharing: every page of the hall says what it is, with a picture of its own, in no more than the page itself tells."""

from __future__ import annotations

import re
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings as all_settings
from django.core.cache import cache
from django.utils.html import escape
from PIL import Image

from clubs.models import Club
from core.serving.addresses import base_url
from tests.every_address import addresses
from tests.factories import first_round, first_table, make_tournament, play_out, report
from tournaments.hall import share_images
from tournaments.hall.home import ICONS
from tournaments.hall.share_card import SIZE, Card, Crest, Place, png
from tournaments.hall.urls import urlpatterns
from tournaments.lifecycle.ending import call_off, finish
from tournaments.lifecycle.playing import close_round
from tournaments.models import Championship, Season, Tournament

TAG = re.compile(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">')
SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
WINNER, THIRD = Place(1, "Anna", "+4"), Place(3, "Łukasz Żółć", "−4")
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c6338010000ca00c999ca5d7e0000000049454e44ae426082"
)


def tags(html):
    return dict(TAG.findall(html.partition("</head>")[0]))


def size(answer):
    assert answer["Content-Type"] == "image/png"
    return Image.open(BytesIO(answer.content)).size


@pytest.fixture
def played(club, alice, by_alice):
    tournament = make_tournament(
        4, club=club, deals_per_round=4, name="Efterår & jul", date=date(2026, 11, 21)
    )
    play_out(first_table(tournament), agreed=True)
    close_round(first_round(tournament), **by_alice)
    return finish(tournament, **by_alice)


def test_every_page_has_a_title_a_description_and_a_picture_at_whole_addresses(
    played, club, client, settings, monkeypatch
):
    monkeypatch.setattr(share_images, "png", lambda _card: b"drawn")
    monkeypatch.setattr(share_images, "DRAWN_A_MINUTE", 1000)
    settings.PUBLIC_URL = "http://lhombre.example"
    Season.objects.create(pk=1, host=club, name="Efterår", starts=played.date, ends=played.date)
    Championship.objects.create(pk=1, host=club, name="Mesterskab", date=played.date)
    known, looked_at = dict(addresses()), 0
    pages = [pattern.name for pattern in urlpatterns if str(pattern.pattern)[-1:] in {"", "/"}]
    for name in pages:
        if name.endswith("embed"):  # stands in another page, which says of itself what it is
            continue
        answer = client.get(known[name].format(code=played.code, slug=club.slug))
        if answer.status_code != 200:
            continue
        html, looked_at = answer.content.decode(), looked_at + 1
        said = tags(html)
        assert len(said["description"]) > 20, name
        assert said["og:title"], name
        assert len(re.search("<title>(.*?) · Spadille</title>", html)[1].strip(" ·")) > 3, name
        assert said["og:url"] == f"http://lhombre.example{answer.wsgi_request.path}", name
        assert said["og:image"].startswith("http://lhombre.example/"), name
        assert said["twitter:card"] == "summary_large_image", name
        picture = client.get(said["og:image"].removeprefix("http://lhombre.example").replace("&amp;", "&"))
        assert picture.status_code == 200, name
    assert looked_at > 20


@pytest.mark.parametrize("path", ["", "story/", "player/1/"])
def test_a_picture_is_drawn_once_for_a_version_and_for_all(path, club, client, monkeypatch):
    tournament = make_tournament(4, club=club)
    drawn = []
    monkeypatch.setattr(share_images, "png", lambda card: drawn.append(card) or png(card))
    address = f"/t/{tournament.code}/{path}picture.png"
    assert size(client.get(address)) == size(client.get(f"{address}?v=7&l=en")) == SIZE
    assert len(drawn) == 1
    report(first_table(tournament), 1, SOLO)
    answer = client.get(address)
    assert len(drawn) == 2
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert size(client.get(f"{address}?l=da")) == SIZE
    assert len(drawn) == 3
    assert client.get(f"{address}?l=no-such-language").content == answer.content


def test_whoever_asks_for_every_picture_has_to_wait(club, client, monkeypatch):
    monkeypatch.setattr(share_images, "DRAWN_A_MINUTE", 1)
    tournament = make_tournament(4, club=club)
    at = f"/t/{tournament.code}/player"
    assert [client.get(f"{at}/{number}/picture.png").status_code for number in (1, 2, 1)] == [200, 503, 200]
    assert client.get(f"{at}/99/picture.png").status_code == 404


def test_the_picture_of_the_places_names_the_first_three_as_the_hall_does(played, club):
    card = share_images.places_card(played)
    assert [place.rank for place in card.places] == [1, 1, 1]
    assert card.title == "Efterår & jul"
    assert card.foot == "4 players, 4 deals, 1 round"
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.NUMBER)
    cache.clear()
    secretive = share_images.places_card(Tournament.objects.select_related("host").get(pk=played.pk))
    assert [place.name for place in secretive.places] == ["1", "2", "3"]


def test_before_the_first_deal_and_when_called_off_a_picture_names_nobody(club, by_alice):
    tournament = make_tournament(4, club=club, started=False, drawn=False)
    assert share_images.places_card(tournament).places == ()
    assert share_images.story_card(call_off(tournament, reason="Sne", **by_alice)).lines == ()


@pytest.mark.parametrize(
    "card",
    [
        Card("", ""),
        Card("Stilling", "W" * 300, "W" * 300, [Place(1, "W" * 200, "+10.000")]),
        Card("Κλαμπ", "Łukasz won", "…", [WINNER, WINNER, THIRD, THIRD]),
        Card("Ø", "With a crest", crest=Crest("Ø", "#5b2a86")),
        Card("Ø", "With a picture", crest=Crest("Ø", picture=DOT)),
        Card("Stilling", "A race", lines=[[(0, 0.5)], [(0, 0.5), (1, 1)]], bold=3, zero=0.5),
    ],
    ids=["nothing", "long", "other letters", "a shield", "a picture", "a race of one deal"],
)
def test_a_picture_is_made_of_whatever_there_is_to_say(card):
    assert Image.open(BytesIO(png(card))).size == SIZE


@pytest.mark.parametrize("path", ["share/", "story/share/", "player/1/share/"])
def test_text_link_and_picture_are_there_without_a_script(path, played, client, rf):
    html = client.get(f"/t/{played.code}/{path}").content.decode()
    assert f"{escape(played.name)}, 21 November 2026, Stilling" in html
    assert f"/t/{played.code}/" in re.search(r'<input id="share-address"[^>]*value="([^"]+)"', html)[1]
    assert re.search(r'<a class="button" href="[^"]+picture.png[^"]*" download="[^"]+.png">', html)
    assert f'value="{base_url(rf.get("/"))}/t/' in html


def test_the_manifest_names_icons_that_are_there(client):
    said = client.get("/app.webmanifest").json()
    assert said["start_url"] == said["scope"] == "/"
    for name, sizes in ICONS.items():
        with Image.open(Path(all_settings.STATICFILES_DIRS[0], name)) as icon:
            assert "{}x{}".format(*icon.size) == sizes


@pytest.mark.parametrize("name", ["two\nlines", "\u202eturned", "nul\0"])
def test_a_picture_is_drawn_of_whatever_a_name_has_in_it_and_where_there_is_no_room(name):
    written = png(Card(name, name, name, [Place(1, name, "+" + "9" * 40)], crest=Crest(name[-1])))
    assert Image.open(BytesIO(written)).size == SIZE
