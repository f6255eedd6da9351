"""The hall: what a stranger sees in whatever state a tournament is in, and how its pages travel."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from django.utils.html import escape

from clubs.models import Club, Player
from tests.factories import first_round, first_table, make_player, make_tournament, report
from tests.pages import hall_page, words
from tournaments.entries import entering
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.models import Tournament

PAGES = ("", "standings/", "seats/", "seats/?name=a", "tables/", "projector/", "rules/")
EVERY_PAGE = (*PAGES, "round/1/", "round/1/table/1/", "player/1/")
HTMX = {"HX-Request": "true"}
GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


def in_state(state, request, club):
    match state:
        case "setup":
            return make_tournament(8, club=club, drawn=False)
        case "empty":
            return make_tournament(0, club=club, drawn=False)
        case "drawn":
            return make_tournament(8, club=club, started=False)
        case _:
            return request.getfixturevalue(state)


# Whatever state a tournament is in
FOLLOW = "They update with every deal"


@pytest.mark.parametrize(
    ("state", "said", "standings"),
    [
        ("empty", "Play has not started 0 players are entered.", FOLLOW),
        ("setup", "Play has not started 8 players are entered.", FOLLOW),
        ("drawn", "Round 1 begins soon Find your seat", FOLLOW),
        ("running", "Round 1 of 1 is being played 0 of 80 deals reported", FOLLOW),
        (
            "finished",
            "Final standings Anna Holm, Bo Krogh, Carl Dam and Dora Friis share the win",
            "Everyone’s place, and the result of each round",
        ),
    ],
)
def test_the_overview_says_what_happens_now(state, said, standings, request, club, client):
    told = words(hall_page(client, in_state(state, request, club)))
    assert said in told
    assert f"Standings {standings} The evening’s story" in told


@pytest.mark.parametrize("state", ["empty", "setup", "drawn", "running", "finished"])
def test_every_page_stands_alone_and_its_live_part_too(state, request, club, client):
    tournament = in_state(state, request, club)
    version = Tournament.objects.get(pk=tournament.pk).version
    for path in PAGES:
        whole, part = hall_page(client, tournament, path), hall_page(client, tournament, path, **HTMX)
        # By the sum a part is told that it has changed.
        mark = rf'data-live="/t/{tournament.code}/{re.escape(path)}" data-sum="[0-9a-f]{{16}}" data-version="{version}"'
        assert (len(re.findall(mark, whole)), len(re.findall(mark, part))) == (1, 1), path
        assert ("<html" in whole, "<html" in part) == (True, False), path
        assert part.strip() in whole, path


def test_pages_keep_the_content_security_policy(running, client):
    report(first_table(running), 1, GAME)
    for path in EVERY_PAGE:
        html = hall_page(client, running, path)
        assert re.findall(r'\sstyle="|\son\w+="|<style', html) == [], path
        assert re.findall(r"<script(?![^>]* src=)", html) == [], path


def test_a_code_is_read_in_capitals_or_not(running, client):
    assert client.get(f"/t/{running.code.lower()}/").status_code == 200


def test_what_there_is_not_is_not_found(running, client):
    for path in ("NOPE99/", "NOPE99/version", "{}/round/9/", "{}/round/1/table/9/", "{}/player/99/"):
        assert client.get("/t/" + path.format(running.code)).status_code == 404, path


def test_nothing_in_the_hall_can_be_changed(running, client):
    for path in (*EVERY_PAGE, "version"):
        assert client.post(f"/t/{running.code}/{path}").status_code == 405, path


# What it costs


def test_a_page_that_has_not_changed_is_not_sent_again(running, client):
    client.get("/")  # the token's cookie is set with the first page
    etags = {path: client.get(f"/t/{running.code}/{path}").headers["ETag"] for path in EVERY_PAGE}
    for path, etag in etags.items():
        again = client.get(f"/t/{running.code}/{path}", headers={"If-None-Match": etag})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag), path
    report(first_table(running), 1, GAME)
    for path, etag in etags.items():
        changed = client.get(f"/t/{running.code}/{path}", headers={"If-None-Match": etag})
        assert changed.status_code == 200, path


def test_a_page_in_another_language_is_another_page(running, client):
    address = f"/t/{running.code}/standings/"
    client.get(address)
    etag = client.get(address).headers["ETag"]
    danish = client.get(address, headers={"If-None-Match": etag, "Accept-Language": "da"})
    assert (danish.status_code, danish.headers["Content-Language"]) == (200, "da")


@pytest.mark.parametrize("language", ["da", "en", "sv"])
def test_an_evening_for_the_calendar_is_in_the_language_of_its_page(language, club, client):
    coming = make_tournament(0, club=club, drawn=False)
    for headers in ({}, HTMX):
        html = hall_page(client, coming, **headers, **{"Accept-Language": language})
        assert re.findall(r"evening\.ics\?l=(\w*)", html) == [language], headers


def test_pages_travel_compressed(running, client):
    answer = client.get(f"/t/{running.code}/standings/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"


# Names


def test_names_are_shown_as_the_club_has_agreed_and_nothing_else_of_a_person(running, client):
    Player.objects.update(email="somebody@example.org", phone="+45 12345678")
    Club.objects.update(name_style=Club.NameStyle.INITIAL)
    report(first_table(running), 1, GAME)
    for path in EVERY_PAGE:
        html = hall_page(client, running, path)
        assert re.findall(r"Holm|Krogh|example\.org|12345678", html) == [], path
    assert "Anna H." in hall_page(client, running, "standings/")


@pytest.mark.parametrize("name", ['"><script>alert(1)</script>', 'O\'Brien & "Søn" 🃏', "Æ" * 200])
def test_any_name_is_shown_as_it_is_written(name, club, alice, client):
    tournament = make_tournament(3, club=club, started=False, drawn=False)
    now = timezone.now()
    entry = entering.enter(tournament, make_player(name, club), club=club, account=alice, now=now)
    entering.check_in(entry, present=True, account=alice, now=now)
    draw(tournament, seed=1, account=alice, now=now)
    start_round(first_round(tournament), account=alice, now=now)
    for path in EVERY_PAGE:
        assert "<script>" not in hall_page(client, tournament, path), path
    assert escape(name) in hall_page(client, tournament, "standings/")
