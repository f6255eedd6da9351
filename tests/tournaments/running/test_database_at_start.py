"""A start right after a kill, or before the database is up: it waits, says so once, and two never update at once."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, connections

from core import database
from core.database import nobody_else_updates, wait_until_it_answers
from tests.patience import PATIENCE

pytestmark = pytest.mark.databases


class SqliteError(Exception):
    def __init__(self, code: int) -> None:
        super().__init__("as SQLite says it")
        self.sqlite_errorcode = code


def trouble(cause: BaseException | None, words: str) -> OperationalError:
    error = OperationalError(words)
    error.__cause__ = cause
    return error


LOCKING_PROTOCOL, BUSY_RECOVERY = SqliteError(15), SqliteError(5 | 1 << 8)
PASSING = {
    "sqlite": [
        trouble(LOCKING_PROTOCOL, "locking protocol"),
        trouble(BUSY_RECOVERY, "database is locked"),
    ],
    "postgresql": [
        trouble(None, "connection failed: FATAL:  the database system is starting up\nIs it?"),
        trouble(None, "connection failed: Connection refused"),
    ],
}
LASTING = {
    "sqlite": [trouble(SqliteError(14), "unable to open database file")],
    "postgresql": [trouble(None, 'FATAL:  password authentication failed for user "spadille"')],
}


@pytest.fixture
def failing(db, monkeypatch):
    """Let the database answer with these, in turn, before it does as ever; gives how often it was asked."""
    monkeypatch.setattr(database, "LOOK_AGAIN", 0.01)
    monkeypatch.setattr(connection, "close", lambda: None)  # of the test's own transaction
    asked = []

    def fail_with(*errors):
        waiting = list(errors)

        def ask(execute, *told):
            asked.append(told[0])
            if waiting:
                raise waiting.pop(0)
            return execute(*told)

        return connection.execute_wrapper(ask), asked

    return fail_with


def test_what_passes_is_waited_for_and_said_once(failing, capsys):
    errors = PASSING[connection.vendor]
    wrapper, asked = failing(*errors)
    with wrapper:
        wait_until_it_answers()
    assert len(asked) == len(errors) + 1
    first = str(errors[0]).splitlines()[0]
    assert capsys.readouterr().err == f"The database is not answering yet ({first}). Waiting …\n"


def test_what_does_not_pass_is_said_at_once(failing, capsys):
    (error,) = LASTING[connection.vendor]
    wrapper, asked = failing(error)
    with wrapper, pytest.raises(OperationalError):
        wait_until_it_answers()
    assert (len(asked), capsys.readouterr().err) == (1, "")


def test_nobody_waits_for_ever(failing, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    wrapper, asked = failing(*PASSING[connection.vendor] * 100)
    with wrapper, pytest.raises(OperationalError):
        wait_until_it_answers()
    assert 1 < len(asked) < 20


WAITING = """
import django; django.setup()
from core.database import wait_until_it_answers
wait_until_it_answers()
"""
READERS = (123, 5)  # the bytes of the log's index by which SQLite lets readers in, and how many


def test_locking_protocol_is_waited_for_as_sqlite_itself_says_it(tmp_path):
    """A real one: somebody holds the log between readers for longer than SQLite looks again, which is ten seconds."""
    file, (start, length) = tmp_path / "spadille.sqlite3", READERS
    with closing(sqlite3.connect(file)) as kept:
        kept.execute("PRAGMA journal_mode=WAL")
        kept.execute("CREATE TABLE something (it)")
        with Path(f"{file}-shm").open("r+b") as index:
            fcntl.lockf(index, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
            told = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
            begun = subprocess.Popen(
                [sys.executable, "-c", WAITING],
                env=told | {"SPADILLE_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"},
                stderr=subprocess.PIPE,
                text=True,
            )
            said = begun.stderr.readline()
            fcntl.lockf(index, fcntl.LOCK_UN, length, start)
            more = begun.communicate(timeout=PATIENCE)[1]
    assert said == "The database is not answering yet (locking protocol). Waiting …\n"
    assert (begun.returncode, more) == (0, "")


def test_a_start_waits_until_another_has_brought_the_data_up_to_date(db, settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(database, "LONGEST_UPDATE", 0.05)
    with (tmp_path / ".prepare").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(CommandError, match="Another process is still upgrading these data"):
            call_command("prepare")
    with nobody_else_updates():
        pass


@pytest.mark.postgresql  # SQLite's is on this one
def test_so_does_one_that_starts_on_another_machine_with_the_same_database(
    db, settings, tmp_path, monkeypatch
):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(database, "LONGEST_UPDATE", 0.05)
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [database.UPDATE_LOCK])
        with pytest.raises(TimeoutError), nobody_else_updates():
            pass
    finally:
        other.close()
    for _turn in range(2):
        with nobody_else_updates():
            pass
