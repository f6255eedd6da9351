"""Helga helps: every link and button that the desk shows her opens, and what an evening needs is among them."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone

from tests.config.test_who_may_open_what import EVERYBODY, HELPERS, HELPERS_ANYWHERE, SIGNED_IN
from tests.factories import first_round, first_table, make_account, make_tournament, play_out
from tests.tournaments.lifecycle.test_pairs import make_pairs
from tests.tournaments.seasons.test_season import make_teams
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round

OPENS = HELPERS | HELPERS_ANYWHERE | SIGNED_IN | EVERYBODY
ADDRESS = re.compile(
    r'<(a|form|button|div|tr|input|select)\b[^>]*?\s(?:href|action|formaction|hx-get|hx-post)="([^"]+)"'
)
EVENING = {
    "desk_add_members",
    "desk_check_in",
    "desk_draw",
    "desk_start_round",
    "desk_print",
    "desk_slip",
    "desk_close_round",
    "desk_reopen_round",
}


@pytest.fixture
def as_helga(club) -> Client:
    client = Client()
    client.force_login(make_account("helga", club, "helper"))
    return client


@cache
def name_at(path: str) -> str | None:
    """The name of an address: pages show the same ones a hundred times."""
    return resolve(path).url_name


def offered(browser: Client, *starts: str) -> set[str]:
    """The names of all addresses that the desk's and the club's pages show, from here on; each page is opened."""
    waiting, seen, names = list(starts), set(), set()
    while waiting:
        page = waiting.pop()
        name = name_at(page.partition("?")[0])
        if (name, page.count("?")) in seen:
            continue  # one of a kind is enough
        seen.add((name, page.count("?")))
        answer = browser.get(page)
        assert answer.status_code in (200, 302, 405), (page, answer.status_code)
        if answer.status_code != 200 or answer.streaming or "html" not in answer["Content-Type"]:
            continue
        for kind, address in ADDRESS.findall(answer.content.decode()):
            path = urlsplit(address).path
            if not path.startswith("/") or path.startswith("/static/"):
                continue
            found = name_at(path)
            assert found in OPENS, f"{page} shows {address}"
            names.add(found)
            if kind == "a" and path.startswith(("/desk/", "/clubs/")):
                waiting.append(address.partition("#")[0].replace("&amp;", "&"))
    return names


def set_up(club, by):
    return make_tournament(8, club=club, account=by["account"], drawn=False)


def drawn(club, by):
    return make_tournament(8, 2, club=club, account=by["account"], started=False)


def running(club, by):
    return make_tournament(8, 2, club=club, account=by["account"])


def closed(club, by):
    tournament = make_tournament(4, 2, club=club, deals_per_round=4, account=by["account"])
    for table in first_round(tournament).tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    close_round(first_round(tournament), **by)
    return tournament


def finished(club, by):
    tournament = make_tournament(4, 1, club=club, deals_per_round=4, account=by["account"])
    for table in first_round(tournament).tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    close_round(first_round(tournament), **by)
    finish(tournament, **by)
    return tournament


def pairs(club, by):
    return make_pairs(4, club, by)


def teams(club, by):
    return make_teams(club, by, teams=4)


def boards(club, by):
    return make_tournament(8, 2, club=club, account=by["account"], boards=True)


@pytest.mark.slow
@pytest.mark.parametrize("state", [set_up, drawn, running, closed, finished, pairs, teams, boards])
def test_nothing_is_offered_to_a_helper_that_does_not_open(as_helga, club, alice, undrawn, state):
    by = {"account": alice, "now": timezone.now()}
    tournament = state(club, by)
    names = offered(as_helga, "/desk/", f"/desk/t/{tournament.code}/", f"/clubs/{club.slug}/")
    assert {"desk_tournament", "desk_board", "desk_print"} <= names


@pytest.mark.slow
def test_a_helper_runs_an_evening_by_what_the_desk_offers(as_helga, club, alice, undrawn):
    """From the draw to the closed round; that the tournament is finished is an organiser's word."""
    tournament = make_tournament(4, club=club, account=alice, drawn=False, deals_per_round=4)
    overview = f"/desk/t/{tournament.code}/"
    names = offered(as_helga, overview)

    def press(name, *more, **said):
        assert as_helga.post(reverse(name, args=[tournament.code, *more]), said).status_code == 302

    press("desk_draw", seed="7", drawn="none")
    names |= offered(as_helga, overview)
    press("desk_start_round", 1)
    names |= offered(as_helga, overview)
    play_out(first_table(tournament), agreed=True)
    press("desk_close_round", 1)
    assert first_round(tournament).is_closed
    names |= offered(as_helga, overview)
    assert EVENING - names == set()
    page = as_helga.get(overview).content.decode()
    assert "Only an organiser can do that." in page
    assert as_helga.post(reverse("desk_finish", args=[tournament.code])).status_code == 403
    press("desk_reopen_round", 1, reason="A slip was found")
    assert first_round(tournament).is_running
