"""The program killed at any moment while reports come in: what was acknowledged is there, nothing is there twice.

Real processes on a database of their own (SQLite, or a new one on the PostgreSQL of DATABASE_URL), real phones that
send again what was not answered, and kill -9 for everything that serves.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings

from tests.bench.stage import free_port, wait_for

TABLES, DEALS, KILLS = 6, 40, 4
SET_UP = """
import django; django.setup()
from django.core.management import call_command
call_command("prepare", verbosity=0)
from tests.factories import make_tournament
from tournaments.models import Table
make_tournament({players})
print("\\n".join(Table.objects.values_list("secret", flat=True)))
"""
STORED = """
import django; django.setup()
from tournaments.models import Report
print("\\n".join(str(key) for key in Report.objects.values_list("key", flat=True)))
"""


@pytest.fixture
def environment(tmp_path):
    """Where the program under fire works; what the tests themselves stand on is left alone."""
    own = os.environ | {
        "SPADILLE_DATA": str(tmp_path),
        "PORT": str(free_port()),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "BACKUP_MINUTES": "1",
    }
    address = os.environ.get("DATABASE_URL", "")
    if address.startswith("postgres"):
        name = f"faults_{uuid4().hex[:12]}"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        own["DATABASE_URL"] = f"{address.rpartition('/')[0]}/{name}"
    return own


def python(environment, *arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def descendants(pid):
    """A process and all that it started, each known by its number: nothing else is ever killed."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += descendants(int(child))
    return found


@contextmanager
def serving(environment):
    server = subprocess.Popen(
        [sys.executable, "-c", "from tournaments.serving import serve; serve('127.0.0.1')"],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{environment['PORT']}", 60)
        yield server
    finally:
        kill(server)


def kill(server):
    if server.poll() is None:
        for pid in descendants(server.pid):
            os.kill(pid, signal.SIGKILL)
    server.wait()


@dataclass
class Phone:
    """A captain's phone: keeps every report until its own answer has come, and sends it again until then."""

    port: str
    secret: str
    seed: int
    waiting: list = field(default_factory=list)
    answered: dict = field(default_factory=dict)
    sent: int = 0
    unanswered: int = 0

    def play(self):
        random = Random(self.seed)
        for deal in range(1, DEALS + 1):
            result = {"contract": "simple_game", "declarer": deal % 4, "trump": "H", "outcome": "won"}
            self.waiting.append({"key": str(uuid4()), "deal": deal, "base": 0, "result": result})
        while self.waiting:
            self.send(self.waiting[: random.randint(1, 4)])

    def send(self, items):
        self.sent += 1
        try:
            body = json.dumps({"reports": items})
            with closing(http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=5)) as link:
                link.request("POST", f"/c/{self.secret}/reports", body, {"Content-Type": "application/json"})
                with link.getresponse() as response:
                    answer = json.load(response)
        except (OSError, http.client.HTTPException, ValueError):
            self.unanswered += 1
            time.sleep(0.1)
            return
        for result in answer.get("results", []):
            self.answered[result["key"]] = result["status"]
        self.waiting = [item for item in self.waiting if item["key"] not in self.answered]
        time.sleep(0.05)


def test_kill_9_at_any_moment_loses_no_answered_report_and_doubles_none(environment, capsys):
    secrets = python(environment, "-c", SET_UP.format(players=4 * TABLES)).split()
    phones = [Phone(environment["PORT"], secret, number) for number, secret in enumerate(secrets)]
    threads = [threading.Thread(target=phone.play) for phone in phones]
    random, kills = Random(1), 0
    while kills < KILLS or any(thread.is_alive() for thread in threads):
        with serving(environment) as server:
            if not kills:
                for thread in threads:
                    thread.start()
            if kills < KILLS:
                time.sleep(random.uniform(0.15, 0.5))
                kill(server)
                kills += 1
            else:
                for thread in threads:
                    thread.join(60)
    # What was answered is not sent again, so it is there only if it outlived every kill.
    stored = python(environment, "-c", STORED).split()
    lost = {key for phone in phones for key in phone.answered} - set(stored)
    doubled = len(stored) - len(set(stored))
    verified = python(environment, "manage.py", "verify")
    sent, unanswered = sum(phone.sent for phone in phones), sum(phone.unanswered for phone in phones)
    with capsys.disabled():
        print(
            f"\nfaults injected: {kills} kill -9 of all that serves; {sent} batches sent, {unanswered} unanswered"
        )
        print(f"reports stored: {len(stored)}, lost: {len(lost)}, doubled: {doubled}")
    statuses = {status for phone in phones for status in phone.answered.values()}
    assert statuses <= {"accepted", "duplicate"}
    assert (len(stored), lost, doubled) == (TABLES * DEALS, set(), 0)
    assert unanswered > 0
    assert "every total agrees" in verified
