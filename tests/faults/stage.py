"""A hall under fire: the real program, served on a database of its own, and all that can be done to it from outside."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg

from tests.bench.stage import ROOT, wait_for
from tests.services import free_port

PASSWORD = "tre gode ord"
AGAIN_WITHIN = 60.0  # seconds until the first process has started another, on a busy machine
PATIENCE = 180.0  # and until a server has begun
ORGANISERS = ("alice", "anna")
SET_UP = """
import json
import django; django.setup()
from django.core.management import call_command
call_command("prepare", verbosity=0)
from clubs.models import Account, Role
from tests.factories import make_club, make_tournament
from tournaments.models import Table
club = make_club()
for name in {organisers}:
    account = Account.objects.create_user(username=name, password={password!r})
    Role.objects.create(account=account, club=club, kind="organiser")
tournament = make_tournament({players}, club=club, account=account, deals_per_round={deals})
secrets = list(Table.objects.order_by("number").values_list("secret", flat=True))
print(json.dumps([tournament.code, secrets]))
"""
RECOUNT = """
import json
import django; django.setup()
from django.core.management import call_command
from tournaments.models import KeptReport, Report
call_command("verify")
waiting = KeptReport.objects.filter(state="waiting").count()
reports = Report.objects.values_list("table__secret", "key", "deal_number", "result")
print(json.dumps([waiting, [[secret, str(key), deal, result] for secret, key, deal, result in reports]]))
"""


def descendants(pid: int) -> list[int]:
    """A process and all that it started, each known by its number: nothing else is ever stopped or killed."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:  # it has ended meanwhile
            continue
        for child in children:
            found += descendants(int(child))
    return found


def tell(pid: int, what: signal.Signals) -> None:
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return


class Stage:
    """`folder` is the data folder; `address` that of a PostgreSQL, on which a new database is made, or empty."""

    def __init__(
        self, folder: Path, *, address: str = "", tables: int, deals: int, journal: Path | None = None
    ) -> None:
        self.folder, self.clock = folder, folder / "ahead"
        self.port = free_port()
        self.environment = os.environ | {
            "SPADILLE_DATA": str(folder),
            "PORT": str(self.port),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "BACKUP_MINUTES": "0",
            "PYTHONPATH": f"{ROOT / 'tests/faults/clock'}:{ROOT}",
            "CLOCK_AHEAD": str(self.clock),
        }
        self.journal = journal or folder / "no journal"
        if journal:
            self.environment["JOURNAL"] = str(journal)
        self.database = ""
        if address.startswith("postgres"):
            name = f"faults_{uuid4().hex[:12]}"
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            self.database = self.environment["DATABASE_URL"] = f"{address.rpartition('/')[0]}/{name}"
        else:
            self.environment.pop("DATABASE_URL", None)
        made = self.python(
            "-c",
            SET_UP.format(organisers=ORGANISERS, password=PASSWORD, players=4 * tables, deals=deals),
        )
        self.code, self.secrets = json.loads(made.splitlines()[-1])
        self.server: subprocess.Popen[bytes] | None = None

    @property
    def file(self) -> Path:
        """The database of SQLite."""
        return self.folder / "spadille.sqlite3"

    def python(self, *arguments: str) -> str:
        ran = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            raise RuntimeError(f"{arguments[:2]}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def start(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.server = subprocess.Popen(
                [sys.executable, "-c", "from core.serving.server import serve; serve('127.0.0.1')"],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        wait_for(f"http://127.0.0.1:{self.port}/health", PATIENCE)

    def kill(self) -> None:
        """Kill -9, all that serves, at once."""
        if self.server is None:
            return
        if self.server.poll() is None:
            for pid in descendants(self.server.pid):
                tell(pid, signal.SIGKILL)
        self.server.wait()
        self.server = None

    @contextmanager
    def served(self):
        try:
            self.start()
            yield self
        finally:
            self.kill()

    def workers(self) -> list[int]:
        """The processes that serve pages, once one of them is there."""
        deadline = time.monotonic() + AGAIN_WITHIN
        while not (found := self._workers()):
            assert time.monotonic() < deadline, "no process for pages was started again"
            time.sleep(0.1)
        return found

    def _workers(self) -> list[int]:
        assert self.server is not None
        found = []
        for pid in descendants(self.server.pid)[1:]:
            try:
                name = Path(f"/proc/{pid}/comm").read_text()
            except OSError:
                continue
            if name.strip() == "spadille-pages":
                found.append(pid)
        return found

    def back_up(self) -> Path:
        return Path(self.python("manage.py", "backup").strip())

    def recount(self) -> tuple[str, int, list[list]]:
        """What `verify` says, how many reports wait for the organiser, and the ledger: link, key, deal, result."""
        *_notices, verified, stored = self.python("-c", RECOUNT).strip().splitlines()
        waiting, reports = json.loads(stored)
        return verified, waiting, reports

    def faults_of_the_program(self) -> list[str]:
        """What the server's log has of errors that nobody answered for."""
        log = (self.folder / "server.log").read_text(errors="replace")
        return re.findall(r"^Internal Server Error: .*$|^Traceback .*$", log, re.MULTILINE)

    def connect(self, **options):
        """A connection of somebody else's to the PostgreSQL under fire."""
        return psycopg.connect(self.database, autocommit=True, **options)
