"""The checklist for the hall: it says what it has tried, and a phone that scans its code is told of at the desk."""

from __future__ import annotations

import socket
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import ClubLogEntry
from core.pdf.files import NO_PANGO, CannotMake
from core.serving import addresses
from tournaments.desk.club import server as checked


@pytest.fixture
def page(as_alice, monkeypatch):
    """The page as it comes, with what is about addresses answered as a test says."""

    def opened(*, answers=True, **settled):
        monkeypatch.setattr(checked, "answers", lambda _address: answers)
        for name, value in settled.items():
            monkeypatch.setattr(checked, name, value)
        return as_alice.get(reverse("hall_check"))

    return opened


def states(page) -> dict[str, str]:
    return {
        check.title: check.state for check in checked._automatic_checks(page.wsgi_request, timezone.now())
    }


def test_a_scan_is_told_on_the_page_that_shows_the_code(as_alice, page):
    shown = page()
    code = shown.context["code"]
    phone = Client(REMOTE_ADDR="192.168.1.77")
    assert as_alice.get(reverse("hall_check"), {"code": code}).context["scan"] is None
    assert phone.get(reverse("phone_reaches", args=[code])).status_code == 200
    told = as_alice.get(reverse("hall_check"), {"code": code}, headers={"HX-Request": "true"})
    assert "192.168.1.77" in told.content.decode()
    assert page().context["scan"] is None  # another page has a code of its own


def test_phone_and_desk_are_answered_by_processes_that_share_no_memory(as_alice, page):
    code = page().context["code"]
    for _process in range(2):
        cache.clear()
        assert Client().get(reverse("phone_reaches", args=[code])).status_code == 200
    cache.clear()
    assert as_alice.get(reverse("hall_check"), {"code": code}).context["scan"] is not None


@pytest.mark.parametrize("code", ["ABCDEF", "a b:ø\n", "x" * 400])
def test_a_code_that_was_made_up_is_none(as_alice, code):
    assert Client().get(reverse("phone_reaches", args=[code])).status_code == 404
    assert as_alice.get(reverse("hall_check"), {"code": code}).context["code"] != code


def test_each_thing_that_is_wrong_is_said_to_be(page, club, monkeypatch):
    good = states(page())
    assert (good["Clock"], good["Sheets as PDF"]) == ("good", "good")

    def no_pango():
        raise CannotMake(NO_PANGO)

    shown = page(answers=False, load=no_pango)
    later = timezone.now() + timedelta(hours=1)
    ClubLogEntry.objects.create(club=club, text="x", at=later)
    wrong = states(shown)
    assert (wrong["Clock"], wrong["Sheets as PDF"]) == ("bad", "bad")
    assert {state for title, state in wrong.items() if title.startswith("http")} == {"bad"}
    assert "apt-get install" in page(load=no_pango).content.decode()


def test_an_address_answers_where_something_speaks_http_there():
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    threading.Thread(target=server.handle_request, daemon=True).start()
    assert addresses.answers(f"http://127.0.0.1:{server.server_port}")
    server.server_close()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # taken, and nobody takes calls there
        assert not addresses.answers(f"http://127.0.0.1:{silent.getsockname()[1]}")


def test_it_is_for_whoever_helps_a_club_the_machines_own_matters_for_organisers(page, as_helper, as_charlie):
    assert {"Free disk space", "Backup"} <= states(page()).keys()
    assert states(as_helper.get(reverse("hall_check"))).keys().isdisjoint({"Free disk space", "Backup"})
    assert as_charlie.get(reverse("hall_check")).status_code == 403
