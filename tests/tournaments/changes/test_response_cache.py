"""A hall full of phones asks the same: one is answered by the program, the others are told what it was told."""

from __future__ import annotations

import gzip
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections

from tests.factories import first_table, make_club, make_tournament, report
from tournaments.changes.response_cache import MAX_RESPONSES, ResponseCache
from tournaments.changes.versions import HEADER, LATEST, SOONEST, Versions, announce

pytestmark = pytest.mark.databases


class Hall:
    """The program as it is served, with a clock that stands still and a count of what it was asked."""

    def __init__(self, program=None):
        self.now = 0.0
        self.asked = []
        self.program = program or get_wsgi_application()
        self.cache = ResponseCache(self._counted, Versions(lambda: self.now))

    def _counted(self, environ, start_response):
        self.asked.append(environ["PATH_INFO"])
        return self.program(environ, start_response)

    def get(self, path, **environ):
        """Status, headers and body."""
        address, _mark, query = path.partition("?")
        environ = {"PATH_INFO": address, "QUERY_STRING": query, "HTTP_HOST": "localhost"} | environ
        setup_testing_defaults(environ)
        told = []
        answer = self.cache(environ, lambda status, headers: told.append((status, dict(headers))))
        body = b"".join(answer)
        return int(told[0][0][:3]), told[0][1], body


@pytest.fixture(autouse=True)
def _one_connection():
    """The program lets a test's transaction be, as Django's own test client does."""
    cache.clear()
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


PART = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def tournament(club):
    return make_tournament(4, club=club)


@pytest.fixture
def hall():
    return Hall()


def test_who_asks_what_was_just_asked_is_told_the_same(hall, tournament):
    for path, asked in (
        (f"/t/{tournament.code}/version", {}),
        (f"/t/{tournament.code}/standings/", PART),
    ):
        first, second = hall.get(path, **asked), hall.get(path, **asked)
        assert first == second
        assert first[0] == 200
        assert HEADER not in first[1]
    assert len(hall.asked) == 2


def test_a_report_is_seen_as_soon_as_the_version_is_read_again(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    before = hall.get(path, **PART)[2]
    report(first_table(tournament), 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    assert hall.get(path, **PART)[2] == before
    hall.now = LATEST
    after = hall.get(path, **PART)[2]
    assert after != before
    assert b"+6" in after


def test_who_has_heard_of_something_newer_elsewhere_is_not_told_what_is_old(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    hall.get(path, **PART)
    announce(tournament.pk)
    newest = str(tournament.version + 1)
    assert f'data-version="{newest}"'.encode() in hall.get(path, HTTP_X_NEWEST=newest, **PART)[2]
    # Now everybody is told.
    assert hall.get(f"/t/{tournament.code}/version")[2] == f'{{"version": {newest}}}'.encode()
    assert f'data-version="{newest}"'.encode() in hall.get(path, **PART)[2]


def test_however_much_happens_everybody_is_told_one_version_until_it_is_read_again(hall, tournament):
    address = f"/t/{tournament.code}/version"
    told = hall.get(address)[2]
    for _deal in range(3):
        announce(tournament.pk)
        assert hall.get(address)[2] == told
    hall.now = LATEST
    assert hall.get(address)[2] == b'{"version": %d}' % (tournament.version + 3)


def test_what_is_newer_than_everybody_has_been_told_is_not_drawn_again(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    hall.get(f"/t/{tournament.code}/version")
    announce(tournament.pk)
    drawn = hall.get(path, HTTP_X_NEWEST=str(tournament.version), **PART)
    announce(tournament.pk)
    assert hall.get(path, HTTP_X_NEWEST=str(tournament.version), **PART) == drawn
    assert len(hall.asked) == 2


def test_who_comes_late_with_what_was_new_before_is_told_what_is_new_now_and_costs_nothing(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    heard = str(tournament.version)
    before = hall.get(path, HTTP_X_NEWEST=heard, **PART)[2]
    announce(tournament.pk)
    hall.now = LATEST
    told = [hall.get(path, HTTP_X_NEWEST=heard, **PART)[2] for _phone in range(3)]
    assert told[0] == told[1] == told[2] != before
    assert len(hall.asked) == 2


def test_nobody_makes_others_ask_for_a_version_that_there_is_not(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    hall.get(path, HTTP_X_NEWEST="99999", **PART)
    told = hall.get(f"/t/{tournament.code}/version")[2]
    assert told == b'{"version": %d}' % tournament.version


@pytest.mark.parametrize("said", ["", "-1", "²", "1e9", "9" * 400])
def test_what_a_browser_says_it_has_heard_of_is_read_with_care(hall, tournament, said):
    path = f"/t/{tournament.code}/standings/"
    assert hall.get(path, **PART) == hall.get(path, HTTP_X_NEWEST=said, **PART)


def test_languages_are_told_apart_and_a_chosen_one_comes_first(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    danish, english = {"HTTP_ACCEPT_LANGUAGE": "da"}, {"HTTP_ACCEPT_LANGUAGE": "en"}
    told = [
        hall.get(path, **PART, **asked)[2]
        for asked in (danish, english, english | {"HTTP_COOKIE": "sessionid=a; django_language=da"}, danish)
    ]
    assert told[0] == told[2] == told[3] != told[1]
    assert len(hall.asked) == 3


def test_what_a_browser_cannot_unpack_it_is_not_sent(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    packed = hall.get(path, HTTP_ACCEPT_ENCODING="gzip", **PART)[1]
    plain = hall.get(path, **PART)[1]
    assert packed["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain


def test_who_has_the_part_already_is_sent_nothing(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    etag = hall.get(path, **PART)[1]["ETag"]
    status, headers, body = hall.get(path, HTTP_IF_NONE_MATCH=etag, **PART)
    assert (status, headers["ETag"], body) == (304, etag, b"")
    assert len(hall.asked) == 1


def test_a_whole_page_is_compressed_once_and_told_to_all(hall, tournament):
    path = f"/t/{tournament.code}/standings/"
    first, second = (hall.get(path, HTTP_ACCEPT_ENCODING="gzip, deflate") for _phone in range(2))
    assert first == second
    assert first[1]["Content-Encoding"] == "gzip"
    assert HEADER not in first[1]
    assert hall.get(path, HTTP_ACCEPT_ENCODING="gzip, deflate", HTTP_IF_NONE_MATCH=first[1]["ETag"])[0] == 304
    assert len(hall.asked) == 1
    assert hall.get(path, REQUEST_METHOD="HEAD", HTTP_ACCEPT_ENCODING="gzip, deflate")[1] == first[1]


def test_a_correction_of_the_oldest_deal_is_on_the_page_at_once(hall, tournament):
    path, table = f"/t/{tournament.code}/standings/", first_table(tournament)
    won = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
    for deal in (1, 2):
        report(table, deal, won)
    before = gzip.decompress(hall.get(path, HTTP_ACCEPT_ENCODING="gzip")[2])
    report(table, 1, won | {"declarer": 3}, base=1, reason="the wrong player")
    after = gzip.decompress(hall.get(path, HTTP_ACCEPT_ENCODING="gzip")[2])
    assert before != after
    assert after == hall.get(path)[2]


def test_each_has_the_page_in_their_language_of_their_tournament_and_at_their_address(hall, tournament):
    other = make_tournament(4, club=make_club("Finland"), account=tournament.host.roles.get().account)
    asked = [
        (tournament, {"HTTP_ACCEPT_LANGUAGE": "da"}),
        (tournament, {"HTTP_ACCEPT_LANGUAGE": "en"}),
        (tournament, {"HTTP_ACCEPT_LANGUAGE": "en", "HTTP_COOKIE": "seen=1; django_language=da"}),
        (tournament, {"HTTP_ACCEPT_LANGUAGE": "en", "HTTP_HOST": "127.0.0.1"}),
        (other, {"HTTP_ACCEPT_LANGUAGE": "en"}),
    ]
    told = [hall.get(f"/t/{which.code}/standings/", **how)[2] for which, how in asked * 2]
    assert told[:5] == told[5:]
    assert len(hall.asked) == 5
    assert b'lang="da"' in told[0].partition(b"<body")[0]
    assert (told[0], told[1]) == (told[2], told[3])
    assert len({told[0], told[1], told[4]}) == 3
    assert other.code.encode() in told[4]


@pytest.mark.parametrize("cookie", ["sessionid=abc", "csrftoken=a; messages=b"])
def test_who_brings_something_of_their_own_is_answered_by_the_program_and_nobody_else_has_it(
    hall, tournament, cookie
):
    path = f"/t/{tournament.code}/standings/"
    assert HEADER not in hall.get(path, HTTP_COOKIE=cookie)[1]
    hall.get(path)
    hall.get(path, HTTP_COOKIE=cookie)
    hall.get(path)
    assert len(hall.asked) == 3


def test_the_hall_gives_nobody_a_token_or_a_cookie(hall, tournament):
    for path in (
        "/",
        *(f"/t/{tournament.code}/{page}" for page in ("", "seats/", "player/1/", "projector/")),
    ):
        _status, headers, page = hall.get(path)
        assert (path, headers.get("Set-Cookie"), page.lower().count(b"csrf")) == (path, None, 0)


@pytest.mark.parametrize("path", ["projector/", "seats/?name=Anna", "nowhere/"])
def test_what_hangs_on_more_than_the_version_is_answered_by_the_program(hall, tournament, path):
    asked = PART if "?" in path else {}
    for _again in range(2):
        hall.get(f"/t/{tournament.code}/{path}", **asked)
    assert len(hall.asked) == 2


def test_an_answer_with_a_cookie_is_for_one_visitor():
    def program(_environ, start_response):
        start_response("200 OK", [(HEADER, "1 1"), ("Set-Cookie", "a=b")])
        return [b"yours"]

    hall = Hall(program)
    assert [hall.get("/t/A/")[2] for _again in range(2)] == [b"yours"] * 2
    assert len(hall.asked) == 2


def test_only_so_many_answers_are_kept(hall, tournament):
    for number in range(MAX_RESPONSES + 5):
        hall.get(f"/t/{tournament.code}/version?{number}")
    assert len(hall.cache.responses) == MAX_RESPONSES


@pytest.mark.parametrize(("drawing", "pause"), [(0.0, SOONEST), (0.04, SOONEST), (0.2, 1.0), (9, LATEST)])
def test_the_longer_a_version_takes_to_draw_the_longer_it_counts_as_the_newest(tournament, drawing, pause):
    now = 0.0
    versions = Versions(lambda: now)
    version = versions.newest(tournament.pk)
    versions.record_cost(tournament.pk, drawing)
    now = SOONEST
    announce(tournament.pk)
    assert versions.newest(tournament.pk) == version + 1
    announce(tournament.pk)
    now = SOONEST + pause - 0.01
    assert versions.newest(tournament.pk) == version + 1
    now = SOONEST + pause + 0.01
    assert versions.newest(tournament.pk) == version + 2


def test_processes_that_share_a_cache_are_told_the_same_and_draw_it_once(tournament, monkeypatch):
    here, there = Hall(), Hall()
    path = f"/t/{tournament.code}/standings/"
    newest = here.cache.versions.newest(tournament.pk)
    announce(tournament.pk)
    assert there.cache.versions.newest(tournament.pk) == newest
    drawn = here.get(path, HTTP_X_NEWEST=str(newest), **PART)[2]
    # Meanwhile more has happened; what has been drawn is enough for all who have been told of no more.
    announce(tournament.pk)
    monkeypatch.setattr("tournaments.hall.live.render_to_string", None)
    assert there.get(path, HTTP_X_NEWEST=str(newest), **PART)[2] == drawn


@pytest.mark.parametrize("jump", [-3600, 3600])
def test_a_clock_that_jumps_keeps_nobody_from_the_newest(tournament, jump):
    now = 10_000.0
    versions = Versions(lambda: now)
    version = versions.newest(tournament.pk)
    announce(tournament.pk)
    now += jump
    assert versions.newest(tournament.pk) == version + 1


def test_a_database_that_does_not_say_is_no_reason_to_go_on_with_the_old(hall, tournament):
    path = f"/t/{tournament.code}/version"
    hall.get(path)
    hall.now = LATEST
    hall.cache.versions.newest = lambda _tournament: None
    hall.get(path)
    assert len(hall.asked) == 2
