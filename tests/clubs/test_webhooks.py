"""Addresses of others are told what happens, signed and until they take it; they lead nobody into one's own network."""

from __future__ import annotations

import hmac
import json
import threading
from datetime import timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.db import transaction
from django.utils import timezone

from clubs import webhooks
from clubs.models import ClubLogEntry, Event, Message, Webhook
from core.delivery import http_client
from core.delivery.http_client import NotThere, parts_of, post, resolved
from core.errors import UserError
from tests.factories import first_round, make_club, make_tournament
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish, reopen_tournament
from tournaments.lifecycle.playing import close_round, start_round


@pytest.fixture
def listener():
    """A program that listens: it answers 204 unless told otherwise, and keeps what it heard."""
    heard, answers = [], []

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self):
            heard.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(answers.pop(0) if answers else 204)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_said):
            pass

    server = HTTPServer(("127.0.0.1", 0), Ear)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    server.heard, server.answers = heard, answers
    server.url = f"http://127.0.0.1:{server.server_port}/hook"
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def hook(club, alice, listener, settings):
    settings.WEBHOOKS_TO_PRIVATE = True
    events = Event.values
    return webhooks.register_webhook(
        club, url=listener.url, secret="hemmeligt", events=events, account=alice, now=timezone.now()
    )


def test_an_evening_is_told_step_by_step_and_each_message_is_signed(hook, club, alice, listener):
    by = {"account": alice, "now": timezone.now()}
    tournament = make_tournament(4, 1, club=club, drawn=False, account=alice)
    draw(tournament, seed=7, **by)
    start_round(first_round(tournament), **by)
    close_round(first_round(tournament), force_reason="late", **by)
    tournament.refresh_from_db()
    finish(tournament, **by)
    reopen_tournament(tournament, reason="a slip", **by)
    assert webhooks.is_due(timezone.now())
    assert webhooks.deliver_due() == 4
    told = [json.loads(body) for _headers, body in listener.heard]
    assert [one["event"] for one in told] == [
        "draw", "round.closed", "tournament.finished", "tournament.reopened",
    ]  # fmt: skip
    assert [one["rounds"] for one in told] == [[1], [1], [], []]
    assert told[2]["read"] == f"/api/v1/tournaments/{tournament.code}"
    assert (told[2]["tournament"]["state"], len({one["id"] for one in told})) == ("finished", 4)
    headers, body = listener.heard[0]
    seconds, given = (part.partition("=")[2] for part in headers["Spadille-Signature"].split(","))
    wanted = hmac.new(b"hemmeligt", f"{seconds}.".encode() + body, sha256).hexdigest()
    assert (given, headers["Spadille-Event"]) == (wanted, "draw")
    assert not webhooks.is_due(timezone.now())


def test_a_clubs_evening_is_told_to_its_union_and_to_nobody_else(hook, club, alice):
    by = {"account": alice, "now": timezone.now()}
    for other, union in ((make_club("Ry", club), True), (make_club("Viby"), False)):
        Message.objects.all().delete()
        draw(make_tournament(4, 1, club=other, drawn=False, account=alice), seed=1, **by)
        assert Message.objects.exists() is union
    Webhook.objects.update(events=[Event.FINISHED])
    Message.objects.all().delete()
    draw(make_tournament(4, 1, club=club, drawn=False, account=alice), seed=1, **by)
    assert not Message.objects.exists()


def test_what_did_not_happen_is_not_told(hook, club, alice):
    tournament = make_tournament(4, 1, club=club, drawn=False, account=alice)
    with transaction.atomic():
        draw(tournament, seed=7, account=alice, now=timezone.now())
        assert Message.objects.exists()
        transaction.set_rollback(True)
    assert not Message.objects.exists()


def test_who_does_not_take_it_is_told_again_with_growing_pauses_and_given_up_where_it_is_seen(
    hook, club, alice, listener, as_alice
):
    draw(make_tournament(4, 1, club=club, drawn=False), seed=7, account=alice, now=timezone.now())
    pauses = []
    for answer in (500, 302, 404, 500, 500, 500, 500):
        listener.answers.append(answer)
        assert webhooks.deliver_due() == 0
        message = Message.objects.get()
        assert (message.state, message.came_to) == ("waiting", str(answer))
        pauses.append(round((message.next_try - timezone.now()) / timedelta(minutes=1)))
        Message.objects.update(next_try=timezone.now())
    assert pauses == [1, 5, 15, 60, 180, 360, 720]
    listener.answers.append(503)
    webhooks.deliver_due()
    assert (Message.objects.get().state, len(listener.heard)) == ("given up", 8)
    assert "did not accept an event; no more attempts will be made" in str(ClubLogEntry.objects.first())
    page = f"/clubs/{club.slug}/programs/"
    assert "1 event could not be delivered." in as_alice.get(page).content.decode()
    as_alice.post(f"{page}address/{hook.pk}/again/")
    assert webhooks.deliver_due() == 1
    assert "given up" not in as_alice.get(page).content.decode()
    assert {headers["Spadille-Event"] for headers, _body in listener.heard} == {"draw"}


def test_an_address_that_does_not_answer_is_asked_once_for_all_that_waits_for_it(hook, listener, monkeypatch):
    now, asked = timezone.now(), []
    Message.objects.bulk_create(
        Message(webhook=hook, event="draw", body="{}", made_at=now, next_try=now) for _one in range(3)
    )

    def nobody(*_asked):
        asked.append(1)
        raise NotThere(http_client.NO_ANSWER)

    monkeypatch.setattr(webhooks, "post", nobody)
    assert webhooks.deliver_due() == 0
    assert (len(asked), set(Message.objects.values_list("tries", "came_to"))) == (
        1, {(1, http_client.NO_ANSWER)},
    )  # fmt: skip
    assert not webhooks.is_due(now + timedelta(seconds=50))


def test_a_message_that_nobody_is_at_any_more_is_taken_up_again(hook):
    now = timezone.now()
    Message.objects.create(webhook=hook, event="draw", body="{}", made_at=now, next_try=now)
    Message.objects.update(state="sending", taken_at=now)
    assert not webhooks.is_due(now + timedelta(minutes=4))
    assert webhooks.is_due(now + timedelta(minutes=6))


OWN = """
    127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 240.0.0.1
    192.0.2.1 198.18.0.1 [::1] [::] [fe80::1] [fc00::1] [ff02::1] [::ffff:127.0.0.1] [::ffff:10.0.0.1]
    [64:ff9b::7f00:1] [2002:7f00:1::] [2001:db8::1]
    192.88.99.1 192.0.0.9 198.19.255.255 203.0.113.7 198.51.100.1 [fec0::1] [feff::1] [3fff::1] [3fff:fff::1] [3ffe::1]
    [5f00::1] [100::1] [100:0:0:1::1] [64:ff9b:1::8.8.8.8] [64:ff9b::10.0.0.1] [2001:2::1] [2001:10::1] [2001:20::1]
    [2001::1] [4000::1] [::ffff:192.88.99.1] [2002:c058:6301::]
""".split()
WORLDS = [
    "8.8.8.8",
    "192.88.98.1",
    "[2001:4860:4860::8888]",
    "[2a00:1450::1]",
    "[64:ff9b::8.8.8.8]",
    "[3fff:1000::1]",
]


@pytest.mark.parametrize("host", OWN)
def test_an_address_of_ones_own_network_is_not_told(host):
    with pytest.raises(NotThere, match="Nothing will be sent to it"):
        parts_of(f"https://{host}/hook")


OWN_NAMES = """
    localhost LOCALHOST localhost. spadille.localhost localhost.localdomain printer scoreboard.local nas.home.arpa
    db.internal 127.1 2130706433 0x7f.1 0177.0.0.1 127.0.0.1.
""".split()


@pytest.mark.parametrize("host", OWN_NAMES)
def test_a_name_of_this_machine_or_its_network_is_refused_in_the_form_as_its_address_is(
    host, club, as_alice, settings
):
    typed = {"url": f"http://{host}:8080/hook", "events": ["draw"], "secret": ""}
    page = f"/clubs/{club.slug}/programs/address/"
    for url in (typed["url"], "http://127.0.0.1:8080/hook"):
        errors = as_alice.post(page, typed | {"url": url}).context["form"].errors
        assert "Nothing will be sent to it" in str(errors["url"])
    settings.WEBHOOKS_TO_PRIVATE = True
    assert as_alice.post(page, typed).status_code == 302


NOBODYS = "192.88.99.1 192.0.0.9 [fec0::1] [feff::1] [3fff::1] [5f00::1] [4000::1] [ff02::1] 169.254.169.254".split()


@pytest.mark.parametrize("host", NOBODYS)
def test_an_address_of_no_network_is_not_told_even_where_ones_own_network_is(host, settings):
    settings.WEBHOOKS_TO_PRIVATE = True
    with pytest.raises(NotThere, match="Nothing will be sent to it"):
        parts_of(f"https://{host}/hook")


@pytest.mark.parametrize("host", [*WORLDS, "127.0.0.1", "10.0.0.1", "192.168.1.1", "[::1]", "[fc00::1]"])
def test_ones_own_network_is_told_where_that_is_allowed(host, settings):
    settings.WEBHOOKS_TO_PRIVATE = True
    assert parts_of(f"https://{host}/hook").host == host.strip("[]")


@pytest.mark.parametrize("host", WORLDS)
def test_an_address_of_the_world_is_told(host):
    assert parts_of(f"https://{host}/hook").host == host.strip("[]")


@pytest.mark.parametrize("told", ["127.0.0.1", "::ffff:10.0.0.1", "8.8.8.8 127.0.0.1", "fe80::1%eth0"])
def test_a_name_that_leads_into_it_is_not_told_either(told, monkeypatch):
    found = [(0, 0, 0, "", (address, 80)) for address in told.split()]
    monkeypatch.setattr(http_client.socket, "getaddrinfo", lambda *_a, **_k: found)
    with pytest.raises(NotThere, match="Nothing will be sent to it"):
        resolved("example.org", 80)


def test_who_is_asked_is_the_address_that_was_looked_at_under_the_name_that_was_given(monkeypatch, listener):
    """A name that means something else a moment later leads nowhere: it is resolved once."""
    asked = []

    def found(host, port, **_more):
        asked.append(host)
        return [(0, 0, 0, "", ("127.0.0.1", port))]

    monkeypatch.setattr(http_client, "is_public_ip", lambda _address: True)
    monkeypatch.setattr(http_client, "resolved", lambda host, port: found(host, port)[0][4][0])
    assert post(f"http://example.org:{listener.server_port}/a?b=1", b"{}", {}) == 204
    assert asked == ["example.org"]
    assert listener.heard[0][0]["Host"] == f"example.org:{listener.server_port}"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://example.org/", "This is not a web address"),
        ("example.org", "This is not a web address"),
        ("https://", "This is not a web address"),
        ("https://exa mple.org/", "This is not a web address"),
        ("https://example.org/\r\nX: y", "This is not a web address"),
        ("https://anna:pw@example.org/", "user name"),
        ("https://example.org:22/", "port"),
        ("https://example.org:99999/", "This is not a web address"),
        ("http://192.168.1.1/hook", "Nothing will be sent to it"),
    ],
)
def test_what_is_no_address_to_be_told_is_said_at_its_field(club, alice, url, why):
    with pytest.raises(UserError, match=why) as refused:
        webhooks.register_webhook(
            club, url=url, secret="", events=["draw"], account=alice, now=timezone.now()
        )
    assert refused.value.field == "url"


def test_a_halls_own_network_is_told_where_that_is_allowed_and_a_clouds_inside_is_not(settings):
    settings.WEBHOOKS_TO_PRIVATE = True
    assert parts_of("http://192.168.1.20:8080/hook").port == 8080
    for host in ("169.254.169.254", "[ff02::1]", "240.0.0.1", "[::ffff:169.254.169.254]"):
        with pytest.raises(NotThere):
            parts_of(f"http://{host}/")


def test_an_address_is_named_once_and_its_secret_shown_once(as_alice, club):
    page = f"/clubs/{club.slug}/programs/"
    typed = {"url": "https://example.org/hook", "events": ["draw"], "secret": ""}
    as_alice.post(f"{page}address/", typed)
    secret = Webhook.objects.get().secret
    assert as_alice.get(page).context["once"] == {"name": "https://example.org/hook", "secret": secret}
    assert secret not in as_alice.get(page).content.decode()
    assert list(as_alice.post(f"{page}address/", typed).context["form"].errors) == ["url"]
    as_alice.post(f"{page}address/{Webhook.objects.get().pk}/remove/")
    assert not Webhook.objects.exists()
