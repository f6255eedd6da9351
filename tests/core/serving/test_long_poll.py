"""Who waits for news of a tournament hears of it at once, and nobody stands in the way of others meanwhile."""

from __future__ import annotations

import asyncio
import json

from core.http import long_poll
from core.serving import asgi
from core.serving.asgi import Application
from core.serving.hub import Version
from tests.core.serving.test_asgi import Sender, asked
from tests.core.serving.test_streams import NoBell
from tests.patience import PATIENCE

VERSION = asked(path="/api/v1/tournaments/abc234/version", query_string=b"after=5&wait=20")


class Hall:
    """A program whose tournament gets a new version now and then; it notes what it was asked."""

    def __init__(self):
        self.version = 5
        self.asked, self.read = [], []

    def read_versions(self, topics):
        self.read.append(list(topics))
        return {("t", "ABC234"): Version(self.version)}

    def __call__(self, environ, start_response):
        self.asked.append(environ["PATH_INFO"])
        headers = [("Content-Type", "application/json")]
        if self.version <= 5:
            headers.append(("X-Hold-Back", f"20 {self.version}"))
        start_response("200 OK", headers)
        return [json.dumps({"version": self.version}).encode()]


def served(hall):
    application = Application(hall, hall.read_versions)
    application.hub.soonest, application.hub.seldom, application.hub.bell = 0.005, 0.01, NoBell()
    return application


def test_all_who_wait_are_told_and_one_query_is_made_for_all_of_them():
    hall = Hall()

    async def wait():
        application = served(hall)
        senders = [Sender() for _one in range(50)]
        asking = [asyncio.create_task(application(VERSION, one.receive, one.send)) for one in senders]
        async with asyncio.timeout(PATIENCE):
            # Nothing else tells that all of them wait.
            while not hall.read or sum(one.watchers for one in application.hub.watched.values()) < 50:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        hall.version = 6
        await asyncio.wait_for(asyncio.gather(*asking), PATIENCE)
        return application, senders

    application, told = asyncio.run(wait())
    assert {one.body for one in told} == {b'{"version": 6}'}
    assert all(b"x-hold-back" not in dict(one.told[0]["headers"]) for one in told)
    assert hall.asked == ["/api/v1/tournaments/abc234/version"] * 2 * 50
    assert set(map(tuple, hall.read)) == {(("t", "ABC234"),)}
    assert not application.hub.watched, "nobody is watched for any more"


def test_who_waits_in_vain_is_told_that_nothing_is_new(monkeypatch):
    monkeypatch.setattr(asgi, "LONGEST", 0.1)
    hall = Hall()
    assert Sender().ask(served(hall), VERSION).body == b'{"version": 5}'
    assert len(hall.asked) == 2
    assert long_poll.LONGEST < 8  # a server that is stopped waits so long
