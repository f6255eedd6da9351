"""A backup of PostgreSQL: what its own pg_dump writes and its own pg_restore reads."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.backup.archive import MIGRATIONS, Contents
from core.data_hooks import counted_tables
from core.errors import BackupError

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

NAME = "PostgreSQL"
SUFFIX = "pgdump"
PRESSED = True  # by pg_dump itself
MAGIC = b"PGDMP"
COPY = re.compile(rb"COPY public\.(?P<table>\w+) \((?P<columns>.*)\) FROM stdin;\n")
EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"


def size(database: BaseDatabaseWrapper) -> int:
    """The maximum size of a dump in bytes: it has no indexes and is compressed."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database()) / 3")
        return int(cursor.fetchone()[0])


def mark(database: BaseDatabaseWrapper) -> str:
    """A value that changes with every write, here or in another database of the server.

    It contains the next transaction and those that are still running.
    """
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_current_snapshot()::text")
        return str(cursor.fetchone()[0])


def write(told: dict[str, Any], target: Path) -> None:
    _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--file", str(target)], told)


def contents(file: Path) -> Contents:
    """The contents of a backup, read as a restore would. Raises `BackupError` if it is damaged or foreign."""
    counts, migrations, columns = dict.fromkeys(counted_tables(), -1), set(), list[str]()
    table = ""
    with _started(["pg_restore", "--file", "-", str(file)]) as lines:
        for line in lines:
            if table:
                if line == b"\\.\n":
                    table = ""
                elif table in counts:
                    counts[table] += 1
                elif table == MIGRATIONS:
                    row = dict(zip(columns, line.decode().rstrip("\n").split("\t"), strict=True))
                    migrations.add((row["app"], row["name"]))
            elif begun := COPY.match(line):
                table, columns = begun["table"].decode(), begun["columns"].decode().split(", ")
                if table in counts:
                    counts[table] = 0
    if missing := [table for table, count in counts.items() if count < 0]:
        raise BackupError(f"{file} is not a Spadille database: it has no {missing[0]}.")
    return Contents(counts, frozenset(migrations))


@contextmanager
def _started(command: list[str]) -> Iterator[Iterable[bytes]]:
    """The output of a program, line by line. Raises `BackupError` if it fails."""
    with tempfile.TemporaryFile() as complaints:
        try:
            program = subprocess.Popen(  # noqa: S603 - as below
                command, stdout=subprocess.PIPE, stderr=complaints
            )
        except FileNotFoundError:
            raise _missing(command[0]) from None
        with program:
            assert program.stdout is not None  # noqa: S101 - asked for
            try:
                yield program.stdout
            except BaseException:
                program.kill()
                raise
        if program.returncode:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip()
            raise BackupError(f"{command[0]}: {said or 'failed'}")


def restore(told: dict[str, Any], file: Path) -> None:
    """Empty the database and load the backup, in one transaction."""
    with tempfile.TemporaryDirectory() as folder:
        script = str(Path(folder, "restore.sql"))
        _run(["pg_restore", "--no-owner", "--no-privileges", "--file", script, str(file)])
        once = ["psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set", "ON_ERROR_STOP=1"]
        _run([*once, "--output", os.devnull, "--command", EMPTY, "--file", script], told)


def empty(database: BaseDatabaseWrapper) -> None:
    """Delete all tables; the caller has exclusive use of the database."""
    with database.cursor() as cursor:
        cursor.execute(EMPTY)


def _run(command: list[str], told: dict[str, Any] | None = None) -> str:
    """Run one of PostgreSQL's programs; the password is passed by the environment, invisible to others."""
    try:
        ran = subprocess.run(  # noqa: S603 - programs of ours to choose, by name
            command, env=os.environ | _where(told or {}), check=False, capture_output=True, text=True
        )
    except FileNotFoundError:
        raise _missing(command[0]) from None
    if ran.returncode:
        raise BackupError(f"{command[0]}: {ran.stderr.strip() or 'failed'}")
    return ran.stdout


def _missing(program: str) -> BackupError:
    return BackupError(
        f"{program} is missing. As root: apt-get install postgresql-client (of the server's version)"
    )


def _where(told: dict[str, Any]) -> dict[str, str]:
    names = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    where = {variable: str(told[name]) for variable, name in names.items() if told.get(name)}
    options = told.get("OPTIONS", {})
    also = ("host", "port", "user", "password", "passfile", "sslmode", "sslrootcert", "sslcert", "sslkey")
    return where | {f"PG{name.upper()}": str(options[name]) for name in also if name in options}
