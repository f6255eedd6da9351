"""A backup of PostgreSQL: what its own pg_dump writes and its own pg_restore reads."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tournaments.backups.problems import BackupProblem

SUFFIX = "pgdump"
MAGIC = b"PGDMP"
EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"


def write(told: dict[str, Any], target: Path) -> None:
    _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--file", str(target)], told)
    with target.open("rb") as written:
        os.fsync(written.fileno())


def check(file: Path) -> None:
    """Refuse a file that is no backup of ours."""
    with file.open("rb") as opened:
        if opened.read(len(MAGIC)) != MAGIC:
            raise BackupProblem(f"{file} is no backup of PostgreSQL.")
    if " TABLE DATA public tournaments_report " not in _run(["pg_restore", "--list", str(file)]):
        raise BackupProblem(f"{file} holds no Spadille.")


def restore(told: dict[str, Any], file: Path) -> None:
    """Empty the database and fill it from the backup, in one transaction."""
    with tempfile.TemporaryDirectory() as folder:
        script = str(Path(folder, "restore.sql"))
        _run(["pg_restore", "--no-owner", "--no-privileges", "--file", script, str(file)])
        once = ["psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set", "ON_ERROR_STOP=1"]
        _run([*once, "--output", os.devnull, "--command", EMPTY, "--file", script], told)


def _run(command: list[str], told: dict[str, Any] | None = None) -> str:
    """Run one of PostgreSQL's programs on our database; the password goes by the environment, where nobody sees it."""
    try:
        ran = subprocess.run(  # noqa: S603 - programs of ours to choose, by name
            command, env=os.environ | _where(told or {}), check=False, capture_output=True, text=True
        )
    except FileNotFoundError:
        raise BackupProblem(
            f"{command[0]} is missing. As root: apt-get install postgresql-client (of the server's version)"
        ) from None
    if ran.returncode:
        raise BackupProblem(f"{command[0]}: {ran.stderr.strip() or 'failed'}")
    return ran.stdout


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
