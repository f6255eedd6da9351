"""Streams of events: who waits hears of each version, and gets the rows of a page that have changed."""

from __future__ import annotations

import asyncio
import json
import zlib

import pytest
from django.db import connection

from core.serving import streams
from core.serving.asgi import Application
from core.serving.hub import Hub, Version
from core.serving.streams import MOST_PARTS, Shared
from tests.core.serving.test_asgi import Sender, asked
from tests.patience import PATIENCE


class Evening:
    """A program whose page has a row for each player, and its versions."""

    def __init__(self):
        self.version, self.points, self.drawn = 5, [0, 0, 0], []

    def read_versions(self, topics):
        return {topic: Version(self.version) for topic in topics if topic[1] != "GONE"}

    def __call__(self, environ, start_response):
        self.drawn.append((environ["PATH_INFO"], environ["QUERY_STRING"], environ.get("HTTP_COOKIE", "")))
        start_response("200 OK", [("Content-Type", "text/html")])
        shown = self.points if "all" in environ["QUERY_STRING"] else self.points[:2]
        rows = "".join(
            f'<tr><a href="/t/ABC234/player/{place}/">{points}</a></tr>'
            for place, points in enumerate(shown, 1)
        )
        checksum = "".join(map(str, shown))
        return [f'<div data-sum="{checksum}" data-version="{self.version}">{rows}</div>'.encode()]

    def report(self, *points):
        # In this order: another thread that sees the version draws these points.
        self.points, self.version = list(points), self.version + 1


# What a stream shows by that it is alive, and how often it does.
SIGNS_OF_LIFE = ("every", "still")


class Listener:
    """Somebody who listens to a stream; `all_told`: to its signs of life too."""

    def __init__(self, application, path, query=b"", headers=(), *, all_told=False):
        self.all_told = all_told
        self.sender = Sender(ends=False)
        self.sender.receive = self.receive
        self.gone = asyncio.Event()
        scope = asked(path=path, query_string=query, headers=list(headers))
        self.task = asyncio.create_task(application(scope, self.receive, self.sender.send))

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    def leave(self):
        self.gone.set()

    @property
    def body(self):
        return self.sender.body

    async def events(self, number):
        """The first so many events, each with its data."""
        async with asyncio.timeout(PATIENCE):
            while len(found := self.found()) < number:  # noqa: ASYNC110 - nothing else tells
                await asyncio.sleep(0.01)
        return found

    def found(self):
        body = self.body
        if dict(self.sender.told[0]["headers"]).get(b"content-encoding") if self.sender.told else False:
            body = zlib.decompressobj(31).decompress(body)
        blocks = [block.split("\n") for block in body.decode().split("\n\n") if block.startswith("event: ")]
        told = [(name[7:], json.loads(data[6:] or "null")) for name, data in blocks]
        return told if self.all_told else [(name, data) for name, data in told if name not in SIGNS_OF_LIFE]


class NoBell:
    """Rings for nobody: the hub looks by itself, unless it believes that the bell `hears_all`."""

    def __init__(self, *, hears_all=False):
        self.hears_all = hears_all

    def listen(self):
        pass


def made(evening):
    application = Application(evening, evening.read_versions)
    application.hub.soonest, application.hub.seldom, application.hub.bell = 0.01, 0.05, NoBell()
    return application


def run(scene):
    """Play a scene with an evening that is served."""

    async def played():
        evening = Evening()
        application = made(evening)
        try:
            await scene(evening, application)
        finally:
            application.streams.close()

    asyncio.run(asyncio.wait_for(played(), 3 * PATIENCE))


def test_a_stream_tells_of_each_version():
    async def scene(evening, application):
        phone = Listener(application, "/t/ABC234/events")
        assert await phone.events(1) == [("version", {"version": 5})]
        evening.report(1, 0, 0)
        assert (await phone.events(2))[1] == ("version", {"version": 6})
        headers = dict(phone.sender.told[0]["headers"])
        assert headers[b"content-type"].startswith(b"text/event-stream")
        assert (headers[b"x-accel-buffering"], headers[b"x-spadille"]) == (b"no", b"1")
        assert evening.drawn == []

    run(scene)


def test_a_captains_phone_hears_of_its_table_and_is_sent_no_part():
    async def scene(evening, application):
        phone = Listener(application, "/c/secret/events", b"part=/c/secret/state&sum=0")
        assert await phone.events(1) == [("version", {"version": 5})]
        evening.report(1, 0, -1)
        assert (await phone.events(2))[1] == ("version", {"version": 6})
        assert evening.drawn == []

    run(scene)


def test_what_is_not_there_has_version_0():
    async def scene(_evening, application):
        phone = Listener(application, "/t/gone/events")
        assert await phone.events(1) == [("version", {"version": 0})]

    run(scene)


def test_a_stream_shows_that_it_is_alive_as_often_as_it_says(settings):
    settings.STREAM_HEARTBEAT = 0.05

    async def scene(_evening, application):
        versions = Listener(application, "/t/ABC234/events", all_told=True)
        assert await versions.events(3) == [("every", 0.05), *[("version", {"version": 5})] * 2]
        part = Listener(application, "/t/ABC234/events", PART + b"00", all_told=True)
        await part.events(4)
        assert [name for name, _data in part.found()[:4]] == ["every", "version", "still", "still"]

    run(scene)


PART = b"part=/t/ABC234/standings/&language=da&sum="


def test_a_page_gets_the_rows_that_changed_since_what_it_has():
    async def scene(evening, application):
        page = Listener(application, "/t/ABC234/events", PART + b"00")
        assert await page.events(1) == [("version", {"version": 5, "sum": "00"})]
        evening.report(3, 0, 0)
        changed = '<tr><a href="/t/ABC234/player/1/">3</a></tr>'
        told = {"version": 6, "sum": "30", "base": "00", "rows": [changed, [1, 1]]}
        assert (await page.events(2))[1] == ("part", told)
        assert evening.drawn[0] == ("/t/ABC234/standings/", "", "django_language=da")

    run(scene)


def test_a_page_that_was_away_is_made_whole_once():
    async def scene(evening, application):
        page = Listener(application, "/t/ABC234/events", PART + b"99")
        ((name, told),) = await page.events(1)
        assert (name, told["sum"], told["html"].count("<tr>")) == ("part", "00", 2)
        evening.report(0, 1, 0)
        assert "rows" in (await page.events(2))[1][1]

    run(scene)


def test_a_part_is_drawn_once_for_all_and_told_packed_to_who_can_unpack_it():
    async def scene(evening, application):
        packed = [(b"accept-encoding", b"gzip, br")]
        pages = [
            Listener(application, "/t/ABC234/events", PART + b"00", packed if number % 2 else ())
            for number in range(20)
        ]
        for page in pages:
            await page.events(1)
        evening.report(1, 0, 0)
        told = [(await page.events(2))[1] for page in pages]
        assert told[0][1]["rows"]
        assert told.count(told[0]) == 20
        assert len(evening.drawn) == 2

    run(scene)


def both_processes(evening, application):
    """What two servers would be that have a cache in common."""
    other = made(evening)
    for one in (application, other):
        one.streams.shares = True
    return application, other


def test_each_version_of_a_part_is_drawn_by_one_process_for_all():
    async def scene(evening, application):
        processes = both_processes(evening, application)
        pages = [Listener(one, "/t/ABC234/events", PART + b"00") for one in processes for _page in range(3)]
        for page in pages:
            await page.events(1)
        for number, points in ((2, (1, 0, 0)), (3, (1, 2, 0))):
            evening.report(*points)
            told = [(await page.events(number))[-1] for page in pages]
            assert told[0][1]["rows"]
            assert told.count(told[0]) == len(pages)
        assert len(evening.drawn) == 3
        late = [Listener(one, "/t/ABC234/events", PART + b"00") for one in processes]
        told = [(await page.events(1))[0] for page in late]
        assert told[0][1]["rows"]
        assert told[0] == told[1]
        assert len(evening.drawn) == 3
        processes[1].streams.close()

    run(scene)


def test_a_part_is_drawn_where_the_process_whose_turn_it_was_does_not(monkeypatch):
    monkeypatch.setattr(streams, "PATIENCE", 0.1)
    monkeypatch.setattr(Shared, "find_or_begin", lambda _shared, _version: (None, False))

    async def scene(evening, application):
        application.streams.shares = True
        page = Listener(application, "/t/ABC234/events", PART + b"00")
        assert (await page.events(1))[0][0] == "version"
        assert len(evening.drawn) == 1

    run(scene)


def test_the_readers_own_row_comes_where_it_is_not_among_the_first():
    async def scene(evening, application):
        page = Listener(application, "/t/ABC234/events", PART + b"00&own=3")
        first = await page.events(2)
        assert first[1] == ("own", {"html": '<tr><a href="/t/ABC234/player/3/">0</a></tr>'})
        evening.report(0, 0, 8)
        async with asyncio.timeout(PATIENCE):
            # Before or after the event that the part has the next version: each is drawn by itself.
            while not any(">8<" in data.get("html", "") for _name, data in page.found()):  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    run(scene)


@pytest.mark.parametrize(
    "query", [b"part=/desk/&sum=", b"part=/t/OTHER1/standings/&sum=", b"part=//evil/&sum="]
)
def test_nothing_is_drawn_but_parts_of_the_streams_own_tournament(query):
    async def scene(evening, application):
        page = Listener(application, "/t/ABC234/events", query)
        assert await page.events(1) == [("version", {"version": 5})]
        assert evening.drawn == []

    run(scene)


def test_no_more_than_so_many_parts_are_drawn():
    async def scene(evening, application):
        application.streams.parts = dict.fromkeys(range(MOST_PARTS))
        page = Listener(application, "/t/ABC234/events", PART + b"00")
        assert await page.events(1) == [("version", {"version": 5})]
        application.streams.parts = {}

    run(scene)


def test_a_language_is_no_cookie():
    async def scene(evening, application):
        query = b"part=/t/ABC234/standings/&sum=00&language=da%3B+sessionid%3Dx"
        await Listener(application, "/t/ABC234/events", query).events(1)
        assert evening.drawn[0][2] == ""

    run(scene)


def test_who_leaves_is_forgotten():
    async def scene(_evening, application):
        page = Listener(application, "/t/ABC234/events", PART + b"00")
        await page.events(1)
        assert application.streams.open == 1
        page.leave()
        await asyncio.wait_for(page.task, PATIENCE)
        assert (application.streams.open, application.streams.parts, application.hub.watched) == (0, {}, {})

    run(scene)


def test_streams_end_when_the_process_is_to_stop_and_no_other_begins():
    async def scene(_evening, application):
        listeners = [
            Listener(application, "/t/ABC234/events"),
            Listener(application, "/t/ABC234/events", PART + b"00"),
        ]
        for one in listeners:
            await one.events(1)
        application.streams.close()
        for one in listeners:
            await asyncio.wait_for(one.task, PATIENCE)
            assert one.sender.told[-1]["more_body"] is False
        late = Listener(application, "/t/ABC234/events")
        await asyncio.wait_for(late.task, PATIENCE)
        assert late.sender.status == 503

    run(scene)


def test_a_version_that_others_wait_for_is_told_without_asking_the_program():
    async def scene(evening, application):
        page = Listener(application, "/t/ABC234/events")
        await page.events(1)
        sender = Sender()
        await application(asked(path="/t/abc234/version"), sender.receive, sender.send)
        assert (sender.body, evening.drawn) == (b'{"version": 5}', [])

    run(scene)


def test_an_idle_captains_phone_is_answered_from_what_is_known_of_its_table():
    async def scene(evening, application):
        async def ask(version):
            sender = Sender()
            query = f"v={version}&seq=7".encode()
            await application(asked(path="/c/secret/state", query_string=query), sender.receive, sender.send)
            return sender.status

        assert await ask(5) == 200  # nothing is known yet
        async with asyncio.timeout(PATIENCE):
            while application.hub.known(("c", "secret")) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (await ask(5), len(evening.drawn)) == (204, 1)
        assert (await ask(4), len(evening.drawn)) == (200, 2)
        evening.report(1, 0, 0)
        async with asyncio.timeout(PATIENCE):
            while application.hub.known(("c", "secret")) == 5:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (await ask(5), await ask(6), len(evening.drawn)) == (200, 204, 3)
        application.hub.lease(("c", "secret"), 0.01)
        async with asyncio.timeout(PATIENCE):
            while application.hub.watched:  # noqa: ASYNC110 - who asks no more is forgotten
                await asyncio.sleep(0.01)

    run(scene)


def test_a_database_that_is_away_for_a_moment_ends_no_stream():
    from django.db import OperationalError

    async def scene(evening, application):
        page = Listener(application, "/t/ABC234/events")
        await page.events(1)

        def away(_topics):
            raise OperationalError

        application.hub.read_versions = away
        await asyncio.sleep(0.2)
        evening.report(1, 1, 1)
        application.hub.read_versions = evening.read_versions
        assert (await page.events(2))[1] == ("version", {"version": 6})

    run(scene)


@pytest.mark.parametrize("hears_all", [False, True])
def test_versions_are_queried_again_and_again_only_where_a_bell_may_miss_a_change(hears_all):
    async def scene():
        evening = Evening()
        hub = Hub(evening.read_versions, soonest=0.01, seldom=0.01)
        hub.bell = NoBell(hears_all=hears_all)
        with hub.watching(("t", "ABC234")) as watched:
            await hub.newer(watched, -1, PATIENCE)
            evening.version = 9
            looks = await hub.newer(watched, 5, 0.3 if hears_all else PATIENCE)
            hub._ring()
            rung = await hub.newer(watched, 5, PATIENCE)
            hub.close()
        return looks, rung

    assert asyncio.run(scene()) == (not hears_all, True)


def test_a_bell_rings_at_a_commit_of_another_connection(transactional_db):
    """Without it the hub would look again only after its longest pause.

    The bell has a connection of its own, which must be closed before another test forks: SQLite's locks are not
    inherited, and of two copies each would do what the other has done.
    """
    from tests.factories import make_club

    bell = []

    async def heard():
        evening = Evening()
        hub = Hub(evening.read_versions, seldom=60)
        with hub.watching(("t", "ABC234")) as watched:
            await hub.newer(watched, -1, PATIENCE)
            evening.version = 9
            await asyncio.to_thread(_stored)
            bell.append(hub.bell)
            return await hub.newer(watched, 5, PATIENCE), hub.bell.hears_all

    def _stored():
        from tests.factories import make_tournament
        from tournaments.changes.versions import announce

        announce(make_tournament(0, club=make_club("Bell")).pk)
        connection.close()

    rings, hears_all = asyncio.run(heard())
    bell[0].thread.join(PATIENCE)
    assert not bell[0].thread.is_alive()
    assert rings
    assert hears_all == (connection.vendor == "sqlite")
