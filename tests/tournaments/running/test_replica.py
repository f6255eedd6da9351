"""PostgreSQL with a second server that follows: promoted while phones report, no report that was answered is lost.

As the manual has it set up: `synchronous_standby_names` on the first, and both servers in DATABASE_URL.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import close_old_connections, connections
from django.test import Client
from django.urls import reverse

from config import environment
from tests import services as servers
from tests.factories import make_tournament, tables_of
from tests.kept import dump_of_postgresql
from tests.patience import PATIENCE

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

REPORTS, TABLES = 50, 4
PAUSE = TABLES / 25  # seconds between two of a phone's: 25 a second in the hall


def on_its_own(act):
    """Do something in a thread, which has a connection of its own; what it came to."""
    came_to = []

    def acted():
        try:
            came_to.append(act())
        finally:
            connections.close_all()

    thread = threading.Thread(target=acted)
    thread.start()
    thread.join()
    return came_to[0]


class Phone(threading.Thread):
    """Sends each report until it is answered."""

    def __init__(self, secret: str) -> None:
        super().__init__(daemon=True)
        self.url = reverse("captain_reports", args=[secret])
        self.answered: list[str] = []
        self.unanswered = 0

    def run(self) -> None:
        for deal in range(1, REPORTS // TABLES + 1):
            item = {
                "key": str(uuid4()),
                "deal": deal,
                "base": 0,
                "result": {"all_passed": True},
                "reason": "",
            }
            while not self.send(item):
                self.unanswered += 1
                time.sleep(0.1)
            self.answered.append(item["key"])
            time.sleep(PAUSE)
        connections.close_all()

    def send(self, item: dict) -> bool:
        close_old_connections()  # as the server does around each request
        answer = Client().post(self.url, json.dumps({"reports": [item]}), content_type="application/json")
        close_old_connections()
        return answer.status_code == 200 and answer.json()["results"][0]["status"] in (
            "accepted",
            "duplicate",
        )


@pytest.fixture
def two_servers(db, monkeypatch):
    """The first with what is kept for tests, and the second behind it; our threads know both."""
    with (
        tempfile.TemporaryDirectory(prefix="spadille-replica-", ignore_cleanup_errors=True) as name,
        ExitStack() as held,
    ):
        folder = Path(name)
        servers.give_to_owner(folder)
        first = held.enter_context(servers.postgresql(folder, durable=True))
        servers.fill(first, dump_of_postgresql())
        second = held.enter_context(servers.replica(folder, first))
        ports = [address.partition("127.0.0.1:")[2].partition("/")[0] for address in (first, second)]
        both = "postgres://spadille@/spadille?host=127.0.0.1,127.0.0.1&port={},{}&target_session_attrs=read-write"
        told = environment.database(both.format(*ports), settings.DATA_DIR)
        for what in ("NAME", "HOST", "PORT", "USER", "PASSWORD", "OPTIONS"):
            monkeypatch.setitem(connections.settings["default"], what, told[what])
        yield folder, second


def test_no_report_is_lost_when_the_second_server_takes_over(two_servers):
    folder, second = two_servers
    secrets = on_its_own(lambda: [table.secret for table in tables_of(make_tournament(4 * TABLES))])
    phones = [Phone(secret) for secret in secrets]
    for phone in phones:
        phone.start()
    while sum(len(phone.answered) for phone in phones) < REPORTS // 3:
        time.sleep(0.02)
    before = sum(len(phone.answered) for phone in phones)
    first = int((folder / "cluster/postmaster.pid").read_text().splitlines()[0])
    os.kill(first, signal.SIGQUIT)  # at once, and without a word to anybody
    with psycopg.connect(second, autocommit=True) as connection:
        connection.execute("SELECT pg_promote()")
    for phone in phones:
        phone.join(PATIENCE)
    with psycopg.connect(second) as connection:
        stored = [str(key) for (key,) in connection.execute("SELECT key FROM tournaments_report")]
    answered = [key for phone in phones for key in phone.answered]
    assert sorted(stored) == sorted(answered)
    assert len(answered) == REPORTS // TABLES * TABLES
    assert len(answered) > before  # phones went on, whether they have noticed or not
