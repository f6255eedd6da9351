"""PostgreSQL brought back as it was at a moment between two reports, by the very lines of docs/second-server.md."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from django.urls import reverse

from config import environment as told_services
from tests import services as servers
from tests.factories import make_tournament, tables_of
from tests.kept import dump_of_postgresql
from tests.tournaments.running.test_replica import on_its_own
from tournaments.models import Report

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

PAGE = (
    (Path(settings.BASE_DIR) / "docs/second-server.md")
    .read_text("utf-8")
    .partition("## Any moment brought back")[2]
)
LINES = dict(re.findall(r"^    (\w+) = (.+)$", PAGE, re.MULTILINE))
COPY = re.search(r"`(pg_basebackup .*?)`", PAGE)[1]
# What is typed before Spadille is started again.
AFTERWARDS = [line.strip() for line in re.findall(r"^    manage\.py .*$", PAGE, re.MULTILINE)]


@contextmanager
def program_on(database: str, monkeypatch):
    """Our threads' connections lead there."""
    told = told_services.database(database, settings.DATA_DIR)
    with monkeypatch.context() as patch:
        for what in ("NAME", "HOST", "PORT", "USER", "PASSWORD", "OPTIONS"):
            patch.setitem(connections.settings["default"], what, told[what])
        yield


def report(secret: str, deal: int, key: str) -> str:
    item = {"key": key, "deal": deal, "base": 0, "result": {"all_passed": True}, "reason": ""}
    body = json.dumps({"reports": [item]})
    answer = Client().post(reverse("captain_reports", args=[secret]), body, content_type="application/json")
    return answer.json()["results"][0]["status"]


def stored() -> list[str]:
    return sorted(map(str, Report.objects.values_list("key", flat=True)))


IN_TURN = """
import sys
from pathlib import Path
from django.core.management import execute_from_command_line
usb, *lines = sys.argv[1:]
for line in lines:
    print("$", line)
    kept = "".join(path.name for path in Path(usb).glob("*.zip"))
    execute_from_command_line(line.replace("spadille-….zip", kept).replace("/mnt/usb", usb).split())
    sys.stdout.flush()
"""


def typed(lines: list[str], database: str, data: Path, usb: Path) -> list[str]:
    """What each line answers, one after the other in one process."""
    here = {"DATABASE_URL": database, "SPADILLE_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    ran = subprocess.run(
        [sys.executable, "-c", IN_TURN, usb, *lines],
        cwd=settings.BASE_DIR,
        env=os.environ | here,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split("$ ")[1:]


def test_a_moment_between_two_reports_is_brought_back_as_the_manual_says(db, monkeypatch, tmp_path):
    wanted, unwanted = str(uuid4()), str(uuid4())
    with tempfile.TemporaryDirectory(prefix="spadille-moment-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        servers.give_to_owner(folder)
        log, base, back = folder / "log", folder / "base", folder / "cluster"
        for place in (log, base):
            place.mkdir()
            servers.give_to_owner(place)

        # Every evening: the write-ahead log goes to another disk, and each night a copy of the whole.
        kept = {
            what: LINES[what].strip("'") for what in ("archive_mode", "archive_command", "archive_timeout")
        }
        kept["archive_command"] = kept["archive_command"].replace("/mnt/log", str(log))
        with servers.postgresql(folder, durable=True, told=kept) as first:
            servers.fill(first, dump_of_postgresql())
            copy = shlex.split(COPY.replace("/mnt/base/$(date +%F)", str(base)))
            copy[0] = str(servers.programs() / copy[0])
            subprocess.run(
                [*servers.as_owner(), *copy, "--checkpoint=fast", "--dbname", first], cwd=folder, check=True
            )
            with program_on(first, monkeypatch):
                (secret,) = on_its_own(lambda: [table.secret for table in tables_of(make_tournament(4))])
                assert on_its_own(lambda: report(secret, 1, wanted)) == "accepted"
                with psycopg.connect(first, autocommit=True) as asked:
                    moment = asked.execute("SELECT clock_timestamp()").fetchone()[0]
                assert on_its_own(lambda: report(secret, 2, unwanted)) == "accepted"
            with psycopg.connect(first, autocommit=True) as asked:
                last = asked.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()[0]
                servers.wait_until(asked, f"SELECT last_archived_wal >= '{last}' FROM pg_stat_archiver")
            os.kill(int((back / "postmaster.pid").read_text().splitlines()[0]), signal.SIGQUIT)

        # The day after: the copy into an empty folder, and the log up to that moment.
        subprocess.run(["rm", "-r", back], check=True)
        subprocess.run([*servers.as_owner(), "install", "-d", "-m", "700", back], cwd=folder, check=True)
        for archive, into in ((base / "base.tar.gz", back), (base / "pg_wal.tar.gz", back / "pg_wal")):
            subprocess.run([*servers.as_owner(), "tar", "-xzf", archive, "-C", into], cwd=folder, check=True)
        recovery = {
            what: LINES[what]
            for what in ("restore_command", "recovery_target_time", "recovery_target_action")
        }
        recovery["restore_command"] = recovery["restore_command"].replace("/mnt/log", str(log))
        recovery["recovery_target_time"] = f"'{moment}'"
        with (back / "postgresql.conf").open("a") as conf:
            conf.writelines(f"{what} = {value}\n" for what, value in recovery.items())
        (back / "recovery.signal").touch()
        port = servers.free_port()
        server = [*servers.as_owner(), str(servers.programs() / "postgres"), "-D", str(back), "-p", str(port)]
        server += ["-k", str(folder), "-c", "listen_addresses=127.0.0.1"]
        with servers.running(server, port, folder / "back.log", folder):
            again = f"postgres://spadille@127.0.0.1:{port}/spadille"
            with servers.answering(again) as asked:
                servers.wait_until(asked, "SELECT NOT pg_is_in_recovery()")
            with program_on(again, monkeypatch):
                assert on_its_own(stored) == [wanted]
            said = typed(AFTERWARDS, again, tmp_path / "data", tmp_path / "usb")
            assert ["every total agrees" in line for line in said] == [True, False, True]
            # The phones send again what they know; each report is stored once.
            with program_on(again, monkeypatch):
                assert on_its_own(lambda: report(secret, 1, wanted)) == "duplicate"
                assert on_its_own(lambda: report(secret, 2, unwanted)) == "accepted"
                assert on_its_own(stored) == sorted([wanted, unwanted])
