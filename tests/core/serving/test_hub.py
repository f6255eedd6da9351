"""A bell names what has changed, and only that is read; without a name everything is."""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing

import pytest
from django.core.cache import cache
from django.db import connection, transaction

from core.serving import hub as hubs
from core.serving.hub import CHANNEL, Bell, Hub, Version
from tests.core.serving.test_streams import NoBell
from tests.factories import make_tournament
from tests.patience import PATIENCE, wait_until
from tournaments.changes.versions import announce, read_versions
from tournaments.models import Table

ONE, OTHER, UNKNOWN = ("t", "ABC234"), ("t", "DEF567"), ("t", "GONE")


class Evenings:
    """Two evenings, whose bells name them; what was read is noted."""

    def __init__(self):
        self.versions = {ONE: Version(5, "1"), OTHER: Version(5, "2")}
        self.read = []

    def read_versions(self, topics):
        self.read.append(set(topics))
        return {topic: self.versions[topic] for topic in topics if topic in self.versions}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["1"], {ONE, UNKNOWN}),
        (["1", "2"], {ONE, OTHER, UNKNOWN}),
        (["3"], {UNKNOWN}),
        ([""], {ONE, OTHER, UNKNOWN}),
        (["1", ""], {ONE, OTHER, UNKNOWN}),
    ],
)
def test_only_what_a_bell_names_is_read_and_what_belongs_to_nothing(names, expected):
    async def scene():
        evenings = Evenings()
        hub = Hub(evenings.read_versions, soonest=0.01, seldom=PATIENCE)
        hub.bell = NoBell()
        with hub.watching(ONE) as one, hub.watching(OTHER) as other, hub.watching(UNKNOWN) as unknown:
            for watched in (one, other, unknown):
                await hub.newer(watched, -1, PATIENCE)
            evenings.read.clear()
            for name in names:
                hub._rang(name)
            while not evenings.read:  # noqa: ASYNC110 - nothing else tells
                await asyncio.sleep(0.01)
            hub.close()
        assert not hub.watched
        assert not hub.grouped
        return evenings.read[0]

    assert asyncio.run(scene()) == expected


def test_a_change_that_no_bell_told_of_is_found_though_bells_ring_for_others_all_the_time():
    async def scene():
        evenings = Evenings()
        hub = Hub(evenings.read_versions, soonest=0.01, seldom=0.2)
        hub.bell = NoBell()
        with hub.watching(ONE) as one, hub.watching(OTHER):
            await hub.newer(one, -1, PATIENCE)
            evenings.versions[ONE] = Version(6, "1")
            async with asyncio.timeout(PATIENCE):
                while one.version != 6:
                    hub._rang("2")
                    await asyncio.sleep(0.01)
            hub.close()
        return evenings.read

    assert {OTHER} in asyncio.run(scene())


@pytest.mark.databases
def test_a_tournament_and_its_tables_have_one_name(db):
    tournament = make_tournament(8, rounds_planned=2)
    tables = Table.objects.filter(round__tournament=tournament)
    playing, coming = (tables.get(round__number=number, number=1) for number in (1, 2))
    key = str(tournament.pk)
    asked = [("t", tournament.code), ("c", playing.secret), ("c", coming.secret), ("c", "none")]
    tournament.refresh_from_db()
    assert read_versions(asked) == {
        asked[0]: Version(tournament.version, key),
        asked[1]: Version(playing.version, key),
        asked[2]: Version(0, key),
    }


@pytest.fixture(params=["as installed", "without Redis"])
def told(request, transactional_db, monkeypatch):
    """What a bell said since it began to listen; SQLite has one bell, PostgreSQL one with Redis and one without."""
    if request.param == "without Redis":
        monkeypatch.setattr(hubs, "has_redis", lambda: False)
    said, over = [], threading.Event()
    monkeypatch.setattr(hubs, "WAIT", 0.1)
    bell = Bell(said.append, lambda: not over.is_set())
    bell.listen()
    wait_until(lambda: said)
    yield said
    over.set()
    bell.thread.join()


def test_a_bell_names_the_tournament_that_changed(told):
    tournament = make_tournament(0)
    told.clear()
    with transaction.atomic():
        announce(tournament.pk)
    wait_until(lambda: told)
    assert set(told) == {"" if connection.vendor == "sqlite" else str(tournament.pk)}


def test_a_bell_of_a_program_that_names_nothing_rings_for_everything(told):
    """As of one before this, while servers are upgraded one after the other."""
    make_tournament(0)
    told.clear()
    with closing(connection.cursor()) as cursor:
        if hubs.has_redis():
            cache.publish(CHANNEL, "")
        elif connection.vendor == "postgresql":
            cursor.execute(f"NOTIFY {CHANNEL}")
        else:
            announce(make_tournament(0).pk)
    wait_until(lambda: "" in told)
