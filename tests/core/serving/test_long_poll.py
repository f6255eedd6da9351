"""Who waits for news of a tournament hears of it at once, and nobody stands in the way of others meanwhile."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest

from core.http.long_poll import Waiting
from core.serving.asgi import Application
from tests.core.serving.test_asgi import Sender, asked


class Hall:
    """A program whose tournament gets a new version now and then; it notes what it was asked."""

    def __init__(self):
        self.version = 5
        self.asked = []

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        self.asked.append(path)
        headers = [("Content-Type", "application/json")]
        if path.startswith("/api/") and self.version <= 5:
            headers.append(("X-Hold-Back", f"20 {self.version}"))
        start_response("200 OK", headers)
        return [json.dumps({"version": self.version}).encode()]


def test_what_listens_is_read_before_the_program_is():
    """As where processes for pages are copied off one that has read nothing yet."""
    alone = "import core.serving.asgi, sys; sys.exit('django.contrib.auth' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", alone], check=False).returncode == 0


VERSION = asked(path="/api/v1/tournaments/abc234/version", query_string=b"after=5&wait=20")


async def _wait(application, hall, *, many, until):
    """So many ask and wait; when all do, `until` happens. What each was answered."""
    senders = [Sender() for _ in range(many)]
    asking = [asyncio.create_task(application(VERSION, one.receive, one.send)) for one in senders]
    for _turn in range(400):
        if sum(one.waiting for one in application.waiting.watched.values()) == many:
            break
        await asyncio.sleep(0.05)
    until()
    await asyncio.gather(*asking)
    return senders


def test_all_who_wait_are_told_and_one_question_is_asked_for_all_of_them():
    hall = Hall()
    application = Application(hall)
    application.waiting = Waiting(moment=0.005)
    told = asyncio.run(_wait(application, hall, many=50, until=lambda: setattr(hall, "version", 6)))
    assert {one.body for one in told} == {b'{"version": 6}'}
    assert all(b"x-hold-back" not in dict(one.told[0]["headers"]) for one in told)
    assert hall.asked.count("/api/v1/tournaments/abc234/version") == 2 * 50
    assert 0 < hall.asked.count("/t/ABC234/version") < 50
    assert not application.waiting.watched, "nobody is watched for any more"


@pytest.mark.parametrize("most", [0, 1])
def test_who_waits_in_vain_and_who_finds_no_place_is_told_that_nothing_is_new(most, monkeypatch):
    hall = Hall()
    application = Application(hall)
    application.waiting = Waiting(moment=0.001, most=most)

    class AtOnce(Waiting):
        async def for_news(self, code, version, seconds, ask):
            assert seconds == 20
            await super().for_news(code, version, 0.01, ask)

    application.waiting = AtOnce(moment=0.001, most=most)
    assert Sender().ask(application, VERSION).body == b'{"version": 5}'
    assert ("/t/ABC234/version" in hall.asked) is bool(most)
